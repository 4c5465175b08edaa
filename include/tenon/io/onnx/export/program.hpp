#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/ir/node.hpp>
#include <tenon/tensor/tracing.hpp>

namespace tenon::internal::onnx {

/// The number of a step in a program.
using Id = std::uint32_t;

enum class StepKind : std::uint8_t { input, weight, constant, node, call, reshape };

/// One operation of a program: an input, a weight, a constant, a node of an expression, a function
/// that is not an expression, or the elements of another step under other axes.
struct Step {
  StepKind kind;
  std::string name{};  ///< Of an input, a weight or a called function.
  ir::NodeType const* type = nullptr;
  std::string_view dtype{};
  int rank = 0;
  Sizes sizes = unit_sizes();
  std::vector<Id> operands{};
  std::vector<std::int64_t> numbers{};  ///< Run-time numbers of a view or a call.
  std::array<std::byte, 16> value{};    ///< Of a number.
  Bytes elements{};                     ///< Of a constant or a weight, row-major.
  std::vector<std::string> axes{};      ///< The names of the axes of an input.

  bool is(NodeKind node) const { return kind == StepKind::node && type->kind == node; }
  /// The number of a constant node, of a real dtype.
  double number() const;
};

/// Whether a step is a call of eval/pooling; its numbers are those of `trace_numbers`.
inline bool is_pooling(Step const& step) {
  return step.kind == StepKind::call &&
         (step.name == "max_pool" || step.name == "max_pool_indices" || step.name == "avg_pool");
}

/// The steps of a function, in order.
using Program = std::vector<Step>;

/// Whether two steps are equal, but for sizes and numbers, those of constant nodes among them.
bool same_operation(Step const& a, Step const& b);

/// Enters what this thread evaluates into a program. Equal operations are merged when all traces
/// are known: numbers of several sizes may be equal in one of them.
class Recorder : public tracing::Trace {
 public:
  Recorder();
  Recorder(Recorder const&) = delete;
  Recorder& operator=(Recorder const&) = delete;
  ~Recorder() override;

  Program program{};

  /// A new input or weight; its mark.
  TapeMark leaf(Step step);

  TapeMark evaluated(ir::Node expression) override;
  TapeMark called(tracing::Call const& call) override;

  /// The step of a tensor: a result of the program, or a constant.
  Id id_of(ir::Node leaf) { return enter(leaf); }

 private:
  bool depends(ir::Node node) const;
  Id enter(ir::Node node);
  Id enter_leaf(ir::Node node);
  Id add(Step step);
  /// Equal constants are entered once.
  Id add_constant(Step step);
  TapeMark mark(Id id) const { return {serial_, id}; }

