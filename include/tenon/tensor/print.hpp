#pragma once

#include <iosfwd>
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

#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/tensor/columns.hpp>
#if defined(TENON_IMPLEMENTATION)
#include <complex>
#endif

namespace tenon::internal {

/// NumPy's defaults: lines up to 75 characters; beyond 1000 elements three at either end of an
/// axis.
struct PrintLimits {
  static constexpr std::size_t line = 75;
  static constexpr std::int64_t elements = 1000;
  static constexpr std::int64_t edge = 3;
};

/// The indices of an axis that are printed; `gap` marks omitted ones.
class ShownIndices {
 public:
  static constexpr std::int64_t gap = -1;

  ShownIndices(Sizes const& sizes, int rank)
      : sizes_(sizes), is_summary_(count(sizes, rank) > PrintLimits::elements) {}

  std::vector<std::int64_t> operator()(int axis) const {
    std::int64_t const size = at(sizes_, axis), edge = PrintLimits::edge;
    std::vector<std::int64_t> result;
    bool const cuts = is_summary_ && size > 2 * edge;
    for (std::int64_t i = 0; i < (cuts ? edge : size); ++i) result.push_back(i);
    if (cuts) result.push_back(gap);
    for (std::int64_t i = size - edge; cuts && i < size; ++i) result.push_back(i);
    return result;
  }

 private:
  Sizes sizes_;
  bool is_summary_;
};

/// The texts of the printed elements in brackets.
class Brackets {
 public:
  Brackets(std::vector<std::string> const& words, Sizes const& sizes, int rank)
      : next_(words.data()), shown_(sizes, rank), rank_(rank) {}

  std::string axis(int axis, std::string const& indent, std::size_t width) {
    std::string const inner =
        axis + 1 == rank_ ? row(indent, width - 1) : blocks(axis, indent, width);
    return "[" + inner.substr(indent.size()) + "]";
  }

 private:
  /// The last axis: elements separated by spaces, broken into lines.
  std::string row(std::string const& indent, std::size_t width) {
    std::string done, line = indent;
    for (std::int64_t i : shown_(rank_ - 1)) {
      std::string const word = i == ShownIndices::gap ? "..." : *next_++;
      if (line.size() > indent.size() && line.size() + word.size() > width) {
        done += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
        line = indent;
      }
      line += word + " ";
    }
    line.pop_back();
    return done + line;
  }

  /// Another axis: its entries on separate lines.
  std::string blocks(int axis, std::string const& indent, std::size_t width) {
    std::string result;
    std::string const between(static_cast<std::size_t>(rank_ - axis - 1), '\n');
    for (std::int64_t i : shown_(axis)) {
      if (!result.empty()) result += between;
      result += indent;
      result += i == ShownIndices::gap ? "..." : this->axis(axis + 1, indent + " ", width - 1);
    }
    return result;
  }

  std::string const* next_;
  ShownIndices shown_;
  int rank_;
};

TENON_RUNTIME std::vector<std::int64_t> shown_offsets(Sizes const& sizes, int rank) {
  std::vector<std::int64_t> offsets{0};
  ShownIndices const shown(sizes, rank);
  Sizes const strides = row_major(sizes, rank);
  for (int axis = 0; axis < rank; ++axis) {
    std::vector<std::int64_t> further;
    for (std::int64_t const offset : offsets) {
      for (std::int64_t const i : shown(axis)) {
        if (i != ShownIndices::gap) further.push_back(offset + i * at(strides, axis));
      }
    }
    offsets = std::move(further);
  }
  return offsets;
}

TENON_RUNTIME std::string in_brackets(std::vector<std::string> const& words, Sizes const& sizes,
                                      int rank) {
  if (words.empty()) return "[]";
  return rank == 0 ? words[0] : Brackets(words, sizes, rank).axis(0, " ", PrintLimits::line);
}

template <class T>
std::string array_text(T const* data, Sizes const& sizes, int rank) {
  if (rank == 0) return PrintColumns<T>::alone(*data);
  std::vector<T> visible;
  for (std::int64_t const offset : shown_offsets(sizes, rank)) visible.push_back(data[offset]);
  PrintColumns<T> const columns(visible);
  std::vector<std::string> words;
  for (T const x : visible) words.push_back(columns(x));
  return in_brackets(words, sizes, rank);
}

#if defined(TENON_IMPLEMENTATION)
/// Instantiates `array_text` for every dtype.
template <class Table>
struct ArrayTexts;
template <class... T>
struct ArrayTexts<DtypeTable<T...>> {
  static auto all() { return std::tuple(&array_text<T>...); }
};
template struct ArrayTexts<std::remove_const_t<decltype(dtypes)>>;
#endif

}  // namespace tenon::internal

#endif
