#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tenon/eval/tracing/node.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

/// The number of a step in a program.
using Id = std::uint32_t;

enum class StepKind : std::uint8_t { input, weight, constant, node, call, reshape };

/// One operation of a program: an input, a weight, a constant, a node of an expression, a function
/// that is not an expression, or the elements of another step under other axes.
struct Step {
  StepKind kind;
  std::string name{};  ///< Of an input, a weight or a called function.
  tracing::NodeType const* type = nullptr;
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

  TapeMark evaluated(tracing::Node expression) override;
  TapeMark called(tracing::Call const& call) override;

  /// The step of a tensor: a result of the program, or a constant.
  Id id_of(tracing::Node leaf) { return enter(leaf); }

 private:
  bool depends(tracing::Node node) const;
  Id enter(tracing::Node node);
  Id enter_leaf(tracing::Node node);
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
#include <tenon/io/onnx/export/program.ipp>
#endif