  std::uint32_t serial_;
  std::uint32_t around_;
  std::vector<Id> constants_{};
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <limits>

#include <tenon/core/error.hpp>
#include <tenon/io/onnx/export/extent.hpp>
#include <tenon/tensor/live_recordings.hpp>

namespace tenon::internal::onnx {

namespace program {

/// A distance in elements as one along each axis.
inline void append_along(std::vector<std::int64_t>& numbers, std::int64_t distance,
                         Step const& operand) {
  Sizes const strides = row_major(operand.sizes, operand.rank);
  for (int i = 0; i < operand.rank; ++i) {
    bool const walks = at(operand.sizes, i) != 1 && at(strides, i) != 0;
    std::int64_t const along = walks ? distance / at(strides, i) : 0;
    distance -= along * at(strides, i);
    numbers.push_back(along);
  }
}

/// The start of a view along each axis of the operand; then, for each axis of the result, the steps
/// along each axis of the operand: any number along an axis of one element, as in an empty view.
inline std::vector<std::int64_t> numbers_of(ir::Node node, Sizes const& sizes,
                                            Step const& operand) {
  std::vector<std::int64_t> numbers;
  if (node.is(NodeKind::index_map)) {
    numbers.assign(node.start().begin(), node.start().begin() + operand.rank);
    for (int k = 0; k < node.rank(); ++k)
      for (int i = 0; i < operand.rank; ++i)
        numbers.push_back((*node->axes_of)[static_cast<std::size_t>(k)] == i);
  } else if (node.is(NodeKind::step)) {
    append_along(numbers, node.steps().start, operand);
    for (int k = 0; k < node.rank(); ++k) {
      append_along(numbers, at(node.steps().along, k), operand);
      if (at(sizes, k) == 1) std::fill_n(numbers.end() - operand.rank, operand.rank, any_number);
    }
    if (count(sizes, node.rank()) == 0) std::ranges::fill(numbers, any_number);
  }
  return numbers;
}

}  // namespace program

TENON_RUNTIME bool same_operation(Step const& a, Step const& b) {
  return a.kind == b.kind && a.name == b.name && a.type == b.type && a.dtype == b.dtype &&
         a.rank == b.rank && a.operands == b.operands &&
         (a.value == b.value || a.is(NodeKind::constant)) &&
         (a.kind == StepKind::weight || std::ranges::equal(a.elements.view, b.elements.view));
}

TENON_RUNTIME double Step::number() const {
  auto const as = [&]<class T>(std::type_identity<T>) {
    T number;
    std::memcpy(&number, value.data(), sizeof(T));
    return static_cast<double>(number);
  };
  if (dtype == "float32") return as(std::type_identity<float>());
  if (dtype == "float64") return as(std::type_identity<double>());
  if (dtype == "int64") return as(std::type_identity<std::int64_t>());
  if (dtype == "int32") return as(std::type_identity<std::int32_t>());
  return std::numeric_limits<double>::quiet_NaN();
}

TENON_RUNTIME Recorder::Recorder() : serial_(LiveRecordings::enter()), around_(recording) {
  LiveRecordings::leave(serial_);  // only the number is needed
  if (recording != 0 || tracing::is_on())
    throw Error("tenon::onnx::save: a model is saved inside a gradient or another save");
  recording = serial_;
  current = this;
}

TENON_RUNTIME Recorder::~Recorder() {
  current = nullptr;
  recording = around_;
}

TENON_RUNTIME TapeMark Recorder::leaf(Step step) {
  program.push_back(std::move(step));
  return mark(static_cast<Id>(program.size() - 1));
}

TENON_RUNTIME TapeMark Recorder::evaluated(ir::Node expression) {
  return depends(expression) ? mark(enter(expression)) : TapeMark{};
}

TENON_RUNTIME TapeMark Recorder::called(tracing::Call const& call) {
  bool depending = call.operands.empty();
  for (ir::Node const operand : call.operands) depending = depending || depends(operand);
  if (!depending) return {};
  Step step{StepKind::call, std::string(call.name)};
  step.dtype = call.result.dtype, step.rank = call.result.rank, step.sizes = call.result.sizes;
  for (ir::Node const operand : call.operands) step.operands.push_back(enter(operand));
  step.numbers.assign(call.numbers.begin(), call.numbers.end());
  step.value = call.value;
  return mark(add(std::move(step)));
}

TENON_RUNTIME bool Recorder::depends(ir::Node node) const {
  bool found = node.mark().tape == serial_;
  node.each([&](ir::Node operand) { found = found || depends(operand); });
  return found;
}

TENON_RUNTIME Id Recorder::enter(ir::Node node) {
  if (node.is_leaf()) return enter_leaf(node);
  Step step{StepKind::node, {}, node.type(), node->dtype, node.rank(), node.sizes()};
  node.each([&](ir::Node operand) { step.operands.push_back(enter(operand)); });
  if (node.is(NodeKind::index_map) || node.is(NodeKind::step))
    step.numbers = program::numbers_of(node, step.sizes, program[step.operands[0]]);
  if (node.is(NodeKind::constant)) node.copy_number(step.value.data());
  return add(std::move(step));
}

TENON_RUNTIME Id Recorder::enter_leaf(ir::Node node) {
  Sizes const sizes = node.sizes();
  TapeMark const known = node.mark();
  if (known.tape == serial_) {
    Step const& before = program[known.slot];
    if (before.rank == node.rank() && before.sizes == sizes) return known.slot;
    return add({StepKind::reshape, {}, nullptr, node->dtype, node.rank(), sizes, {known.slot}});
  }
  Step step{StepKind::constant, {}, nullptr, node->dtype, node.rank(), sizes};
  auto const elements = std::make_shared<std::vector<std::byte>>(
      static_cast<std::size_t>(count(sizes, node.rank())) * node->bytes);
  node->leaf->copy(node.address(), elements->data());
  step.elements = {*elements, elements};
  return add_constant(std::move(step));
}

TENON_RUNTIME Id Recorder::add(Step step) {
  program.push_back(std::move(step));
  return static_cast<Id>(program.size() - 1);
}

TENON_RUNTIME Id Recorder::add_constant(Step step) {
  for (Id const id : constants_)
    if (program[id].sizes == step.sizes && same_operation(program[id], step)) return id;
  constants_.push_back(add(std::move(step)));
  return constants_.back();
}

}  // namespace tenon::internal::onnx

#endif
