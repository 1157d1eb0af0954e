#include "kernels/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <type_traits>

#include "kernels/elementwise.h"
#include "ops/op_impl.h"

namespace ge::kernels {
namespace {

// Unsigned, and wide enough that integral promotion never makes it signed.
template <typename T>
using Wrapping = std::conditional_t<(sizeof(T) < 8), uint32_t, uint64_t>;

template <typename T>
constexpr bool kIsInteger = std::is_integral_v<T>;

constexpr auto kAdd = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>)
    return a + b;
  else
    return static_cast<T>(static_cast<Wrapping<T>>(a) + static_cast<Wrapping<T>>(b));
};

constexpr auto kSub = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>)
    return a - b;
  else
    return static_cast<T>(static_cast<Wrapping<T>>(a) - static_cast<Wrapping<T>>(b));
};

constexpr auto kMul = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>)
    return a * b;
  else
    return static_cast<T>(static_cast<Wrapping<T>>(a) * static_cast<Wrapping<T>>(b));
};

// The most negative number divided by -1 wraps to itself; the instruction would trap.
template <typename T>
GE_INLINE inline bool IsMinusOne(T value) {
  if constexpr (std::is_signed_v<T>)
    return value == T{-1};
  else
    return false;
}

constexpr auto kDiv = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>) {
    return a / b;
  } else {
    if (b == T{0}) return T{0};
    return IsMinusOne(b) ? kSub(T{0}, a) : static_cast<T>(a / b);
  }
};

constexpr auto kMod = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>) {
    return std::fmod(a, b);
  } else {
    if (b == T{0} || IsMinusOne(b)) return T{0};
    return static_cast<T>(a % b);
  }
};

constexpr auto kFloorMod = []<typename T>(T a, T b) GE_INLINE {
  const T rest = kMod(a, b);
  if constexpr (!kIsInteger<T>) {
    if (rest == T{0}) return std::copysign(rest, b);
  }
  if constexpr (std::is_signed_v<T>) {
    if (rest != T{0} && (rest < T{0}) != (b < T{0})) return static_cast<T>(rest + b);
  }
  return rest;
};

constexpr auto kFloorDiv = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>) {
    return std::floor(a / b);
  } else {
    const T quotient = kDiv(a, b);
    if constexpr (std::is_signed_v<T>) {
      if (kMod(a, b) != T{0} && (a < T{0}) != (b < T{0})) return static_cast<T>(quotient - 1);
    }
    return quotient;
  }
};

constexpr auto kMaximum = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>) {
    if (std::isnan(a)) return a;
    return a > b ? a : b;  // b when it is NaN
  } else {
    return std::max(a, b);
  }
};

constexpr auto kMinimum = []<typename T>(T a, T b) GE_INLINE {
  if constexpr (!kIsInteger<T>) {
    if (std::isnan(a)) return a;
    return a < b ? a : b;
  } else {
    return std::min(a, b);
  }
};

template <typename T, typename E>
T IntegerPower(T base, E exponent) {
  if constexpr (std::is_signed_v<E>) {
    if (exponent < E{0}) {
      if (base == T{1}) return base;
      if (IsMinusOne(base)) return exponent % 2 == 0 ? T{1} : base;
      return T{0};  // 1 / base truncates
    }
  }
  T result{1};
  for (auto rest = static_cast<uint64_t>(exponent); rest != 0; rest >>= 1) {
    if ((rest & 1) != 0) result = kMul(result, base);
    base = kMul(base, base);
  }
  return result;
}

