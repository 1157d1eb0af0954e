#include <algorithm>

#include "kernels/byte_heavy.h"
#include "kernels/byte_product.h"
#include "kernels/conv_parts.h"
#include "kernels/heavy_library.h"
#include "kernels/simd.h"
#include "ops/op_impl.h"

// Products of the filter, [O, quads of channels and taps], and windows of x.  Channels of x are
// joined to quads, and planes get their padding, which stands for the zero point.
namespace ge::kernels {
namespace {

using gemm::Quad;

struct Geometry {
  explicit Geometry(const ConvProblem& problem)
      : walk(problem.walk),
        in(problem.x.spatial()),
        out(problem.y.spatial()),
        images(problem.x.dims[0]),
        groups(problem.groups),
        channels(problem.in_channels()),
        outputs(problem.out_channels()),
        taps(Volume(walk.kernel)),
        quads((channels + 3) / 4) {
    for (size_t axis = 0; axis < 3; ++axis) {
      const int64_t reach =
          (out[axis] - 1) * walk.stride[axis] + (walk.kernel[axis] - 1) * walk.dilation[axis] + 1;
      padded[axis] = std::max({reach, in[axis] + walk.pad[axis], int64_t{0}});
    }
  }

  WindowWalk walk;
  Spatial in, out, padded = {};
  int64_t images, groups, channels, outputs;  // the latter two per group
  int64_t taps, quads;
};

// Calls run(offset of the first window or tap of a row in a padded plane) for all rows, in order.
template <typename Run>
void ForRows(const Geometry& g, const Spatial& counts, const Spatial& steps, const Run& run) {
  for (int64_t d = 0; d < counts[0]; ++d) {
    for (int64_t h = 0; h < counts[1]; ++h) {
      run((d * steps[0] * g.padded[1] + h * steps[1]) * g.padded[2]);
    }
  }
}

std::vector<int64_t> Offsets(const Geometry& g, const Spatial& counts, const Spatial& steps) {
  std::vector<int64_t> offsets;
  ForRows(g, counts, steps, [&](int64_t row) {
    for (int64_t w = 0; w < counts[2]; ++w) offsets.push_back(row + w * steps[2]);
  });
  return offsets;
}

// Lines of all groups; the outputs of a group begin a panel.
std::vector<BytePanels> PackFilter(const ConvProblem& problem, const void* filter) {
  const Geometry g(problem);
  std::vector<uint8_t> copy;
  const auto* from =
      static_cast<const uint8_t*>(Dense(problem.filter, filter, problem.filter_dtype, copy));
  const uint8_t flip = FlipFor(problem.filter_dtype, Side::kLeft);
  std::vector<BytePanels> groups;
  for (int64_t group = 0; group < g.groups; ++group) {
    BytePanels& packed = groups.emplace_back(Side::kLeft, g.outputs, g.quads * g.taps);
    for (int64_t o = 0; o < g.outputs; ++o) {
      for (int64_t c = 0; c < g.channels; ++c) {
        for (int64_t tap = 0; tap < g.taps; ++tap, ++from) {
          const auto byte = static_cast<uint8_t>(*from ^ flip);
          packed.at(o, c / 4 * g.taps + tap)->bits |= static_cast<uint32_t>(byte) << (c % 4 * 8);
          packed.sums[static_cast<size_t>(o)] += static_cast<int8_t>(byte);
        }
      }
    }
  }
  return groups;
}

// x as quads of channels in padded planes.
class PaddedQuads {
 public:
  PaddedQuads(const ConvProblem& problem, const Geometry& g, const void* x, int32_t zero)
      : g_(g), plane_(Volume(g.padded)) {
    std::vector<uint8_t> copy;
    const auto* const from = static_cast<const uint8_t*>(Dense(problem.x, x, problem.dtype, copy));
    const uint8_t flip = FlipFor(problem.dtype, Side::kRight);
    const int64_t planes = g.images * g.groups * g.quads;
    quads_ = std::make_unique_for_overwrite<Quad[]>(static_cast<size_t>(planes * plane_));
    const int64_t x_plane = Volume(g.in);
    ParallelFor(planes, 16384 / std::max<int64_t>(plane_, 1) + 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        const int64_t first = i % g.quads * 4, count = std::min<int64_t>(4, g.channels - first);
        const uint8_t* const source = from + (i / g.quads * g.channels + first) * x_plane;
        const uint32_t used = count == 4 ? UINT32_MAX : (1u << (8 * count)) - 1;
        Quad* const to = quads_.get() + i * plane_;
        std::fill_n(to, plane_, Quad{(static_cast<uint32_t>(zero) * 0x01010101u) & used});
        Fill(source, count, x_plane, flip, to);
      }
    });
  }

