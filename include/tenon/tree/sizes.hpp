#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/tree/node.hpp>
#include <tenon/tree/path.hpp>

/// Among the fields of one struct a name denotes one size. Nested structs, the elements of arrays
/// and vectors, and the parts of tuples are separate scopes: two layers may each have an axis "n".
namespace tenon::internal::tree {

/// The tensor type of a field, frozen or optional ones included; else `void`.
template <class Field>
struct TensorOfField : std::type_identity<void> {};
template <class T, Spec S, class D>
struct TensorOfField<Tensor<T, S, D>> : std::type_identity<Tensor<T, S, D>> {};
template <class Field>
struct TensorOfField<Frozen<Field>> : TensorOfField<Field> {};
template <class Field>
struct TensorOfField<std::optional<Field>> : TensorOfField<Field> {};

/// A bare run-time axis of a field. The text of its name is that of the field's shape.
struct FieldAxis {
  std::size_t field = 0;
  int axis = 0;
  std::string_view name{};
};

/// Calls `f(axis)` for the bare run-time axes of the tensors among the fields of a struct.
template <class T, std::size_t... i, class F>
constexpr void for_each_field_axis(std::index_sequence<i...>, [[maybe_unused]] F const& f) {
  [[maybe_unused]] auto const look = [&]<class Field>(std::size_t field,
                                                      std::type_identity<Field>) {
    using X = typename TensorOfField<Field>::type;
    if constexpr (!std::is_void_v<X>) {
      for (int k = 0; k < X::rank; ++k) {
        Axis const& axis = X::shape[k];
        if (axis.is_bare()) f(FieldAxis{field, k, axis.name.view()});
      }
    }
  };
  (look(i, std::type_identity<std::remove_const_t<PartAt<i, Parts<T>>>>()), ...);
}

template <class T>
consteval std::size_t count_run_time_axes() {
  std::size_t count = 0;
  if constexpr (!is_tuple<T>)
    for_each_field_axis<T>(PartIndices<T>(), [&](FieldAxis const&) { ++count; });
  return count;
}

/// All of them, in the order of the fields; none of a tuple.
template <class T>
inline constexpr auto run_time_axes = [] {
  std::array<FieldAxis, count_run_time_axes<T>()> axes{};
  [[maybe_unused]] std::size_t next = 0;
  if constexpr (!axes.empty())
    for_each_field_axis<T>(PartIndices<T>(), [&](FieldAxis const& axis) { axes[next++] = axis; });
  return axes;
}();

/// Two axes of a struct with one name: the first, and a later one.
struct AxisPair {
  FieldAxis first{}, other{};
};

/// Calls `f(pair)` for the later axes of each name, with the first one.
template <class T, class F>
constexpr void for_each_axis_pair(F const& f) {
  for (FieldAxis const& other : run_time_axes<T>) {
    for (FieldAxis const& first : run_time_axes<T>) {
      if (first.field == other.field) break;
      if (first.name != other.name) continue;
      f(AxisPair{first, other});
      break;
    }
  }
}

template <class T>
consteval std::size_t count_axis_pairs() {
  std::size_t count = 0;
  for_each_axis_pair<T>([&](AxisPair const&) { ++count; });
  return count;
}

template <class T>
inline constexpr auto axis_pairs = [] {
  std::array<AxisPair, count_axis_pairs<T>()> pairs{};
  std::size_t next = 0;
  for_each_axis_pair<T>([&](AxisPair const& pair) { pairs[next++] = pair; });
  return pairs;
}();

template <class T>
consteval bool shares_names();

template <class Parts>
inline constexpr bool any_shares_names = false;
template <template <class...> class List, class... Part>
inline constexpr bool any_shares_names<List<Part&...>> =
    (shares_names<std::remove_const_t<Part>>() || ...);

/// Whether a struct, or one within it, has two run-time axes of one name.
template <class T>
consteval bool shares_names() {
  if constexpr (passes<T>) return false;
  else if constexpr (is_frozen<T>) return shares_names<decltype(T::value)>();
  else if constexpr (is_sequence<T>)
    return shares_names<std::remove_const_t<typename T::value_type>>();
  else if constexpr (!fault_of<T>().empty()) return false;
  else return count_axis_pairs<T>() > 0 || any_shares_names<Parts<T>>;
}

/// The size of an axis of a field; none for an empty optional.
template <class Field>
std::optional<std::int64_t> size_of_axis(std::optional<Field> const& field, int axis);
template <class T, Spec S, class D>
std::optional<std::int64_t> size_of_axis(Tensor<T, S, D> const& field, int axis) {
  return at(field.sizes(), axis);
}
template <class Field>
std::optional<std::int64_t> size_of_axis(Frozen<Field> const& field, int axis) {
  return size_of_axis(field.value, axis);
}
template <class Field>
std::optional<std::int64_t> size_of_axis(std::optional<Field> const& field, int axis) {
  return field ? size_of_axis(*field, axis) : std::nullopt;
}

/// Throws `ShapeError` where two run-time axes of one struct have one name and different sizes;
/// `who` is the operation in its message, `where` the file.
class SizeCheck {
 public:
  explicit SizeCheck(std::string_view who, std::string_view where = {})
      : who_(who), where_(where) {}