constexpr auto kPow = []<typename T, typename E>(T base, E exponent) GE_INLINE {
  if constexpr (kIsInteger<T> && kIsInteger<E>) {
    return IntegerPower(base, exponent);
  } else if constexpr (std::is_same_v<T, float> && std::is_same_v<E, float>) {
    return std::pow(base, exponent);
  } else {
    return TruncatedTo<T>(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
};

// Powers that a float tensor is often raised to, apart from 2; the error is at most one unit in the
// last place.
template <typename F>
bool VisitCommonPower(float exponent, F visit) {
  if (exponent == 3.0f) {
    visit([](float x) { return x * x * x; });
  } else if (exponent == 1.0f) {
    visit([](float x) { return x; });
  } else if (exponent == -1.0f) {
    visit([](float x) { return 1.0f / x; });
  } else {
    return false;
  }
  return true;
}

template <typename F>
Status Binary(KernelContext& ctx, F f) {
  const bool built =
      VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) { MapBinary<T, T, T>(ctx, f); });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace

Status Add(KernelContext& ctx) {
  return Binary(ctx, kAdd);
}
Status Sub(KernelContext& ctx) {
  return Binary(ctx, kSub);
}
Status Mul(KernelContext& ctx) {
  return Binary(ctx, kMul);
}
Status Div(KernelContext& ctx) {
  return Binary(ctx, kDiv);
}
Status FloorDiv(KernelContext& ctx) {
  return Binary(ctx, kFloorDiv);
}
Status FloorMod(KernelContext& ctx) {
  return Binary(ctx, kFloorMod);
}
Status Mod(KernelContext& ctx) {
  return Binary(ctx, kMod);
}
Status Maximum(KernelContext& ctx) {
  return Binary(ctx, kMaximum);
}
Status Minimum(KernelContext& ctx) {
  return Binary(ctx, kMinimum);
}

// Exponents of another dtype than the base are widened first, which keeps the number of loops low.
Status Pow(KernelContext& ctx) {
  const HostTensor& exponent = ctx.inputs[1];
  const bool one_power = exponent.elements() == 1 && ctx.inputs[0].shape == ctx.outputs[0].shape;
  if (one_power && ToDoubles(exponent) == std::vector<double>{2}) {
    return Square(ctx);  // what variances are made of
  }
  if (one_power && ctx.inputs[0].dtype == DataType::kFloat && exponent.dtype == DataType::kFloat &&
      VisitCommonPower(*exponent.as<float>(), [&](auto f) { MapUnary<float, float>(ctx, f); })) {
    return Status::Ok();
  }
  if (exponent.dtype == ctx.inputs[0].dtype) return Binary(ctx, kPow);
  HostTensor inputs[] = {ctx.inputs[0], exponent};
  const KernelContext widened{inputs, ctx.outputs, ctx.attrs};
  const auto run = [&](auto values, DataType dtype) {
    using E = typename decltype(values)::value_type::value_type;
    if (!values) return false;
    inputs[1].dtype = dtype;
    inputs[1].data = values->data();
    return VisitNumbers(inputs[0].dtype, [&]<typename T>(T) { MapBinary<T, T, E>(widened, kPow); });
  };
  const bool built = IsFloat(exponent.dtype) ? run(ToDoubles(exponent), DataType::kDouble)
                                             : run(ToInts(exponent), DataType::kInt64);
  return built ? Status::Ok() : ctx.NotBuilt();
}

Status AddN(KernelContext& ctx) {
  const int64_t count = ctx.outputs[0].elements();
  const bool built = VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) {
    using C = std::conditional_t<kIsInteger<T>, T, double>;
    for (int64_t i = 0; i < count; ++i) {
      C sum{};
      for (const HostTensor& input : ctx.inputs) sum = kAdd(sum, static_cast<C>(input.as<T>()[i]));
      ctx.outputs[0].as<T>()[i] = static_cast<T>(sum);
    }
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

Status ClipByValue(KernelContext& ctx) {
  const auto clip = []<typename C>(C x, C lower, C upper) GE_INLINE {
    const C raised = x < lower ? lower : x;
    return raised > upper ? upper : raised;
  };
  const bool is_uniform =
      ctx.inputs[1].shape.elements() == 1 && ctx.inputs[2].shape.elements() == 1;
  const bool built = VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) {
    using C = ComputeType<T>;
    if (is_uniform && ctx.inputs[0].shape == ctx.outputs[0].shape) {
      const C lower = static_cast<C>(*ctx.inputs[1].as<T>());
      const C upper = static_cast<C>(*ctx.inputs[2].as<T>());
      return MapUnary<T, T>(ctx, [=](C x) GE_INLINE { return clip(x, lower, upper); });
    }
    ForRows(ctx.outputs[0].shape, ctx.inputs, kElementGrain, [&](const RowPart& row) {
      const auto element = [&](size_t input, int64_t i) {
        const T* start = ctx.inputs[input].as<T>() + row.start[input];
        return static_cast<C>(start[i * row.step[input]]);
      };
      T* out = ctx.outputs[0].as<T>() + row.out;
      for (int64_t i = 0; i < row.size; ++i) {
        out[i] = static_cast<T>(clip(element(0, i), element(1, i), element(2, i)));
      }
    });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// A weight per channel (axis 1 of x) is seen with the rank of x.
Status PRelu(KernelContext& ctx) {
  HostTensor inputs[] = {ctx.inputs[0], ctx.inputs[1]};
  const size_t rank = inputs[0].shape.rank();
  HostTensor& weight = inputs[1];
  const int64_t count = weight.elements();
  if (count == 1) weight.shape = Shape();
  if (count != 1 && weight.shape.rank() == 1 && rank >= 2) {
    std::vector<int64_t> dims(rank, 1);
    dims[1] = count;
    weight.shape = Shape(std::move(dims));
  }
  KernelContext shaped{inputs, ctx.outputs, ctx.attrs};
  return Binary(shaped, []<typename T>(T x, T w) GE_INLINE { return x < T{0} ? kMul(x, w) : x; });
}

Status Atan2(KernelContext& ctx) {
  const bool built = VisitFloats(ctx.inputs[0].dtype, [&]<typename T>(T) {
    MapBinary<T, T, T>(ctx, [](auto y, auto x) GE_INLINE { return std::atan2(y, x); });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

// A bias per channel is seen with the rank of x.
Status BiasAdd(KernelContext& ctx) {
  HostTensor inputs[] = {ctx.inputs[0], ctx.inputs[1]};
  const size_t rank = inputs[0].shape.rank();
  if (ctx.attrs.Str("data_format").starts_with("NC") && rank > 1) {
    std::vector<int64_t> dims(rank, 1);
    dims[1] = inputs[1].elements();
    inputs[1].shape = Shape(std::move(dims));
  }
  KernelContext shaped{inputs, ctx.outputs, ctx.attrs};
  return Add(shaped);
}

Status Square(KernelContext& ctx) {
  const bool built = VisitNumbers(ctx.inputs[0].dtype, [&]<typename T>(T) {
    MapUnary<T, T>(ctx, [](auto x) GE_INLINE { return kMul(x, x); });
  });
  return built ? Status::Ok() : ctx.NotBuilt();
}

}  // namespace ge::kernels
