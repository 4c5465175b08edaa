#pragma once

// Saves functions as ONNX files, each with inputs and expected outputs at several sizes.
// reference.py executes them with ONNX Runtime. Without a folder in TENON_REFERENCE the files are
// temporary.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "../io/folder.hpp"

#include <tenon/io/onnx.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>

namespace onnx_cases {

using namespace tenon;

/// The folder of the files.
inline std::filesystem::path const& folder() {
  static Folder const temporary;
  static std::filesystem::path const path = [] {
    char const* const given = std::getenv("TENON_REFERENCE");
    return given != nullptr ? std::filesystem::path(given) : temporary / "";
  }();
  return path;
}

/// A result under the name that it has in the file.
template <class Y>
struct Output {
  Y output;
};
template <class Y>
auto named(Y const& y) {
  if constexpr (Expression<Y>) return Output<decltype(eval(y))>{eval(y)};
  else return y;
}

/// Saves `f`, and its values at inputs of several sizes; `f` is called with the fields.
template <class F, class Inputs, class... More>
void save_case_with(onnx::SaveOptions const& options, std::string const& name, F const& f,
                    Inputs const& inputs, More const&... more) {
  INFO(name);
  onnx::save(folder() / (name + ".onnx"), f, inputs, options);
  int number = 0;
  auto const keep = [&](Inputs const& at) {
    std::string const file = name + "." + std::to_string(number++);
    save(folder() / (file + ".inputs.safetensors"), at);
    save(folder() / (file + ".outputs.safetensors"), named(internal::onnx::call(f, at)));
  };
  keep(inputs);
  (keep(more), ...);
  CHECK(std::filesystem::exists(folder() / (name + ".onnx")));
}

template <class F, class... Inputs>
void save_case(std::string const& name, F const& f, Inputs const&... inputs) {
  save_case_with({}, name, f, inputs...);
}

/// A case of a function without state, by its pointer: saving is compiled once for all functions of
/// one type.
template <class... X, class F, class... Inputs>
void save_function(std::string const& name, F, Inputs const&... inputs) {
  auto* const f = +[](X const&... x) { return F()(x...); };
  save_case(name, f, inputs...);
}

/// Numbers from a key, in [-2, 2) or 0 to 9.
template <class R, class... I>
R numbers(std::uint64_t seed, I... sizes) {
  using T = typename R::value_type;
  if constexpr (internal::FloatType<T>)
    return to<T>(uniform<Tensor<float, R::spec>>(Key{seed}, sizes...) * 4 - 2);
  else if constexpr (std::same_as<T, bool>)
    return uniform<Tensor<float, R::spec>>(Key{seed}, sizes...) < 0.5f;
  else return to<T>(uniform<Tensor<float, R::spec>>(Key{seed}, sizes...) * 9 + 1);
}

/// Positions of a language model as vectors.
struct Embedded {
  Float32<"batch t embed=8"> x;
};
inline Embedded embedded(std::int64_t n, std::int64_t t) {
  return {numbers<decltype(Embedded::x)>(6, n, t)};
}

}  // namespace onnx_cases
