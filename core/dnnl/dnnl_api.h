#pragma once

#include <array>
#include <cstdint>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>

// What oneDNN 2.x and 3.x call by different names.  Every primitive here gets its scratchpad from
// the caller, so that runs of one primitive may overlap.
namespace ge::onednn {

using Desc = dnnl::memory::desc;
using Dims = dnnl::memory::dims;
using Type = dnnl::memory::data_type;

struct ConvDescs {
  Desc x, filter, bias, y;  // bias: zero dims without one
  Dims strides, dilations, pads, pads_end;
  dnnl::post_ops post_ops;
  int32_t x_zero = 0;
};

inline dnnl::primitive_attr UserScratchpad() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

inline dnnl::primitive_attr AttrOf(const dnnl::post_ops& post_ops) {
  dnnl::primitive_attr attr = UserScratchpad();
  attr.set_post_ops(post_ops);
  return attr;
}

#if DNNL_VERSION_MAJOR >= 3

inline Dims DimsOf(const Desc& desc) {
  return desc.get_dims();
}

inline Type TypeOf(const Desc& desc) {
  return desc.get_data_type();
}

// 3.x takes it when a primitive is run.
inline void SetZeroPoint(dnnl::primitive_attr&, int32_t) {
  throw dnnl::error(dnnl_unimplemented, "a zero point");
}

inline void AppendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha, float beta) {
  ops.append_eltwise(algorithm, alpha, beta);
}

// x * clip(x + 3, 0, 6) / 6
inline void AppendHardSwish(dnnl::post_ops& ops) {
  AppendEltwise(ops, dnnl::algorithm::eltwise_hardswish, 1.0f / 6, 0.5f);
}

template <typename Forward, typename... Args>
typename Forward::primitive_desc MakeDesc(const dnnl::engine& engine,
                                          const dnnl::primitive_attr& attr, const Args&... args) {
  return typename Forward::primitive_desc(engine, args..., attr);
}

#else

inline Dims DimsOf(const Desc& desc) {
  return desc.dims();
}

inline Type TypeOf(const Desc& desc) {
  return desc.data_type();
}

inline void SetZeroPoint(dnnl::primitive_attr& attr, int32_t zero) {
  attr.set_zero_points(DNNL_ARG_SRC, 0, {zero});
}

inline void AppendEltwise(dnnl::post_ops& ops, dnnl::algorithm algorithm, float alpha, float beta) {
  ops.append_eltwise(1.0f, algorithm, alpha, beta);
}

inline void AppendHardSwish(dnnl::post_ops& ops) {
  AppendEltwise(ops, dnnl::algorithm::eltwise_hardswish, 0, 0);
}

template <typename Forward, typename... Args>
typename Forward::primitive_desc MakeDesc(const dnnl::engine& engine,
                                          const dnnl::primitive_attr& attr, const Args&... args) {
  return typename Forward::primitive_desc(typename Forward::desc(args...), attr, engine);
}

#endif

template <typename Forward>
typename Forward::primitive_desc MakeConvDesc(const dnnl::engine& engine, dnnl::algorithm algorithm,
                                              const ConvDescs& d) {
  dnnl::primitive_attr attr = AttrOf(d.post_ops);
  if (d.x_zero != 0) SetZeroPoint(attr, d.x_zero);
  return MakeDesc<Forward>(engine, attr, dnnl::prop_kind::forward_inference, algorithm, d.x,
                           d.filter, d.bias, d.y, d.strides, d.dilations, d.pads, d.pads_end);
}

}  // namespace ge::onednn