  const Quad* plane(int64_t image_and_group, int64_t quad) const {
    return quads_.get() + (image_and_group * g_.quads + quad) * plane_;
  }

  // The sum of all elements of each window.
  std::vector<int32_t> WindowSums(int64_t image_and_group,
                                  const std::vector<int64_t>& windows) const {
    std::vector<int32_t> sums(static_cast<size_t>(plane_), 0), result;
    int32_t* const to = sums.data();
    const int64_t count = plane_;
    for (int64_t q = 0; q < g_.quads; ++q) {
      const Quad* const from = plane(image_and_group, q);
      Vectorised([=]() GE_INLINE {
        for (int64_t i = 0; i < count; ++i) {
          const uint32_t pairs = (from[i].bits & 0xff00ff) + (from[i].bits >> 8 & 0xff00ff);
          to[i] += static_cast<int32_t>((pairs & 0xffff) + (pairs >> 16));
        }
      });
    }
    const std::vector<int64_t> taps = Offsets(g_, g_.walk.kernel, g_.walk.dilation);
    result.reserve(windows.size());
    for (const int64_t window : windows) {
      int32_t sum = 0;
      for (const int64_t tap : taps) sum += sums[static_cast<size_t>(window + tap)];
      result.push_back(sum);
    }
    return result;
  }

 private:
  void Fill(const uint8_t* source, int64_t count, int64_t x_plane, uint8_t flip, Quad* to) const {
    const auto inside = [&](size_t axis) {
      return std::min(g_.in[axis], g_.padded[axis] - g_.walk.pad[axis]);
    };
    for (int64_t d = 0; d < inside(0); ++d) {
      for (int64_t h = 0; h < inside(1); ++h) {
        const uint8_t* rows[4] = {};
        for (int64_t c = 0; c < count; ++c) {
          rows[c] = source + c * x_plane + (d * g_.in[1] + h) * g_.in[2];
        }
        const int64_t row = (d + g_.walk.pad[0]) * g_.padded[1] + h + g_.walk.pad[1];
        InterleaveRows(rows, flip, inside(2), to + row * g_.padded[2] + g_.walk.pad[2]);
      }
    }
  }

  const Geometry& g_;
  int64_t plane_;
  std::unique_ptr<Quad[]> quads_;
};

// The quads of windows first, first + 1, ... that lie `offset` behind their beginnings.
void CopyWindows(const Quad* plane, const int64_t* windows, int64_t count, Quad* to) {
  if (windows[count - 1] - windows[0] == count - 1) {
    std::copy_n(plane + windows[0], count, to);
  } else {
    for (int64_t i = 0; i < count; ++i) to[i] = plane[windows[i]];
  }
}

struct Zeros {
  std::vector<int32_t> filter;  // one, or one per output
  int32_t x;
  int32_t of_filter(int64_t o) const { return filter[filter.size() == 1 ? 0 : o]; }
};

Result<Zeros> ReadZeros(const KernelContext& ctx, const ConvProblem& problem) {
  Zeros zeros;
  GE_ASSIGN(zeros.filter, ZerosOf(ctx, kOffsetW, Side::kLeft));
  GE_ASSIGN(const std::vector<int32_t> x, ZerosOf(ctx, kOffsetX, Side::kRight));
  const auto outputs = static_cast<size_t>(problem.y.dims[1]);
  if (x.size() != 1 || (zeros.filter.size() != 1 && zeros.filter.size() != outputs)) {
    return ctx.NotBuilt();
  }
  zeros.x = x[0];
  return zeros;
}

