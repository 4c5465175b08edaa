#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/core/shape.hpp>
#include <tenon/tensor/mark.hpp>
#include <tenon/tensor/node.hpp>

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

#if TENON_DEFINES_RUNTIME

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

#endif
