#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/train/config/type.hpp>
#include <tenon/tree/names.hpp>

namespace tenon::internal::training {

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

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <string_view>
#include <variant>

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
