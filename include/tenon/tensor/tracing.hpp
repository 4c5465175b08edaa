#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/rules/labels.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/index.hpp>
#include <tenon/tensor/live_recordings.hpp>

namespace tenon::internal {

enum class NodeKind : std::uint8_t;
class SharedBuffer;
struct SliceSteps;

}  // namespace tenon::internal

namespace tenon::internal::ir {

struct NodeType;

/// A node of an expression as data: its address, and the description of its type. A reference: the
/// expression has to outlive it. The members are defined in `ir/node.hpp`.
class Node {
 public:
  Node() = default;  ///< No node.
  Node(NodeType const& type, void const* address)
      : type_(&type), address_(static_cast<std::byte const*>(address)) {}

  NodeType const* operator->() const { return type_; }
  NodeType const* type() const { return type_; }
  std::byte const* address() const { return address_; }

  bool is(NodeKind kind) const;
  bool is_leaf() const;    ///< A tensor, a view of memory, or the value of an earlier kernel.
  bool is_gather() const;  ///< Its second operand selects elements of the first.
  int rank() const;
  std::size_t operand_count() const;
  Node operand_at(std::size_t k) const;
  /// Calls `f` for every operand, in order.
  template <class F>
  void each(F const& f) const;

  /// The sizes at run time. Throws if the node was moved from.
  Sizes sizes() const;
  std::int64_t count() const;
  /// The mark of a tensor; empty for any other node.
  TapeMark mark() const;
  /// The shared buffer of a tensor on the host; null for any other node, and an inline tensor.
  SharedBuffer const* buffer() const;
  /// The elements of a tensor, in the memory of its device. Throws if it was moved from.
  void const* elements() const;
  /// The start of a view.
  ElementIndex const& start() const;
  /// The steps of a strided view.
  SliceSteps const& steps() const;
  /// Whether a view reads an element more than once, as windows do.
  bool overlaps() const;
  /// The extent of each label of a contraction.
  LabelExtents extents() const;
  /// The number of a constant, in the dtype of the node.
  template <class T>
  T number() const;
  void copy_number(void* to) const;
  /// Calls `f` for the run-time numbers that identify a node, excluding its operands.
  template <class F>
  void each_number(F const& f) const;

 private:
  /// The member at an offset in bytes.
  template <class T>
  T const& part(std::size_t place) const {
    return *reinterpret_cast<T const*>(address_ + place);
  }

  NodeType const* type_ = nullptr;
  std::byte const* address_ = nullptr;
};

}  // namespace tenon::internal::ir

/// What a program computes, as a list of operations without the program: a trace. Evaluation only
/// calls the interface; `io/onnx.hpp` contains the implementation.
namespace tenon::internal::tracing {

using ir::Node;

/// A tensor that no expression computes: of `dtype`, with these sizes.
struct Result {
  std::string_view dtype;
  int rank;
  Sizes sizes;
};

/// A function that is not an expression, its operands and its run-time numbers.
struct Call {
  std::string_view name;
  Result result;
  std::span<Node const> operands{};
  std::span<std::int64_t const> numbers{};
  std::array<std::byte, 16> value{};  ///< Numbers of the result's dtype: that in every element.
};

/// Receives the operations of this thread, in order. The mark of a tensor contains the number of
/// its value. A value that depends on no marked tensor is a constant: its mark is empty.
class Trace {
 public:
  virtual ~Trace() = default;

  static inline thread_local Trace* current = nullptr;

  virtual TapeMark evaluated(Node expression) = 0;
  virtual TapeMark called(Call const& call) = 0;
};

inline bool is_on() { return Trace::current != nullptr; }

/// The mark of the value of an expression.
inline TapeMark evaluated(void const* expression, ir::NodeType const& type) {
  return Trace::current->evaluated({type, expression});
}

/// While it exists, this thread does not trace.
class Paused {
 public:
  Paused() : trace_(Trace::current), recording_(recording) {
    Trace::current = nullptr;
    recording = 0;
  }
  Paused(Paused const&) = delete;
  Paused& operator=(Paused const&) = delete;
  ~Paused() {
    Trace::current = trace_;
    recording = recording_;
  }

 private:
  Trace* trace_;
  std::uint32_t recording_;
};

/// Throws `Error`: a function has no form that can be traced.
[[noreturn, gnu::cold]] void refuse(std::string_view function);
inline void refuse_while_on(std::string_view function) {
  if (is_on()) [[unlikely]]
    refuse(function);
}

/// Throws `Error`: a traced value is read as a number.
[[noreturn, gnu::cold]] void refuse_read();
inline void check_read(TapeMark mark) {
  if (mark.tape != 0) refuse_read();
}

template <class R>
Result result_of(Sizes const& sizes) {
  return {dtype_name<typename R::value_type>, R::rank, sizes};
}

/// Enters a created tensor of run-time sizes: every element is `value`, or they follow from it.
template <class R, class V>
[[gnu::cold, gnu::noinline]] void mark_created(R& tensor, std::string_view name, V const& value) {
  static_assert(sizeof(value) <= sizeof(Call::value));
  Call call{name, result_of<R>(tensor.sizes())};
  std::memcpy(call.value.data(), &value, sizeof(value));
  tensor.set_mark(Trace::current->called(call));
}

/// The same where a trace is on.
template <class R, class V>
constexpr R created(R tensor, std::string_view name, V const& value) {
  if constexpr (!R::shape.is_static()) {
    if (!__builtin_is_constant_evaluated() && is_on()) mark_created(tensor, name, value);
  }
  return tensor;
}

}  // namespace tenon::internal::tracing

