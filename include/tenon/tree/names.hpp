#pragma once

#include <cstddef>
#include <string_view>

#include <tenon/core/shape.hpp>
#include <tenon/tree/aggregate.hpp>
#include <tenon/tree/bound.hpp>

namespace tenon::internal::tree {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wundefined-var-template"
#pragma clang diagnostic ignored "-Wundefined-internal"
#endif

/// An object that is declared and never defined: the address of one of its fields, as a template
/// argument, is printed by the compiler with the name of the field, and gives its offset. The
/// wrapper makes it work for types that are not literal types.
template <class T>
union Undefined {
  T value;
  char bytes[sizeof(T)];
  ~Undefined();
};
template <class T>
extern Undefined<T> const undefined;

/// g++ 12 prints the name of a field only if the address is a member of a struct.
template <class Field>
struct Address {
  Field const* field;
};
template <class Field>
Address(Field const*) -> Address<Field>;

/// g++: `… [with auto address = Address<int>{(& undefined<S>.Undefined<S>::value.S::bias)}; …]`,
/// clang: `… [address = Address<int>{&undefined.value.bias}]`.
template <auto address>
consteval std::string_view printed() {
  return __PRETTY_FUNCTION__;
}

constexpr bool is_part_of_a_name(char c) {
  bool const letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  return letter || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// The last word before the last brace.
consteval std::string_view last_name(std::string_view text) {
  std::size_t end = text.rfind('}');
  while (end > 0 && !is_part_of_a_name(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && is_part_of_a_name(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

template <class T, std::size_t index>
consteval std::string_view find_field_name() {
  return last_name(printed<Address{&part_at<index>(fields(undefined<T>.value))}>());
}

/// The name of a field. A copy, so that the long text that it is part of is not in the program.
template <class T, std::size_t index>
inline constexpr auto field_name =
    Spec<find_field_name<T, index>().size() + 1>(find_field_name<T, index>());

/// The offset of a part of an undefined object, in bytes. (No compiler converts its address to a
/// number in a constant expression. g++ 12 compares addresses in one object, clang 16 computes how
/// many bytes follow one.)
template <class T>
consteval std::size_t find_offset(void const* part) {
#if defined(__clang__)
  return sizeof(Undefined<T>) - __builtin_object_size(part, 0);
#else
  std::size_t low = 0, high = sizeof(T) - 1;
  while (low < high) {
    std::size_t const middle = (low + high + 1) / 2;
    if (static_cast<void const*>(&undefined<T>.bytes[middle]) <= part) low = middle;
    else high = middle - 1;
  }
  return low;
#endif
}

#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace tenon::internal::tree
