#include <algorithm>
#include <string>
#include <string_view>

#include "conv_descs.h"
#include "makers.h"
#include "primitive.h"

// Convolutions and transposed convolutions of float32, and convolutions of bytes with sums of
// int32.  oneDNN is fastest with its own layout of the filter, which is reordered once, and with
// channels last (or blocked) in x and y.  Where these are not so, they are reordered on the way in
// and out, which may take as long as the convolution.
namespace ge::onednn {
namespace {

// A product of plain matrices, fast enough as it is: reordering x and y would cost more than the
// better layout gains.  Per element of x and y the product does this many multiplications.
bool IsCheapProduct(const ConvProblem& problem) {
  constexpr int64_t kCheap = 100, kLongRows = 256;
  const int64_t in = problem.x.dims[1], out = problem.y.dims[1];
  return problem.is_product() && problem.y.plane() >= kLongRows && in * out < kCheap * (in + out);
}

// `y` is the caller's layout.
dnnl::post_ops PostOpsOf(std::span<const PostOp> ops, const Desc& y) {
  using Kind = PostOp::Kind;
  using dnnl::algorithm;
  dnnl::post_ops result;
  std::vector<algorithm> functions;
  const auto append = [&](algorithm function, float alpha = 0, float beta = 0) {
    // oneDNN 2.6 gives all functions of a kind the parameters of one of them.
    if (std::find(functions.begin(), functions.end(), function) != functions.end()) {
      throw dnnl::error(dnnl_unimplemented, "a function that is there twice");
    }
    functions.push_back(function);
    AppendEltwise(result, function, alpha, beta);
  };
  for (const PostOp& op : ops) {
    switch (op.kind) {
      case Kind::kRelu:
        append(algorithm::eltwise_relu);
        break;
      case Kind::kLeakyRelu:
        append(algorithm::eltwise_relu, op.alpha);
        break;
      case Kind::kClip:
        append(algorithm::eltwise_clip, op.alpha, op.beta);
        break;
      case Kind::kLinear:
        append(algorithm::eltwise_linear, op.alpha, op.beta);
        break;
      case Kind::kSigmoid:
        append(algorithm::eltwise_logistic);
        break;
      case Kind::kTanh:
        append(algorithm::eltwise_tanh);
        break;
      case Kind::kSwish:
        append(algorithm::eltwise_swish, op.alpha);
        break;
      case Kind::kHardSwish:
        AppendHardSwish(result);
        break;
      case Kind::kAdd:
        result.append_binary(algorithm::binary_add, y);
        break;
      case Kind::kAddInPlace:
        result.append_sum(1.0f);
        break;
    }
  }
  return result;
}

template <typename Forward>
class Convolution : public HeavyPrimitive {
 public:
  Convolution(const ConvProblem& problem, const void* filter, std::span<const PostOp> post_ops) {
    constexpr int64_t kShort = 400'000;
    is_short_ = HasFewerProducts(problem, kShort);
    const bool depth = HasDepth(problem);
    x_ = DescOf(problem.x, depth, TypeFor(problem.dtype));
    y_ = DescOf(problem.y, depth, TypeFor(problem.result));
    filter_ = FilterDesc(problem, depth, TypeFor(problem.filter_dtype));
    descs_.x = IsChannelsLast(problem.x) ? x_ : AnyLayout(x_);
    descs_.y = IsChannelsLast(problem.y) ? y_ : AnyLayout(y_);
    descs_.filter = AnyLayout(filter_);
    descs_.post_ops = PostOpsOf(post_ops, y_);
    descs_.x_zero = problem.x_zero;
    for (size_t i = 0; i < post_ops.size(); ++i) {
      keeps_y_ |= post_ops[i].kind == PostOp::Kind::kAddInPlace;
      if (post_ops[i].kind != PostOp::Kind::kAdd) continue;
      keeps_y_ = true;
      addend_arg_ = DNNL_ARG_ATTR_MULTIPLE_POST_OP(static_cast<int>(i)) | DNNL_ARG_SRC_1;
    }
    if (kTransposed) {
      // With a bias oneDNN's transposed convolution is many times slower.
      adds_bias_ = problem.bias != DataType::kUndefined;
      channels_ = problem.y.dims[1];
      plane_ = problem.y.plane();
      batch_ = problem.y.dims[0];
      channels_last_ = IsChannelsLast(problem.y);
    } else if (problem.bias != DataType::kUndefined) {
      descs_.bias = Desc({problem.y.dims[1]}, TypeFor(problem.bias), dnnl::memory::format_tag::x);
    }
    for (size_t axis = depth ? 0 : 1; axis < 3; ++axis) {
      descs_.strides.push_back(problem.walk.stride[axis]);
      descs_.dilations.push_back(problem.walk.dilation[axis] - 1);
      descs_.pads.push_back(problem.walk.pad[axis]);
      descs_.pads_end.push_back(EndPad(problem, axis));
    }
    const auto made = MakeChecked(descs_);
    name_ = made.impl_info_str();
    packed_ = Pack(made.weights_desc(), filter);
  }

