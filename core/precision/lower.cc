#include "precision/lower.h"

#include <algorithm>
#include <unordered_map>

#include "base/text.h"
#include "ir/recorded_kernel.h"
#include "ops/op_impl.h"
#include "precision/cancellation.h"
#include "precision/casts.h"
#include "precision/choose.h"
#include "precision/dequantization.h"
#include "precision/range.h"
#include "precision/selection.h"

namespace ge {
namespace {

constexpr DataType kNone = DataType::kUndefined;

DataType FloatOrNone(DataType dtype) {
  return IsLowerable(dtype) ? dtype : kNone;
}

// Whether a node has the dtype of what it reads, whatever that is.
bool Follows(const Node& node) {
  if (node.type() == "Bitcast") return false;
  const OpImpl* impl = FindOpImpl(node.type());
  return node.type() == "TensorMove" || (impl != nullptr && impl->view);
}

// Whether a node rounds a float32 that is there to integers: nothing is won when it rounds a
// narrower one, which often falls on the other side of a half.
bool QuantizesFloat32(const Node& node) {
  const bool quantizes = node.type() == "Quantize" || node.type() == "DynamicQuantV2";
  return quantizes && node.input(0).desc().dtype == DataType::kFloat;
}

class Lowering {
 public:
  Lowering(const PrecisionRequest& request, const Graph& root, Progress& progress,
           const hooks::OperatorStores* own, Selection& selection, PrecisionReport& report)
      : request_(request),
        root_(root),
        progress_(progress),
        table_(request.soc_family, request.mix_edits, own),
        selection_(selection),
        report_(report) {}

  // `inputs` become float16; NetOutput reads `outputs`.
  Status Run(Graph& graph, const std::vector<Node*>& inputs, const std::vector<DataType>& outputs) {
    std::unordered_set<const Node*> in_float32 = FindCancellations(graph);
    in_float32.merge(FindDequantizations(graph));
    RangeRisks risks;
    if (LowersToFp16()) risks = FindRangeRisks(graph, in_float32);
    risks.keep.merge(std::move(in_float32));
    std::vector<Node*> nodes;
    for (const auto& node : graph.nodes()) {
      nodes.push_back(node.get());
      std::vector<DataType>& dtypes = source_[node.get()];
      for (size_t i = 0; i < node->output_count(); ++i) dtypes.push_back(node->output(i).dtype);
    }
    for (Node* input : inputs) input->output(0).dtype = DataType::kFloat16;
    Casts casts(graph, request_.clip_weights, report_.constants);
    Status status;
    for (Node* node : nodes) {
      status.Add(Lower(*node, risks, casts));
      if (&graph == &root_) progress_.Advance();
    }
    GE_TRY(std::move(status));
    Node& results = *graph.net_output();
    for (size_t i = 0; i < results.input_count(); ++i) casts.Read(results, i, outputs[i]);
    casts.Finish();
    for (const Node* node : risks.at_risk) {
      if (node->output(0).dtype != DataType::kFloat16) continue;
      report_.at_risk.push_back(node->source_name());
    }
    return Status::Ok();
  }

 private:
  bool LowersToFp16() const {
    return request_.mode == PrecisionMode::kForceFp16 || request_.mode == PrecisionMode::kMixFp16;
  }
  DataType SourceOf(Value value) const {
    return source_.at(value.node)[static_cast<size_t>(value.index)];
  }

  Status Lower(Node& node, const RangeRisks& risks, Casts& casts) {
    if (node.type() == "Data" || node.is_const() || node.type() == "NetOutput") {
      return Status::Ok();
    }
    const CustomDtypes* const custom = selection_.CustomOf(node);
    const bool keeps = selection_.Keeps(node);
    selection_.Note(node);
    if (!node.subgraphs().empty()) {
      GE_TRY(LowerSubgraphs(node, casts));
    } else if (node.type() == "Cast" || Follows(node)) {
      GE_TRY(LowerFollower(node, custom, casts));
    } else {
      GE_TRY(LowerOperator(node, custom, keeps, risks, casts));
    }
    return custom != nullptr ? CheckCustom(node, *custom) : Status::Ok();
  }

