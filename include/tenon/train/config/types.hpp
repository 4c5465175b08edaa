#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/config/fault.hpp>
#include <tenon/train/config/scalars.hpp>
#include <tenon/train/config/type.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::internal::training {

/// Defined for every type of a field by types.hpp.
template <class T>
Type const& type_of();

/// Reads elements into an object that `add` appends to. Elements have the note of their list.
template <class T>
T read_element(Value const& value, Reading const& reading, std::size_t i) {
  T element{};
  type_of<T>().read(&element, value, reading.below(std::to_string(i), value.line));
  return element;
}

template <class T>
class VectorType : public Type {
 public:
  using Element = typename T::value_type;

  std::string name() const override { return "list of " + type_of<Element>().name(); }
  Form form() const override { return Form::list; }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* list = std::get_if<Value::List>(&value.data);
    if (!list) refuse_type(*this, value, reading);
    T all;
    all.reserve(list->size());
    for (std::size_t i = 0; i < list->size(); ++i)
      all.push_back(read_element<Element>((*list)[i], reading, i));
    *static_cast<T*>(object) = std::move(all);
  }
  Value write(void const* object) const override {
    Value::List list;
    for (Element const& element : *static_cast<T const*>(object))
      list.push_back(type_of<Element>().write(&element));
    return {std::move(list)};
  }
};

template <class T>
class ArrayType : public Type {
 public:
  using Element = typename T::value_type;

  std::string name() const override {
    return "list of " + std::to_string(std::tuple_size_v<T>) + " " + type_of<Element>().name();
  }
  Form form() const override { return Form::list; }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* list = std::get_if<Value::List>(&value.data);
    if (!list || list->size() != std::tuple_size_v<T>) refuse_type(*this, value, reading);
    for (std::size_t i = 0; i < list->size(); ++i)
      (*static_cast<T*>(object))[i] = read_element<Element>((*list)[i], reading, i);
  }
  Value write(void const* object) const override {
    Value::List list;
    list.reserve(std::tuple_size_v<T>);
    for (Element const& element : *static_cast<T const*>(object))
      list.push_back(type_of<Element>().write(&element));
    return {std::move(list)};
  }
};

/// Without a value: `[]` in TOML, which has no null; also `null` in YAML.
template <class T>
class OptionalType : public Type {
 public:
  using Element = typename T::value_type;

  std::string name() const override { return type_of<Element>().name(); }
  Form form() const override { return Form::optional; }
  Type const* element() const override { return &type_of<Element>(); }
  void read(void* object, Value const& value, Reading const& reading) const override {
    auto const* list = std::get_if<Value::List>(&value.data);
    if ((list && list->empty()) || std::holds_alternative<Null>(value.data)) {
      static_cast<T*>(object)->reset();
      return;
    }
    Element element{};
    type_of<Element>().read(&element, value, reading);
    *static_cast<T*>(object) = std::move(element);
  }
  Value write(void const* object) const override {
    auto const& optional = *static_cast<T const*>(object);
    return optional ? type_of<Element>().write(&*optional) : Value{Value::List()};
  }
};

/// Reads the entries of a table; fields without an entry keep their values.
void read_record(Type const& type, void* object, Value const& value, Reading const& reading);

Value write_record(std::span<Field const> fields, void const* object);

template <class T>
Type const& type_of();

template <class T, std::size_t i, class Part>
Field describe_field(T const& object, Part const& part) {
  auto const* const begin = reinterpret_cast<std::byte const*>(&object);
  auto const* const at = reinterpret_cast<std::byte const*>(&part);
  Field field{tree::field_name<T, i>, static_cast<std::size_t>(at - begin), &type_of<Part>(), {}};
  if constexpr (Described<T>) with_note(object, &part, [&](Note const& n) { field.note = n; });
  return field;
}

template <class T>
std::vector<Field> describe_fields() {
  T const object{};
  auto parts = tree::fields(object);
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return std::vector<Field>{describe_field<T, i>(object, tree::part_at<i>(parts))...};
  }(std::make_index_sequence<tree::part_count<decltype(parts)>>());
}

/// A plain struct.
template <class T>
class RecordType : public Type {
 public:
  std::string name() const override { return "table"; }
  Form form() const override { return Form::record; }
  std::span<Field const> fields() const override { return fields_; }
  void read(void* object, Value const& value, Reading const& reading) const override {
    read_record(*this, object, value, reading);
  }
  Value write(void const* object) const override { return write_record(fields_, object); }

 private:
  std::vector<Field> fields_ = describe_fields<T>();
};

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

#if TENON_DEFINES_RUNTIME

#include <string_view>

#include <tenon/train/config/words.hpp>

namespace tenon::internal::training {

[[noreturn, gnu::cold]] inline void refuse_key(std::span<Field const> fields,
                                               Reading const& reading, Reading const& unknown) {
  std::vector<std::string> known(reading.known.begin(), reading.known.end());
  for (Field const& field : fields) known.push_back(reading.below(field.name, 0).place.key);
  unknown.place.refuse("a known key", "none of that name" + suggestion(unknown.place.key, known));
}

inline Field const* find_field(std::span<Field const> fields, std::string_view name) {
  for (Field const& field : fields)
    if (field.name == name) return &field;
  return nullptr;
}

TENON_RUNTIME void read_record(Type const& type, void* object, Value const& value,
                               Reading const& reading) {
  auto const* table = std::get_if<Value::Table>(&value.data);
  if (!table) refuse_type(type, value, reading);
  for (Entry const& entry : *table) {
    Reading below = reading.below(entry.key, entry.value.line);
    Field const* const field = find_field(type.fields(), entry.key);
    if (!field) refuse_key(type.fields(), reading, below);
    below.note = &field->note;
    field->type->read(part_of(object, *field), entry.value, below);
  }
}

inline std::string comment_of(Note const& note) {
  std::string text(note.description);
  if (note.has_range) text += (text.empty() ? "" : ", ") + range_text(note);
  return text;
}

TENON_RUNTIME Value write_record(std::span<Field const> fields, void const* object) {
  Value::Table table;
  table.reserve(fields.size());
  for (Field const& field : fields)
    table.push_back({std::string(field.name), field.type->write(part_of(object, field)),
                     comment_of(field.note)});
  return {std::move(table)};
}

}  // namespace tenon::internal::training

#endif
