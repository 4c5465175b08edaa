#pragma once

#include <concepts>
#include <filesystem>
#include <string>
#include <type_traits>

#include <tenon/train/config/containers.hpp>
#include <tenon/train/config/fault.hpp>
#include <tenon/train/config/record.hpp>
#include <tenon/train/config/scalars.hpp>

namespace tenon::internal::training {

template <class T>
consteval auto choose_type() {
  if constexpr (std::same_as<T, bool>) return std::type_identity<BoolType>();
  else if constexpr (std::is_integral_v<T>) return std::type_identity<IntegerType<T>>();
  else if constexpr (std::same_as<T, float>) return std::type_identity<Float32Type>();
  else if constexpr (std::same_as<T, double>) return std::type_identity<Float64Type>();
  else if constexpr (std::is_enum_v<T>) return std::type_identity<EnumerationType<T>>();
  else if constexpr (std::same_as<T, std::string>) return std::type_identity<StringType>();
  else if constexpr (std::same_as<T, std::filesystem::path>) return std::type_identity<PathType>();
  else if constexpr (is_std_vector<T>) return std::type_identity<VectorType<T>>();
  else if constexpr (is_std_array<T>) return std::type_identity<ArrayType<T>>();
  else if constexpr (is_std_optional<T>) return std::type_identity<OptionalType<T>>();
  else return std::type_identity<RecordType<T>>();
}

/// The type of a field, one object for the whole program.
template <class T>
Type const& type_of() {
  static typename decltype(choose_type<T>())::type const type;
  return type;
}

}  // namespace tenon::internal::training
