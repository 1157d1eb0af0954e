#include "singleop/words.h"

#include <algorithm>

#include "base/suggest.h"
#include "base/text.h"

namespace ge::singleop {
namespace {

constexpr Word kTypes[] = {
    {"bool", 12},     {"int8", 2},         {"uint8", 4},          {"int16", 6},
    {"uint16", 7},    {"int32", 3},        {"uint32", 8},         {"int64", 9},
    {"uint64", 10},   {"float16", 1},      {"float", 0},          {"float32", 0},
    {"double", 11},   {"complex32", 33},   {"complex64", 16},     {"complex128", 17},
    {"uint1", 30},    {"bfloat16", 27},    {"int4", 29},          {"hifloat8", 34},
    {"hifloat4", 42}, {"float8_e5m2", 35}, {"float8_e4m3fn", 36},
};

constexpr Word kFormats[] = {
    {"nchw", 0},
    {"nhwc", 1},
    {"nd", 2},
    {"nc1hwc0", 3},
    {"fractal_z", 4},
    {"nc1c0hwpad", 5},
    {"nhwc1c0", 6},
    {"fsr_nchw", 7},
    {"fractal_deconv", 8},
    {"c1hwnc0", 9},
    {"fractal_deconv_transpose", 10},
    {"fractal_deconv_sp_stride_trans", 11},
    {"nc1hwc0_c04", 12},
    {"fractal_z_c04", 13},
    {"chwn", 14},
    {"deconv_sp_stride8_trans", 15},
    {"hwcn", 16},
    {"nc1khkwhwc0", 17},
    {"bn_weight", 18},
    {"filter_hwck", 19},
    {"lookup_lookups", 20},
    {"lookup_keys", 21},
    {"lookup_value", 22},
    {"lookup_output", 23},
    {"lookup_hits", 24},
    {"md", 26},
    {"ndhwc", 27},
    {"fractal_nz", 29},
    {"ncdhw", 30},
    {"dhwcn", 31},
    {"ndc1hwc0", 32},
    {"fractal_z_3d", 33},
    {"cn", 34},
    {"nc", 35},
    {"dhwnc", 36},
    {"fractal_z_3d_transpose", 37},
    {"fractal_zn_lstm", 38},
    {"fractal_z_g", 39},
};

bool EqualInAnyCase(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

constexpr std::span<const Word> kTypeWords = kTypes;
constexpr std::span<const Word> kFormatWords = kFormats;

std::optional<int32_t> FindWord(std::span<const Word> words, std::string_view text) {
  for (const Word& word : words) {
    if (EqualInAnyCase(word.word, text)) return word.number;
  }
  return std::nullopt;
}

std::string HintFor(const std::vector<std::string_view>& words, std::string_view text) {
  const std::string_view nearest = Nearest(text, words);
  if (!nearest.empty()) return " (did you mean [" + std::string(nearest) + "]?)";
  return "; accepted are " + Join(std::vector<std::string>(words.begin(), words.end()), ", ");
}

std::string HintFor(std::span<const Word> words, std::string_view text) {
  std::vector<std::string_view> views;
  for (const Word& word : words) views.push_back(word.word);
  return HintFor(views, text);
}

}  // namespace ge::singleop
