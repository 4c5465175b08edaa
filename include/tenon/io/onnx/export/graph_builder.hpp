#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/export/extent.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

/// Where the size of a run-time axis can be read: an input and its axis.
struct AxisSource {
  std::string name;
  std::string input;
  std::int64_t axis;
};

Attribute attribute(std::string name, Attribute::Value value);

/// Adds nodes and initialisers to a graph; values are names.
class GraphBuilder {
 public:
  GraphBuilder(Graph& graph, std::int64_t version, std::vector<AxisSource> axes)
      : graph_(&graph), axes_(std::move(axes)), opset(version) {}

  using Value = std::string;

  /// The first output of a new node; equal nodes are added once.
  Value add(std::string_view op, std::vector<Value> inputs, std::vector<Attribute> attributes = {},
            std::string const& domain = {});
  /// The second of two outputs.
  Value second_output(std::string_view op, std::vector<Value> inputs,
                      std::vector<Attribute> attributes) {
    Value const first = add(op, std::move(inputs), std::move(attributes));
    auto const made = std::ranges::find_if(
        graph_->nodes, [&](Node const& node) { return node.outputs[0] == first; });
    if (made->outputs.size() == 1) made->outputs.push_back(first + "_1");
    return made->outputs[1];
  }
  /// Integers, one-dimensional, or a scalar.
  Value integers(std::vector<std::int64_t> const& values);
  Value integer(std::int64_t value);
  /// One number of a dtype of Tenon, without axes.
  Value number(std::string_view dtype, double value);
  /// A tensor without a name: a node `Constant`, as the initialisers are the weights.
  Value constant(TensorData data);
  /// An initialiser with its name.
  Value weight(TensorData data);

  /// An expression in sizes: one-dimensional with one element; several.
  Value extent(Extent const& extent);
  /// The size of run-time axis k.
  Value size(std::size_t k) {
    return add("Shape", {axes_[k].input},
               {attribute("start", axes_[k].axis), attribute("end", axes_[k].axis + 1)});
  }
  std::vector<AxisSource> const& axes() const { return axes_; }
  Value extents(std::span<Extent const> extents);
  /// One-dimensional values, one after the other.
  Value concat(std::vector<Value> const& parts) {
    return parts.size() == 1 ? parts[0]
                             : add("Concat", parts, {attribute("axis", std::int64_t{0})});
  }

  Value cast(Value const& x, std::string_view dtype);
  Value squeeze(Value const& x, std::vector<std::int64_t> const& axes);
  Value unsqueeze(Value const& x, std::vector<std::int64_t> const& axes);
  Value transpose(Value const& x, std::vector<std::int64_t> const& order);
  Value reshape(Value const& x, std::span<Extent const> sizes);
  /// `op` is `ReduceSum` and the like.
  Value reduce(std::string_view op, Value const& x, std::vector<std::int64_t> const& axes,
               bool keeps);

 private:
  Graph* graph_;
  std::vector<AxisSource> axes_;
  std::unordered_map<std::string, Value> known_{};
  std::size_t count_ = 0;

 public:
  std::int64_t opset;
};

/// The elements of numbers, as the value of a tensor.
template <class T>
Bytes owned_bytes(std::vector<T> values) {
  auto const owner = std::make_shared<std::vector<T> const>(std::move(values));
  return {std::as_bytes(std::span(*owner)), owner};
}

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <cctype>

#include <tenon/core/language/expression.hpp>