  uint64_t bytes() const override { return packed_ ? packed_.get_desc().get_size() : 0; }

  bool Run(int most_threads, const HeavyArgs& args) const override {
    const int threads = is_short_ ? 1 : most_threads;
    const OmpThreads scope(threads);
    const auto variant = variants_.Get(threads, [&] { return MakeVariant(args.filter); });
    if (variant == nullptr) return false;
    try {
      return Execute(threads, *variant, args);
    } catch (const dnnl::error&) {
      return false;
    }
  }

 private:
  static constexpr bool kTransposed = std::is_same_v<Forward, dnnl::deconvolution_forward>;
  static constexpr dnnl::algorithm kAlgorithm =
      kTransposed ? dnnl::algorithm::deconvolution_direct : dnnl::algorithm::convolution_direct;

  static Type TypeFor(DataType dtype) {
    switch (dtype) {
      case DataType::kInt8:
        return Type::s8;
      case DataType::kUint8:
        return Type::u8;
      case DataType::kInt32:
        return Type::s32;
      default:
        return Type::f32;
    }
  }

  struct Variant {
    Desc x, y, scratchpad;
    dnnl::memory packed;
    Forward primitive;
    dnnl::reorder read, write;  // empty when the layout is the caller's
  };

  // Padding behind the last element, of which oneDNN wants to know exactly what windows need.
  static int64_t EndPad(const ConvProblem& problem, size_t axis) {
    const Tensor5 &narrow = kTransposed ? problem.x : problem.y,
                  &wide = kTransposed ? problem.y : problem.x;
    const WindowWalk& walk = problem.walk;
    return (narrow.dims[axis + 2] - 1) * walk.stride[axis] +
           (walk.kernel[axis] - 1) * walk.dilation[axis] + 1 - wide.dims[axis + 2] - walk.pad[axis];
  }

  typename Forward::primitive_desc MakeChecked(const ConvDescs& descs) const {
    const auto made = MakeConvDesc<Forward>(Engine(), kAlgorithm, descs);
    RefuseSlowCode(made.impl_info_str());
    if (keeps_y_ && made.dst_desc() != y_) {
      throw dnnl::error(dnnl_unimplemented, "an addend in another layout");
    }
    return made;
  }

  // The filter in the layout `desc`; empty when that is the caller's.
  dnnl::memory Pack(const Desc& desc, const void* filter) const {
    if (desc == filter_) return {};
    dnnl::memory packed(desc, Engine());
    dnnl::memory plain = View(filter_, filter);
    dnnl::stream stream(Engine());
    dnnl::reorder(plain, packed).execute(stream, plain, packed);
    stream.wait();
    return packed;
  }

  std::shared_ptr<const Variant> MakeVariant(const void* filter) const {
    ConvDescs descs = descs_;
    descs.filter = packed_ ? packed_.get_desc() : filter_;
    auto desc = MakeConvDesc<Forward>(Engine(), kAlgorithm, descs);
    // For some numbers of threads oneDNN has fast code only with another layout of the filter.
    const bool shares = desc.impl_info_str() == name_;
    if (!shares) desc = MakeChecked(descs_);
    auto variant = std::make_shared<Variant>();
    variant->packed = shares ? packed_ : Pack(desc.weights_desc(), filter);
    variant->x = desc.src_desc();
    variant->y = desc.dst_desc();
    variant->scratchpad = desc.scratchpad_desc();
    variant->primitive = Forward(desc);
    if (variant->x != x_) variant->read = MakeReorder(x_, variant->x);
    if (variant->y != y_) variant->write = MakeReorder(variant->y, y_);
    return variant;
  }

  bool Execute(int threads, const Variant& variant, const HeavyArgs& call) const {
    const size_t x_bytes = variant.read ? variant.x.get_size() : 0;
    const size_t y_bytes = variant.write ? variant.y.get_size() : 0;
    const size_t scratch_bytes = variant.scratchpad.get_size();
    Workspace space(Workspace::Padded(x_bytes) + Workspace::Padded(y_bytes) + scratch_bytes);
    if (!space.ok()) return false;
    dnnl::stream stream(Engine());
    dnnl::memory from = View(x_, call.x), to = View(y_, call.y);
    if (variant.read) {
      dnnl::memory blocked = View(variant.x, space.Take(x_bytes));
      variant.read.execute(stream, from, blocked);
      from = blocked;
    }
    dnnl::memory result = variant.write ? View(variant.y, space.Take(y_bytes)) : to;
    std::unordered_map<int, dnnl::memory> args = {
        {DNNL_ARG_SRC, from},
        {DNNL_ARG_WEIGHTS, variant.packed ? variant.packed : View(filter_, call.filter)},
        {DNNL_ARG_DST, result},
        {DNNL_ARG_SCRATCHPAD, View(variant.scratchpad, space.Take(scratch_bytes))}};
    if (call.bias != nullptr && !adds_bias_) {
      args.emplace(DNNL_ARG_BIAS, View(descs_.bias, call.bias));
    }
    if (addend_arg_ != 0) args.emplace(addend_arg_, View(y_, call.addend));
    variant.primitive.execute(stream, args);
    if (variant.write) variant.write.execute(stream, result, to);
    stream.wait();
    if (adds_bias_) {
      AddBias(threads, static_cast<const float*>(call.bias), static_cast<float*>(call.y));
    }
    return true;
  }

