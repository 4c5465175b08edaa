#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/mistake.hpp>
#include <tenon/tree/names.hpp>
#include <tenon/tree/node.hpp>

/// Finds the field because of which an aggregate cannot be default-constructed. Only errors use it.
namespace tenon::internal::tree {

/// Initialises any field of a `T`, and is no `T`.
template <class T>
struct AnyInitialiser {
  template <class Field>
    requires(!std::same_as<Field, T>)
  operator Field() const;
};

template <class T, std::size_t... i>
constexpr bool takes_any(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), AnyInitialiser<T>())...}; };
}

/// The same with one more field, which has a default.
template <class T, std::size_t... i>
constexpr bool takes_one_more(std::index_sequence<i...>) {
  return requires { T{(static_cast<void>(i), AnyInitialiser<T>())..., {}}; };
}

/// The first number of initialised fields from `count` on that `T` accepts, or does not (`accepted`
/// is false); `few_fields + 1` where there is none.
template <class T, bool accepted, std::size_t count = 1>
consteval std::size_t first_count() {
  if constexpr (count > few_fields) return count;
  else if constexpr (takes_any<T>(std::make_index_sequence<count>()) == accepted) return count;
  else return first_count<T, accepted, count + 1>();
}

/// The last field without a default: its number and the number of fields.
template <class T>
struct Undefaulted {
  static constexpr std::size_t least = first_count<T, true>();
  static constexpr std::size_t fields = first_count<T, false, least>() - 1;
  /// False where a field accepts no such initialiser, as a `std::optional`: then fields are missed.
  static constexpr bool is_found = least <= few_fields && fields <= few_fields &&
                                   !takes_one_more<T>(std::make_index_sequence<fields>());
  static constexpr std::size_t index = least - 1;
};

template <class T>
using UndefaultedFields =
    decltype(bind_fields(std::declval<T&>(), FieldCount<Undefaulted<T>::fields>()));
template <class T>
using UndefaultedField = PartAt<Undefaulted<T>::index, UndefaultedFields<T>>;

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

