// TfIdfVectorizer of integers: how often each n-gram of a pool occurs in x, and weights for that.
//
//   x [length] or [rows, length]    y [columns] or [rows, columns]
//
// ngram_counts says where in pool_int64s the 1-grams, 2-grams, ... begin; ngram_indexes gives the
// column of each n-gram.  An n-gram may be spread: 0 to max_skip_count elements lie between its
// neighbours, the same number everywhere; a 1-gram has no neighbours.
// mode: TF counts, IDF gives the weight of what occurs, TFIDF counts times weight.
#include <algorithm>
#include <string>

#include "frontend/onnx/accept.h"
#include "frontend/onnx/formula.h"

namespace ge::onnx {
namespace {

constexpr int64_t kMaxGrams = 1 << 20;  // and columns

struct Pool {
  std::vector<int64_t> begins;  // where the n-grams of each length begin in `elements`, and the end
  std::vector<int64_t> elements;
  std::vector<int64_t> columns;  // per n-gram
  std::vector<float> weights;    // per n-gram
};

Result<Pool> ReadPool(const OnnxOp& op) {
  if (op.HasAttr("pool_strings")) return op.Unsupported("pool_strings; pool_int64s is built");
  Pool pool = {op.Ints("ngram_counts"), op.Ints("pool_int64s"), op.Ints("ngram_indexes"),
               op.Floats("weights")};
  pool.begins.push_back(static_cast<int64_t>(pool.elements.size()));
  int64_t grams = 0;
  for (size_t n = 1; n < pool.begins.size(); ++n) {
    const int64_t size = pool.begins[n] - pool.begins[n - 1];
    if (pool.begins[n - 1] < 0 || size < 0 || size % static_cast<int64_t>(n) != 0) {
      return op.Fail("ngram_counts does not cut pool_int64s into n-grams");
    }
    grams += size / static_cast<int64_t>(n);
  }
  if (pool.columns.empty() || pool.columns.size() > kMaxGrams ||
      static_cast<int64_t>(pool.columns.size()) != grams) {
    return op.Fail("ngram_indexes has " + std::to_string(pool.columns.size()) + " entries for " +
                   std::to_string(grams) + " n-grams");
  }
  for (const int64_t column : pool.columns) {
    if (column < 0 || column >= kMaxGrams) return op.Fail("ngram_indexes are out of range");
  }
  const std::string mode = op.Str("mode", "");
  if (mode != "TF" && mode != "IDF" && mode != "TFIDF") {
    return op.Fail("mode is \"" + mode + "\"; TF, IDF and TFIDF are accepted");
  }
  if (pool.weights.empty() || mode == "TF") pool.weights.assign(pool.columns.size(), 1.0f);
  if (pool.weights.size() != pool.columns.size()) {
    return op.Fail("weights has " + std::to_string(pool.weights.size()) + " entries for " +
                   std::to_string(grams) + " n-grams");
  }
  return pool;
}

// How often each of `grams`, one per row of n elements, occurs in x with `skip` elements between
// neighbours: float [.., number of grams].
Value Count(Formula& f, Value x, const std::vector<int64_t>& grams, int64_t n, int64_t skip) {
  const int64_t step = skip + 1, axis = static_cast<int64_t>(x.desc().shape.rank()) - 1;
  Value found;
  for (int64_t k = 0; k < n; ++k) {
    std::vector<int64_t> wanted;
    for (size_t at = static_cast<size_t>(k); at < grams.size(); at += static_cast<size_t>(n)) {
      wanted.push_back(grams[at]);
    }
    const int64_t behind = (n - 1 - k) * step;
    const Value part = f.Slice(x, axis, k * step, behind == 0 ? INT64_MAX : -behind);
    const Value equal = f("Equal", {f.Unsqueeze(part, {axis + 1}), f.Ints(wanted)});
    found = found ? f("LogicalAnd", {found, equal}) : equal;
  }
  return f("ReduceSum", {f.Cast(found, DataType::kFloat), f.Ints({axis})}, {{"keep_dims", false}});
}

Status ImportTfIdf(OnnxOp& op) {
  GE_TRY(RequireInputs(op, 1));
  GE_TRY(AcceptInputs(op, 1));
  GE_TRY(AcceptDtypes(op, kIntegers));
  const Shape& shape = op.shape(0);
  if (shape.unknown_rank()) return op.Unsupported("an input of unknown rank");
  if (shape.rank() != 1 && shape.rank() != 2) {
    return op.Fail("the input has shape " + shape.ToString() + "; 1 and 2 dims are accepted");
  }
  GE_ASSIGN(const Pool pool, ReadPool(op));
  const int64_t least = op.Int("min_gram_length", 1), most = op.Int("max_gram_length", 1);
  const int64_t skips = op.Int("max_skip_count", 0);
  constexpr int64_t kLimit = 64;  // of unrolled terms
  if (least < 1 || most < least || skips < 0) return op.Fail("its gram lengths or skips are wrong");
  if (most > kLimit || skips > kLimit) return op.Unsupported("lengths and skips above 64");

  Formula f(op);
  const Value x = f.Cast(op.input(0), DataType::kInt64);
  std::vector<Value> counts;  // in the order of the pool
  for (size_t i = 0; i + 1 < pool.begins.size(); ++i) {
    const std::vector<int64_t> grams(pool.elements.begin() + pool.begins[i],
                                     pool.elements.begin() + pool.begins[i + 1]);
    if (grams.empty()) continue;
    const int64_t n = static_cast<int64_t>(i) + 1;
    Value sum = Count(f, x, grams, n, 0);
    for (int64_t skip = 1; skip <= (n == 1 ? 0 : skips); ++skip) {
      sum = f("Add", {sum, Count(f, x, grams, n, skip)});
    }
    if (n < least || n > most) sum = f("ZerosLike", {sum});
    counts.push_back(sum);
  }
  const int64_t axis = static_cast<int64_t>(shape.rank()) - 1;
  Value y = counts.size() == 1 ? counts[0] : f.Concat(counts, axis);
  if (op.Str("mode", "") == "IDF") {
    y = f.Cast(f("Greater", {y, f.Scalar(0, DataType::kFloat)}), DataType::kFloat);
  }
  y = f("Mul", {y, op.ConstFloats(pool.weights)});

  // A column that no n-gram has reads the zero behind the counts.
  const int64_t columns = *std::max_element(pool.columns.begin(), pool.columns.end()) + 1;
  std::vector<int64_t> from(static_cast<size_t>(columns),
                            static_cast<int64_t>(pool.columns.size()));
  for (size_t i = 0; i < pool.columns.size(); ++i) {
    from[static_cast<size_t>(pool.columns[i])] = static_cast<int64_t>(i);
  }
  y = f.PadEnd(y, axis, f.Ints({1}), f.Scalar(0, DataType::kFloat));
  y = f.Gather(y, f.Ints(from), axis);
  GE_TRY(f.status());
  op.SetOutput(0, y);
  return Status::Ok();
}
GE_ONNX_OP("TfIdfVectorizer", ImportTfIdf);

}  // namespace
}  // namespace ge::onnx
