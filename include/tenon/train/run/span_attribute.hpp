#pragma once

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <variant>

#include <tenon/core/config.hpp>

namespace tenon::training {

/// The value of an attribute of a span: a number, a `bool` or a text (which must outlive the call).
class SpanValue {
 public:
  template <std::integral T>
  SpanValue(T value) : value_(static_cast<long long>(value)) {}
  SpanValue(bool value) : value_(value) {}
  SpanValue(double value) : value_(value) {}
  SpanValue(std::string_view value) : value_(value) {}
  SpanValue(std::string const& value) : value_(std::string_view(value)) {}
  SpanValue(char const* value) : value_(std::string_view(value)) {}

  /// In the JSON of OTLP: `"intValue": "3"`. (Protobuf's JSON has integers of 64 bits as strings.)
  std::string json() const;

 private:
  std::variant<bool, long long, double, std::string_view> value_;
};

/// A name, and a value: `{"epoch", 3}`.
struct SpanAttribute {
  std::string_view name;
  SpanValue value;
};

/// The attributes with which a span begins: `{{"epoch", 3}, {"split", "train"}}`.
using SpanAttributes = std::initializer_list<SpanAttribute>;

}  // namespace tenon::training

namespace tenon::internal::training {

/// Appends `{"key": "epoch", "value": {"intValue": "3"}}`.
void append_json(std::string& all, tenon::training::SpanAttribute const& attribute);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <cmath>

#include <tenon/train/run/json_text.hpp>

namespace tenon::internal::training {

/// Protobuf's JSON has "NaN", "Infinity" and "-Infinity".
inline std::string double_json(double value) {
  if (std::isnan(value)) return "\"NaN\"";
  if (std::isinf(value)) return value < 0 ? "\"-Infinity\"" : "\"Infinity\"";
  return json_number(value);
}

TENON_RUNTIME void append_json(std::string& all, tenon::training::SpanAttribute const& attribute) {
  if (!all.empty()) all += ", ";
  all.append("{\"key\": ").append(json_string(attribute.name));
  all.append(", \"value\": {").append(attribute.value.json()).append("}}");
}

}  // namespace tenon::internal::training

namespace tenon::training {

TENON_RUNTIME std::string SpanValue::json() const {
  using namespace internal::training;
  if (auto const* whole = std::get_if<long long>(&value_))
    return "\"intValue\": \"" + std::to_string(*whole) + "\"";
  if (auto const* number = std::get_if<double>(&value_))
    return "\"doubleValue\": " + double_json(*number);
  if (auto const* text = std::get_if<std::string_view>(&value_))
    return "\"stringValue\": " + json_string(*text);
  return std::string("\"boolValue\": ") + (std::get<bool>(value_) ? "true" : "false");
}

}  // namespace tenon::training

#endif