template <class T>
consteval std::string_view undefaulted_name() {
  constexpr FieldCount<Undefaulted<T>::fields> count;
  return last_name(
      printed<Address{&part_at<Undefaulted<T>::index>(bind_fields(undefined<T>.value, count))}>());
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace tenon::internal::tree

/// Checks that types are trees: a class that a traversal cannot enter is rejected, with the path of
/// the field and the reason, so that no field is silently left out of learning or saving.
namespace tenon::compile_error {

/// The operation, the reason why the type of a field is not part of a tree, and the path of the
/// field: `blocks.attention.scale` (elements of arrays and vectors have no number here). Wrap a
/// field that is not a parameter in `Constant<>`; make other types plain structs.
template <Spec Operation, Spec Reason, Spec... Path>
struct field_is_no_tree;

}  // namespace tenon::compile_error

namespace tenon::internal {

namespace tree {

template <class Walk, class T>
consteval bool is_well_formed();

template <class Walk, class Parts>
inline constexpr bool are_well_formed = true;
template <class Walk, template <class...> class List, class... Part>
inline constexpr bool are_well_formed<Walk, List<Part&...>> =
    (is_well_formed<Walk, std::remove_const_t<Part>>() && ...);

/// Whether a traversal can enter all parts of a type that it reaches.
template <class Walk, class T>
consteval bool is_well_formed() {
  if constexpr (Walk::template visits<T> || passes<T>) return true;
  else if constexpr (is_frozen<T>)
    return !Walk::opens_frozen || is_well_formed<Walk, decltype(T::value)>();
  else if constexpr (is_sequence<T>)
    return is_well_formed<Walk, std::remove_const_t<typename T::value_type>>();
  else if constexpr (!fault_of<T>().empty()) return false;
  else return are_well_formed<Walk, Parts<T>>;
}

/// The path of a field, truncated to the capacity.
struct PathText {
  static constexpr std::size_t capacity = 200;

  std::array<char, capacity> characters{};
  std::size_t length = 0;

  constexpr std::string_view view() const { return {characters.data(), length}; }
  constexpr PathText below(std::string_view part) const {
    PathText result = *this;
    if (length > 0) result.append(".");
    result.append(part);
    return result;
  }
  constexpr void append(std::string_view more) {
    for (char const c : more.substr(0, capacity - length)) characters[length++] = c;
  }
};

/// The first field that is not a tree, and the reason; empty if there is none.
struct Fault {
  PathText path{};
  std::string_view reason{};
};

/// The name of a part, or the number of one of a tuple.
template <class T, std::size_t i>
constexpr PathText part_text() {
  PathText text;
  if constexpr (!is_tuple<T>) {
    text.append(part_name<T, i>());
  } else {
    char const digits[] = {static_cast<char>('0' + i / 10), static_cast<char>('0' + i % 10)};
    text.append(std::string_view(digits, 2).substr(i < 10 ? 1 : 0));
  }
  return text;
}

template <class Walk, class T>
consteval Fault find_fault(PathText const& path);

template <class Walk, class T, std::size_t i>
consteval Fault find_fault_in_part(PathText const& path) {
  using Part = PartAt<i, Parts<T>>;
  if constexpr (is_well_formed<Walk, std::remove_const_t<Part>>()) return {};
  else return find_fault<Walk, std::remove_const_t<Part>>(path.below(part_text<T, i>().view()));
}

template <class Walk, class T, std::size_t... i>
consteval Fault find_fault_in_parts(std::index_sequence<i...>, PathText const& path) {
  Fault found;
  (void)((found = find_fault_in_part<Walk, T, i>(path), !found.reason.empty()) || ...);
  return found;
}

/// An aggregate one of whose fields cannot be default-constructed.
template <class T>
concept LacksDefault = std::is_class_v<T> && std::is_aggregate_v<T> && !has_base_class<T> &&
                       !takes<T>(FieldCount<0>()) && Undefaulted<T>::is_found;

/// That field, or the field of it; where it is a tree, that it has no default.
template <class Walk, class T>
consteval Fault find_undefaulted(PathText const& path) {
  PathText const own = path.below(undefaulted_name<T>());
  Fault const found = find_fault<Walk, std::remove_const_t<UndefaultedField<T>>>(own);
  return found.reason.empty() ? Fault{own, "cannot be default-constructed"} : found;
}

template <class Walk, class T>
consteval Fault find_fault(PathText const& path) {
  if constexpr (is_well_formed<Walk, T>()) return {};
  else if constexpr (is_frozen<T>) return find_fault<Walk, decltype(T::value)>(path);
  else if constexpr (is_sequence<T>)
    return find_fault<Walk, std::remove_const_t<typename T::value_type>>(path);
  else if constexpr (LacksDefault<T>) return find_undefaulted<Walk, T>(path);
  else if constexpr (!fault_of<T>().empty()) return {path, fault_of<T>()};
  else return find_fault_in_parts<Walk, T>(PartIndices<T>(), path);
}

template <class Walk, class T>
inline constexpr Fault fault = find_fault<Walk, T>(PathText());

template <class Walk, class T>
struct FaultReason {
  static constexpr PathText text = PathText().below(fault<Walk, T>.reason);
};

/// A long path is printed in chunks: clang prints 34 characters of a text.
inline constexpr std::size_t piece_length = 32;

template <class Walk, class T>
constexpr std::string_view fault_path() {
  return fault<Walk, T>.path.length > 0 ? fault<Walk, T>.path.view() : "(the tree itself)";
}
template <class Walk, class T, std::size_t i>
struct FaultPath {
  static constexpr PathText text =
      PathText().below(fault_path<Walk, T>().substr(i * piece_length, piece_length));
};

template <class Name, class Walk, class T, std::size_t... i>
auto name_fault(std::index_sequence<i...>) {
  return std::type_identity<
      error::field_is_no_tree<spec_of_name<Name>, spec_of_text<FaultReason<Walk, T>>,
                              spec_of_text<FaultPath<Walk, T, i>>...>>();
}

/// The return type of a function for a type that is not a tree.
template <class Name, class Walk, class T>
using NoTree = typename decltype(name_fault<Name, Walk, T>(
    std::make_index_sequence<(fault_path<Walk, T>().size() + piece_length - 1) /
                             piece_length>()))::type;

struct TreeName {
  static constexpr std::string_view name = "tree";
};

/// Rejects a type that is not a tree.
template <class Walk, class T>
consteval bool check_well_formed() {
  if constexpr (!is_well_formed<Walk, T>()) (void)sizeof(NoTree<TreeName, Walk, T>);
  return is_well_formed<Walk, T>();
}

}  // namespace tree

}  // namespace tenon::internal
