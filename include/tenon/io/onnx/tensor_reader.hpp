#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/onnx/field_reader.hpp>
#include <tenon/io/onnx/model.hpp>
#include <tenon/io/onnx/source.hpp>
#include <tenon/io/onnx/wire.hpp>

namespace tenon::internal::onnx {

/// A field of `TensorProto` that contains elements as numbers.
struct TypedField {
  std::uint32_t number;
  std::string_view name;
  WireType type;
};

inline constexpr TypedField typed_fields[] = {
    {4, "float_data", WireType::fixed32},   {5, "int32_data", WireType::varint},
    {6, "string_data", WireType::bytes},    {7, "int64_data", WireType::varint},
    {10, "double_data", WireType::fixed64}, {11, "uint64_data", WireType::varint},
};

/// The field of that number; null where it is another kind of field.
constexpr TypedField const* typed_field(std::uint32_t number) {
  for (TypedField const& field : typed_fields) {
    if (field.number == number) return &field;
  }
  return nullptr;
}

/// The field that contains the elements of a dtype. (The parts of a complex number are two
/// elements; those of 2 and 4 bits come as bytes.)
constexpr TypedField const& typed_field_for(FileDtype const& dtype) {
  switch (dtype.code) {
    case DataType::float32:
    case DataType::complex64:
      return typed_fields[0];
    case DataType::string:
      return typed_fields[2];
    case DataType::int64:
      return typed_fields[3];
    case DataType::float64:
    case DataType::complex128:
      return typed_fields[4];
    case DataType::uint32:
    case DataType::uint64:
      return typed_fields[5];
    default:
      return typed_fields[1];
  }
}

/// The bytes of an integer in memory, and the numbers that it may be.
struct IntegerRange {
  std::size_t width;
  std::int64_t lower;
  std::int64_t upper;
};

constexpr IntegerRange integer_range(FileDtype const& dtype) {
  std::size_t const width = dtype.bits < 8 ? 1 : static_cast<std::size_t>(dtype.bits) / 8;
  if (dtype.code == DataType::boolean) return {width, 0, 1};
  if (dtype.bits == 6) return {width, 0, 63};
  if (width >= 8)
    return {width, (std::numeric_limits<std::int64_t>::min)(),
            (std::numeric_limits<std::int64_t>::max)()};
  std::int64_t const values = std::int64_t{1} << 8 * width;
  bool const is_signed = dtype.code == DataType::int8 || dtype.code == DataType::int16 ||
                         dtype.code == DataType::int32;
  std::int64_t const lower = is_signed ? -(values / 2) : 0;
  return {width, lower, lower + values - 1};
}

/// Converts the numbers of the typed field of a tensor to bytes. Throws `FileError`.
class TypedElements {
 public:
  TypedElements(Values const& values, FileDtype const& dtype, std::string_view tensor)
      : values_(values), dtype_(dtype), tensor_(tensor), range_(integer_range(dtype)) {}

  void add(Field const& field);

  /// The bytes of all that was added.
  Bytes take();

 private:
  void add_integer(std::uint64_t value);
  void add_bytes(std::uint64_t value, std::size_t width);
  void pack_six_bits();

  Values values_;
  FileDtype const& dtype_;
  std::string tensor_;
  IntegerRange range_;
  std::vector<std::byte> bytes_{};
};

/// Reads a `TensorProto`, in whichever form its elements are: raw bytes remain where they are,
/// elements of another file are mapped, and numbers of a typed field are converted to bytes.
class TensorReader {
 public:
  /// `owner` keeps the message in memory.
  TensorReader(Values const& values, std::string_view message, ExternalFiles& files,
               std::shared_ptr<void const> owner)
      : values_(values), message_(message), files_(files), owner_(std::move(owner)) {}

  /// Throws `FileError`.
  TensorData read();

 private:
  void read_description(Field const& field);
  void note_typed(TypedField const& field);
  void add_dim(std::int64_t size);
  void read_external(std::string_view entry);
  std::uint64_t external_number(std::string_view text) const;

  void check_dtype();
  void check_forms() const;
  void read_elements();
  void read_strings();
  Bytes outside();
  Bytes typed() const;
  void check_size(std::uint64_t got, std::string const& unit) const;

  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;
  [[noreturn]] void refuse_two(std::string_view a, std::string_view b) const;

  Values values_;
  std::string_view message_;
  ExternalFiles& files_;
  std::shared_ptr<void const> owner_;

  TensorData tensor_{};
  FileDtype const* dtype_ = nullptr;
  std::uint64_t wanted_ = 0;  ///< The bytes of all elements; the number of strings.
  std::string_view raw_{};
  bool is_outside_ = false;
  ExternalData outside_{};
  std::optional<std::uint64_t> outside_length_{};
  TypedField const* typed_ = nullptr;
};

}  // namespace tenon::internal::onnx

#if TENON_DEFINES_RUNTIME

#include <charconv>
#include <system_error>
#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/core/language/word.hpp>
#include <tenon/io/safetensors/header.hpp>

namespace tenon::internal::onnx {

TENON_RUNTIME void TypedElements::add(Field const& field) {
  auto const type = typed_field_for(dtype_).type;
  if (type == WireType::varint)
    return values_.each_varint(field, [&](std::uint64_t x) { add_integer(x); });
  std::size_t const width = type == WireType::fixed32 ? 4 : 8;
  values_.each_fixed(field, type, [&](std::uint64_t x) { add_bytes(x, width); });
}

TENON_RUNTIME void TypedElements::add_integer(std::uint64_t value) {
  auto const number = static_cast<std::int64_t>(value);
  if (number < range_.lower || number > range_.upper)
    values_.source().refuse(
        tensor_,
        "numbers from " + std::to_string(range_.lower) + " to " + std::to_string(range_.upper),
        std::to_string(number));
  add_bytes(value, range_.width);
}

TENON_RUNTIME void TypedElements::add_bytes(std::uint64_t value, std::size_t width) {
  values_.source().charge(width);
  for (std::size_t i = 0; i < width; ++i) bytes_.push_back(std::byte(value >> 8 * i & 0xffu));
}

/// Four numbers of six bits are three bytes.
TENON_RUNTIME void TypedElements::pack_six_bits() {
  std::vector<std::byte> packed((bytes_.size() * 6 + 7) / 8);
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    auto const bits = std::to_integer<unsigned>(bytes_[i]) << i * 6 % 8;
    packed[i * 6 / 8] |= std::byte(bits & 0xffu);
    if (bits > 0xffu) packed[i * 6 / 8 + 1] |= std::byte(bits >> 8);
  }
  bytes_ = std::move(packed);
}

TENON_RUNTIME Bytes TypedElements::take() {
  if (dtype_.bits == 6) pack_six_bits();
  auto const owner = std::make_shared<std::vector<std::byte> const>(std::move(bytes_));
  return {*owner, owner};
}

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

#endif
