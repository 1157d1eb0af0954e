#include <algorithm>
#include <limits>

#include "aclop/composed_parts.h"
#include "ops/op_impl.h"

namespace ge::aclop::composed {
namespace {

bool HasBit(int64_t mask, size_t i) {
  return i < 63 && ((mask >> i) & 1) != 0;
}

// The masks count entries of begin, end and strides, of which one may stand for several axes and
// others for none.
class MaskedSlice {
 public:
  MaskedSlice(const FunctionContext& context, const Values& values)
      : context_(context), values_(values) {}

  Result<Value> Run() {
    const bool is_plain =
        (begin_mask_ | end_mask_ | ellipsis_mask_ | new_axis_mask_ | shrink_axis_mask_) == 0;
    if (is_plain && !(CanWalk() && StepsBack())) {
      return Add(context_, "StridedSliceV2", values_);
    }
    GE_TRY(Read());
    GE_TRY(Walk());
    GE_ASSIGN(Value y, Cut(context_, values_[0], part_));
    if (!gone_.empty()) {
      GE_ASSIGN(y, WithAttr(context_, "Squeeze", y, "axis", gone_));
    }
    if (!new_.empty()) {
      GE_ASSIGN(y, WithAttr(context_, "Unsqueeze", y, "axes", new_));
    }
    return y;
  }

 private:
  bool CanWalk() const {
    return !values_[3] && ConstInts(values_[1]) && ConstInts(values_[2]) &&
           !values_[0].desc().shape.unknown_rank();
  }
  bool StepsBack() const {
    const std::optional<Ints> strides = values_[4] ? ConstInts(values_[4]) : std::nullopt;
    return strides &&
           std::any_of(strides->begin(), strides->end(), [](int64_t step) { return step < 0; });
  }

  Status Read() {
    const std::string why = ", where a mask is given,";
    if (values_[3]) return Fail(context_, "axes and a mask are both given; one is accepted");
    GE_ASSIGN(begin_, Constant(context_, values_[1], "begin" + why));
    GE_ASSIGN(end_, Constant(context_, values_[2], "end" + why));
    strides_.assign(begin_.size(), 1);
    if (values_[4]) {
      GE_ASSIGN(strides_, Constant(context_, values_[4], "strides" + why));
    }
    if (end_.size() != begin_.size() || strides_.size() != begin_.size()) {
      return Fail(context_, "begin, end and strides must be lists of one length");
    }
    return Status::Ok();
  }

  Status Walk() {
    GE_ASSIGN(const Shape x, KnownRank(context_, values_[0]));
    int64_t taken = 0;  // axes of x that entries stand for
    int64_t ellipses = 0;
    for (size_t i = 0; i < begin_.size(); ++i) {
      const bool many = HasBit(ellipsis_mask_, i);
      ellipses += many ? 1 : 0;
      taken += !many && !HasBit(new_axis_mask_, i) ? 1 : 0;
    }
    const int64_t left = static_cast<int64_t>(x.rank()) - taken;
    if (ellipses > 1 || left < 0) {
      return Fail(context_, ellipses > 1 ? "ellipsis_mask has more than one bit"
                                         : "begin has entries for " + std::to_string(taken) +
                                               " axes of x " + x.ToString());
    }
    size_t axis = 0, place = 0;  // in x and y
    for (size_t i = 0; i < begin_.size(); ++i) {
      if (HasBit(ellipsis_mask_, i)) {
        axis += static_cast<size_t>(left);
        place += static_cast<size_t>(left);
      } else if (HasBit(new_axis_mask_, i)) {
        new_.push_back(static_cast<int64_t>(place++));
      } else {
        if (strides_[i] == 0) return Fail(context_, "a stride is 0");
        place += AddAxis(i, axis++) ? 1 : 0;
      }
    }
    return Status::Ok();
  }

  // Whether the axis stays.
  bool AddAxis(size_t i, size_t axis) {
    constexpr int64_t kFirst = std::numeric_limits<int64_t>::min();
    constexpr int64_t kLast = std::numeric_limits<int64_t>::max();
    if (HasBit(shrink_axis_mask_, i)) {
      part_.Add(axis, begin_[i], begin_[i] == -1 ? kLast : begin_[i] + 1, 1);
      gone_.push_back(static_cast<int64_t>(axis));
      return false;
    }
    const bool forward = strides_[i] > 0;
    const int64_t size = values_[0].desc().shape[axis];
    // What begins before the first element and goes back is empty; StridedSliceV2 has it begin
    // there.
    if (!forward && !HasBit(begin_mask_, i) && size >= 0 && begin_[i] < -size) {
      part_.Add(axis, 0, 0, 1);
      return true;
    }
    part_.Add(axis, HasBit(begin_mask_, i) ? (forward ? 0 : kLast) : begin_[i],
              HasBit(end_mask_, i) ? (forward ? kLast : kFirst) : end_[i], strides_[i]);
    return true;
  }

  const FunctionContext& context_;
  const Values& values_;
  const int64_t begin_mask_ = IntOf(context_, "begin_mask");
  const int64_t end_mask_ = IntOf(context_, "end_mask");
  const int64_t ellipsis_mask_ = IntOf(context_, "ellipsis_mask");
  const int64_t new_axis_mask_ = IntOf(context_, "new_axis_mask");
  const int64_t shrink_axis_mask_ = IntOf(context_, "shrink_axis_mask");
  Ints begin_, end_, strides_;
  Part part_;
  Ints gone_, new_;
};

}  // namespace

Result<Value> Strided(const FunctionContext& context, const Values& values) {
  return MaskedSlice(context, values).Run();
}

}  // namespace ge::aclop::composed
