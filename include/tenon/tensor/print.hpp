#pragma once

#include <ostream>
#include <string>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/core/dtype.hpp>
#include <tenon/tensor/host_elements.hpp>

/// Tensors as text, in NumPy's format: `[[1. 2.]\n [3. 4.]]`.
namespace tenon::internal {

/// The offsets of the elements that are printed, in row-major order: all of them, or the first and
/// the last few of each axis.
std::vector<std::int64_t> shown_offsets(Sizes const& sizes, int rank);

/// The texts of these elements in nested brackets.
std::string in_brackets(std::vector<std::string> const& words, Sizes const& sizes, int rank);

/// The elements of a tensor in brackets.
template <class T>
std::string array_text(T const* data, Sizes const& sizes, int rank);

/// The elements of a tensor, or of the value of an expression, as text. NumPy: `array2string`.
template <Expression E>
std::string to_string(E const& e) {
  if constexpr (requires { e.storage(); }) {
    auto const elements = host_elements(e);
    return array_text<typename E::value_type>(elements, e.sizes(), E::shape.rank);
  } else {
    return to_string(evaluate_expression(e));
  }
}

/// Dtype and axes with their sizes: `float32 "batch=32 digit=10"`.
template <Expression E>
std::string describe_tensor(E const& e) {
  Shape shape = E::shape;
  Sizes const sizes = e.sizes();
  for (int i = 0; i < shape.rank; ++i) {
    if (shape[i].is_static()) continue;
    shape[i] = named_axis(shape[i].name.view(), at(sizes, i));
  }
  return std::string(dtype_name<typename E::value_type>) + " \"" +
         std::string(format(shape).view()) + "\"";
}

template <class Traits, Expression E>
std::basic_ostream<char, Traits>& operator<<(std::basic_ostream<char, Traits>& out, E const& e) {
  return out << to_string(e);
}

}  // namespace tenon::internal

namespace tenon {

using internal::to_string;
using internal::operator<<;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/tensor/print.ipp>
#endif
