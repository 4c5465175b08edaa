#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <string>
#include <type_traits>

#include <tenon/core/config.hpp>
#include <tenon/train/config/enumerators.hpp>
#include <tenon/train/config/number.hpp>
#include <tenon/train/config/type.hpp>

namespace tenon::internal::training {

class BoolType : public Type {
 public:
  std::string name() const override;
  Form form() const override { return Form::flag; }
  void read(void* object, Value const& value, Reading const& reading) const override;
  Value write(void const* object) const override;
};

class StringType : public Type {
 public:
  std::string name() const override;
  void read(void* object, Value const& value, Reading const& reading) const override;
  Value write(void const* object) const override;
};

/// A path; UTF-8 in files.
class PathType : public Type {
 public:
  std::string name() const override;
  void read(void* object, Value const& value, Reading const& reading) const override;
  Value write(void const* object) const override;
};

class Float32Type : public Type {
 public:
  std::string name() const override;
  void read(void* object, Value const& value, Reading const& reading) const override;
  Value write(void const* object) const override;
};

class Float64Type : public Type {
 public:
  std::string name() const override;
  void read(void* object, Value const& value, Reading const& reading) const override;
  Value write(void const* object) const override;
};

/// Integers by their limits, without their type.
Integer read_integer(Type const& type, Integer least, Integer greatest, Value const& value,
                     Reading const& reading);

template <class T>
class IntegerType : public Type {
 public:
  std::string name() const override {
    return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
  }
  void read(void* object, Value const& value, Reading const& reading) const override {
    using Limits = std::numeric_limits<T>;
    Integer least{};
    if constexpr (std::is_signed_v<T>) least = integer_of((Limits::min)());
    auto const x =
        read_integer(*this, least, {false, std::uint64_t{(Limits::max)()}}, value, reading);
    *static_cast<T*>(object) = static_cast<T>(x.is_negative ? 0 - x.magnitude : x.magnitude);
  }
  Value write(void const* object) const override {
    T const x = *static_cast<T const*>(object);
    if constexpr (std::is_signed_v<T>) return {std::int64_t{x}};
    else if (x <= std::uint64_t{(std::numeric_limits<std::int64_t>::max)()})
      return {static_cast<std::int64_t>(x)};
    return {static_cast<std::uint64_t>(x)};
  }
};

/// The names of an enumeration: "'sgd', 'adam' or 'adamw'".
std::string list_of_names(Enumerators const& enumerators);

/// The value of the enumerator that is named.
long long read_enumerator(Type const& type, Enumerators const& enumerators, Value const& value,
                          Reading const& reading);

/// The name of a value; one without a name is written as a number, which is not read again.
Value write_enumerator(Enumerators const& enumerators, long long value);

template <class T>
class EnumerationType : public Type {
 public:
  std::string name() const override { return list_of_names(enumerators_); }
  void read(void* object, Value const& value, Reading const& reading) const override {
    *static_cast<T*>(object) = static_cast<T>(read_enumerator(*this, enumerators_, value, reading));
  }
  Value write(void const* object) const override {
    return write_enumerator(enumerators_, static_cast<long long>(*static_cast<T const*>(object)));
  }

