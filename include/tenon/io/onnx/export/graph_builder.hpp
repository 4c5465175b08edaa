#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

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
#include <tenon/io/onnx/export/graph_builder.ipp>
#endif
