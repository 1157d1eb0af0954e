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

struct ConvDescs {
  Desc x, filter, bias, y;  // bias: zero dims without one
  Dims strides, dilations, pads, pads_end;
};

inline dnnl::primitive_attr UserScratchpad() {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

#if DNNL_VERSION_MAJOR >= 3

inline Dims DimsOf(const Desc& desc) {
  return desc.get_dims();
}

template <typename Forward, typename... Args>
typename Forward::primitive_desc MakeDesc(const dnnl::engine& engine, const Args&... args) {
  return typename Forward::primitive_desc(engine, args..., UserScratchpad());
}

#else

inline Dims DimsOf(const Desc& desc) {
  return desc.dims();
}

template <typename Forward, typename... Args>
typename Forward::primitive_desc MakeDesc(const dnnl::engine& engine, const Args&... args) {
  return
      typename Forward::primitive_desc(typename Forward::desc(args...), UserScratchpad(), engine);
}

#endif

template <typename Forward>
typename Forward::primitive_desc MakeConvDesc(const dnnl::engine& engine, dnnl::algorithm algorithm,
                                              const ConvDescs& d) {
  return MakeDesc<Forward>(engine, dnnl::prop_kind::forward_inference, algorithm, d.x, d.filter,
                           d.bias, d.y, d.strides, d.dilations, d.pads, d.pads_end);
}

}  // namespace ge::onednn
