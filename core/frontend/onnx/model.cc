#include "frontend/onnx/model.h"

#include <cstring>
#include <protozero/pbf_reader.hpp>

namespace ge::onnx {
namespace {

// Deeper nesting of graphs or tensors than any exporter writes.
constexpr int kMaxDepth = 32;

// A reader that throws where a field is not encoded as its type is: such a file is damaged.
class Reader : private protozero::pbf_reader {
  using Base = protozero::pbf_reader;
  using Encoding = protozero::pbf_wire_type;

 public:
  Reader(const char* data, size_t size) : Base(data, size) {}
  using Base::data;
  using Base::next;
  using Base::skip;
  using Base::tag;
  using Base::wire_type;

  protozero::data_view get_view() { return As(Encoding::length_delimited).Base::get_view(); }
  Reader get_message() {
    const protozero::data_view view = get_view();
    return {view.data(), view.size()};
  }
  int32_t get_int32() { return As(Encoding::varint).Base::get_int32(); }
  int64_t get_int64() { return As(Encoding::varint).Base::get_int64(); }
  uint64_t get_uint64() { return As(Encoding::varint).Base::get_uint64(); }
  float get_float() { return As(Encoding::fixed32).Base::get_float(); }
  // Only where wire_type() says length_delimited.
  using Base::get_packed_float;
  using Base::get_packed_int32;
  using Base::get_packed_int64;
  using Base::get_packed_uint64;

 private:
  Reader& As(Encoding encoding) {
    if (wire_type() != encoding) throw protozero::unknown_pbf_wire_type_exception{};
    return *this;
  }
};

std::string_view View(protozero::data_view view) {
  return {view.data(), view.size()};
}

std::string_view Domain(protozero::data_view view) {
  const std::string_view domain = View(view);
  return domain == "ai.onnx" ? std::string_view() : domain;
}

// A repeated number: one packed payload, or single values.
template <typename Out, typename Packed, typename Single>
void ReadNumbers(Reader& message, std::vector<Out>& out, Packed packed, Single single) {
  if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
    for (const auto value : packed()) out.push_back(static_cast<Out>(value));
  } else {
    out.push_back(static_cast<Out>(single()));
  }
}

// The bytes of a repeated fixed-width number, without copying them.
void ReadFixed(Reader& message, size_t width, std::vector<std::string_view>& out) {
  if (message.wire_type() == protozero::pbf_wire_type::length_delimited) {
    const std::string_view packed = View(message.get_view());
    if (packed.size() % width != 0) throw protozero::invalid_length_exception{};
    out.push_back(packed);
  } else {
    const char* start = message.data().data();
    message.skip();
    if (message.data().data() - start != static_cast<ptrdiff_t>(width)) {
      throw protozero::unknown_pbf_wire_type_exception{};
    }
    out.push_back({start, width});
  }
}

void ReadExternal(Tensor& tensor, Reader entry) {
  std::string_view key, value;
  while (entry.next()) {
    switch (entry.tag()) {
      case 1:
        key = View(entry.get_view());
        break;
      case 2:
        value = View(entry.get_view());
        break;
      default:
        entry.skip();
    }
  }
  if (key == "location") tensor.location = value;
  if (key == "offset") tensor.offset = value;
  if (key == "length") tensor.length = value;
}

Tensor ReadTensor(Reader message) {
  Tensor tensor;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        ReadNumbers(
            message, tensor.dims, [&] { return message.get_packed_int64(); },
            [&] { return message.get_int64(); });
        break;
      case 2:
        tensor.data_type = message.get_int32();
        break;
      case 4:
        ReadFixed(message, 4, tensor.float_data);
        break;
      case 5:
        ReadNumbers(
            message, tensor.int_data, [&] { return message.get_packed_int32(); },
            [&] { return message.get_int32(); });
        break;
      case 6:
        ++tensor.string_count;
        message.skip();
        break;
      case 7:
        ReadNumbers(
            message, tensor.int_data, [&] { return message.get_packed_int64(); },
            [&] { return message.get_int64(); });
        break;
      case 8:
        tensor.name = View(message.get_view());
        break;
      case 9:
        tensor.raw_data = View(message.get_view());
        tensor.has_raw_data = true;
        break;
      case 10:
        ReadFixed(message, 8, tensor.double_data);
        break;
      case 11:
        ReadNumbers(
            message, tensor.int_data, [&] { return message.get_packed_uint64(); },
            [&] { return message.get_uint64(); });
        break;
      case 13:
        ReadExternal(tensor, message.get_message());
        break;
      case 14:
        tensor.external = message.get_int32() == 1;
        break;
      default:
        message.skip();
    }
  }
  return tensor;
}

Graph ReadGraph(Reader message, int depth);

Attribute ReadAttribute(Reader message, int depth) {
  Attribute attribute;
  bool typed = false;
  const auto guess = [&](AttrType type) {  // IR version 1 files have no type field
    if (!typed) attribute.type = type;
  };
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        attribute.name = View(message.get_view());
        break;
      case 2:
        attribute.f = message.get_float();
        guess(AttrType::kFloat);
        break;
      case 3:
        attribute.i = message.get_int64();
        guess(AttrType::kInt);
        break;
      case 4:
        attribute.s = View(message.get_view());
        guess(AttrType::kString);
        break;
      case 5:
        attribute.tensor = std::make_shared<const Tensor>(ReadTensor(message.get_message()));
        guess(AttrType::kTensor);
        break;
      case 6:
        attribute.graph =
            std::make_shared<const Graph>(ReadGraph(message.get_message(), depth + 1));
        guess(AttrType::kGraph);
        break;
      case 7:
        ReadNumbers(
            message, attribute.floats, [&] { return message.get_packed_float(); },
            [&] { return message.get_float(); });
        guess(AttrType::kFloats);
        break;
      case 8:
        ReadNumbers(
            message, attribute.ints, [&] { return message.get_packed_int64(); },
            [&] { return message.get_int64(); });
        guess(AttrType::kInts);
        break;
      case 9:
        attribute.strings.push_back(View(message.get_view()));
        guess(AttrType::kStrings);
        break;
      case 20:
        attribute.type = static_cast<AttrType>(message.get_int32());
        typed = true;
        break;
      case 21:
        attribute.ref_name = View(message.get_view());
        break;
      default:
        message.skip();
    }
  }
  return attribute;
}

