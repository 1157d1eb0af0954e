#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace ge {

// A moment of a compile at which its graph can be dumped, by ATC's name for it.
struct DumpStage {
  std::string_view name;
  bool marked;  // dumped unless another level is asked for
};
inline constexpr std::array kDumpStages = {
    DumpStage{"PreRunBegin", true},                             // as imported
    DumpStage{"RunCustomPassBeforeInfershape", false},          // after passes in Python, if any
    DumpStage{"AfterInfershape", true},                         // after the pass InferShapes
    DumpStage{"RunCustomPass_AfterInferShape", false},          // after passes in Python, if any
    DumpStage{"RunCustomPassAfterBuiltinFusionPass", false},    // after passes in Python, if any
    DumpStage{"PreRunAfterOptimizeOriginalGraph", true},        // after all passes
    DumpStage{"AfterPrecisionRefine", false},                   // with its Casts
    DumpStage{"RunCustomPassAfterOriginGraphOptimize", false},  // after passes in Python, if any
    DumpStage{"PreRunAfterOptimizeGraphBeforeBuild", true},     // the same: nothing stands between
    DumpStage{"Build", true},                                   // with offsets
    DumpStage{"PreRunAfterBuild", false},  // the same, once the model is written
};

// What DUMP_GE_GRAPH and its companions ask for.
struct DumpRequest {
  enum class Detail : uint8_t { kNone, kFull, kNoWeights, kStructure };
  Detail detail = Detail::kNone;
  bool onnx = true;   // ge_onnx_*.pbtxt
  bool proto = true;  // ge_proto_*.txt
  std::vector<std::string_view> stages;
  std::string folder = ".";
};

}  // namespace ge