  template <class T>
  void operator()(T const& tree, Path const& path = {}) const {
    if constexpr (!shares_names<T>()) return;
    else if constexpr (is_frozen<T>) (*this)(tree.value, path);
    else if constexpr (is_optional<T>) {
      if (tree) (*this)(*tree, path);
    } else if constexpr (is_sequence<T>) {
      for (std::size_t i = 0; i < tree.size(); ++i) (*this)(tree[i], Path{&path, {}, i});
    } else {
      compare_pairs<T>(std::make_index_sequence<axis_pairs<T>.size()>(), parts(tree), path);
      check_parts<T>(PartIndices<T>(), parts(tree), path);
    }
  }

 private:
  template <class T, std::size_t... i, class Parts>
  void check_parts(std::index_sequence<i...>, [[maybe_unused]] Parts const& parts,
                   [[maybe_unused]] Path const& path) const {
    ((*this)(part_at<i>(parts), Path{&path, part_name<T, i>(), i}), ...);
  }

  template <class T, std::size_t... k, class Parts>
  void compare_pairs(std::index_sequence<k...>, [[maybe_unused]] Parts const& parts,
                     [[maybe_unused]] Path const& path) const {
    (compare<T, k>(parts, path), ...);
  }
  template <class T, std::size_t k, class Parts>
  void compare(Parts const& parts, Path const& path) const {
    constexpr FieldAxis first = axis_pairs<T>[k].first, other = axis_pairs<T>[k].other;
    auto const expected = size_of_axis(part_at<first.field>(parts), first.axis);
    auto const got = size_of_axis(part_at<other.field>(parts), other.axis);
    if (expected && got && *expected != *got)
      refuse(Path{&path, part_name<T, first.field>(), 0},
             Path{&path, part_name<T, other.field>(), 0}, first.name, {*expected, *got});
  }

  [[noreturn, gnu::cold]] void refuse(Path const& first, Path const& other, std::string_view name,
                                      std::array<std::int64_t, 2> sizes) const;

  std::string_view who_, where_;
};

}  // namespace tenon::internal::tree

#if TENON_DEFINES_RUNTIME

#include <string>

#include <tenon/core/error.hpp>

namespace tenon::internal::tree {

TENON_RUNTIME void SizeCheck::refuse(Path const& first, Path const& other, std::string_view name,
                                     std::array<std::int64_t, 2> sizes) const {
  auto const axis = [&](std::int64_t size) {
    return concatenate({"\"", name, "=", decimal(size), "\""});
  };
  std::string const what = other.text(), got = axis(sizes[1]);
  std::string const expected = concatenate({axis(sizes[0]), " as in '", first.text(), "'"});
  fail<ShapeError>({who_, what, expected, got, where_});
}

}  // namespace tenon::internal::tree

#endif