namespace tenon::internal::onnx {

namespace builder {

template <class T>
std::string bytes_text(T const& value) {
  return {reinterpret_cast<char const*>(&value), sizeof(value)};
}

/// A text that distinguishes attributes of the kinds that lowering makes.
inline std::string key_of(Attribute const& attribute) {
  std::string key = attribute.name + '\0' + std::to_string(attribute.value.index());
  if (auto const* const x = std::get_if<float>(&attribute.value)) key += bytes_text(*x);
  if (auto const* const x = std::get_if<std::int64_t>(&attribute.value)) key += bytes_text(*x);
  if (auto const* const x = std::get_if<std::string>(&attribute.value)) key += *x;
  if (auto const* const x = std::get_if<std::vector<std::int64_t>>(&attribute.value))
    for (std::int64_t const number : *x) key += bytes_text(number);
  if (auto const* const x = std::get_if<TensorData>(&attribute.value)) {
    key += std::to_string(static_cast<int>(x->dtype));
    for (std::int64_t const size : x->dims) key += bytes_text(size);
    key += ':';
    key.append(reinterpret_cast<char const*>(x->bytes.view.data()), x->bytes.view.size());
  }
  return key;
}

inline std::string key_of(std::string_view op, std::vector<std::string> const& inputs,
                          std::vector<Attribute> const& attributes) {
  std::string key(op);
  for (std::string const& input : inputs) key += '\0' + input;
  for (Attribute const& attribute : attributes) key += '\0' + key_of(attribute);
  return key;
}

inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& letter : result)
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return result;
}

template <class T>
Bytes one(double value) {
  return owned_bytes(std::vector<T>{static_cast<T>(value)});
}

inline Bytes one_of(std::string_view dtype, double value) {
  if (dtype == "float32") return one<float>(value);
  if (dtype == "float64") return one<double>(value);
  if (dtype == "int8") return one<std::int8_t>(value);
  if (dtype == "int16") return one<std::int16_t>(value);
  if (dtype == "int32") return one<std::int32_t>(value);
  if (dtype == "int64") return one<std::int64_t>(value);
  if (dtype == "uint8") return one<std::uint8_t>(value);
  if (dtype == "uint16") return one<std::uint16_t>(value);
  if (dtype == "uint32") return one<std::uint32_t>(value);
  if (dtype == "uint64") return one<std::uint64_t>(value);
  return one<std::uint8_t>(value != 0);
}

/// Expressions as nodes.
struct SizeNodes {
  using Value = GraphBuilder::Value;
  GraphBuilder* build = nullptr;

  Value number(std::int64_t value) const { return build->integers({value}); }
  Value name(std::string_view name) const {
    auto const axis = std::ranges::find(build->axes(), name, &AxisSource::name);
    return build->size(static_cast<std::size_t>(axis - build->axes().begin()));
  }
  Value add(Value const& a, Value const& b) const { return build->add("Add", {a, b}); }
  Value subtract(Value const& a, Value const& b) const { return build->add("Sub", {a, b}); }
  Value multiply(Value const& a, Value const& b) const { return build->add("Mul", {a, b}); }
  Value divide(Value const& a, Value const& b) const { return build->add("Div", {a, b}); }
  Value modulo(Value const& a, Value const& b) const { return build->add("Mod", {a, b}); }
  Value minimum(Value const& a, Value const& b) const { return build->add("Min", {a, b}); }
  Value maximum(Value const& a, Value const& b) const { return build->add("Max", {a, b}); }
  bool is_zero(Value const&) const { return false; }
};

}  // namespace builder

