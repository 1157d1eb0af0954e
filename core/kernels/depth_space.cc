#include "kernels/box.h"
#include "kernels/vision.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Sizes and strides of a tensor with the axes n, channel, h, w, in the order that data_format says.
struct Layout {
  Layout(const Shape& shape, bool channels_last) {
    const std::vector<int64_t> own = StridesOf(shape);
    const size_t order[4] = {0, channels_last ? size_t{3} : size_t{1},
                             channels_last ? size_t{1} : size_t{2},
                             channels_last ? size_t{2} : size_t{3}};
    for (size_t i = 0; i < 4; ++i) {
      size[i] = shape[order[i]];
      stride[i] = own[order[i]];
    }
  }
  int64_t size[4];
  int64_t stride[4];
};

// Moves between depth (channels) and space; `deep` is the tensor with the many channels.
Status Move(KernelContext& ctx, const HostTensor& deep, bool to_space) {
  const HostTensor& x = ctx.inputs[0];
  const std::optional<size_t> width = ElementBytes(x.dtype);
  if (!width) return ctx.NotBuilt();
  const int64_t block = ctx.attrs.Int("block_size");
  const bool last = ctx.attrs.Str("data_format") == "NHWC";
  const bool block_first = ctx.attrs.Str("mode") != "CRD";
  const Layout many(deep.shape, last);
  const int64_t channels = many.size[1] / (block * block);
  // Where the deep tensor has row i and column j of a square, and the channel c of the flat one.
  const int64_t c_stride = many.stride[1] * (block_first ? 1 : block * block);
  const int64_t j_stride = many.stride[1] * (block_first ? channels : 1);
  const int64_t i_stride = j_stride * block;
  using Axis = StridedAxis;
  std::vector<Axis> axes;
  if (to_space) {  // the output is flat: h and i, w and j are neighbours
    const Axis n = {many.size[0], many.stride[0]}, c = {channels, c_stride},
               h = {many.size[2], many.stride[2]}, i = {block, i_stride},
               w = {many.size[3], many.stride[3]}, j = {block, j_stride};
    axes = last ? std::vector<Axis>{n, h, i, w, j, c} : std::vector<Axis>{n, c, h, i, w, j};
  } else {  // the output is deep
    const Layout flat(x.shape, last);
    const Axis n = {flat.size[0], flat.stride[0]}, c = {channels, flat.stride[1]},
               h = {many.size[2], flat.stride[2] * block}, i = {block, flat.stride[2]},
               w = {many.size[3], flat.stride[3] * block}, j = {block, flat.stride[3]};
    const std::vector<Axis> depth =
        block_first ? std::vector<Axis>{i, j, c} : std::vector<Axis>{c, i, j};
    axes = last ? std::vector<Axis>{n, h, w} : std::vector<Axis>{n};
    axes.insert(axes.end(), depth.begin(), depth.end());
    if (!last) {
      axes.push_back(h);
      axes.push_back(w);
    }
  }
  Rearrange(x.data, axes, *width, ctx.outputs[0].data);
  return Status::Ok();
}

}  // namespace

Status DepthToSpace(KernelContext& ctx) {
  return Move(ctx, ctx.inputs[0], true);
}

Status SpaceToDepth(KernelContext& ctx) {
  return Move(ctx, ctx.outputs[0], false);
}

}  // namespace ge::kernels