/// Observers of the kernels that a thread runs.
namespace tenon::internal {

/// The result of a kernel, or an adjoint that its backward added to. Valid during the call.
struct ObservedValue {
  std::string_view dtype{};
  std::string_view spec{};  ///< Empty for an adjoint.
  int rank = 0;
  Sizes sizes{};
  void const* elements = nullptr;  ///< Row-major; null where they are in the memory of a device.
  std::int64_t bytes = 0;
};

/// A kernel that has run. Valid during the call.
struct ObservedKernel {
  ir::Node expression{};  ///< Without a type in a backward that is not that of an expression.
  std::string_view device{};
  bool is_backward = false;
  std::int64_t started = 0, ended = 0;  ///< Nanoseconds of the observer's clock.
  std::span<ObservedValue const> values{};
};

/// Receives each kernel that this thread runs, between its construction and its destruction, which
/// are on the same thread. Small tensors of static size, which are computed in registers, have
/// no kernels. What an observer computes itself is not observed.
class Observer {
 public:
  Observer() : around_(std::exchange(current_, this)) {}
  Observer(Observer const&) = delete;
  Observer& operator=(Observer const&) = delete;
  virtual ~Observer();

  /// May throw: the evaluation then throws.
  virtual void ran(ObservedKernel const& kernel) = 0;

  /// Nanoseconds.
  virtual std::int64_t now() const;

  /// The time at which a kernel starts; 0 where this thread has no observer.
  static std::int64_t start() { return current_ == nullptr ? 0 : time(); }

  /// Tells all observers of this thread, the innermost first, of a kernel that ended now.
  [[gnu::cold]] static void tell(ObservedKernel kernel);

 private:
  [[gnu::cold]] static std::int64_t time();

  static inline thread_local Observer* current_ = nullptr;

  Observer* around_;
};

/// A result of a kernel.
template <class R>
ObservedValue observed_value(Sizes const& sizes, void const* elements) {
  using T = typename R::value_type;
  return {dtype_name<T>,
          R::spec,
          R::rank,
          sizes,
          R::device::is_host ? elements : nullptr,
          count(sizes, R::rank) * static_cast<std::int64_t>(sizeof(T))};
}

/// Reports the kernel of a result to the observers.
template <class R>
[[gnu::cold, gnu::noinline]] void tell_result(ir::Node expression, Sizes const& sizes,
                                              void const* elements, std::int64_t started) {
  ObservedValue const value = observed_value<R>(sizes, elements);
  Observer::tell({expression, R::device::name, false, started, 0, {&value, 1}});
}

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME

#include <ctime>
#include <string>

#include <tenon/core/error.hpp>

namespace tenon::internal::tracing {

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse(std::string_view function) {
  throw Error(
      concatenate({"tenon::onnx::save: '", function,
                   "' has no form in ONNX: compute it outside, and pass the result as an input"}));
}

[[noreturn, gnu::cold, gnu::noinline]] TENON_RUNTIME void refuse_read() {
  throw Error(
      "tenon::onnx::save: a value that depends on an input is read as a number: control flow "
      "cannot "
      "depend on values; where(mask, a, b) chooses elements");
}

}  // namespace tenon::internal::tracing

namespace tenon::internal {

TENON_RUNTIME Observer::~Observer() {
  Observer** at = &current_;
  while (*at != nullptr && *at != this) at = &(*at)->around_;
  if (*at == this) *at = around_;
}

TENON_RUNTIME std::int64_t Observer::now() const {
  timespec now{};  // <chrono> takes the compiler long: in libstdc++ 12 it includes <sstream>
  clock_gettime(CLOCK_MONOTONIC, &now);
  std::int64_t const seconds = now.tv_sec;
  return seconds * 1'000'000'000 + now.tv_nsec;
}

TENON_RUNTIME std::int64_t Observer::time() {
  std::int64_t const now = current_->now();
  return now == 0 ? 1 : now;  // 0 means that there is no observer
}

TENON_RUNTIME void Observer::tell(ObservedKernel kernel) {
  struct Paused {
    Observer* first = std::exchange(current_, nullptr);
    ~Paused() { current_ = first; }
  };
  if (current_ == nullptr) return;
  kernel.ended = current_->now();
  Paused const paused;
  for (Observer* told = paused.first; told != nullptr; told = told->around_) told->ran(kernel);
}

}  // namespace tenon::internal

#endif
