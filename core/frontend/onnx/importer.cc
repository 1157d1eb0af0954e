// The root graph of a model: inputs, wanted outputs, and the report of everything that is wrong.
#include "frontend/onnx/importer.h"

#include <algorithm>
#include <unordered_map>

#include "base/suggest.h"
#include "base/text.h"
#include "frontend/onnx/builder.h"

namespace ge::onnx {
namespace {

constexpr size_t kNamesShown = 10;

std::string DimText(const Dim& dim) {
  if (dim.value >= 0) return std::to_string(dim.value);
  return dim.param.empty() ? "?" : std::string(dim.param);
}

std::string InputText(const ValueInfo& input) {
  if (!input.has_shape) return std::string(input.name) + ": unknown rank";
  std::vector<std::string> dims;
  for (const Dim& dim : input.dims) dims.push_back(DimText(dim));
  return std::string(input.name) + ":" + Join(dims, ",");
}

// Inputs that the user feeds: those without an initializer.
std::vector<const ValueInfo*> FedInputs(const Model& model) {
  std::unordered_map<std::string_view, bool> initialized;
  for (const Tensor& tensor : model.graph.initializers) initialized[tensor.name] = true;
  std::vector<const ValueInfo*> fed;
  for (const ValueInfo& input : model.graph.inputs) {
    if (!initialized.contains(input.name)) fed.push_back(&input);
  }
  return fed;
}

// What the user said of input number `index`, or nullptr.
const NamedShape* GivenShape(const ValueInfo& input, size_t index, const ImportOptions& options) {
  for (size_t i = 0; i < options.input_shapes.size(); ++i) {
    const NamedShape& given = options.input_shapes[i];
    if (given.name.empty() ? i == index : given.name == input.name) return &given;
  }
  return nullptr;
}

// Shape of `input` with the user's shape applied; faults go to `status`.
Shape ShapeOf(const ValueInfo& input, const NamedShape* given, Status& status) {
  Shape shape = Shape::UnknownRank();
  if (input.has_shape) {
    std::vector<int64_t> dims;
    for (const Dim& dim : input.dims) dims.push_back(dim.value < 0 ? kUnknownDim : dim.value);
    shape = Shape(std::move(dims));
  }
  if (given == nullptr) return shape;
  if (input.has_shape && given->shape.rank() != shape.rank()) {
    status.Add(Error(ErrorId::kE10049, {{"name", input.name},
                                        {"cur_dim_size", std::to_string(shape.rank())},
                                        {"shape_range_size", std::to_string(given->shape.rank())},
                                        {"input", InputText(input)}}));
  }
  return given->shape;
}

Status CheckGivenNames(const std::vector<const ValueInfo*>& inputs, const ImportOptions& options) {
  Status status;
  std::vector<std::string> texts;
  std::vector<std::string_view> names;
  for (const ValueInfo* input : inputs) {
    texts.push_back(InputText(*input));
    names.push_back(input->name);
  }
  for (const NamedShape& given : options.input_shapes) {
    if (given.name.empty()) {
      if (static_cast<size_t>(&given - options.input_shapes.data()) < names.size()) continue;
      status.Add(
          Error(ErrorId::kE10016,
                {{"opname", ""},
                 {"parameter", "--input_shape"},
                 {"inputs", "Inputs of the model are: " + Join(texts, "; ", kNamesShown) + "."},
                 {"hint", ""}}));
      continue;
    }
    if (std::find(names.begin(), names.end(), given.name) != names.end()) continue;
    const std::string_view nearest = names.size() == 1 ? names[0] : Nearest(given.name, names);
    status.Add(
        Error(ErrorId::kE10016,
              {{"opname", given.name},
               {"parameter", "--input_shape"},
               {"inputs", "Inputs of the model are: " + Join(texts, "; ", kNamesShown) + "."},
               {"hint", nearest.empty() ? "" : " Did you mean [" + std::string(nearest) + "]?"}}));
  }
  return status;
}

// Names in --input_fp16_nodes.
Status CheckFp16Inputs(const Model& model, const std::vector<const ValueInfo*>& inputs,
                       const ImportOptions& options) {
  Status status;
  std::vector<std::string> texts;
  std::vector<std::string_view> names;
  for (const ValueInfo* input : inputs) {
    texts.push_back(InputText(*input));
    names.push_back(input->name);
  }
  const std::string known = "Inputs of the model are: " + Join(texts, "; ", kNamesShown) + ".";
  for (const std::string& given : options.fp16_inputs) {
    if (std::find(names.begin(), names.end(), given) != names.end()) continue;
    const bool is_node = std::any_of(model.graph.nodes.begin(), model.graph.nodes.end(),
                                     [&](const Node& node) { return node.name == given; });
    const std::string_view nearest = names.size() == 1 ? names[0] : Nearest(given, names);
    status.Add(
        Error(is_node ? ErrorId::kE10017 : ErrorId::kE10016,
              {{"opname", given},
               {"parameter", "--input_fp16_nodes"},
               {"inputs", known},
               {"hint", nearest.empty() ? "" : " Did you mean [" + std::string(nearest) + "]?"}}));
  }
  return status;
}

// What to type for inputs whose dims are not known: one command each for a fixed shape, gears and
// a range.
Status AskForShapes(const std::vector<const ValueInfo*>& inputs, const ImportOptions& options) {
  std::string unknown, fixed, open, range;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const ValueInfo* input = inputs[i];
    if (GivenShape(*input, i, options) != nullptr) continue;
    std::vector<std::string> symbols, fixed_dims, open_dims, range_dims;
    for (size_t axis = 0; axis < input->dims.size(); ++axis) {
      const Dim& dim = input->dims[axis];
      const bool known = dim.value >= 0;
      const std::string text = std::to_string(dim.value);
      if (!known) symbols.push_back("axis " + std::to_string(axis) + " (" + DimText(dim) + ")");
      fixed_dims.push_back(known ? text : axis == 0 ? "1" : axis == 1 ? "16" : "224");
      open_dims.push_back(known ? text : "-1");
      range_dims.push_back(known ? text : axis == 0 ? "1~8" : axis == 1 ? "16~64" : "64~1024");
    }
    if (symbols.empty() && input->has_shape) continue;
    const std::string name(input->name);
    const auto add = [&](std::string& list, const std::vector<std::string>& dims) {
      list += (list.empty() ? "" : ";") + name + ":" + Join(dims, ",");
    };
    unknown += (unknown.empty() ? "" : "; ") + std::string("input [") + name +
               "]: " + (input->has_shape ? Join(symbols, ", ") : std::string("its rank"));
    add(fixed, fixed_dims);
    add(open, open_dims);
    add(range, range_dims);
  }
  if (unknown.empty()) return Status::Ok();
  return Error(ErrorId::kE10001, {{"value", "-1"},
                                  {"parameter", "--input_shape"},
                                  {"reason", "these dims are not known: " + unknown}})
      .WithSolution("Fix the dims: --input_shape=\"" + fixed + "\". With gears: --input_shape=\"" +
                    open + "\" and --dynamic_dims=\"...\". With a range: --input_shape=\"" + range +
                    "\".");
}

Status AddInputs(const Model& model, const ImportOptions& options, ImportState& state,
                 ge::Graph& graph, Names& names) {
  const std::vector<const ValueInfo*> inputs = FedInputs(model);
  Status status = CheckGivenNames(inputs, options);
  status.Add(CheckFp16Inputs(model, inputs, options));
  int64_t index = 0;
  for (const ValueInfo* input : inputs) {
    ge::Node* node = graph.Add("Data", input->name, {});
    const NamedShape* given = GivenShape(*input, static_cast<size_t>(index), options);
    node->attrs().Set("index", index++);
    if (given != nullptr && !given->range.empty()) {
      std::vector<std::vector<int64_t>> range;
      for (const auto& [least, most] : given->range) range.push_back({least, most});
      node->attrs().Set("shape_range", std::move(range));
    }
    TensorDesc& desc = node->output(0);
    desc.format = options.input_format;
    desc.dtype = DataTypeOf(input->elem_type);
    desc.shape = ShapeOf(*input, given, status);
    if (!input->is_tensor || desc.dtype == DataType::kUndefined ||
        desc.dtype == DataType::kString) {
      state.AddUnsupported("input of the model: only number tensors are supported",
                           std::string(input->name));
    }
    names.values.Insert(input->name, node->out());
  }
  if (inputs.empty() && !options.allow_unknown_inputs) {
    status.Add(Error(ErrorId::kE16001, {{"what", "input"}}));
  }
  if (status.ok() && !options.allow_unknown_inputs) return AskForShapes(inputs, options);
  return status;
}

// Names of the tensors that become outputs: those of --out_nodes, else the model's own.
Result<std::vector<std::string_view>> WantedOutputs(const Model& model,
                                                    const ImportOptions& options) {
  std::vector<std::string_view> wanted;
  if (options.out_nodes.empty()) {
    for (const ValueInfo& output : model.graph.outputs) wanted.push_back(output.name);
    if (wanted.empty()) return Error(ErrorId::kE16001, {{"what", "output"}});
    return wanted;
  }
  std::vector<std::string_view> nodes, tensors;
  for (const Node& node : model.graph.nodes) {
    nodes.push_back(node.name);
    tensors.insert(tensors.end(), node.outputs.begin(), node.outputs.end());
  }
  Status status;
  const auto unknown = [&](const std::string& name, const std::vector<std::string_view>& known) {
    const std::string_view nearest = Nearest(name, known);
    status.Add(
        Error(ErrorId::kE10016,
              {{"opname", name},
               {"parameter", "--out_nodes"},
               {"inputs", ""},
               {"hint", nearest.empty() ? "" : " Did you mean [" + std::string(nearest) + "]?"}}));
  };
  for (const OutNode& out : options.out_nodes) {
    if (!out.tensor.empty()) {
      const auto found = std::find(tensors.begin(), tensors.end(), out.tensor);
      if (found == tensors.end()) {
        unknown(out.tensor, tensors);
      } else {
        wanted.push_back(*found);
      }
      continue;
    }
    const auto found = std::find(nodes.begin(), nodes.end(), out.node);
    if (found == nodes.end()) {
      unknown(out.node, nodes);
      continue;
    }
    const Node& node = model.graph.nodes[static_cast<size_t>(found - nodes.begin())];
    if (out.index < 0 || static_cast<size_t>(out.index) >= node.outputs.size() ||
        node.outputs[static_cast<size_t>(out.index)].empty()) {
      status.Add(Error(ErrorId::kE10003,
                       {{"value", out.node + ":" + std::to_string(out.index)},
                        {"parameter", "--out_nodes"},
                        {"reason", "the node has " + std::to_string(node.outputs.size()) +
                                       " outputs, counted from 0"}}));
      continue;
    }
    wanted.push_back(node.outputs[static_cast<size_t>(out.index)]);
  }
  if (!status.ok()) return status;
  return wanted;
}

// Nodes of different graphs may share a name, and so may the graphs that are called after them; a
// model definition knows its graphs by name.
// `taken`: names and the suffix to try next.
void MakeGraphNamesUnique(const ge::Graph& graph, std::unordered_map<std::string, size_t>& taken) {
  for (const std::unique_ptr<ge::Node>& node : graph.nodes()) {
    for (const std::unique_ptr<ge::Graph>& inner : node->subgraphs()) {
      const std::string name = inner->name();
      while (!taken.emplace(inner->name(), 1).second) {
        inner->SetName(name + "_" + std::to_string(taken[name]++));
      }
      MakeGraphNamesUnique(*inner, taken);
    }
  }
}

// Shapes, then what is not supported, as one status.
Status Collected(ImportState& state) {
  Status status = std::move(state.faults);
  for (const auto& [what, nodes] : state.unsupported) {
    status.Add(Error(ErrorId::kE10055,
                     {{"reason", what + " (" + std::to_string(nodes.size()) +
                                     (nodes.size() == 1 ? " node). Node: " : " nodes). Nodes: ") +
                                     Join(nodes, ", ", kNamesShown)}}));
  }
  return status;
}

}  // namespace

