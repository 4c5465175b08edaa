#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include <tenon/backend/codegen/symbol/halves.hpp>
#include <tenon/backend/codegen/text/callback.hpp>

/// Symbols without a static dtype: only the bodies of ops need it.
namespace tenon::internal::codegen {

/// A symbol whose dtype is that of its node.
struct Value {
  Listing* listing = nullptr;
  int name = -1;
  std::array<std::byte, 8> number{};

  Value() = default;
  Value(Listing& where, int known) : listing(&where), name(known) {}

  bool is_number() const { return listing == nullptr; }
};

template <class T>
Value value_of(Symbol<T> const& x) {
  Value value;
  value.listing = x.listing;
  value.name = x.name;
  std::memcpy(value.number.data(), &x.number, sizeof(T));
  return value;
}
template <class T>
Symbol<T> symbol_of(Value const& value) {
  Symbol<T> x;
  x.listing = value.listing;
  x.name = value.name;
  std::memcpy(&x.number, value.number.data(), sizeof(T));
  return x;
}

/// An element dtype in the text of kernels.
struct Dtype {
  std::string_view name;  ///< "float32"
  std::string_view text;  ///< "f32"
  std::size_t bytes;
  bool is_float;          ///< Whether it is differentiable.
  Dtype const* computed;  ///< The compute dtype, also that of its adjoints.
  std::string (*literal)(Dialect const& dialect, Value const& number);
};

template <class T>
std::string number_literal(Dialect const& dialect, Value const& number) {
  return literal(dialect, symbol_of<T>(number).number);
}
template <class T>
inline constexpr Dtype dtype_of{dtype_name<T>, type_text<T>,           sizeof(T),
                                FloatType<T>,  &dtype_of<Computed<T>>, &number_literal<T>};

inline std::string text_of(Listing const& in, Value const& value, Dtype const& dtype) {
  return value.is_number() ? dtype.literal(in.dialect(), value) : in.text(value.name);
}

}  // namespace tenon::internal::codegen
