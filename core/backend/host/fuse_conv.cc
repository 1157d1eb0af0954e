#include "backend/host/fuse_conv.h"

#include <algorithm>
#include <map>
#include <set>

#include "backend/host/conv_tail.h"
#include "backend/host/operands.h"
#include "backend/host/post_op.h"
#include "kernels/finite.h"

namespace ge::host {
namespace {

bool IsConv(const Step& step) {
  return step.kind == Step::kKernel && !step.dynamic &&
         (step.node->type() == "Conv2D" || step.node->type() == "Conv2DTranspose") &&
         step.outputs[0].kind == Operand::kArena &&
         (step.outputs[0].desc->dtype == DataType::kFloat || IsNarrowConv(step) ||
          IsByteConv(step));
}

// A convolution and steps behind it.
struct Chain {
  size_t parts = 1;
  std::vector<PostOp> post_ops;
  size_t addend = SIZE_MAX;  // index in the tensors of all parts

  const Operand& AddendIn(std::span<const Step> steps) const {
    size_t index = addend;
    for (const Step& part : steps) {
      const size_t count = part.inputs.size() + part.outputs.size();
      if (index < count) return part.inputs[index];
      index -= count;
    }
    return steps[0].inputs[0];
  }
};

// Whether the last result may be written while the convolution reads: nothing that is read lies
// there, but for an addend that lies just there.
bool MayWrite(std::span<const Step> steps, Chain& chain) {
  const ArenaSpan y = SpanOf(steps[chain.parts - 1].outputs[0]);
  for (const Operand& read : steps[0].inputs) {
    if (read.kind == Operand::kArena && SpanOf(read).Meets(y)) return false;
  }
  if (chain.addend == SIZE_MAX) return true;
  const ArenaSpan addend = SpanOf(chain.AddendIn(steps));
  if (addend.Meets(y) && addend != y) return false;
  for (PostOp& op : chain.post_ops) {
    if (op.kind != PostOp::Kind::kAdd && op.kind != PostOp::Kind::kAddInPlace) continue;
    op.kind = addend == y ? PostOp::Kind::kAddInPlace : PostOp::Kind::kAdd;
  }
  return true;
}

// The longest chain that begins with the first of `steps`, whose convolution is one by itself.
// `ends` says whether a chain must end before step i.
Chain LongestChain(std::span<const Step> steps, const std::vector<bool>& is_target, size_t first) {
  Chain chain, best;
  size_t tensors = steps[0].inputs.size() + steps[0].outputs.size();
  Value y{const_cast<Node*>(steps[0].node), 0};
  for (size_t i = 1; i < steps.size() && !is_target[first + i]; ++i) {
    const Step& step = steps[i];
    if (step.kind != Step::kKernel || step.dynamic || step.outputs.size() != 1 ||
        step.impl->pointwise != Pointwise::kBroadcast || step.outputs[0].kind != Operand::kArena ||
        y.node->uses(0).size() != 1 || y.node->uses(0)[0].node != step.node) {
      break;
    }
    const auto port = static_cast<size_t>(y.node->uses(0)[0].input);
    const std::vector<PostOp> ops = PostOpsOf(step, port);
    if (ops.empty()) break;
    if (ops[0].kind == PostOp::Kind::kAdd) {
      if (chain.addend != SIZE_MAX) break;
      chain.addend = tensors + 1 - port;
    }
    if (!Append(chain.post_ops, ops)) break;
    chain.parts = i + 1;
    if (MayWrite(steps, chain)) best = chain;
    tensors += step.inputs.size() + 1;
    y = {const_cast<Node*>(step.node), 0};
  }
  return best;
}

// form(context, form) of a convolution.
template <typename FormFn>
auto Form(const Step& conv, std::span<const PostOp> post_ops, const FormFn& form) {
  std::vector<HostTensor> inputs, outputs;
  for (const Operand& operand : conv.inputs) {
    HostTensor& tensor = inputs.emplace_back();
    if (operand.kind == Operand::kNone) continue;
    tensor = {operand.desc->dtype, operand.desc->shape, const_cast<void*>(operand.weight)};
  }
  outputs.push_back({conv.outputs[0].desc->dtype, conv.outputs[0].desc->shape, nullptr});
  const AttrReader attrs = conv.attr_reader();
  const size_t x = conv.node->type() == "Conv2D" ? 0 : 1;
  return form(KernelContext{inputs, outputs, attrs},
              {conv.inputs[x].channels_last, conv.outputs[0].channels_last, post_ops});
}

bool AllConstantsFinite(const Program& program) {
  std::set<const void*> seen;
  for (const Step& step : program.steps) {
    for (const Operand& operand : step.inputs) {
      if (operand.kind != Operand::kWeights || !seen.insert(operand.weight).second) continue;
      const TensorDesc& desc = *operand.desc;
      if (!kernels::AllFinite(desc.dtype, operand.weight, *desc.shape.elements())) return false;
    }
  }
  return true;
}

// By the index of the convolution.
std::map<size_t, Chain> FindChains(const Program& program, const std::vector<bool>& is_target) {
  const auto hides_nan = [](const auto& chain) {
    return std::ranges::any_of(chain.second.post_ops, &PostOp::hides_nan);
  };
  std::map<size_t, Chain> chains;
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const auto steps = std::span(program.steps).subspan(i);
    if (!IsConv(steps[0])) continue;
    Chain& chain = chains[i];
    if (IsNarrowConv(steps[0])) {
      chain.parts = TailLength(steps, is_target, i);
    } else {
      chain = LongestChain(steps, is_target, i);
    }
  }
  // Where constants bring NaN into the model, results must show it.
  if (std::ranges::any_of(chains, hides_nan) && !AllConstantsFinite(program)) {
    for (auto& chain : chains) {
      if (hides_nan(chain)) chain.second = {};
    }
  }
  return chains;
}

// Gives `joined` its convolution, or does not when the convolution is best run as a kernel.
// `chain` becomes the part of it that the convolution does.
Status FormInto(Step& joined, const Step& conv, Chain& chain) {
  if (IsNarrowConv(conv)) {
    GE_ASSIGN(joined.streamed, Form(conv, {}, kernels::FormStreamedConv));
    if (joined.streamed == nullptr) chain = {};
    return Status::Ok();
  }
  GE_ASSIGN(joined.formed, Form(conv, chain.post_ops, kernels::FormConv));
  if (joined.formed == nullptr) {
    chain = {};
    GE_ASSIGN(joined.formed, Form(conv, {}, kernels::FormConv));
  }
  return Status::Ok();
}

void Join(Step& joined, std::span<Step> steps, const Chain& chain) {
  joined.kind = Step::kConv;
  joined.node = steps.back().node;
  joined.addend = chain.addend;
  for (Step& step : steps) {
    joined.release.insert(joined.release.end(), step.release.begin(), step.release.end());
    joined.inputs.insert(joined.inputs.end(), step.inputs.begin(), step.inputs.end());
    joined.outputs.insert(joined.outputs.end(), step.outputs.begin(), step.outputs.end());
    joined.parts.push_back(std::move(step));
  }
}

}  // namespace