Result<ImportResult> Import(std::shared_ptr<const MappedFile> file, const ImportOptions& options) {
  GE_ASSIGN(const Model model, ParseModel(file));
  if (!model.has_graph) return Error(ErrorId::kE16004, {});
  GE_ASSIGN(const std::vector<std::string_view> wanted, WantedOutputs(model, options));
  GE_ASSIGN(const std::vector<size_t> order, NeededNodes(model.graph.nodes, wanted));
  GE_TRY(CheckSupport(model, order, options));

  ImportState state{model, options, TensorReader(file), {}, 0, {}, {}, {}, {}};
  auto graph = std::make_unique<ge::Graph>(options.graph_name);
  GraphBuilder builder(state, *graph);
  Names names;
  names.opsets = &model.opsets;
  names.values.Reserve(model.graph.nodes.size() + model.graph.initializers.size());
  names.initializers.Reserve(model.graph.initializers.size());
  graph->Reserve(model.graph.nodes.size() + model.graph.initializers.size());
  for (const Tensor& tensor : model.graph.initializers) {
    names.initializers.Insert(tensor.name, &tensor);
  }
  if (model.graph.sparse_initializers != 0) {
    state.AddUnsupported("sparse initializers are not supported", std::string(model.graph.name));
  }
  if (options.progress != nullptr) options.progress->SetTotal(order.size());
  GE_TRY(AddInputs(model, options, state, *graph, names));
  GE_TRY(builder.ImportInOrder(model.graph.nodes, order, names));

  std::vector<Value> outputs;
  for (const std::string_view name : wanted) {
    const GraphBuilder::Lookup found = builder.Find(name, names);
    if (found.state == GraphBuilder::Lookup::kMissing) {
      state.faults.Add(Error(
          ErrorId::kE10041,
          {{"parameter", "--model"},
           {"value", file->path()},
           {"reason", "output [" + std::string(name) + "] of the model is produced by no node"}}));
    }
    if (state.containers.Holds(found.value)) {
      state.AddUnsupported("output of the model: only number tensors are supported",
                           std::string(name));
    }
    outputs.push_back(found.value);
    graph->output_names().emplace_back(name);
  }
  GE_TRY(Collected(state));
  graph->Add("NetOutput", "NetOutput", outputs, 0);
  std::unordered_map<std::string, size_t> graph_names = {{graph->name(), 1}};
  MakeGraphNamesUnique(*graph, graph_names);
  if (!state.renamed_nodes.empty()) {
    state.warnings.push_back(
        MakeProblem(ErrorId::kW10004, {{"names", Join(state.renamed_nodes, ", ", kNamesShown)}}));
  }
  return ImportResult{std::move(graph), std::move(state.warnings)};
}

}  // namespace ge::onnx
