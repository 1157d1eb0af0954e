#include <algorithm>
#include <vector>

#include "conv_descs.h"
#include "makers.h"
#include "primitive.h"

// Convolutions of streams, in strips of rows of y: what a strip reads and writes in float32 stays
// in the cache of one core.
namespace ge::onednn {
namespace {

using Conv = dnnl::convolution_forward;

// Rows of y, and the rows of x with the padding that they are made of.
struct Strip {
  int64_t y_first = 0, y_rows = 0;
  int64_t x_first = 0, x_rows = 0;
  int64_t pad = 0, pad_end = 0;

  bool HasSizesOf(const Strip& other) const {
    return y_rows == other.y_rows && x_rows == other.x_rows && pad == other.pad &&
           pad_end == other.pad_end;
  }
};

std::vector<Strip> CutIntoStrips(const ConvProblem& problem, int64_t rows) {
  constexpr size_t kHeight = 1;  // of D, H, W
  const WindowWalk& walk = problem.walk;
  const int64_t height = problem.y.dims[3], x_height = problem.x.dims[3];
  std::vector<Strip> strips;
  for (int64_t first = 0; first < height; first += rows) {
    Strip strip;
    strip.y_first = first;
    strip.y_rows = std::min(rows, height - first);
    const int64_t begin = first * walk.stride[kHeight] - walk.pad[kHeight];
    const int64_t end = begin + (strip.y_rows - 1) * walk.stride[kHeight] +
                        (walk.kernel[kHeight] - 1) * walk.dilation[kHeight] + 1;
    strip.x_first = std::clamp<int64_t>(begin, 0, x_height);
    strip.x_rows = std::clamp<int64_t>(end, 0, x_height) - strip.x_first;
    strip.pad = std::max<int64_t>(-begin, 0);
    strip.pad_end = std::max<int64_t>(end - x_height, 0);
    strips.push_back(strip);
  }
  return strips;
}

// Rows of all channels of one image of `tensor`.
Tensor5 RowsOf(const Tensor5& tensor, int64_t rows) {
  Tensor5 part = tensor;
  part.dims[0] = 1;
  part.dims[3] = rows;
  if (tensor.steps[1] != 1) part.steps[1] = rows * part.dims[4];
  part.steps[0] = part.plane() * part.dims[1];
  return part;
}

// Calls move(element of the tensor, element of the strip, count) for all runs of elements.
template <typename Move>
void ForRuns(const Tensor5& tensor, int64_t image, int64_t first, int64_t rows, const Move& move) {
  const int64_t start = image * tensor.dims[1] * tensor.plane();
  const int64_t width = tensor.dims[4], channels = tensor.dims[1];
  if (tensor.steps[1] == 1) {
    return move(start + first * width * channels, 0, rows * width * channels);
  }
  for (int64_t c = 0; c < channels; ++c) {
    move(start + c * tensor.plane() + first * width, c * rows * width, rows * width);
  }
}

class StreamConvolution : public StreamPrimitive {
 public:
  StreamConvolution(const ConvProblem& problem, const float* filter, const float* bias)
      : problem_(problem), filter_(FilterDesc(problem, false)) {
    if (bias != nullptr) bias_.assign(bias, bias + problem.y.dims[1]);
    // The filter is packed for one thread; all others use the same layout.
    const OmpThreads scope(1);
    const auto made = Describe(CutIntoStrips(problem_, RowsOfStrip(1))[0], AnyLayout(filter_));
    dnnl::memory plain = View(filter_, filter);
    packed_ = dnnl::memory(made.weights_desc(), Engine());
    dnnl::stream stream(Engine());
    dnnl::reorder(plain, packed_).execute(stream, plain, packed_);
    stream.wait();
    one_ = MakeVariant(1);
  }

  uint64_t bytes() const override {
    return packed_.get_desc().get_size() + bias_.size() * sizeof(float);
  }

  bool Run(int threads, const HeavyStream& stream) const override {
    std::shared_ptr<const Variant> variant = one_;
    if (threads > 1) variant = variants_.Get(threads, [&] { return MakeVariant(threads); });
    if (variant == nullptr) variant = one_;
    const int64_t count = images() * static_cast<int64_t>(variant->strips.size());
    if (variant->threads == 1) {
      return AllOf(threads, count, [&](int64_t i) { return RunStrip(*variant, i, stream); });
    }
    const OmpThreads scope(threads);
    for (int64_t i = 0; i < count; ++i) {
      if (!RunStrip(*variant, i, stream)) return false;
    }
    return true;
  }

 private:
  static constexpr int64_t kFloat = sizeof(float);