Status FuseConvolutions(Program& program, const std::vector<bool>& is_target) {
  std::vector<Step> steps;
  std::vector<uint32_t> moved(program.steps.size() + 1);  // old index to new
  std::map<size_t, Chain> chains = FindChains(program, is_target);
  for (size_t i = 0; i < program.steps.size();) {
    const std::span<Step> rest = std::span(program.steps).subspan(i);
    Step joined;
    Chain chain;
    if (const auto found = chains.find(i); found != chains.end()) {
      chain = std::move(found->second);
      GE_TRY(FormInto(joined, rest[0], chain));
    }
    for (size_t k = 0; k < chain.parts; ++k) moved[i + k] = static_cast<uint32_t>(steps.size());
    program.hides_nan |= std::ranges::any_of(chain.post_ops, &PostOp::hides_nan);
    if (joined.formed != nullptr || joined.streamed != nullptr) {
      program.packed_bytes += joined.formed ? joined.formed->bytes() : joined.streamed->bytes();
      Join(joined, rest.first(chain.parts), chain);
      steps.push_back(std::move(joined));
    } else {
      steps.push_back(std::move(rest[0]));
    }
    i += chain.parts;
  }
  moved.back() = static_cast<uint32_t>(steps.size());
  for (Step& step : steps) {
    for (uint32_t& target : step.targets) target = moved[target];
  }
  program.steps = std::move(steps);
  return Status::Ok();
}

Status RunConv(const Step& step, std::span<HostTensor> tensors, bool exactly) {
  if (step.streamed != nullptr) return RunStreamedConv(step, tensors);
  const auto context_of = [&](const Step& part, const AttrReader& attrs) {
    const auto inputs = tensors.first(part.inputs.size());
    const auto outputs = tensors.subspan(inputs.size(), part.outputs.size());
    return KernelContext{inputs, outputs, attrs};
  };
  const AttrReader conv_attrs = step.parts[0].attr_reader();
  KernelContext conv = context_of(step.parts[0], conv_attrs);
  const void* const addend = step.addend != SIZE_MAX ? tensors[step.addend].data : nullptr;
  if (!exactly || step.parts.size() == 1) {
    if (step.formed->Run(conv, addend, tensors.back().data)) return Status::Ok();
  }
  GE_TRY(step.formed->RunAlone(conv));
  for (size_t i = 1; i < step.parts.size(); ++i) {
    tensors = tensors.subspan(step.parts[i - 1].inputs.size() + step.parts[i - 1].outputs.size());
    const AttrReader attrs = step.parts[i].attr_reader();
    KernelContext context = context_of(step.parts[i], attrs);
    GE_TRY(step.parts[i].impl->run_host(context));
  }
  return Status::Ok();
}

}  // namespace ge::host