  // Bodies keep the dtypes of the source at their borders.
  Status LowerSubgraphs(Node& node, Casts& casts) {
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (node.input(i)) casts.Read(node, i, SourceOf(node.input(i)));
    }
    for (const auto& body : node.subgraphs()) {
      std::vector<DataType> results;
      const Node& net_output = *body->net_output();
      for (size_t i = 0; i < net_output.input_count(); ++i) {
        results.push_back(net_output.input(i).desc().dtype);
      }
      GE_TRY(Run(*body, {}, results));
    }
    return Status::Ok();
  }

  static DataType AskedFor(const std::vector<DataType>& dtypes, size_t i) {
    return i < dtypes.size() ? dtypes[i] : kNone;
  }

  // Input 0 may have any dtype; the result of a view has the same.
  Status LowerFollower(Node& node, const CustomDtypes* custom, Casts& casts) {
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (!node.input(i)) continue;
      DataType wanted = custom != nullptr ? AskedFor(custom->inputs, i) : kNone;
      if (custom != nullptr && wanted == kNone && i == 0 && node.type() != "Cast") {
        wanted = AskedFor(custom->outputs, 0);
      }
      const bool asks = wanted != kNone && IsLowerable(SourceOf(node.input(i)));
      if (asks) casts.Read(node, i, wanted);
      if (!asks && i > 0) casts.Read(node, i, SourceOf(node.input(i)));
    }
    GE_TRY(InferNode(node));
    const bool is_noop =
        node.type() == "Cast" && node.input(0).desc().dtype == node.output(0).dtype;
    if (is_noop && node.input(0).node->type() != "Data") casts.NoteNoop(node);
    return Status::Ok();
  }

