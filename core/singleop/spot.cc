#include "singleop/spot.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/suggest.h"

namespace ge::singleop {
namespace {

constexpr size_t kMostFaults = 100;

void FailType(const Spot& spot, const std::string& wanted, Notes& notes) {
  notes.Fail(ErrorId::kE10032, spot, "it is " + spot.value->Described() + ", not " + wanted);
}

bool IsPlainKey(std::string_view key) {
  return !key.empty() && std::all_of(key.begin(), key.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

}  // namespace

std::optional<Spot> Spot::Member(std::string_view key) const {
  for (const auto& [name, member] : value->members) {
    if (name != key) continue;
    const std::string step = IsPlainKey(key) ? "." + name : "[" + Shown(name) + "]";
    return Spot{&member, path.empty() && step[0] == '.' ? name : path + step};
  }
  return std::nullopt;
}

Spot Spot::Item(size_t index) const {
  return {&value->items[index], path + "[" + std::to_string(index) + "]"};
}

std::string Notes::Where(const Spot& spot) const {
  const std::string place = std::string(file_) + ":" + std::to_string(spot.value->line);
  return spot.path.empty() ? place : place + ": " + spot.path;
}

void Notes::Fail(ErrorId id, const Spot& spot, const std::string& reason) {
  if (faults_.problems().size() == kMostFaults) {
    ++left_out_;
  } else {
    faults_.Add(Error(id, {{"where", Where(spot)}, {"reason", reason}}));
  }
}

Status Notes::TakeFaults() {
  if (left_out_ != 0) {
    faults_.Add(Error(ErrorId::kE10032,
                      {{"where", std::string(file_)},
                       {"reason", std::to_string(left_out_) + " more faults are not shown"}}));
  }
  return std::move(faults_);
}

void Notes::Warn(const Spot& spot, const std::string& reason) {
  warnings_.push_back(
      MakeProblem(ErrorId::kW10001, {{"parameter", Where(spot)}, {"reason", reason}}));
}

std::optional<std::string> ReadText(const Spot& spot, Notes& notes) {
  const auto* text = spot.value->scalar.get_ptr<const std::string*>();
  if (text != nullptr) return *text;
  FailType(spot, "a text", notes);
  return std::nullopt;
}

std::optional<int64_t> ReadInt(const Spot& spot, Notes& notes) {
  constexpr double kLimit = 9223372036854775808.0;  // 2^63
  const nlohmann::json& scalar = spot.value->scalar;
  if (scalar.is_number_float()) {
    const auto number = scalar.get<double>();
    if (number == std::floor(number) && number >= -kLimit && number < kLimit) {
      return static_cast<int64_t>(number);
    }
  } else if (scalar.is_number_integer() &&
             !(scalar.is_number_unsigned() &&
               scalar.get<uint64_t>() > std::numeric_limits<int64_t>::max())) {
    return scalar.get<int64_t>();
  }
  FailType(spot, "a whole number of 64 bits", notes);
  return std::nullopt;
}

std::optional<bool> ReadBool(const Spot& spot, Notes& notes) {
  if (spot.value->scalar.is_boolean()) return spot.value->scalar.get<bool>();
  FailType(spot, "true or false", notes);
  return std::nullopt;
}

std::optional<float> ReadFloat(const Spot& spot, Notes& notes) {
  const nlohmann::json& scalar = spot.value->scalar;
  if (scalar.is_number() && std::isfinite(static_cast<float>(scalar.get<double>()))) {
    return static_cast<float>(scalar.get<double>());
  }
  FailType(spot, "a number that float32 can hold", notes);
  return std::nullopt;
}

std::optional<std::vector<Spot>> ReadItems(const Spot& spot, Notes& notes) {
  if (!spot.value->is_list()) {
    FailType(spot, "a list", notes);
    return std::nullopt;
  }
  std::vector<Spot> items;
  for (size_t i = 0; i < spot.value->items.size(); ++i) items.push_back(spot.Item(i));
  return items;
}

std::optional<std::vector<int64_t>> ReadInts(const Spot& spot, Notes& notes) {
  return ReadList(spot, ReadInt, notes);
}

std::optional<Spot> Required(const Spot& object, std::string_view key, Notes& notes) {
  std::optional<Spot> member = object.Member(key);
  if (!member) notes.Fail(ErrorId::kE10032, object, "[" + std::string(key) + "] is missing");
  return member;
}

std::string TextAt(const Spot& object, std::string_view key, Notes& notes) {
  const std::optional<Spot> member = object.Member(key);
  return member ? ReadText(*member, notes).value_or("") : "";
}

void WarnOfOtherKeys(const Spot& object, std::initializer_list<std::string_view> known,
                     Notes& notes) {
  for (const auto& [name, value] : object.value->members) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string_view nearest = Nearest(name, known);
    notes.Warn(*object.Member(name), nearest.empty() ? std::string("nothing is called so here")
                                                     : "nothing is called so here (did you mean [" +
                                                           std::string(nearest) + "]?)");
  }
}

}  // namespace ge::singleop
