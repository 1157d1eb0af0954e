#include <algorithm>
#include <optional>
#include <tuple>

#include "kernels/heavy.h"
#include "ops/window.h"

// Reads nodes that slide windows over spatial axes, with the functions of their shape rules.
namespace ge {
namespace {

// What a shape rule sees of a node whose tensors are known.
class RuleView {
 public:
  explicit RuleView(const KernelContext& ctx) {
    const Node& node = ctx.attrs.node();
    for (size_t i = 0; i < ctx.inputs.size(); ++i) {
      TensorDesc& desc = inputs_.emplace_back();
      if (node.input(i)) desc.format = node.input(i).desc().format;
      desc.dtype = ctx.inputs[i].dtype;
      desc.shape = ctx.inputs[i].shape;
    }
    for (const HostTensor& output : ctx.outputs) {
      outputs_.push_back({.dtype = output.dtype, .shape = output.shape});
    }
    context_.emplace(ctx.attrs, inputs_, ctx.inputs, outputs_);
  }
  InferContext& operator*() { return *context_; }

 private:
  std::vector<TensorDesc> inputs_, outputs_;
  std::optional<InferContext> context_;
};

// `shape` as N, C, D, H, W.
Tensor5 InOrder(const Shape& shape, const Layout& layout) {
  Tensor5 tensor;
  const std::vector<int64_t> strides = StridesOf(shape);
  const auto take = [&](size_t to, size_t axis) {
    tensor.dims[to] = shape[axis];
    tensor.steps[to] = strides[axis];
  };
  take(0, layout.batch);
  take(1, layout.channel);
  const size_t spatial = layout.spatial.size();
  for (size_t i = 0; i < spatial; ++i) take(5 - spatial + i, layout.spatial[i]);
  return tensor;
}

Layout FilterLayout(const InferContext& ctx, size_t input, size_t spatial) {
  return FindLayout(FormatName(ctx.input(input).format), spatial)
      .value_or(*FindLayout(spatial == 2 ? "NCHW" : "NCDHW", spatial));
}

// The windows of the last axes; D of a 2-D operator keeps the defaults.
WindowWalk WalkOf(const std::vector<Window>& windows) {
  WindowWalk walk;
  for (size_t i = 0; i < windows.size(); ++i) {
    const size_t axis = 3 - windows.size() + i;
    const Window& window = windows[i];
    walk.kernel[axis] = window.kernel;
    walk.stride[axis] = window.stride;
    walk.dilation[axis] = window.dilation;
    walk.pad[axis] = window.pad_begin;
    walk.pad_end[axis] = window.pad_end;
  }
  return walk;
}

// Pads as numbers where a padding mode stands for them.
void ResolvePads(std::vector<Window>& windows, Padding padding, const Tensor5& x) {
  for (size_t i = 0; i < windows.size(); ++i) {
    Window& window = windows[i];
    if (padding == Padding::kValid) {
      window.pad_begin = window.pad_end = 0;
    } else if (IsSame(padding)) {
      const int64_t dim = x.dims[5 - windows.size() + i];
      std::tie(window.pad_begin, window.pad_end) = SamePads(dim, window, padding);
    }
  }
}

// What quantized convolutions of the prototypes have beside the product.
Status CheckOffsets(const KernelContext& ctx, size_t offset_w) {
  if (ctx.attrs.Int("offset_x") != 0) return ctx.Fail("offset_x is not 0, which is not built");
  if (ctx.inputs.size() > offset_w && ctx.inputs[offset_w].dtype != DataType::kUndefined) {
    return ctx.Fail("offset_w is there, which is not built");
  }
  return Status::Ok();
}

struct Parts {
  ConvProblem problem;
  Layout layout;
  std::vector<Window> windows;
};

Result<Parts> ReadParts(const KernelContext& ctx, InferContext& rule, size_t x, size_t spatial) {
  Parts parts;
  const bool takes_offsets = x == 0 && IsByte(ctx.inputs[0].dtype);
  if (!takes_offsets) GE_TRY(CheckOffsets(ctx, x + 3));
  GE_ASSIGN(parts.layout, DataLayout(rule, spatial));
  ConvProblem& problem = parts.problem;
  problem.dtype = ctx.inputs[x].dtype;
  problem.filter_dtype = ctx.inputs[x + 1].dtype;
  problem.result = ctx.outputs[0].dtype;
  if (ctx.inputs.size() > x + 2) problem.bias = ctx.inputs[x + 2].dtype;
  problem.groups = ctx.attrs.Int("groups");
  problem.x = InOrder(ctx.inputs[x].shape, parts.layout);
  problem.filter = InOrder(ctx.inputs[x + 1].shape, FilterLayout(rule, x + 1, spatial));
  problem.y = InOrder(ctx.outputs[0].shape, parts.layout);
  const Spatial kernel = problem.filter.spatial();
  GE_ASSIGN(
      parts.windows,
      WindowsOf(rule, parts.layout,
                std::vector<int64_t>(kernel.end() - static_cast<ptrdiff_t>(spatial), kernel.end()),
                {}));
  return parts;
}

// Pads of a transposed convolution whose length of y the attribute output_shape has fixed.
void FitOutputShape(const InferContext& rule, Padding padding, Parts& parts) {
  const std::vector<int64_t> given = rule.Ints("output_padding");
  const size_t spatial = parts.windows.size();
  for (size_t i = 0; i < spatial; ++i) {
    Window& window = parts.windows[i];
    const int64_t extra = given.empty() ? 0 : given[parts.layout.spatial[i]];
    const int64_t natural =
        (parts.problem.x.dims[5 - spatial + i] - 1) * window.stride + window.extent() + extra;
    const int64_t total = std::max<int64_t>(0, natural - parts.problem.y.dims[5 - spatial + i]);
    const int64_t less = total / 2;
    window.pad_begin = padding == Padding::kSameUpper ? less : total - less;
  }
}

struct Pooling {
  std::string_view type;
  size_t spatial;
  PoolProblem::Kind kind;
  std::string_view padding;  // attribute that names the padding mode
};
constexpr Pooling kPoolings[] = {
    {"MaxPoolV3", 2, PoolProblem::Kind::kMax, "padding_mode"},
    {"AvgPoolV2", 2, PoolProblem::Kind::kMean, "padding_mode"},
    {"MaxPool3D", 3, PoolProblem::Kind::kMax, "padding"},
    {"AvgPool3D", 3, PoolProblem::Kind::kMean, "auto_pad"},
};

}  // namespace

Result<ConvProblem> ReadConv(const KernelContext& ctx) {
  RuleView rule(ctx);
  const size_t spatial = ctx.attrs.node().type() == "Conv2D" ? 2 : 3;
  GE_ASSIGN(Parts parts, ReadParts(ctx, *rule, 0, spatial));
  GE_ASSIGN(const Padding padding, PaddingOf(*rule, "auto_pad"));
  ResolvePads(parts.windows, padding, parts.problem.x);
  parts.problem.walk = WalkOf(parts.windows);
  return parts.problem;
}

Result<ConvProblem> ReadConvTranspose(const KernelContext& ctx) {
  RuleView rule(ctx);
  const size_t spatial = ctx.attrs.node().type() == "Conv2DTranspose" ? 2 : 3;
  GE_ASSIGN(Parts parts, ReadParts(ctx, *rule, 1, spatial));
  GE_ASSIGN(const Padding padding, PaddingOf(*rule, "auto_pad"));
  if (!ctx.attrs.Ints("output_shape").empty()) {
    FitOutputShape(*rule, padding, parts);
  } else if (padding != Padding::kExplicit) {
    return ctx.Fail("auto_pad without output_shape is not built");
  }
  ConvProblem& problem = parts.problem;
  problem.transposed = true;
  // The attribute input_size may have named any shape.
  if (problem.y.dims[0] != problem.x.dims[0] ||
      problem.y.dims[1] != problem.filter.dims[1] * problem.groups) {
    return ctx.Fail("input_size " + ctx.outputs[0].shape.ToString() +
                    " has other batches or channels than x and filter give");
  }
  problem.walk = WalkOf(parts.windows);
  return problem;
}

Result<PoolProblem> ReadPool(const KernelContext& ctx) {
  const std::string& type = ctx.attrs.node().type();
  const Pooling& pooling = *std::find_if(std::begin(kPoolings), std::end(kPoolings) - 1,
                                         [&](const Pooling& row) { return row.type == type; });
  RuleView rule(ctx);
  GE_ASSIGN(const Layout layout, DataLayout(*rule, pooling.spatial));
  PoolProblem problem;
  problem.kind = pooling.kind;
  problem.dtype = ctx.inputs[0].dtype;
  problem.x = InOrder(ctx.inputs[0].shape, layout);
  problem.y = InOrder(ctx.outputs[0].shape, layout);
  if (pooling.kind == PoolProblem::Kind::kMean) {
    problem.divisor = ctx.attrs.Int("divisor_override");
    problem.count_pads =
        pooling.spatial == 3 ? ctx.attrs.Bool("count_include_pad") : !ctx.attrs.Bool("exclusive");
  }
  if (ctx.attrs.Bool("global_pooling")) {
    problem.walk.kernel = problem.x.spatial();
    return problem;
  }
  std::vector<int64_t> kernel;
  const std::vector<int64_t> ksize = ctx.attrs.Ints("ksize");
  for (const size_t axis : layout.spatial) kernel.push_back(ksize[axis]);
  GE_ASSIGN(std::vector<Window> windows,
            WindowsOf(*rule, layout, kernel, {.dilations = "dilation"}));
  GE_ASSIGN(const Padding padding, PaddingOf(*rule, pooling.padding));
  ResolvePads(windows, padding, problem.x);
  problem.walk = WalkOf(windows);
  return problem;
}

}  // namespace ge
