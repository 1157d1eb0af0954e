#pragma once

#include <vector>

#include "precision/op_precision.h"

namespace ge {

// Whether the lists of operators count.
inline bool IsMixed(PrecisionMode mode) {
  return mode == PrecisionMode::kMixFp16 || mode == PrecisionMode::kMixBf16 ||
         mode == PrecisionMode::kMixHif8;
}

// The float ports of a node: undefined where there is no tensor or no float.
struct PortDtypes {
  std::vector<DataType> inputs, outputs;
};

// What the choice for one node depends on.
struct ChoiceContext {
  PrecisionMode mode = PrecisionMode::kForceFp16;
  const Node* node = nullptr;
  const OpPrecision* op = nullptr;
  PortDtypes source;                     // of the network
  std::vector<DataType> producers;       // what the inputs have now; undefined: a constant or Data
  bool pinned = false;                   // keeps the dtypes of the source where it can
  const CustomDtypes* custom = nullptr;  // beats the mode where a column has what it asks for
};

// The dtypes of a node that is no view and has no subgraphs: the columns of its operator, narrowed
// port by port to the dtype that the mode wants most.  Those of the source where no column fits.
PortDtypes ChooseDtypes(const ChoiceContext& context);

}  // namespace ge