  struct Form {
    Strip sizes;
    Tensor5 x, y;
    Desc x_desc, y_desc, scratchpad;  // oneDNN's
    Conv primitive;
    dnnl::reorder read, write;  // empty when the layout is the stream's
  };
  struct Variant {
    int threads = 1;  // that work on one strip
    std::vector<Strip> strips;
    std::vector<Form> forms;
    std::vector<size_t> form_of;  // per strip
  };

  Conv::primitive_desc Describe(const Strip& strip, const Desc& filter) const {
    if (strip.x_rows == 0) throw dnnl::error(dnnl_unimplemented, "windows of padding alone");
    const auto layout = [](const Tensor5& tensor) {
      const Desc desc = DescOf(tensor, false);
      return IsChannelsLast(tensor) ? desc : AnyLayout(desc);
    };
    ConvDescs descs;
    descs.x = layout(RowsOf(problem_.x, strip.x_rows));
    descs.y = layout(RowsOf(problem_.y, strip.y_rows));
    descs.filter = filter;
    if (!bias_.empty()) descs.bias = BiasDesc();
    const WindowWalk& walk = problem_.walk;
    descs.strides = {walk.stride[1], walk.stride[2]};
    descs.dilations = {walk.dilation[1] - 1, walk.dilation[2] - 1};
    descs.pads = {strip.pad, walk.pad[2]};
    descs.pads_end = {strip.pad_end, (problem_.y.dims[4] - 1) * walk.stride[2] +
                                         (walk.kernel[2] - 1) * walk.dilation[2] + 1 -
                                         problem_.x.dims[4] - walk.pad[2]};
    const auto made = MakeConvDesc<Conv>(Engine(), dnnl::algorithm::convolution_direct, descs);
    RefuseSlowCode(made.impl_info_str());
    return made;
  }

  Desc BiasDesc() const {
    return Desc({problem_.y.dims[1]}, dnnl::memory::data_type::f32, dnnl::memory::format_tag::x);
  }

  int64_t images() const { return problem_.x.dims[0]; }

  // Of y.  Every thread reads the filter for itself: a large one is not worth more strips.
  int64_t RowsOfStrip(int64_t threads) const {
    constexpr int64_t kCached = 512 << 10, kSmallFilter = 512 << 10;
    const int64_t bytes = (problem_.x.elements() + problem_.y.elements()) / images() * kFloat;
    int64_t strips = (bytes - 1) / kCached + 1;
    if (problem_.filter.elements() * kFloat <= kSmallFilter) {
      const int64_t wanted = (images() * strips + threads - 1) / threads * threads;
      strips = (wanted + images() - 1) / images();
    }
    const int64_t height = problem_.y.dims[3];
    return (height - 1) / std::min(strips, height) + 1;
  }

  std::shared_ptr<const Variant> MakeVariant(int threads) const {
    auto variant = std::make_shared<Variant>();
    variant->strips = CutIntoStrips(problem_, RowsOfStrip(threads));
    // Many strips are shared out; few are worked on by all threads.
    const bool shares = images() * static_cast<int64_t>(variant->strips.size()) >= threads;
    variant->threads = shares ? 1 : threads;
    const OmpThreads scope(variant->threads);
    for (const Strip& strip : variant->strips) {
      const auto found =
          std::find_if(variant->forms.begin(), variant->forms.end(),
                       [&](const Form& form) { return form.sizes.HasSizesOf(strip); });
      variant->form_of.push_back(static_cast<size_t>(found - variant->forms.begin()));
      if (found == variant->forms.end()) variant->forms.push_back(MakeForm(strip));
    }
    return variant;
  }

  Form MakeForm(const Strip& strip) const {
    const auto made = Describe(strip, packed_.get_desc());
    Form form;
    form.sizes = strip;
    form.x = RowsOf(problem_.x, strip.x_rows);
    form.y = RowsOf(problem_.y, strip.y_rows);
    form.x_desc = made.src_desc();
    form.y_desc = made.dst_desc();
    form.scratchpad = made.scratchpad_desc();
    form.primitive = Conv(made);
    const Desc x = DescOf(form.x, false), y = DescOf(form.y, false);
    if (form.x_desc != x) form.read = MakeReorder(x, form.x_desc);
    if (form.y_desc != y) form.write = MakeReorder(form.y_desc, y);
    return form;
  }

  bool RunStrip(const Variant& variant, int64_t i, const HeavyStream& stream) const {
    const auto strips = static_cast<int64_t>(variant.strips.size());
    const int64_t image = i / strips;
    const auto index = static_cast<size_t>(i % strips);
    const Strip& strip = variant.strips[index];
    const Form& form = variant.forms[variant.form_of[index]];
    try {
      return RunStrip(variant.threads, form, strip, image, stream);
    } catch (const dnnl::error&) {
      return false;
    }
  }

