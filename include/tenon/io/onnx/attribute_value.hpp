#pragma once

#include <variant>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/field_reader.hpp>
#include <tenon/io/onnx/model.hpp>

namespace tenon::internal::onnx {

[[noreturn]] void refuse_value(Source const& source, Field const& field, AttributeType expected,
                               std::size_t got);

/// The value of an attribute under decoding, of the type of a field that it has. Throws `FileError`
/// if it has a field of another type.
template <class T>
T& value_as(Attribute& x, Source const& source, Field const& field) {
  if (x.value.index() == 0) x.value.emplace<T>();
  T* const value = std::get_if<T>(&x.value);
  auto const type = static_cast<AttributeType>(Attribute::Value(T()).index());
  if (!value) refuse_value(source, field, type, x.value.index());
  return *value;
}

/// Compares the value with the declared type of an attribute that was read, and gives it the
/// default of that type, 0 or an empty list, where it has none. Throws `FileError`.
void finish_attribute(Attribute& x, Source const& source, Field const& field);

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME
#include <tenon/io/onnx/attribute_value.ipp>
#endif