  Status LowerOperator(Node& node, const CustomDtypes* custom, bool keeps, const RangeRisks& risks,
                       Casts& casts) {
    ChoiceContext context;
    context.mode = request_.mode;
    context.node = &node;
    context.op = &table_.Of(node.type());
    context.custom = custom;
    const bool at_range = risks.keep.contains(&node);
    // A rounded operand of Range would change how many elements there are.
    context.pinned = keeps || at_range || node.type() == "Range" || QuantizesFloat32(node);
    bool has_float = false;
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      const DataType source = input ? FloatOrNone(SourceOf(input)) : kNone;
      context.source.inputs.push_back(source);
      context.producers.push_back(source == kNone ? kNone : casts.ProducerOf(input));
      has_float |= source != kNone;
    }
    for (size_t i = 0; i < node.output_count(); ++i) {
      context.source.outputs.push_back(FloatOrNone(node.output(i).dtype));
    }
    const bool chooses =
        context.op->on_ai_core && has_float && (custom != nullptr || !IsKept(context));
    const PortDtypes chosen = chooses ? ChooseDtypes(context) : context.source;
    for (size_t i = 0; i < node.input_count(); ++i) {
      const Value input = node.input(i);
      if (!input) continue;
      casts.Read(node, i, chosen.inputs[i] == kNone ? SourceOf(input) : chosen.inputs[i]);
    }
    if (IsMatrixOp(node.type()) && context.source.outputs[0] != kNone &&
        chosen.outputs[0] == DataType::kFloat && HasNarrowFactor(node)) {
      node.attrs().Set("float32_result", true);
    }
    if (KernelNameOf(node) != nullptr) {
      for (size_t i = 0; i < node.output_count(); ++i) {
        if (chosen.outputs[i] != kNone) node.output(i).dtype = chosen.outputs[i];
      }
    }
    GE_TRY(InferNode(node));
    Count(node, context.source, at_range);
    return Status::Ok();
  }

  // Whether a node has the dtypes of the source for sure: the host engine has kernels for them
  // where the SoC has none.
  static bool IsKept(const ChoiceContext& context) {
    return context.pinned || context.mode == PrecisionMode::kOrigin ||
           (IsMixed(context.mode) && context.op->list == MixList::kBlack) ||
           (context.mode == PrecisionMode::kCubeHif8 && !IsMatrixOp(context.node->type()));
  }

  static bool HasNarrowFactor(const Node& node) {
    for (size_t i = 0; i < node.input_count(); ++i) {
      if (node.input(i) && FloatOrNone(node.input(i).desc().dtype) != kNone) {
        return node.input(i).desc().dtype != DataType::kFloat;
      }
    }
    return false;
  }

  void Count(const Node& node, const PortDtypes& source, bool at_range) {
    bool was_float32 = false;
    DataType lowered = kNone;
    const auto look = [&](DataType before, DataType now) {
      if (before != DataType::kFloat) return;
      was_float32 = true;
      if (lowered == kNone && now != DataType::kFloat) lowered = now;
    };
    for (size_t i = 0; i < source.inputs.size(); ++i) {
      if (node.input(i)) look(source.inputs[i], node.input(i).desc().dtype);
    }
    for (size_t i = 0; i < source.outputs.size(); ++i) {
      look(source.outputs[i], node.output(i).dtype);
    }
    if (lowered != kNone) {
      report_.lowered.push_back({node.source_name(), DataType::kFloat, lowered});
    } else if (at_range && was_float32) {
      report_.kept_for_range.push_back(node.source_name());
    }
  }

  static Status CheckCustom(const Node& node, const CustomDtypes& custom) {
    Status status;
    const auto check = [&](const std::vector<DataType>& wanted, size_t ports, const char* what,
                           auto dtype_of) {
      for (size_t i = 0; i < wanted.size(); ++i) {
        if (wanted[i] == kNone || (i < ports && dtype_of(i) == wanted[i])) continue;
        const std::string port = std::string(what) + " " + std::to_string(i);
        status.Add(
            Error(ErrorId::kE14001,
                  {{"opname", node.source_name()},
                   {"optype", node.type()},
                   {"reason", "--customize_dtypes asks for " + std::string(UserName(wanted[i])) +
                                  " as " + port + ", " +
                                  (i < ports ? "which it cannot have with the other data types"
                                             : "which it does not have")}}));
      }
    };
    check(custom.inputs, node.input_count(), "input",
          [&](size_t i) { return node.input(i) ? node.input(i).desc().dtype : kNone; });
    check(custom.outputs, node.output_count(), "output",
          [&](size_t i) { return node.output(i).dtype; });
    return status;
  }

  const PrecisionRequest& request_;
  const Graph& root_;
  Progress& progress_;
  OpPrecisionTable table_;
  Selection& selection_;
  PrecisionReport& report_;
  std::unordered_map<const Node*, std::vector<DataType>> source_;
};

bool ChangesNothing(const PrecisionRequest& request) {
  return request.mode == PrecisionMode::kOrigin && request.custom.empty() &&
         request.fp16_inputs.empty() && request.output_dtype == kNone &&
         request.output_dtypes.empty();
}

}  // namespace

Result<Lowered> LowerPrecision(Graph& graph, const PrecisionRequest& request, Progress& progress,
                               const hooks::OperatorStores* own) {
  Lowered result;
  if (ChangesNothing(request)) return result;
  Selection selection(request);
  std::vector<Node*> inputs;
  for (const std::string& name : request.fp16_inputs) {
    for (Node* input : graph.InputNodes()) {
      if (input->name() == name) inputs.push_back(input);
    }
  }
  std::vector<DataType> outputs;
  const Node& results = *graph.net_output();
  for (size_t i = 0; i < results.input_count(); ++i) {
    DataType wanted = request.output_dtype;
    if (i < request.output_dtypes.size()) wanted = request.output_dtypes[i];
    outputs.push_back(wanted == kNone ? results.input(i).desc().dtype : wanted);
  }
  Status status =
      Lowering(request, graph, progress, own, selection, result.report).Run(graph, inputs, outputs);
  selection.ReportUnused(result.warnings, status);
  if (!status.ok()) return status;
  return result;
}

}  // namespace ge
