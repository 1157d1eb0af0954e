#include "kernels/byte_product.h"

#include <algorithm>

#include "kernels/convert.h"
#include "kernels/simd.h"
#include "ops/op_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace ge {
namespace gemm {
namespace {

constexpr int64_t kWide = kColumns<Quad>;

GE_INLINE inline int32_t Left(Quad quad, int i) {
  return static_cast<int8_t>(quad.bits >> (8 * i));
}
GE_INLINE inline int32_t Right(Quad quad, int i) {
  return static_cast<int32_t>(quad.bits >> (8 * i) & 0xff);
}

void AddTilePlain(int64_t depth, const Quad* a, const Quad* b, Quad* acc, int64_t stride) {
  Vectorised([=]() GE_INLINE {
    for (int64_t r = 0; r < kRows; ++r) {
      int32_t sums[kWide] = {};
      for (int64_t k = 0; k < depth; ++k) {
        const Quad left = a[k * kRows + r];
        for (int64_t c = 0; c < kWide; ++c) {
          const Quad right = b[k * kWide + c];
          for (int i = 0; i < 4; ++i) sums[c] += Left(left, i) * Right(right, i);
        }
      }
      for (int64_t c = 0; c < kWide; ++c) {
        acc[r * stride + c].bits += static_cast<uint32_t>(sums[c]);
      }
    }
  });
}

#if defined(__x86_64__)

bool HasDotInstructions() {
  static const bool has =
      WidestSimd() == Simd::kAvx512 && __builtin_cpu_supports("avx512vnni") != 0;
  return has;
}

[[gnu::target("avx512f,avx512vnni")]] void AddTileVnni(int64_t depth, const Quad* a, const Quad* b,
                                                       Quad* acc, int64_t stride) {
  __m512i sums[kRows];
#pragma GCC unroll 6
  for (int64_t r = 0; r < kRows; ++r) sums[r] = _mm512_setzero_si512();
  for (int64_t k = 0; k < depth; ++k, a += kRows, b += kWide) {
    const __m512i right = _mm512_loadu_si512(b);
#pragma GCC unroll 6
    for (int64_t r = 0; r < kRows; ++r) {
      const __m512i left = _mm512_set1_epi32(static_cast<int>(a[r].bits));
      sums[r] = _mm512_dpbusd_epi32(sums[r], right, left);
    }
  }
#pragma GCC unroll 6
  for (int64_t r = 0; r < kRows; ++r) {
    Quad* const to = acc + r * stride;
    _mm512_storeu_si512(to, _mm512_add_epi32(sums[r], _mm512_loadu_si512(to)));
  }
}

#endif

}  // namespace

void AddTile(int64_t depth, const Quad* a, const Quad* b, Quad* acc, int64_t stride) {
#if defined(__x86_64__)
  if (HasDotInstructions()) return AddTileVnni(depth, a, b, acc, stride);
#endif
  AddTilePlain(depth, a, b, acc, stride);
}

}  // namespace gemm

namespace kernels {
namespace {

using gemm::Quad;

int32_t SumOf(Side side, Quad quad) {
  int32_t sum = 0;
  for (int i = 0; i < 4; ++i) {
    sum += side == Side::kLeft ? gemm::Left(quad, i) : gemm::Right(quad, i);
  }
  return sum;
}

// The quad of elements k, k + 1, ... of a line, of which `count` are left.
Quad Gather(const uint8_t* from, int64_t step, int64_t count, uint8_t flip) {
  uint32_t bits = 0;
  for (int64_t i = 0; i < std::min<int64_t>(count, 4); ++i) {
    bits |= static_cast<uint32_t>(from[i * step] ^ flip) << (8 * i);
  }
  return {bits};
}

}  // namespace

BytePanels::BytePanels(Side side, int64_t line_count, int64_t quad_count)
    : lines(line_count),
      quads(quad_count),
      sums(static_cast<size_t>(line_count), 0),
      width(side == Side::kLeft ? gemm::kRows : gemm::kColumns<Quad>) {
  panels.resize(static_cast<size_t>((lines + width - 1) / width * width * quads), Quad{0});
}

void BytePanels::CopyTo(int64_t first, int64_t count, int64_t quad, int64_t depth,
                        Quad* out) const {
  for (int64_t line = first; line < first + count; line += width, out += depth * width) {
    std::copy_n(panels.data() + (line / width * quads + quad) * width, depth * width, out);
  }
}

BytePanels PackBytes(Side side, DataType dtype, const uint8_t* data, int64_t lines, int64_t depth,
                     int64_t line_step, int64_t step) {
  BytePanels packed(side, lines, (depth + 3) / 4);
  const uint8_t flip = FlipFor(dtype, side);
  const int64_t width = packed.width, count = (lines + width - 1) / width;
  const int64_t work = std::max<int64_t>(width * depth, 1);
  ParallelFor(count, 65536 / work + 1, [&](int64_t begin, int64_t end) {
    for (int64_t first = begin * width; first < std::min(end * width, lines); first += width) {
      const int64_t here = std::min(width, lines - first);
      for (int64_t k = 0; k < depth; k += 4) {
        Quad* const to = packed.at(first, k / 4);
        const uint8_t* const from = data + first * line_step + k * step;
        if (line_step == 1) {
          const uint8_t* rows[4] = {};
          for (int64_t i = 0; i < std::min<int64_t>(4, depth - k); ++i) rows[i] = from + i * step;
          InterleaveRows(rows, flip, here, to);
        } else {
          for (int64_t l = 0; l < here; ++l) {
            to[l] = Gather(from + l * line_step, step, depth - k, flip);
          }
        }
        for (int64_t l = 0; l < here; ++l) {
          packed.sums[static_cast<size_t>(first + l)] += SumOf(side, to[l]);
        }
      }
    }
  });
  return packed;
}

void InterleaveRows(const uint8_t* const* rows, uint8_t flip, int64_t count, Quad* to) {
  if (rows[0] != nullptr && rows[1] != nullptr && rows[2] != nullptr && rows[3] != nullptr) {
    const uint8_t *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    const uint32_t flips = flip * 0x01010101u;
    Vectorised([=]() GE_INLINE {
      for (int64_t i = 0; i < count; ++i) {
        const uint32_t low = r0[i] | static_cast<uint32_t>(r1[i]) << 8;
        const uint32_t high = r2[i] | static_cast<uint32_t>(r3[i]) << 8;
        to[i].bits = (low | high << 16) ^ flips;
      }
    });
    return;
  }
  for (int64_t i = 0; i < count; ++i) to[i].bits = 0;
  for (int row = 0; row < 4; ++row) {
    for (int64_t i = 0; rows[row] != nullptr && i < count; ++i) {
      to[i].bits |= static_cast<uint32_t>(rows[row][i] ^ flip) << (8 * row);
    }
  }
}

Result<std::vector<int32_t>> ZerosOf(const KernelContext& ctx, ByteInput input, Side side) {
  const size_t factor = input == kOffsetX ? 0 : 1;
  std::vector<int64_t> zeros = {input == kOffsetX ? ctx.attrs.Int("offset_x") : 0};
  if (ctx.has_input(input)) {
    const std::optional<std::vector<int64_t>> given = ToInts(ctx.inputs[input]);
    if (!given) return ctx.NotBuilt();
    zeros = *given;
  }
  const int64_t shift = ShiftFor(ctx.inputs[factor].dtype, side);
  std::vector<int32_t> shifted;
  for (const int64_t zero : zeros) shifted.push_back(static_cast<int32_t>(zero + shift));
  return shifted;
}

}  // namespace kernels
}  // namespace ge
