#pragma once

// The fields of a struct as `ConfigField`s.

#include <concepts>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/tree/names.hpp>

#include <tenon/train/config/describe.hpp>
#include <tenon/train/config/field.hpp>
#include <tenon/train/config/types.hpp>

namespace tenon::internal::training {

template <class T>
struct WithoutOptional : std::type_identity<T> {};
template <class T>
struct WithoutOptional<std::optional<T>> : std::type_identity<T> {};

/// Values whose text on the command line is the value.
template <class T>
concept IsText =
    std::same_as<T, std::string> || std::same_as<T, std::filesystem::path> || std::is_enum_v<T>;

template <class T>
std::optional<double> number_of(void const* field) {
  T const& value = *static_cast<T const*>(field);
  if constexpr (std::is_arithmetic_v<T>) return static_cast<double>(value);
  else return value ? std::optional(static_cast<double>(*value)) : std::nullopt;
}

template <ConfigScalar T>
ConfigField make_field(std::string key, T& place) {
  using Value = typename WithoutOptional<T>::type;
  ConfigField field{.key = std::move(key),
                    .type = ConfigType<T>::name(),
                    .takes_text = IsText<Value>,
                    .place = &place};
  field.read = [](void* to, ConfigValue const& value, std::string_view name) {
    ConfigType<T>::read(*static_cast<T*>(to), value, name);
  };
  field.write = [](void const* from, std::string& text) {
    return ConfigType<T>::write(*static_cast<T const*>(from), text);
  };
  if constexpr (std::is_arithmetic_v<Value> && !std::same_as<Value, bool>) {
    field.number = number_of<T>;
  }
  return field;
}

template <class T>
void collect_fields(T& object, std::string const& prefix, std::vector<ConfigField>& all);

template <class T, std::size_t index>
void collect_field(T& object, std::string const& prefix, std::vector<ConfigField>& all) {
  auto& part = std::get<index>(internal::tree::fields(object));
  using Part = std::remove_cvref_t<decltype(part)>;
  std::string key = prefix + std::string(internal::tree::field_name<T, index>.text);
  if constexpr (ConfigScalar<Part>) {
    all.push_back(make_field(std::move(key), part));
  } else {
    static_assert(std::is_aggregate_v<Part> && std::is_class_v<Part>,
                  "tenon::load_config: a field is neither a number, bool, text, path, enum, vector "
                  "or optional of these, nor a struct of such fields");
    collect_fields(part, key + ".", all);
  }
}

/// Attaches a description to the field at its place.
inline void attach(std::vector<ConfigField>& all, void const* place, std::string_view text,
                   FieldNote const& note) {
  for (ConfigField& field : all) {
    if (field.place == place) field.description = text, field.note = note;
  }
}

template <class T>
void collect_fields(T& object, std::string const& prefix, std::vector<ConfigField>& all) {
  [&]<std::size_t... index>(std::index_sequence<index...>) {
    (collect_field<T, index>(object, prefix, all), ...);
  }(std::make_index_sequence<internal::tree::field_count<T>>());
  if constexpr (requires { T::descriptions(); }) {
    std::apply(
        [&](auto const&... one) { (attach(all, &(object.*one.field), one.text, one.note), ...); },
        T::descriptions());
  }
}

template <class T>
std::vector<ConfigField> fields_of(T& config) {
  std::vector<ConfigField> all;
  collect_fields(config, "", all);
  return all;
}

}  // namespace tenon::internal::training