Node ReadNode(Reader message, int depth) {
  Node node;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        node.inputs.push_back(View(message.get_view()));
        break;
      case 2:
        node.outputs.push_back(View(message.get_view()));
        break;
      case 3:
        node.name = View(message.get_view());
        break;
      case 4:
        node.op_type = View(message.get_view());
        break;
      case 5:
        node.attributes.push_back(ReadAttribute(message.get_message(), depth));
        break;
      case 7:
        node.domain = Domain(message.get_view());
        break;
      case 8:
        node.overload = View(message.get_view());
        break;
      default:
        message.skip();
    }
  }
  return node;
}

Dim ReadDim(Reader message) {
  Dim dim;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        dim.value = message.get_int64();
        break;
      case 2:
        dim.param = View(message.get_view());
        break;
      default:
        message.skip();
    }
  }
  return dim;
}

void ReadTensorType(ValueInfo& info, Reader message) {
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        info.elem_type = message.get_int32();
        break;
      case 2: {
        info.has_shape = true;
        Reader shape = message.get_message();
        while (shape.next()) {
          if (shape.tag() == 1) {
            info.dims.push_back(ReadDim(shape.get_message()));
          } else {
            shape.skip();
          }
        }
        break;
      }
      default:
        message.skip();
    }
  }
}

ValueInfo ReadValueInfo(Reader message) {
  ValueInfo info;
  while (message.next()) {
    if (message.tag() == 1) {
      info.name = View(message.get_view());
    } else if (message.tag() == 2) {
      Reader type = message.get_message();
      while (type.next()) {
        if (type.tag() == 1) {
          info.is_tensor = true;
          ReadTensorType(info, type.get_message());
        } else {
          type.skip();
        }
      }
    } else {
      message.skip();
    }
  }
  return info;
}

Graph ReadGraph(Reader message, int depth) {
  if (depth > kMaxDepth) throw protozero::invalid_length_exception{};
  Graph graph;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        graph.nodes.push_back(ReadNode(message.get_message(), depth));
        graph.nodes.back().position = graph.nodes.size() - 1;
        break;
      case 2:
        graph.name = View(message.get_view());
        break;
      case 5:
        graph.initializers.push_back(ReadTensor(message.get_message()));
        break;
      case 11:
        graph.inputs.push_back(ReadValueInfo(message.get_message()));
        break;
      case 12:
        graph.outputs.push_back(ReadValueInfo(message.get_message()));
        break;
      case 15:
        ++graph.sparse_initializers;
        message.skip();
        break;
      default:
        message.skip();
    }
  }
  return graph;
}

OpsetImport ReadOpset(Reader message) {
  OpsetImport opset;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        opset.domain = Domain(message.get_view());
        break;
      case 2:
        opset.version = message.get_int64();
        break;
      default:
        message.skip();
    }
  }
  return opset;
}

Function ReadFunction(Reader message) {
  Function function;
  while (message.next()) {
    switch (message.tag()) {
      case 1:
        function.name = View(message.get_view());
        break;
      case 4:
        function.inputs.push_back(View(message.get_view()));
        break;
      case 5:
        function.outputs.push_back(View(message.get_view()));
        break;
      case 7:
        function.nodes.push_back(ReadNode(message.get_message(), 1));
        function.nodes.back().position = function.nodes.size() - 1;
        break;
      case 9:
        function.opsets.push_back(ReadOpset(message.get_message()));
        break;
      case 10:
        function.domain = Domain(message.get_view());
        break;
      case 11:
        function.defaults.push_back(ReadAttribute(message.get_message(), 1));
        break;
      case 13:
        function.overload = View(message.get_view());
        break;
      default:
        message.skip();
    }
  }
  return function;
}

}  // namespace

Result<Model> ParseModel(std::shared_ptr<const MappedFile> file) {
  Model model;
  model.file = file;
  const auto fail = [&](const char* reason) {
    return Error(ErrorId::kE10041,
                 {{"parameter", "--model"}, {"value", file->path()}, {"reason", reason}});
  };
  const std::span<const uint8_t> bytes = file->bytes();
  if (bytes.empty()) return fail("the file is empty");
  try {
    Reader message(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    while (message.next()) {
      switch (message.tag()) {
        case 1:
          model.ir_version = message.get_int64();
          break;
        case 7:
          model.graph = ReadGraph(message.get_message(), 0);
          model.has_graph = true;
          break;
        case 8:
          model.opsets.push_back(ReadOpset(message.get_message()));
          break;
        case 25:
          model.functions.push_back(ReadFunction(message.get_message()));
          break;
        default:
          message.skip();
      }
    }
  } catch (const protozero::exception&) {
    return fail("it is not an ONNX model, or it is cut off or damaged");
  }
  return model;
}

}  // namespace ge::onnx
