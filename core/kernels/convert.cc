#include "kernels/convert.h"

#include "kernels/dispatch.h"

namespace ge {

std::optional<std::vector<int64_t>> ToInts(const HostTensor& tensor) {
  std::vector<int64_t> values(static_cast<size_t>(tensor.elements()));
  const bool done = VisitIntegers(tensor.dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<int64_t>(tensor.as<T>()[i]);
  });
  if (!done) return std::nullopt;
  return values;
}

std::optional<std::vector<double>> ToDoubles(const HostTensor& tensor) {
  std::vector<double> values(static_cast<size_t>(tensor.elements()));
  const bool done = VisitNumbers(tensor.dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(tensor.as<T>()[i]);
  });
  if (!done) return std::nullopt;
  return values;
}

}  // namespace ge
