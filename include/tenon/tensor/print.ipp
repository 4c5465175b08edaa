#pragma once

#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/tensor/columns.hpp>
#include <tenon/tensor/print.hpp>

namespace tenon::internal {

/// NumPy's defaults: lines up to 75 characters; beyond 1000 elements three at either end of an
/// axis.
struct PrintLimits {
  static constexpr std::size_t line = 75;
  static constexpr std::int64_t elements = 1000;
  static constexpr std::int64_t edge = 3;
};

/// The elements of a tensor in brackets.
template <class T>
class ArrayText {
 public:
  ArrayText(T const* data, Sizes const& sizes, int rank)
      : data_(data),
        sizes_(sizes),
        strides_(row_major(sizes, rank)),
        rank_(rank),
        is_summary_(count(sizes, rank) > PrintLimits::elements) {}

  std::string text() const {
    if (rank_ == 0) return PrintColumns<T>::alone(*data_);
    if (count(sizes_, rank_) == 0) return "[]";
    std::vector<T> visible;
    collect(0, 0, visible);
    return axis(PrintColumns<T>(visible), 0, 0, " ", PrintLimits::line);
  }

 private:
  static constexpr std::int64_t gap = -1;

  /// The indices of an axis that are printed.
  std::vector<std::int64_t> shown(int axis) const {
    std::int64_t const size = at(sizes_, axis), edge = PrintLimits::edge;
    std::vector<std::int64_t> result;
    bool const cuts = is_summary_ && size > 2 * edge;
    for (std::int64_t i = 0; i < (cuts ? edge : size); ++i) result.push_back(i);
    if (cuts) result.push_back(gap);
    for (std::int64_t i = size - edge; cuts && i < size; ++i) result.push_back(i);
    return result;
  }

  void collect(int axis, std::int64_t start, std::vector<T>& to) const {
    if (axis == rank_) return to.push_back(data_[start]);
    for (std::int64_t i : shown(axis)) {
      if (i != gap) collect(axis + 1, start + i * at(strides_, axis), to);
    }
  }

  std::string axis(PrintColumns<T> const& columns, int axis, std::int64_t start,
                   std::string const& indent, std::size_t width) const {
    std::string const inner = axis + 1 == rank_ ? row(columns, start, indent, width - 1)
                                                : blocks(columns, axis, start, indent, width);
    return "[" + inner.substr(indent.size()) + "]";
  }

  /// The last axis: elements separated by spaces, broken into lines.
  std::string row(PrintColumns<T> const& columns, std::int64_t start, std::string const& indent,
                  std::size_t width) const {
    std::string done, line = indent;
    for (std::int64_t i : shown(rank_ - 1)) {
      std::string const word = i == gap ? "..." : columns(data_[start + i]);
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
  std::string blocks(PrintColumns<T> const& columns, int axis, std::int64_t start,
                     std::string const& indent, std::size_t width) const {
    std::string result;
    std::string const between(static_cast<std::size_t>(rank_ - axis - 1), '\n');
    for (std::int64_t i : shown(axis)) {
      if (!result.empty()) result += between;
      std::int64_t const next = start + i * at(strides_, axis);
      result += indent;
      result += i == gap ? "..." : this->axis(columns, axis + 1, next, indent + " ", width - 1);
    }
    return result;
  }

  T const* data_;
  Sizes sizes_, strides_;
  int rank_;
  bool is_summary_;
};

template <class T>
std::string array_text(T const* data, Sizes const& sizes, int rank) {
  return ArrayText<T>(data, sizes, rank).text();
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