TENON_RUNTIME Attribute attribute(std::string name, Attribute::Value value) {
  Attribute result{};
  result.name = std::move(name);
  result.value = std::move(value);
  return result;
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::add(std::string_view op, std::vector<Value> inputs,
                                                    std::vector<Attribute> attributes,
                                                    std::string const& domain) {
  std::string const key = domain + '.' + builder::key_of(op, inputs, attributes);
  auto const [known, is_new] = known_.try_emplace(key);
  if (!is_new) return known->second;
  Value const name = '/' + builder::lower_case(op) + '_' + std::to_string(count_++);
  Node node{};
  node.op_type = op, node.domain = domain, node.name = name;
  node.inputs = std::move(inputs), node.outputs = {name};
  node.attributes = std::move(attributes);
  graph_->nodes.push_back(std::move(node));
  return known->second = name;
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::constant(TensorData data) {
  return add("Constant", {}, {attribute("value", std::move(data))});
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::weight(TensorData data) {
  graph_->initializers.push_back(std::move(data));
  return graph_->initializers.back().name;
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::integers(std::vector<std::int64_t> const& values) {
  TensorData data{};
  data.dtype = DataType::int64, data.bytes = owned_bytes(values);
  data.dims = {static_cast<std::int64_t>(values.size())};
  return constant(std::move(data));
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::integer(std::int64_t value) {
  return number("int64", static_cast<double>(value));
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::number(std::string_view dtype, double value) {
  TensorData data{};
  data.dtype = data_type_for(dtype), data.bytes = builder::one_of(dtype, value);
  return constant(std::move(data));
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::extent(Extent const& extent) {
  if (!extent.expression.empty())
    return ExpressionReader<builder::SizeNodes>{extent.expression, {this}}.whole();
  Value total;
  auto const join = [&](std::string_view op, Value const& next) {
    total = total.empty() ? next : add(op, {total, next});
  };
  for (std::size_t k = 0; k < extent.factors.size(); ++k) {
    if (extent.factors[k] == 0) continue;
    bool const is_scaled = extent.factors[k] != 1;
    join(extent.is_product ? "Mul" : "Add",
         is_scaled ? add("Mul", {size(k), integers({extent.factors[k]})}) : size(k));
  }
  if (total.empty()) return integers({extent.constant});
  if (extent.constant != (extent.is_product ? 1 : 0))
    join(extent.is_product ? "Mul" : "Add", integers({extent.constant}));
  return total;
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::extents(std::span<Extent const> extents) {
  std::vector<Value> parts;
  std::vector<std::int64_t> constants;
  auto const flush = [&] {
    if (!constants.empty()) parts.push_back(integers(constants));
    constants.clear();
  };
  for (Extent const& one : extents) {
    if (one.is_constant()) {
      constants.push_back(one.constant);
    } else {
      flush();
      parts.push_back(extent(one));
    }
  }
  if (parts.empty()) return integers(constants);
  flush();
  return concat(parts);
}

TENON_RUNTIME GraphBuilder::Value GraphBuilder::cast(Value const& x, std::string_view dtype) {
  return add("Cast", {x}, {attribute("to", static_cast<std::int64_t>(data_type_for(dtype)))});
}
TENON_RUNTIME GraphBuilder::Value GraphBuilder::squeeze(Value const& x,
                                                        std::vector<std::int64_t> const& axes) {
  return axes.empty() ? x : add("Squeeze", {x, integers(axes)});
}
TENON_RUNTIME GraphBuilder::Value GraphBuilder::unsqueeze(Value const& x,
                                                          std::vector<std::int64_t> const& axes) {
  return axes.empty() ? x : add("Unsqueeze", {x, integers(axes)});
}
TENON_RUNTIME GraphBuilder::Value GraphBuilder::transpose(Value const& x,
                                                          std::vector<std::int64_t> const& order) {
  if (std::ranges::is_sorted(order)) return x;
  return add("Transpose", {x}, {attribute("perm", order)});
}
TENON_RUNTIME GraphBuilder::Value GraphBuilder::reshape(Value const& x,
                                                        std::span<Extent const> sizes) {
  return add("Reshape", {x, extents(sizes)}, {attribute("allowzero", std::int64_t{1})});
}
TENON_RUNTIME GraphBuilder::Value GraphBuilder::reduce(std::string_view op, Value const& x,
                                                       std::vector<std::int64_t> const& axes,
                                                       bool keeps) {
  Attribute const keep = attribute("keepdims", std::int64_t{keeps});
  if (op != "ReduceSum" && opset < 18) return add(op, {x}, {attribute("axes", axes), keep});
  return add(op, {x, integers(axes)}, {keep});
}

}  // namespace tenon::internal::onnx

#endif
