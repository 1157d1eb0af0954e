#include "frontend/onnx/attention.h"

#include <cmath>

namespace ge::onnx {

Status CheckHeads(OnnxOp& op, const Shape& query, const Shape& key) {
  const int64_t q_heads = query[1], kv_heads = key[1];
  if (q_heads == kUnknownDim || kv_heads == kUnknownDim) return Status::Ok();
  if (kv_heads > 0 && q_heads % kv_heads == 0) return Status::Ok();
  return op.Fail("the query has " + std::to_string(q_heads) + " heads, key and value have " +
                 std::to_string(kv_heads) + "; a multiple is accepted");
}

Value ProductPerHead(Formula& f, Value left, Value right, bool transpose_right) {
  if (!left || !right) return {};
  const AttrList attrs = {{"adj_x1", false}, {"adj_x2", transpose_right}};
  const int64_t heads = left.desc().shape[1];
  if (heads != kUnknownDim && heads == right.desc().shape[1]) {
    return f("BatchMatMulV2", {left, right}, attrs);
  }
  // Batch and last axis stay as they are, which 0 says; a group takes what is left.
  const auto regroup = [&](Value x, Value like) {
    return f.Reshape(x, f.Concat({f.Ints({0}), f.Dim(like, 1), f.Ints({-1, 0})}, 0));
  };
  const Value product = f("BatchMatMulV2", {regroup(left, right), right}, attrs);
  return regroup(product, left);
}

std::optional<float> ScaleOf(const OnnxOp& op) {
  if (!op.HasAttr("scale")) return std::nullopt;
  return op.Float("scale", 0.0f);
}

Value HeadScale(Formula& f, Value query, std::optional<float> scale, double power) {
  const DataType dtype = query.desc().dtype;
  const int64_t size = query.desc().shape[3];
  if (scale) return f.Scalar(std::pow(static_cast<double>(*scale), power), dtype);
  if (size != kUnknownDim) {
    return f.Scalar(std::pow(static_cast<double>(size), -0.5 * power), dtype);
  }
  const Value wide = f.Cast(f.Dim(query, 3), DataType::kFloat);
  return f.Cast(f("Pow", {wide, f.Scalar(-0.5 * power, DataType::kFloat)}), dtype);
}

}  // namespace ge::onnx
