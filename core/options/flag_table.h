#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "options/options.h"

namespace ge {

using FlagField = std::variant<bool Options::*, int32_t Options::*, std::string Options::*>;

enum class Group : uint8_t {
  kGeneral,
  kInput,
  kOutput,
  kTarget,
  kFeature,
  kModelTuning,
  kOperatorTuning,
  kDebug,
  kHidden
};

// What a value means.  Paths are reduced to their last component before they are stored.
enum class Kind : uint8_t { kText, kPath, kFolder };

// When ATC compares a value with the list of accepted ones: at once, or as a later step
// (checks.cc).
enum class ListCheck : uint8_t { kNone, kAtParsing, kLater };

// What a flag does in this program.
enum class Effect : uint8_t {
  kWorks,     // does what ATC documents, for the values in `built` if there are any
  kRecorded,  // checked as ATC checks it and stored in the model
  kRefused,   // has no meaning for the host engine: only the default and `built` are taken
  kNotBuilt,  // not supported yet: only the default and `built` are taken
};

// Sets of --mode values; a run with --singleop counts as a mode of its own.
using Modes = uint8_t;
inline constexpr Modes kMode0 = 1, kMode1 = 2, kMode3 = 4, kMode5 = 8, kMode6 = 16, kMode7 = 32,
                       kMode30 = 64, kSingleOp = 128;
inline constexpr Modes kAnyMode = 255;
inline constexpr Modes kBuildModes = kMode0 | kMode3 | kMode30;
inline constexpr Modes kModelModes = kBuildModes | kMode7;
inline constexpr Modes kCompileModes = kModelModes | kSingleOp;

// One flag.  Lists are written with | between the words.
struct Flag {
  std::string_view name;
  Group group = Group::kGeneral;
  FlagField field;
  std::string_view help;
  std::string_view value = "TEXT";  // what stands for the value in --help
  Kind kind = Kind::kText;
  std::string_view choices = {};  // accepted values; leading | if an empty one is among them
  ListCheck list_check = ListCheck::kNone;
  ErrorId choice_error = ErrorId::kE10001;
  std::string_view default_text = {};  // shown by --help when the field's own default says less
  Modes modes = kModelModes;           // where the flag has an effect
  std::string_view ge_option = {};     // name of the GE option it sets
  Effect effect = Effect::kWorks;
  std::string_view built = {};  // see Effect
  std::string_view note = {};   // for users: why a value is refused, or what to do instead
  // A registered option: on repetition the first value counts, not the last.
  bool registered = false;
};

// All flags, in the order in which --help prints them.
extern const std::array<Flag, kFlagCount> kFlags;

size_t IndexOf(FlagField field);
const Flag& RowOf(FlagField field);
// "--name"
std::string WithDashes(const Flag& flag);

bool IsGiven(const Options& options, FlagField field);
bool IsFaulty(const Options& options, FlagField field);

// The value as text, "true"/"false" for booleans.
std::string ValueText(const Options& options, const Flag& flag);
std::string DefaultText(const Flag& flag);

// "a|b" as a list; an empty text gives an empty list.
std::vector<std::string_view> SplitChoices(std::string_view choices);
// The accepted values for a message: "[a] [b]", in ascending order.
std::string AcceptedText(std::string_view choices);

// The bit of a --mode value, 0 for an unknown mode.
Modes ModeBit(int32_t mode);
// The bit of what the options ask for.
Modes ModeBit(const Options& options);

}  // namespace ge
