#pragma once

// What a function accepts and can do, found by calling it.

#include <complex>
#include <concepts>
#include <exception>
#include <string>
#include <string_view>
#include <type_traits>

#include <tenon/complex.hpp>
#include <tenon/io/onnx.hpp>

#include "../io/folder.hpp"
#include "device.hpp"

namespace function_table {

using namespace tenon;

/// A call as a function of the tensor `x`, where it compiles for its dtype.
template <class F>
struct Call {
  std::string_view text;
  F f;
};
template <class F>
Call<F> call_of(std::string_view text, F f) {
  return {text, f};
}

/// The tensor of an expression; any other result as it is.
template <class X>
struct ValueOf {
  using type = X;
};
template <ExpressionType X>
struct ValueOf<X> {
  using type = internal::TensorOf<X>;
};

/// A call of the tensor `x` of the dtype `T`, the axes `S` and the device `D`. A macro, as a
/// constrained lambda has its expression three times.
#define CALL(...)                                                                                \
  function_table::call_of(                                                                       \
      #__VA_ARGS__,                                                                              \
      []<class T, tenon::Spec S, class D>([[maybe_unused]] tenon::Tensor<T, S, D> const& x) ->   \
      typename function_table::ValueOf<                                                          \
          std::remove_cvref_t<decltype(__VA_ARGS__)>>::type requires requires { __VA_ARGS__; } { \
        return __VA_ARGS__;                                                                      \
      })

template <class F, class T, Spec S, class D>
concept Takes = requires(F const& f, Tensor<T, S, D> const& x) { f(x); };

/// The first dtype that a call accepts, or `void`.
template <class F, Spec S, class D, class T, class... More>
constexpr auto first_dtype() {
  if constexpr (Takes<F, T, S, D>) return std::type_identity<T>();
  else if constexpr (sizeof...(More) > 0) return first_dtype<F, S, D, More...>();
  else return std::type_identity<void>();
}

/// Numbers in [1/4, 3/4], in the domain of every function but those of larger numbers.
template <class T, Spec S, class D = Cpu>
Tensor<T, S, D> operand(Key key = Key{7}) {
  auto const numbers = [](Key own) { return uniform<Tensor<double, S>>(own) * 0.5 + 0.25; };
  if constexpr (internal::ComplexType<T>) {
    auto const [first, second] = split(key);
    return to<D>(eval(to<T>(complex(numbers(first), numbers(second)))));
  } else {
    return to<D>(eval(to<T>(numbers(key))));
  }
}

/// The sum of squares of all real parts of a result.
template <class Y>
auto loss_of(Y const& y) {
  Float64<""> loss(0.0);
  internal::tree::for_each<internal::tree::Learned>(
      [&](auto const&, auto const& leaf) { loss = eval(loss + sum(square(abs(leaf)))); }, y);
  return loss;
}

/// "yes", "no", also where it is refused, or "zero": it is computed, and zero everywhere. By
/// pointers, so that gradients are compiled once for all functions of one type.
template <class X, class Y>
std::string_view gradient_of(Y (*f)(X const&), X const& at) {
  if constexpr (!internal::Learns<Y> || !internal::Learns<X>) {
    return "no";
  } else {
    try {
      auto const gradient = grad([f](X const& x) { return loss_of(f(x)); })(at);
      return eval(sum(abs(gradient))).item() == 0 ? "zero" : "yes";
    } catch (Error const&) {  // refused, by name
      return "no";
    }
  }
}

template <class X>
struct Inputs {
  X x;
};

/// Whether a node of the graph has the input.
bool reads_input(std::filesystem::path const& path);

/// The bytes of the file of a function; empty where `onnx::save` refuses it.
template <class X, class Y>
std::string onnx_file(Folder const& folder, Y (*f)(X const&), X const& at) {
  auto const path = folder / "function.onnx";
  try {
    onnx::save(path, f, Inputs<X>{at});
  } catch (Error const&) {
    return {};
  }
  return read_bytes(path);
}

/// "yes", "no", "constant" where the file does not read its input, or "wrong" where it has values
/// that were computed from it.
template <class T, Spec S, class Y>
std::string_view onnx_of(Y (*f)(Tensor<T, S> const&)) {
  if constexpr (!internal::tree::is_well_formed<internal::tree::Stored, Y>()) {
    return "no";
  } else {
    Folder const folder;
    std::string const file = onnx_file(folder, f, operand<T, S>(Key{7}));
    if (file.empty()) return "no";
    if (file != onnx_file(folder, f, operand<T, S>(Key{8}))) return "wrong";
    return reads_input(folder / "function.onnx") ? "yes" : "constant";
  }
}

/// "kernel", "host", "kernel, host" where the host reads x and a kernel the rest, or "view".
std::string_view device_of(Work const& work);

template <class F, class X>
std::string_view device_of(F const& f, X const& at) {
  Printing::begin(at.storage().data());
  set_fallback(Fallback::refused);
  try {
    f(at);
  } catch (DeviceError const&) {
    return "host";
  } catch (Error const&) {  // about values, which are zero: the host has read some
    return Printing::work.kernels > 0 ? "kernel, host" : "host";
  }
  return device_of(Printing::work);
}

}  // namespace function_table
