#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/core/dtype.hpp>
#include <tenon/core/error.hpp>

/// A dtype that a program reads from a file or a command line.
namespace tenon {

/// A dtype as a value; made by `dtype_from_string`.
class AnyDtype {
 public:
  /// The dtype `T`.
  template <internal::ShapedType T>
  static constexpr AnyDtype of() {
    return AnyDtype(internal::dtype_name<T>);
  }
  /// "bfloat16".
  constexpr std::string_view name() const { return name_; }
  constexpr bool operator==(AnyDtype const& other) const { return name_ == other.name_; }

 private:
  explicit constexpr AnyDtype(std::string_view name) : name_(name) {}
  std::string_view name_;
};

}  // namespace tenon

namespace tenon::internal {

/// Whether a word is among words between spaces.
constexpr bool has_word(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    auto const end = (std::min)(words.find(' '), words.size());
    if (words.substr(0, end) == word) return true;
    words.remove_prefix((std::min)(end + 1, words.size()));
  }
  return false;
}

template <class T>
constexpr bool is_name_of(std::string_view name) {
  return name == dtype<T>.name || has_word(dtype<T>.other_names, name);
}

/// "float32, float64, ...".
template <class... T>
std::string dtype_names() {
  std::string names;
  ((names += (names.empty() ? "" : ", ") + std::string(dtype_name<T>)), ...);
  return names;
}

/// Why a dtype of PyTorch, JAX or safetensors is none here; empty for other words.
constexpr std::string_view reason_of_no_dtype(std::string_view name) {
  constexpr std::string_view narrow =
      "int4 uint4 int2 uint2 i4 u4 int4_t f4 float4_e2m1fn float4_e2m1fn_x2";
  return has_word(narrow, name) ? "elements of fewer than 8 bits have no address" : "";
}

template <class... T>
AnyDtype dtype_in_table(std::string_view name, DtypeTable<T...> const&) {
  std::optional<AnyDtype> found;
  auto const look = [&](bool is_it, AnyDtype dtype) {
    if (is_it) found = dtype;
  };
  (look(is_name_of<T>(name), AnyDtype::of<T>()), ...);
  if (found) return *found;
  fail<ValueError>({.who = "dtype_from_string",
                    .expected = "one of these: " + dtype_names<T...>(),
                    .got = "'" + escaped(name) + "'",
                    .where = reason_of_no_dtype(name)});
}

/// The dtype with a name: "bfloat16", or one of PyTorch's and safetensors' such as "bf16", "half",
/// "f32". Case counts. Throws `ValueError` with the names there are. PyTorch: `getattr(torch,
/// name)`.
inline AnyDtype dtype_from_string(std::string_view name) { return dtype_in_table(name, dtypes); }

/// Calls `f` with the first of these dtypes that is the chosen one; `names` are for the error.
template <ShapedType First, ShapedType... T, class F>
decltype(auto) visit_first_dtype(AnyDtype chosen, std::string (*names)(), F& f) {
  if (chosen == AnyDtype::of<First>()) return f(First());
  if constexpr (sizeof...(T) > 0) return visit_first_dtype<T...>(chosen, names, f);
  else
    fail<ValueError>({.who = "visit_dtype",
                      .what = chosen.name(),
                      .expected = "one of these: " + names(),
                      .got = "another"});
}

/// Calls `f(T())` for the dtype among `T...`, and returns its result, of one type for all: with
/// `[](auto zero) { return train<decltype(zero)>(); }` the called code is instantiated for each of
/// them. Throws `ValueError` for another dtype.
template <ShapedType... T, class F>
  requires(sizeof...(T) > 0)
decltype(auto) visit_dtype(AnyDtype chosen, F&& f) {
  return visit_first_dtype<T...>(chosen, &dtype_names<T...>, f);
}

}  // namespace tenon::internal

namespace tenon {

using internal::dtype_from_string;
using internal::visit_dtype;

}  // namespace tenon
