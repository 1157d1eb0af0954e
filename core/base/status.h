#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ge {

// Ids of the rows of errors.def; the enumerator is the code with a leading k.
enum class ErrorId : uint16_t {
  kOk = 0,
#define GE_ERR(code, title, message, cause, solution) k##code,
#include "base/errors.def"
#undef GE_ERR
  kInterrupted,  // SIGINT: no code, no text, exit status 130
};

struct ErrorRow {
  std::string_view code;   // "E10001"
  std::string_view title;  // "Invalid_Argument"
  std::string_view message;
  std::string_view cause;
  std::string_view solution;
};

const ErrorRow& RowOf(ErrorId id);

// One thing that is wrong, with all placeholders filled in.
struct Problem {
  ErrorId id = ErrorId::kOk;
  std::string message;
  std::string cause;
  std::string solution;
  std::string node = {};  // of the model, by the user's name for it; empty when it is about none
  std::string code = {};  // that an operator in Python chose; empty: that of the row
  bool operator==(const Problem&) const = default;
};

// "E10001"
std::string_view CodeOf(const Problem& problem);

using ErrorValues = std::initializer_list<std::pair<std::string_view, std::string_view>>;

// Fills the row of `id` with `values`.  A placeholder without a value stays visible.
Problem MakeProblem(ErrorId id, ErrorValues values);

// Success, or the list of everything that is wrong; the first problem is the headline.
class [[nodiscard]] Status {
 public:
  Status() = default;
  explicit Status(Problem problem);
  static Status Ok() { return Status(); }

  bool ok() const { return problems_ == nullptr; }
  ErrorId id() const { return ok() ? ErrorId::kOk : problems_->front().id; }
  // Empty when ok.
  const std::vector<Problem>& problems() const;
  // Appends the problems of `other`, leaving out those already present.
  void Add(Status other);
  // One advice for the headline, replacing the row's own.
  Status& WithSolution(std::string solution);

 private:
  std::shared_ptr<std::vector<Problem>> problems_;  // null when ok; owned by this object alone
};

// `return Error(ErrorId::kE10001, {{"value", v}, ...});`
inline Status Error(ErrorId id, ErrorValues values) {
  return Status(MakeProblem(id, values));
}

template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT: implicit by design
  Result(Status status) : status_(std::move(status)) {}  // NOLINT: implicit by design

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

#define GE_CONCAT_(a, b) a##b
#define GE_CONCAT(a, b) GE_CONCAT_(a, b)

// Returns the Status of `expr` to the caller when it failed.
#define GE_TRY(expr)                                        \
  do {                                                      \
    if (::ge::Status ge_status = (expr); !ge_status.ok()) { \
      return ge_status;                                     \
    }                                                       \
  } while (false)

// `GE_ASSIGN(auto x, MakeX());` declares x, or returns the Status of the Result.
#define GE_ASSIGN(declaration, expr) GE_ASSIGN_(declaration, expr, GE_CONCAT(ge_result_, __LINE__))
#define GE_ASSIGN_(declaration, expr, result) \
  auto result = (expr);                       \
  if (!result.ok()) return result.status();   \
  declaration = std::move(*result)

}  // namespace ge
