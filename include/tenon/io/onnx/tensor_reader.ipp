#pragma once

#include <charconv>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/io/onnx/element_bytes.hpp>
#include <tenon/io/onnx/tensor_reader.hpp>
#include <tenon/io/onnx/typed_elements.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME TensorData TensorReader::read() {
  for (FieldReader reader(values_.source(), message_); !reader.at_end();)
    read_description(reader.next());
  check_dtype();
  check_forms();
  read_elements();
  return std::move(tensor_);
}

TENON_RUNTIME void TensorReader::refuse(std::string const& expected, std::string const& got) const {
  values_.source().refuse(tensor_.name, expected, got);
}

TENON_RUNTIME void TensorReader::read_description(Field const& field) {
  auto const dim = [&](std::uint64_t size) { add_dim(static_cast<std::int64_t>(size)); };
  if (field.number == 1) values_.each_varint(field, dim);
  if (field.number == 2) tensor_.dtype = values_.dtype(field);
  if (field.number == 3) values_.source().refuse_at(field.at, "a whole tensor", "a segment");
  if (field.number == 8) tensor_.name = values_.text(field);
  if (field.number == 9) raw_ = values_.bytes(field);
  if (field.number == 12) tensor_.doc = values_.text(field);
  if (field.number == 13) read_external(values_.bytes(field));
  if (field.number == 14) is_outside_ = values_.integer(field) == 1;
  if (TypedField const* const typed = typed_field(field.number)) note_typed(*typed);
}

TENON_RUNTIME void TensorReader::note_typed(TypedField const& field) {
  if (typed_ && typed_ != &field) refuse_two(typed_->name, field.name);
  typed_ = &field;
}

TENON_RUNTIME void TensorReader::refuse_two(std::string_view a, std::string_view b) const {
  refuse("elements in one place", std::string(a).append(" and ").append(b));
}

TENON_RUNTIME void TensorReader::add_dim(std::int64_t size) {
  if (size < 0 || size > largest_size) refuse("a size from 0 to 2^53", std::to_string(size));
  if (tensor_.dims.size() == safetensors::most_axes) refuse("at most 64 axes", "more");
  tensor_.dims.push_back(size);
}

/// An entry of `external_data`. Those with other keys are ignored.
TENON_RUNTIME void TensorReader::read_external(std::string_view entry) {
  std::string key, text;
  for (FieldReader reader(values_.source(), entry); !reader.at_end();) {
    Field const field = reader.next();
    if (field.number == 1) key = values_.text(field);
    if (field.number == 2) text = values_.text(field);
  }
  if (key == "location") outside_.location = text;
  if (key == "offset") outside_.offset = external_number(text);
  if (key == "length") outside_length_ = external_number(text);
}

TENON_RUNTIME std::uint64_t TensorReader::external_number(std::string_view text) const {
  std::uint64_t number = 0;
  char const* const end = text.data() + text.size();
  auto const [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end)
    refuse("an offset or a length of external data below 2^64", "'" + escaped(text) + "'");
  return number;
}

TENON_RUNTIME void TensorReader::check_dtype() {
  dtype_ = file_dtype_of(tensor_.dtype);
  if (!dtype_) refuse("a dtype of ONNX", std::to_string(static_cast<std::int32_t>(tensor_.dtype)));
  bool const is_text = tensor_.dtype == DataType::string;
  auto const wanted = bytes_of_elements(tensor_.dims, is_text ? 8 : dtype_->bits);
  if (!wanted) refuse("a shape of less than 2^60 bytes", "another");
  wanted_ = *wanted;
}

/// Raw bytes, another file or the typed field of the dtype has the elements. (Writers may add raw
/// bytes of size 0.)
TENON_RUNTIME void TensorReader::check_forms() const {
  if (is_outside_ && !raw_.empty()) refuse_two("external_data", "raw_data");
  if (typed_ && !raw_.empty()) refuse_two(typed_->name, "raw_data");
  if (typed_ && is_outside_) refuse_two(typed_->name, "external_data");
  TypedField const& wanted = typed_field_for(*dtype_);
  bool const is_string = tensor_.dtype == DataType::string;
  bool const has_bytes = is_outside_ || !raw_.empty();
  if ((typed_ && typed_ != &wanted) || (is_string && has_bytes))
    refuse("elements of " + std::string(dtype_->name) + " in " + std::string(wanted.name),
           typed_        ? std::string(typed_->name)
           : is_outside_ ? "external_data"
                         : "raw_data");
}

TENON_RUNTIME void TensorReader::read_elements() {
  if (tensor_.dtype == DataType::string) return read_strings();
  if (is_outside_) tensor_.bytes = outside();
  else if (typed_) tensor_.bytes = typed();
  else tensor_.bytes = {std::as_bytes(std::span(raw_)), owner_};
  check_size(tensor_.bytes.view.size(), " bytes");
}

TENON_RUNTIME void TensorReader::check_size(std::uint64_t got, std::string const& unit) const {
  if (got != wanted_)
    refuse(std::to_string(wanted_) + unit + " for its shape", std::to_string(got) + unit);
}

TENON_RUNTIME void TensorReader::read_strings() {
  for (FieldReader reader(values_.source(), message_); !reader.at_end();) {
    Field const field = reader.next();
    if (typed_ && field.number == typed_->number) tensor_.strings.push_back(values_.string(field));
  }
  check_size(tensor_.strings.size(), " strings");
}

TENON_RUNTIME Bytes TensorReader::outside() {
  outside_.length = outside_length_.value_or(wanted_);
  return files_.bytes(values_.source(), tensor_.name, outside_);
}

TENON_RUNTIME Bytes TensorReader::typed() const {
  TypedElements elements(values_, *dtype_, tensor_.name);
  for (FieldReader reader(values_.source(), message_); !reader.at_end();) {
    Field const field = reader.next();
    if (field.number == typed_->number) elements.add(field);
  }
  return elements.take();
}

}  // namespace tenon::internal::onnx