  bool RunStrip(int threads, const Form& form, const Strip& strip, int64_t image,
                const HeavyStream& stream) const {
    const auto floats = [](const Tensor5& t) { return static_cast<size_t>(t.elements() * kFloat); };
    const size_t x_bytes = floats(form.x), y_bytes = floats(form.y);
    const size_t read_bytes = form.read ? form.x_desc.get_size() : 0;
    const size_t write_bytes = form.write ? form.y_desc.get_size() : 0;
    const size_t scratch_bytes = form.scratchpad.get_size();
    Workspace space(Workspace::Padded(x_bytes) + Workspace::Padded(y_bytes) +
                    Workspace::Padded(read_bytes) + Workspace::Padded(write_bytes) + scratch_bytes);
    if (!space.ok()) return false;
    auto* const x = static_cast<float*>(space.Take(x_bytes));
    auto* const y = static_cast<float*>(space.Take(y_bytes));
    ForRuns(problem_.x, image, strip.x_first, strip.x_rows,
            [&](int64_t from, int64_t to, int64_t count) {
              InPieces(threads, count, 1, [&](int64_t at, int64_t size) {
                stream.Load(HeavyStream::kX, from + at, size, x + to + at);
              });
            });
    dnnl::stream order(Engine());
    dnnl::memory source = View(DescOf(form.x, false), x);
    if (form.read) {
      dnnl::memory moved = View(form.x_desc, space.Take(read_bytes));
      form.read.execute(order, source, moved);
      source = moved;
    }
    dnnl::memory plain = View(DescOf(form.y, false), y);
    dnnl::memory result = form.write ? View(form.y_desc, space.Take(write_bytes)) : plain;
    std::unordered_map<int, dnnl::memory> args = {
        {DNNL_ARG_SRC, source},
        {DNNL_ARG_WEIGHTS, packed_},
        {DNNL_ARG_DST, result},
        {DNNL_ARG_SCRATCHPAD, View(form.scratchpad, space.Take(scratch_bytes))}};
    if (!bias_.empty()) args.emplace(DNNL_ARG_BIAS, View(BiasDesc(), bias_.data()));
    form.primitive.execute(order, args);
    if (form.write) form.write.execute(order, result, plain);
    order.wait();
    const int64_t unit = problem_.y.steps[1] == 1 ? problem_.y.dims[1] : 1;
    ForRuns(problem_.y, image, strip.y_first, strip.y_rows,
            [&](int64_t to, int64_t from, int64_t count) {
              InPieces(threads, count, unit, [&](int64_t at, int64_t size) {
                stream.Store(to + at, size, y + from + at);
              });
            });
    return true;
  }

  // Calls run(first, count) for pieces of multiples of `unit` elements, on all threads.
  template <typename Run>
  static void InPieces(int threads, int64_t count, int64_t unit, const Run& run) {
    constexpr int64_t kLeast = 16384;
    const int64_t units = count / unit;
    const int64_t pieces =
        std::clamp<int64_t>(count / kLeast, 1, std::min<int64_t>(threads, units));
    if (pieces <= 1) return run(0, count);
    AllOf(threads, pieces, [&](int64_t i) {
      const int64_t begin = units * i / pieces * unit, end = units * (i + 1) / pieces * unit;
      run(begin, end - begin);
      return true;
    });
  }

  const ConvProblem problem_;
  const Desc filter_;  // as given
  std::vector<float> bias_;
  dnnl::memory packed_;
  std::shared_ptr<const Variant> one_;  // for one thread
  PerThreads<Variant> variants_;
};

// Elements in the order of their axes, or with the channels last.
bool IsOrdered(const Tensor5& tensor) {
  return tensor.is_dense() || IsChannelsLast(tensor);
}

}  // namespace

std::unique_ptr<const StreamPrimitive> MakeStreamConv(const ConvProblem& problem,
                                                      const float* filter, const float* bias) {
  if (problem.transposed || HasDepth(problem) || problem.y.elements() == 0 ||
      problem.x.elements() == 0 || !IsOrdered(problem.x) || !IsOrdered(problem.y)) {
    return nullptr;
  }
  if (IsSmall(problem)) return nullptr;
  try {
    return std::make_unique<StreamConvolution>(problem, filter, bias);
  } catch (const dnnl::error&) {
    return nullptr;
  }
}

}  // namespace ge::onednn
