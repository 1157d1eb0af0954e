#pragma once

#include "api/precision.h"
#include "api/progress.h"
#include "base/status.h"
#include "ir/graph.h"

namespace ge::hooks {
class OperatorStores;
}

namespace ge {

struct Lowered {
  PrecisionReport report;
  std::vector<Problem> warnings;
};

// LowerPrecision:   Op(x: f32)   becomes   Op'(Cast(x): f16), and its readers see float16.
//
// Every node gets the dtypes that the mode, the lists of the SoC and the user's files give it
// (docs/precision.md); where a reader wants another dtype than its producer has, a Cast stands
// between, one for all readers that want the same.  A constant is converted instead.  A Cast of the
// source that only widens is looked through.  Views take what they read; bodies of control flow,
// inputs and outputs of the model keep the dtypes of the source unless the request says otherwise.
// `progress` counts the nodes of `graph` itself.
// `own` are operators of the user; may be null.
Result<Lowered> LowerPrecision(Graph& graph, const PrecisionRequest& request, Progress& progress,
                               const hooks::OperatorStores* own = nullptr);

}  // namespace ge
