#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <tenon/io/onnx/dtype.hpp>

/// The messages of ONNX (onnx.proto3) as plain structs, with the fields that Tenon reads or writes.
/// https://github.com/onnx/onnx/blob/main/docs/IR.md
namespace tenon::internal::onnx {

/// `StringStringEntryProto`s with distinct keys.
using Properties = std::map<std::string, std::string>;

/// Elements in memory, not aligned, with what keeps them there: a tensor, a vector, a mapped file.
struct Bytes {
  std::span<std::byte const> view{};
  std::shared_ptr<void const> owner{};
};

/// Elements in another file, whose name is relative to the folder of the model.
struct ExternalData {
  std::string location{};
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

/// `TensorProto`: an initialiser, or the value of an attribute. Elements are little-endian and
/// row-major in `bytes`, in `external`, or in `strings` if the dtype is `string`.
struct TensorData {
  std::string name{};
  DataType dtype = DataType::undefined;
  std::vector<std::int64_t> dims{};
  Bytes bytes{};
  std::optional<ExternalData> external{};
  std::vector<std::string> strings{};
  std::string doc{};
};

/// The codes of `AttributeProto.AttributeType`: the indices of `Attribute::Value`.
enum class AttributeType : std::int32_t {
  undefined = 0,
  float_ = 1,
  integer = 2,
  string = 3,
  tensor = 4,
  graph = 5,
  floats = 6,
  integers = 7,
  strings = 8,
  tensors = 9,
  graphs = 10,
};

struct Graph;

/// `AttributeProto`. Without a value: one of a kind that Tenon does not read (sparse tensors,
/// types), or one that refers to an attribute of the enclosing function.
struct Attribute {
  using Value = std::variant<std::monostate, float, std::int64_t, std::string, TensorData,
                             std::shared_ptr<Graph const>, std::vector<float>,
                             std::vector<std::int64_t>, std::vector<std::string>,
                             std::vector<TensorData>, std::vector<std::shared_ptr<Graph const>>>;

  std::string name{};
  Value value{};
  std::string reference{};  ///< `ref_attr_name`, in the nodes of a function; then `type` is used.
  AttributeType type = AttributeType::undefined;  ///< Of the reference, else that of the value.
  std::string doc{};
};

/// `NodeProto`. An input or output that is left out is an empty name.
struct Node {
  std::string op_type{};
  std::vector<std::string> inputs{};
  std::vector<std::string> outputs{};
  std::vector<Attribute> attributes{};
  std::string domain{};  ///< Empty: the operators of ONNX itself.
  std::string name{};
  std::string overload{};
  std::string doc{};
  Properties metadata{};
};

/// A size, or the name of one that is known at run time (`dim_param`); empty: without a name.
using Dimension = std::variant<std::int64_t, std::string>;

/// `ValueInfoProto`: an input, an output or another value of a graph.
struct ValueInfo {
  std::string name{};
  DataType dtype = DataType::undefined;          ///< Undefined: no tensor, or no type.
  std::optional<std::vector<Dimension>> dims{};  ///< None: of unknown rank.
  std::string doc{};
};

/// `GraphProto`.
struct Graph {
  std::string name{};
  std::vector<Node> nodes{};
  std::vector<TensorData> initializers{};
  std::vector<ValueInfo> inputs{};
  std::vector<ValueInfo> outputs{};
  std::vector<ValueInfo> value_info{};
  std::string doc{};
  Properties metadata{};
};

/// `OperatorSetIdProto`.
struct OpsetImport {
  std::string domain{};
  std::int64_t version = 0;
};

/// `FunctionProto`: the body of an operator. `attributes` are the names of those without a default.
struct Function {
  std::string name{};
  std::string domain{};
  std::vector<std::string> inputs{};
  std::vector<std::string> outputs{};
  std::vector<std::string> attributes{};
  std::vector<Attribute> default_attributes{};
  std::vector<Node> nodes{};
  std::vector<OpsetImport> opset_imports{};
  std::vector<ValueInfo> value_info{};
  std::string overload{};
  std::string doc{};
  Properties metadata{};
};

/// `ModelProto`: a file.
struct Model {
  std::int64_t ir_version = 8;
  std::vector<OpsetImport> opset_imports{};
  std::string producer_name{};
  std::string producer_version{};
  std::string domain{};
  std::int64_t model_version = 0;
  std::string doc{};
  Properties metadata{};
  Graph graph{};
  std::vector<Function> functions{};
};

}  // namespace tenon::internal::onnx