  void AddBias(int threads, const float* bias, float* y) const {
    if (channels_last_) {
      AllOf(threads, batch_ * plane_, [&](int64_t i) {
        for (int64_t c = 0; c < channels_; ++c) y[i * channels_ + c] += bias[c];
        return true;
      });
    } else {
      AllOf(threads, batch_ * channels_, [&](int64_t i) {
        const float value = bias[i % channels_];
        for (int64_t p = 0; p < plane_; ++p) y[i * plane_ + p] += value;
        return true;
      });
    }
  }

  Desc x_, y_, filter_;    // the caller's layouts
  ConvDescs descs_;        // oneDNN may choose the layouts of x and y
  dnnl::memory packed_;    // empty: the caller's filter is used
  std::string name_;       // of oneDNN's code for it
  bool is_short_ = false;  // done before other threads have begun
  bool keeps_y_ = false;   // y must be in the caller's layout
  int addend_arg_ = 0;     // oneDNN's name for PostOp::kAdd's tensor
  PerThreads<Variant> variants_;
  // Of y, where the bias is added to it.
  bool adds_bias_ = false, channels_last_ = false;
  int64_t batch_ = 0, channels_ = 0, plane_ = 0;
};

// Whether the processor sums products of bytes exactly; others bound sums of two by 16 bits.
bool MultipliesBytes() {
#if defined(__x86_64__)
  const auto has = [](dnnl::cpu_isa isa) {
    return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & static_cast<unsigned>(isa)) ==
           static_cast<unsigned>(isa);
  };
  return has(dnnl::cpu_isa::avx512_core_vnni) || has(dnnl::cpu_isa::avx2_vnni);
#else
  return false;
#endif
}

std::unique_ptr<const HeavyPrimitive> MakeByteConv(const ConvProblem& problem, const void* filter) {
  const bool fits = problem.filter_dtype == DataType::kInt8 && problem.result == DataType::kInt32 &&
                    filter != nullptr &&
                    (problem.bias == DataType::kInt32 || problem.bias == DataType::kUndefined);
  const bool is_empty = problem.y.elements() == 0 || problem.x.elements() == 0;
  if (!fits || is_empty || IsSmall(problem) || !MultipliesBytes()) return nullptr;
  try {
    return std::make_unique<Convolution<dnnl::convolution_forward>>(problem, filter,
                                                                    std::span<const PostOp>());
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace

std::unique_ptr<const HeavyPrimitive> MakeConv(const ConvProblem& problem, const void* filter,
                                               std::span<const PostOp> post_ops) {
  if (IsByte(problem.dtype)) {
    return post_ops.empty() ? MakeByteConv(problem, filter) : nullptr;
  }
  const bool is_float = problem.dtype == DataType::kFloat &&
                        (problem.bias == DataType::kFloat || problem.bias == DataType::kUndefined);
  if (!is_float || filter == nullptr || problem.y.elements() == 0 || problem.x.elements() == 0) {
    return nullptr;
  }
  if (IsSmall(problem)) return nullptr;
  // A few columns: the plain kernel reads the filter once, without a copy of it.
  if (problem.is_product() && problem.y.plane() <= 4) return nullptr;
  try {
    const bool plain = !problem.transposed && post_ops.empty();
    if (plain && IsCheapProduct(problem)) return MakePointwise(problem);
    if (plain) {
      if (auto products = MakeWindowProducts(problem)) return products;
    }
    if (problem.transposed) {
      if (post_ops.empty()) {
        if (auto spread = MakeSpread(problem, filter)) return spread;
      }
      constexpr int64_t kFewOutputs = 4;  // oneDNN computes 8 at least
      if (problem.out_channels() < kFewOutputs && problem.groups == 1) return nullptr;
      const bool adds_bias = problem.bias != DataType::kUndefined;
      if (adds_bias && !post_ops.empty()) return nullptr;
      const bool is_common = problem.y.is_dense() || IsChannelsLast(problem.y);
      if (adds_bias && !is_common) return nullptr;
      return std::make_unique<Convolution<dnnl::deconvolution_forward>>(problem, filter, post_ops);
    }
    return std::make_unique<Convolution<dnnl::convolution_forward>>(problem, filter, post_ops);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace ge::onednn