void Multiply(const Geometry& g, const std::vector<BytePanels>& filter, const PaddedQuads& x,
              const Zeros& zeros, const std::vector<uint32_t>& start, uint32_t* y) {
  constexpr int64_t kWide = gemm::kColumns<Quad>;
  const std::vector<int64_t> windows = Offsets(g, g.out, g.walk.stride);
  const std::vector<int64_t> taps = Offsets(g, g.walk.kernel, g.walk.dilation);
  const int64_t count = static_cast<int64_t>(windows.size()), depth = g.channels * g.taps;
  std::vector<std::vector<int32_t>> sums(static_cast<size_t>(g.images * g.groups));
  const bool needs_sums =
      std::any_of(zeros.filter.begin(), zeros.filter.end(), [](int32_t zero) { return zero != 0; });
  if (needs_sums) {
    ParallelFor(g.images * g.groups, 1, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; ++i) {
        sums[static_cast<size_t>(i)] = x.WindowSums(i, windows);
      }
    });
  }
  gemm::Multiply<Quad>(
      {g.images * g.groups, g.outputs, count, g.quads * g.taps},
      [&](int64_t batch, int64_t row, int64_t rows, int64_t k, int64_t here, Quad* out) {
        filter[static_cast<size_t>(batch % g.groups)].CopyTo(row, rows, k, here, out);
      },
      [&](int64_t batch, int64_t column, int64_t columns, int64_t k, int64_t here, Quad* out) {
        for (int64_t c = 0; c < columns; c += kWide) {
          const int64_t used = std::min(kWide, columns - c);
          if (used < kWide) std::fill_n(out, here * kWide, Quad{0});
          for (int64_t i = k; i < k + here; ++i, out += kWide) {
            const Quad* const plane = x.plane(batch, i / g.taps);
            CopyWindows(plane + taps[static_cast<size_t>(i % g.taps)], windows.data() + column + c,
                        used, out);
          }
        }
      },
      [&](int64_t batch, int64_t row, int64_t rows, int64_t column, int64_t columns,
          const Quad* products, int64_t stride) {
        const auto& of_windows = sums[static_cast<size_t>(batch)];
        const int32_t* const right_sums = needs_sums ? of_windows.data() + column : nullptr;
        for (int64_t o = row; o < row + rows; ++o, products += stride) {
          const int64_t channel = batch % g.groups * g.outputs + o;
          const int32_t zero = zeros.of_filter(channel);
          const int32_t left_sum = filter[static_cast<size_t>(batch % g.groups)].sums[o];
          const uint32_t fixed = start[channel] + ZeroTerm(zero, left_sum, zeros.x, 0, depth);
          uint32_t* const to = y + (batch * g.outputs + o) * count + column;
          const Quad* const from = products;
          Vectorised([=]() GE_INLINE {
            if (zero == 0) {
              for (int64_t c = 0; c < columns; ++c) to[c] = from[c].bits + fixed;
            } else {
              const auto factor = static_cast<uint32_t>(zero);
              for (int64_t c = 0; c < columns; ++c) {
                to[c] = from[c].bits + fixed - factor * static_cast<uint32_t>(right_sums[c]);
              }
            }
          });
        }
      });
}

Status Convolve(KernelContext& ctx, const ConvProblem& problem,
                const std::vector<BytePanels>& filter) {
  GE_ASSIGN(const Zeros zeros, ReadZeros(ctx, problem));
  if (problem.y.elements() == 0) return Status::Ok();
  const Geometry g(problem);
  const PaddedQuads x(problem, g, ctx.inputs[0].data, zeros.x);
  const void* const bias = ctx.has_input(2) ? ctx.inputs[2].data : nullptr;
  const std::vector<uint32_t> start = StartValues<uint32_t>(problem, bias);
  if (problem.y.is_dense()) {
    Multiply(g, filter, x, zeros, start, ctx.outputs[0].as<uint32_t>());
    return Status::Ok();
  }
  std::vector<uint32_t> dense(static_cast<size_t>(problem.y.elements()));
  Multiply(g, filter, x, zeros, start, dense.data());
  FromDense(problem.y, dense.data(), problem.result, ctx.outputs[0].data);
  return Status::Ok();
}