 private:
  Enumerators enumerators_{enumerator_names<T>.name};
};

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <cmath>
#include <cstddef>
#include <optional>
#include <string_view>
#include <variant>
#include <vector>

#include <tenon/train/config/words.hpp>

namespace tenon::internal::training {

inline void check_range(double x, Value const& value, Reading const& reading) {
  Note const& note = *reading.note;
  if (!note.has_range || (x >= note.low && x <= note.high)) return;
  reading.place.refuse("a number " + range_text(note), words_of(value));
}

/// The text that a value is, or nothing.
inline std::string const* text_in(Value const& value) {
  if (auto const* x = std::get_if<std::string>(&value.data)) return x;
  auto const* plain = std::get_if<Plain>(&value.data);
  return plain ? &plain->text : nullptr;
}

TENON_RUNTIME std::string BoolType::name() const { return "bool"; }
TENON_RUNTIME void BoolType::read(void* object, Value const& value, Reading const& reading) const {
  auto const* known = std::get_if<bool>(&value.data);
  auto const* plain = std::get_if<Plain>(&value.data);
  bool const is_true = plain && plain->text == "true";
  if (!known && !is_true && !(plain && plain->text == "false")) refuse_type(*this, value, reading);
  *static_cast<bool*>(object) = known ? *known : is_true;
}
TENON_RUNTIME Value BoolType::write(void const* object) const {
  return {*static_cast<bool const*>(object)};
}

TENON_RUNTIME std::string StringType::name() const { return "string"; }
TENON_RUNTIME void StringType::read(void* object, Value const& value,
                                    Reading const& reading) const {
  auto const* text = text_in(value);
  if (!text) refuse_type(*this, value, reading);
  *static_cast<std::string*>(object) = *text;
}
TENON_RUNTIME Value StringType::write(void const* object) const {
  return {*static_cast<std::string const*>(object)};
}

TENON_RUNTIME std::string PathType::name() const { return "path"; }
TENON_RUNTIME void PathType::read(void* object, Value const& value, Reading const& reading) const {
  auto const* text = text_in(value);
  if (!text) refuse_type(*this, value, reading);
  *static_cast<std::filesystem::path*>(object) = std::u8string(text->begin(), text->end());
}
TENON_RUNTIME Value PathType::write(void const* object) const {
  auto const text = static_cast<std::filesystem::path const*>(object)->u8string();
  return {std::string(text.begin(), text.end())};
}

/// The integer that a value is. A string is one for integers above those of TOML, which `to_toml`
/// writes as strings.
inline std::optional<Integer> integer_in(Value const& value) {
  if (auto const* x = std::get_if<std::int64_t>(&value.data)) return integer_of(*x);
  if (auto const* x = std::get_if<std::uint64_t>(&value.data)) return Integer{false, *x};
  if (auto const* x = std::get_if<Plain>(&value.data)) return parse_integer(x->text);
  if (auto const* x = std::get_if<std::string>(&value.data)) {
    auto const integer = parse_integer(*x);
    bool const is_large =
        integer && integer->magnitude > (std::numeric_limits<std::int64_t>::max)();
    return is_large ? integer : std::nullopt;
  }
  return {};
}

TENON_RUNTIME Integer read_integer(Type const& type, Integer least, Integer greatest,
                                   Value const& value, Reading const& reading) {
  auto const integer = integer_in(value);
  if (!integer) refuse_type(type, value, reading);
  Integer const& limit = integer->is_negative ? least : greatest;
  if (integer->magnitude > limit.magnitude)
    reading.place.refuse(type.name() + " from " + least.text() + " to " + greatest.text(),
                         integer->text());
  double const size = static_cast<double>(integer->magnitude);
  check_range(integer->is_negative ? -size : size, value, reading);
  return *integer;
}

/// Whether a value in the file is a finite decimal number, before it is rounded.
inline bool is_finite(Value const& value) {
  if (auto const* x = std::get_if<Floating>(&value.data)) return std::isfinite(x->value);
  auto const* x = std::get_if<Plain>(&value.data);
  return x && is_finite_decimal(x->text);
}

/// Whether a value that rounds to zero is zero in the file.
inline bool is_zero(Value const& value) {
  if (auto const* x = std::get_if<Floating>(&value.data)) return x->value == 0;
  auto const* x = std::get_if<Plain>(&value.data);
  return !x || is_zero(x->text);
}

/// The number that a value is; integers are numbers too.
template <class T>
std::optional<T> number_in(Value const& value) {
  if (auto const* x = std::get_if<Floating>(&value.data)) return static_cast<T>(x->value);
  if (auto const* x = std::get_if<Plain>(&value.data)) return parse_floating_as<T>(x->text);
  if (auto const* x = std::get_if<std::int64_t>(&value.data)) return static_cast<T>(*x);
  if (auto const* x = std::get_if<std::uint64_t>(&value.data)) return static_cast<T>(*x);
  return {};
}

[[noreturn, gnu::cold]] inline void refuse_floating(std::string const& expected, Value const& value,
                                                    Reading const& reading) {
  reading.place.refuse(expected, words_of(value));
}

template <class T>
T read_floating(Type const& type, Value const& value, Reading const& reading) {
  using Limits = std::numeric_limits<T>;
  auto const x = number_in<T>(value);
  if (!x && !is_finite(value)) refuse_type(type, value, reading);
  if (!x || (std::isinf(*x) && is_finite(value)))
    refuse_floating(type.name() + ", at most " + shortest_digits((Limits::max)()), value, reading);
  if (*x == 0 && !is_zero(value))
    refuse_floating(type.name() + ", 0 or at least " + shortest_digits(Limits::denorm_min()), value,
                    reading);
  check_range(static_cast<double>(*x), value, reading);
  return *x;
}

TENON_RUNTIME std::string Float32Type::name() const { return "float32"; }
TENON_RUNTIME void Float32Type::read(void* object, Value const& value,
                                     Reading const& reading) const {
  *static_cast<float*>(object) = read_floating<float>(*this, value, reading);
}
TENON_RUNTIME Value Float32Type::write(void const* object) const {
  return {Floating{*static_cast<float const*>(object), true}};
}

TENON_RUNTIME std::string Float64Type::name() const { return "float64"; }
TENON_RUNTIME void Float64Type::read(void* object, Value const& value,
                                     Reading const& reading) const {
  *static_cast<double*>(object) = read_floating<double>(*this, value, reading);
}
TENON_RUNTIME Value Float64Type::write(void const* object) const {
  return {Floating{*static_cast<double const*>(object), false}};
}

TENON_RUNTIME std::string list_of_names(Enumerators const& enumerators) {
  std::string all, last;
  for (std::string_view const name : enumerators.name) {
    if (name.empty()) continue;
    if (!last.empty()) all.append(all.empty() ? "" : ", ").append(last);
    last = std::string("'").append(name).append("'");
  }
  return all.empty() ? last : all + " or " + last;
}

TENON_RUNTIME long long read_enumerator(Type const& type, Enumerators const& enumerators,
                                        Value const& value, Reading const& reading) {
  auto const* text = text_in(value);
  std::vector<std::string> names;
  names.reserve(enumerators.name.size());
  for (std::size_t i = 0; i < enumerators.name.size(); ++i) {
    if (enumerators.name[i].empty()) continue;
    if (text && *text == enumerators.name[i]) return Enumerators::value(i);
    names.emplace_back(enumerators.name[i]);
  }
  reading.place.refuse(type.name(), words_of(value) + (text ? suggestion(*text, names) : ""));
}

TENON_RUNTIME Value write_enumerator(Enumerators const& enumerators, long long value) {
  long long const i = value - least_enumerator;
  bool const is_near = i >= 0 && i < enumerator_count;
  std::string_view const name = is_near ? enumerators.name[static_cast<std::size_t>(i)] : "";
  if (name.empty()) return {std::int64_t{value}};
  return {std::string(name)};
}

}  // namespace tenon::internal::training

#endif
