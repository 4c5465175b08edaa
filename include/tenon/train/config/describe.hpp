#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

namespace tenon::internal::training {

/// A value that the launcher of MPI sets for each process.
enum class FromMpi { none, rank, world_size };

/// What a struct declares about one of its fields.
struct Note {
  std::string_view description{};
  std::string_view short_name{};
  std::string_view long_name{};
  bool has_range = false;
  double low = 0;
  double high = 0;
  FromMpi mpi = FromMpi::none;
};

template <class Member>
struct MemberOf;
template <class Struct, class Type>
struct MemberOf<Type Struct::*> {
  using Owner = Struct;
  using Field = Type;
};

/// The type whose range is checked: of the elements, for optional values and lists.
template <class T>
struct Ranged {
  using type = T;
};
template <class T>
struct Ranged<std::optional<T>> : Ranged<T> {};
template <class T>
struct Ranged<std::vector<T>> : Ranged<T> {};
template <class T, std::size_t size>
struct Ranged<std::array<T, size>> : Ranged<T> {};

/// Never defined: a call ends a constant expression with this name in the message.
void range_is_empty();
void short_name_is_not_a_word();
void long_name_is_not_a_word();

constexpr bool is_short_name(std::string_view name) {
  if (name.empty() || name[0] == '-' || name == "config" || name == "help" || name == "h")
    return false;
  for (char const c : name) {
    bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (!letter && !(c >= '0' && c <= '9') && c != '_' && c != '-') return false;
  }
  return !(name[0] >= '0' && name[0] <= '9');
}

/// A description of a field; the functions return it with one more property. (They are evaluated at
/// compile time by `with_note`. clang 16 crashes if they are consteval.)
template <auto member>
struct Description {
  using Owner = typename MemberOf<decltype(member)>::Owner;
  using Field = typename MemberOf<decltype(member)>::Field;

  Note note{};

  /// The least and the greatest value, both allowed; of each element, for lists.
  constexpr Description range(double low, double high) const {
    using Number = typename Ranged<Field>::type;
    static_assert(std::is_arithmetic_v<Number> && !std::is_same_v<Number, bool>,
                  "tenon::training::field: a range of a field that is not a number");
    if (!(low <= high)) range_is_empty();
    Description result = *this;
    result.note.has_range = true;
    result.note.low = low;
    result.note.high = high;
    return result;
  }

  /// A further name of its option: `--lr`, or `-l` for one letter.
  constexpr Description short_name(std::string_view name) const {
    if (!is_short_name(name)) short_name_is_not_a_word();
    Description result = *this;
    result.note.short_name = name;
    return result;
  }

  /// Another further name of its option, of two letters or more, as another program has it:
  /// `--tensor-model-parallel-size`.
  constexpr Description long_name(std::string_view name) const {
    if (!is_short_name(name) || name.size() == 1) long_name_is_not_a_word();
    Description result = *this;
    result.note.long_name = name;
    return result;
  }

  /// The rank of this process, where a launcher of MPI has set one.
  constexpr Description mpi_rank() const { return from(FromMpi::rank); }

  /// The number of processes, where a launcher of MPI has set one.
  constexpr Description mpi_world_size() const { return from(FromMpi::world_size); }

 private:
  constexpr Description from(FromMpi source) const {
    static_assert(std::is_integral_v<typename Ranged<Field>::type>,
                  "tenon::training::field: a rank or a number of ranks is an integer");
    Description result = *this;
    result.note.mpi = source;
    return result;
  }
};

/// Describes a field of a configuration, in its static member function `describe`: a text for
/// `--help` and the comments of files; then `.range(low, high)`, `.short_name("lr")`,
/// `.long_name("learning-rate")`, `.mpi_rank()`, `.mpi_world_size()`. argparse: `add_argument`.
template <auto member>
constexpr Description<member> field(std::string_view description) {
  static_assert(std::is_member_object_pointer_v<decltype(member)>,
                "tenon::training::field: expected the address of a field, &Config::rate");
  return {{.description = description}};
}

/// What `describe` returns: descriptions of some fields of the struct, in any order.
template <auto... member>
constexpr auto fields(Description<member>... descriptions) {
  return std::tuple(descriptions...);
}

template <class T>
concept Described = requires { T::describe(); };

/// Calls a function with the description of the field at an address within the object.
template <class T, class F>
void with_note(T const& object, void const* field, F const& function) {
  auto const compare = [&]<auto member>(Description<member> const& description) {
    static_assert(std::is_same_v<typename Description<member>::Owner, T>,
                  "tenon::training::fields: a field of another struct is described");
    if (&(object.*member) == field) function(description.note);
  };
  static constexpr auto descriptions = T::describe();
  std::apply([&](auto const&... one) { (compare(one), ...); }, descriptions);
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::field;
using internal::training::fields;

}  // namespace tenon::training