uint64_t BytesOf(const std::vector<BytePanels>& filter) {
  uint64_t total = 0;
  for (const BytePanels& group : filter) total += group.bytes();
  return total;
}

class PreparedByteConv : public PreparedKernel {
 public:
  PreparedByteConv(ConvProblem problem, const void* filter)
      : problem_(std::move(problem)), filter_(PackFilter(problem_, filter)) {}

  Status Run(KernelContext& ctx) const override { return Convolve(ctx, problem_, filter_); }
  uint64_t bytes() const override { return BytesOf(filter_); }

 private:
  const ConvProblem problem_;
  const std::vector<BytePanels> filter_;  // per group
};

class FormedByteConv : public FormedConv {
 public:
  // `filter` is null unless it is constant.
  FormedByteConv(ConvProblem problem, const void* filter,
                 std::unique_ptr<const HeavyPrimitive> primitive)
      : problem_(std::move(problem)), primitive_(std::move(primitive)) {
    if (primitive_ == nullptr && filter != nullptr) filter_ = PackFilter(problem_, filter);
  }

  bool Run(const KernelContext& conv, const void*, void* y) const override {
    if (primitive_ == nullptr) return false;
    const void* const bias = conv.has_input(2) ? conv.inputs[2].data : nullptr;
    return primitive_->Run(
        ThreadCount(),
        {.x = conv.inputs[0].data, .filter = conv.inputs[1].data, .bias = bias, .y = y});
  }
  Status RunAlone(KernelContext& conv) const override {
    if (!filter_.empty()) return Convolve(conv, problem_, filter_);
    return Convolve(conv, problem_, PackFilter(problem_, conv.inputs[1].data));
  }
  uint64_t bytes() const override {
    return primitive_ != nullptr ? primitive_->bytes() : BytesOf(filter_);
  }

 private:
  const ConvProblem problem_;
  const std::unique_ptr<const HeavyPrimitive> primitive_;  // null: the library does not run it
  std::vector<BytePanels> filter_;                         // per group; empty: not packed
};

}  // namespace

Status ByteConv(KernelContext& ctx) {
  GE_ASSIGN(const ConvProblem problem, ReadConv(ctx));
  return Convolve(ctx, problem, PackFilter(problem, ctx.inputs[1].data));
}

Result<std::unique_ptr<const FormedConv>> FormByteConv(const KernelContext& ctx,
                                                       ConvProblem problem) {
  const auto has = [&](size_t i) {
    return i < ctx.inputs.size() && ctx.inputs[i].dtype != DataType::kUndefined;
  };
  const void* const filter = ctx.inputs[1].data;
  std::unique_ptr<const HeavyPrimitive> primitive;
  const HeavyTable* const library = HeavyLibrary();
  if (library != nullptr && !has(kOffsetW) && !has(kOffsetX)) {
    problem.x_zero = static_cast<int32_t>(ctx.attrs.Int("offset_x"));
    primitive = library->conv(problem, filter, {});
  }
  return std::unique_ptr<const FormedConv>(
      std::make_unique<FormedByteConv>(std::move(problem), filter, std::move(primitive)));
}

Result<std::unique_ptr<const PreparedKernel>> PrepareByteConv(const KernelContext& ctx) {
  std::unique_ptr<const PreparedKernel> prepared;
  if (!ctx.has_input(1)) return prepared;
  GE_ASSIGN(ConvProblem problem, ReadConv(ctx));
  prepared = std::make_unique<PreparedByteConv>(std::move(problem), ctx.inputs[1].data);
  return prepared;
}

}  // namespace ge::kernels
