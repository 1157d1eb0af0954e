// Resize: interpolates x between its samples.
//
//   x [d0, d1, ...]    roi, optional    scales or sizes: one entry per axis    y [e0, e1, ...]
//
//   scales:  e = floor(d * scale), the product being rounded to float32 as in onnxruntime
//   sizes:   e = size; keep_aspect_ratio_policy not_larger (not_smaller): one scale for all axes,
//            the smallest (largest) size / d, and e = round(d * scale)
//
// An input that is there without elements counts as left out.  All attributes of ONNX Resize are
// kept for the kernel; those the prototype lacks: antialias, axes (which the entries of roi, scales
// and sizes are for; without it: all), keep_aspect_ratio_policy.  nearest_mode "simple" is the
// rule of opset 10: the integer part, for a scale below 1 the next integer.
// Source: prototype Resize in tables/ops.json; ONNX Resize, Upsample.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/resize.h"
#include "ops/infer_rules.h"

namespace ge {
namespace {

enum Input { kX, kRoi, kScales, kSizes };

bool IsGiven(const InferContext& ctx, size_t i) {
  return ctx.has_input(i) && ctx.shape(i).elements() != 0;
}

Status CheckOneOf(const InferContext& ctx, std::string_view attr,
                  std::initializer_list<std::string_view> accepted) {
  const std::string value = ctx.Str(attr);
  if (std::find(accepted.begin(), accepted.end(), value) != accepted.end()) return Status::Ok();
  std::string names;
  for (const std::string_view name : accepted) {
    if (!names.empty()) names += ", ";
    names += name;
  }
  return ctx.Fail(std::string(attr) + " is \"" + value + "\"; accepted are " + names);
}

Status CheckAttrs(const InferContext& ctx) {
  GE_TRY(CheckOneOf(ctx, "mode", {"nearest", "linear", "cubic"}));
  GE_TRY(CheckOneOf(ctx, "coordinate_transformation_mode",
                    {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners",
                     "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize"}));
  GE_TRY(CheckOneOf(ctx, "nearest_mode",
                    {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}));
  GE_TRY(CheckOneOf(ctx, "keep_aspect_ratio_policy", {"", "stretch", "not_larger", "not_smaller"}));
  if (ctx.Int("antialias") != 0 && ctx.Str("mode") == "nearest") {
    return ctx.Fail("antialias goes with mode linear or cubic, not with nearest");
  }
  if (ctx.Str("coordinate_transformation_mode") == "tf_crop_and_resize" && !IsGiven(ctx, kRoi)) {
    return ctx.Fail("coordinate_transformation_mode tf_crop_and_resize needs the input roi");
  }
  return Status::Ok();
}

// The axes that are resized, in the order of the entries of scales and sizes.
Result<std::vector<size_t>> ResizedAxes(const InferContext& ctx, const Shape& x) {
  const std::vector<int64_t> axes = ctx.Ints("axes");
  if (!axes.empty()) return AxesOf(ctx, axes, x);
  std::vector<size_t> all(x.rank());
  std::iota(all.begin(), all.end(), size_t{0});
  return all;
}

Result<int64_t> Scaled(const InferContext& ctx, int64_t dim, float scale) {
  if (!(scale > 0) || !std::isfinite(scale)) {
    return ctx.Fail("a scale is " + std::to_string(scale) + "; numbers above 0 are accepted");
  }
  if (dim == kUnknownDim) return kUnknownDim;
  const float scaled = static_cast<float>(dim) * scale;
  if (scaled < 0x1p62f) return static_cast<int64_t>(scaled);
  return ctx.Fail("x " + ctx.shape(kX).ToString() + " times scale " + std::to_string(scale) +
                  " is too large");
}

Status ApplyScales(const InferContext& ctx, const std::vector<size_t>& axes, Shape& y) {
  const std::optional<std::vector<double>> scales = ctx.ConstDoubles(kScales);
  for (size_t i = 0; i < axes.size(); ++i) {
    int64_t& dim = y[axes[i]];
    if (!scales) {
      dim = kUnknownDim;
    } else {
      GE_ASSIGN(dim, Scaled(ctx, dim, static_cast<float>((*scales)[i])));
    }
  }
  return Status::Ok();
}

// One scale for all axes, which are known.
Status ApplyPolicy(const InferContext& ctx, const std::vector<size_t>& axes,
                   const std::vector<int64_t>& sizes, bool larger, Shape& y) {
  std::vector<float> scales;
  for (size_t i = 0; i < axes.size(); ++i) {
    scales.push_back(static_cast<float>(sizes[i]) / static_cast<float>(y[axes[i]]));
  }
  if (scales.empty()) return Status::Ok();
  const float scale = larger ? *std::max_element(scales.begin(), scales.end())
                             : *std::min_element(scales.begin(), scales.end());
  for (const size_t axis : axes) {
    const float dim = std::round(scale * static_cast<float>(y[axis]));
    if (!(dim < 0x1p62f)) return ctx.Fail("the sizes are too large");
    y[axis] = static_cast<int64_t>(dim);
  }
  return Status::Ok();
}

Status ApplySizes(const InferContext& ctx, const std::vector<size_t>& axes, Shape& y) {
  const std::optional<std::vector<int64_t>> sizes = ctx.ConstInts(kSizes);
  const std::string policy = ctx.Str("keep_aspect_ratio_policy");
  const bool stretch = policy.empty() || policy == "stretch";
  bool known = sizes.has_value();
  for (size_t i = 0; i < axes.size(); ++i) {
    const int64_t dim = y[axes[i]];
    if (sizes && ((*sizes)[i] < 0 || (dim != kUnknownDim && ((*sizes)[i] == 0) != (dim == 0)))) {
      return ctx.Fail("sizes is " + Shape(*sizes).ToString() + " for x " +
                      ctx.shape(kX).ToString() + "; numbers above 0 are accepted");
    }
    known = known && (stretch || dim > 0);
  }
  if (known && !stretch) return ApplyPolicy(ctx, axes, *sizes, policy == "not_smaller", y);
  for (size_t i = 0; i < axes.size(); ++i) y[axes[i]] = known ? (*sizes)[i] : kUnknownDim;
  return Status::Ok();
}

Status InferResize(InferContext& ctx) {
  GE_TRY(CheckAttrs(ctx));
  const bool by_scales = IsGiven(ctx, kScales);
  if (by_scales == IsGiven(ctx, kSizes)) {
    return ctx.Fail(by_scales ? "scales and sizes are both given; one of them is accepted"
                              : "scales and sizes are missing; one of them is needed");
  }
  const size_t input = by_scales ? kScales : kSizes;
  const Shape& list = ctx.shape(input);
  if (!list.unknown_rank() && list.rank() != 1) {
    return ctx.Fail(InputNames(ctx.node())[input] + " has shape " + list.ToString() +
                    "; a list is accepted");
  }
  Shape y = ctx.shape(kX);
  if (y.unknown_rank() && ctx.Ints("axes").empty() && list.is_static()) {
    y = Shape::UnknownDims(static_cast<size_t>(std::min<int64_t>(list[0], 64)));
  }
  if (!y.unknown_rank()) {
    GE_ASSIGN(const std::vector<size_t> axes, ResizedAxes(ctx, y));
    if (!list.unknown_rank() && !SameOrUnknown(list[0], static_cast<int64_t>(axes.size()))) {
      return ctx.Fail(InputNames(ctx.node())[input] + " has " + std::to_string(list[0]) +
                      " entries for " + std::to_string(axes.size()) + " axes of x " + y.ToString());
    }
    GE_TRY(by_scales ? ApplyScales(ctx, axes, y) : ApplySizes(ctx, axes, y));
  }
  ctx.SetOutput(0, ctx.dtype(kX), std::move(y));
  return Status::Ok();
}

constexpr OpImpl kResize = {.type = "Resize", .infer = InferResize, .run_host = kernels::Resize};
GE_OP(kResize);

}  // namespace
}  // namespace ge
