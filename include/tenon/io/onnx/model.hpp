#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/core/dtype.hpp>
#include <tenon/io/safetensors/dtype.hpp>

namespace tenon::internal::onnx {

/// The codes of `TensorProto.DataType`.
enum class DataType : std::int32_t {
  undefined = 0,
  float32 = 1,
  uint8 = 2,
  int8 = 3,
  uint16 = 4,
  int16 = 5,
  int32 = 6,
  int64 = 7,
  string = 8,
  boolean = 9,
  float16 = 10,
  float64 = 11,
  uint32 = 12,
  uint64 = 13,
  complex64 = 14,
  complex128 = 15,
  bfloat16 = 16,
};

/// A dtype of the format: its name there, its name here (none where Tenon has no such dtype), the
/// bits of an element (0 for strings), and its code.
struct FileDtype : safetensors::StoredDtype {
  DataType code;
};

/// Every dtype of the format, as of version 1.23 of the package `onnx`.
inline constexpr std::array file_dtypes{
    FileDtype{{"FLOAT", "float32", 32}, DataType::float32},
    FileDtype{{"UINT8", "uint8", 8}, DataType::uint8},
    FileDtype{{"INT8", "int8", 8}, DataType::int8},
    FileDtype{{"UINT16", "uint16", 16}, DataType::uint16},
    FileDtype{{"INT16", "int16", 16}, DataType::int16},
    FileDtype{{"INT32", "int32", 32}, DataType::int32},
    FileDtype{{"INT64", "int64", 64}, DataType::int64},
    FileDtype{{"STRING", "", 0}, DataType::string},
    FileDtype{{"BOOL", "bool", 8}, DataType::boolean},
    FileDtype{{"FLOAT16", "float16", 16}, DataType::float16},
    FileDtype{{"DOUBLE", "float64", 64}, DataType::float64},
    FileDtype{{"UINT32", "uint32", 32}, DataType::uint32},
    FileDtype{{"UINT64", "uint64", 64}, DataType::uint64},
    FileDtype{{"COMPLEX64", "complex64", 64}, DataType::complex64},
    FileDtype{{"COMPLEX128", "complex128", 128}, DataType::complex128},
    FileDtype{{"BFLOAT16", "bfloat16", 16}, DataType::bfloat16},
    FileDtype{{"FLOAT8E4M3FN", "", 8}, DataType{17}},
    FileDtype{{"FLOAT8E4M3FNUZ", "", 8}, DataType{18}},
    FileDtype{{"FLOAT8E5M2", "", 8}, DataType{19}},
    FileDtype{{"FLOAT8E5M2FNUZ", "", 8}, DataType{20}},
    FileDtype{{"UINT4", "", 4}, DataType{21}},
    FileDtype{{"INT4", "", 4}, DataType{22}},
    FileDtype{{"FLOAT4E2M1", "", 4}, DataType{23}},
    FileDtype{{"FLOAT8E8M0", "", 8}, DataType{24}},
    FileDtype{{"UINT2", "", 2}, DataType{25}},
    FileDtype{{"INT2", "", 2}, DataType{26}},
    FileDtype{{"FLOAT6E2M3", "", 6}, DataType{27}},
    FileDtype{{"FLOAT6E3M2", "", 6}, DataType{28}},
};

/// The row of a code; null where there is none.
constexpr FileDtype const* file_dtype_of(DataType code) {
  for (FileDtype const& known : file_dtypes) {
    if (known.code == code) return &known;
  }
  return nullptr;
}

/// The code of a name of Tenon; undefined where there is none.
constexpr DataType data_type_for(std::string_view dtype) {
  for (FileDtype const& known : file_dtypes) {
    if (known.dtype == dtype) return known.code;
  }
  return DataType::undefined;
}

}  // namespace tenon::internal::onnx

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

/// The bytes of all elements of a tensor; none if a size is negative or they are 2^60 or more.
constexpr std::optional<std::uint64_t> bytes_of_elements(std::span<std::int64_t const> dims,
                                                         int bits) {
  std::uint64_t product = static_cast<std::uint64_t>(bits);
  bool fits = true, is_empty = false;
  for (std::int64_t const size : dims) {
    if (size < 0) return {};
    is_empty = is_empty || size == 0;
    auto const factor = static_cast<std::uint64_t>(size == 0 ? 1 : size);
    fits = !__builtin_mul_overflow(product, factor, &product) && fits;
  }
  if (!fits || product >= std::uint64_t{1} << 63) return {};
  return is_empty ? 0 : product / 8 + (product % 8 != 0 ? 1 : 0);
}

}  // namespace tenon::internal::onnx
