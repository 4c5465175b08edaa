#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/train/config/describe.hpp>
#include <tenon/train/config/value.hpp>
#include <tenon/train/config/words.hpp>

/// Types of fields without templates: what reads a file, the command line or prints help walks
/// these, so that it is compiled once for all configurations.
namespace tenon::internal::training {

class Type;

/// A field of a struct.
struct Field {
  std::string_view name;
  std::size_t offset;  ///< In bytes.
  Type const* type;
  Note note;
};

/// A value that is read: where it stands, and what is declared about its field.
struct Reading {
  Place place;
  Note const* note;
  std::span<std::string const> known;  ///< The keys of the whole configuration.

  Reading at(std::string key, int line) const {
    return {{place.source, std::move(key), line}, note, known};
  }
  Reading below(std::string_view name, int line) const {
    return at(place.key.empty() ? std::string(name) : place.key + "." + std::string(name), line);
  }
};

enum class Form { scalar, flag, list, optional, record };

/// The type of a field. Addresses are those of an object of that type.
class Type {
 public:
  virtual ~Type() = default;

  /// For messages and help: "int32", "list of float32", "'sgd' or 'adam'".
  virtual std::string name() const = 0;

  virtual Form form() const { return Form::scalar; }

  /// Sets the object to a value of a file; throws `ConfigError` if its type has no such value.
  virtual void read(void* object, Value const& value, Reading const& reading) const = 0;

  virtual Value write(void const* object) const = 0;

  /// The fields of a record.
  virtual std::span<Field const> fields() const { return {}; }

  /// The type of the value of an optional field.
  virtual Type const* element() const { return nullptr; }
};

inline void* part_of(void* object, Field const& field) {
  return static_cast<std::byte*>(object) + field.offset;
}
inline void const* part_of(void const* object, Field const& field) {
  return static_cast<std::byte const*>(object) + field.offset;
}

/// "from 0 to 1"
std::string range_text(Note const& note);

[[noreturn, gnu::cold]] void refuse_type(Type const& type, Value const& value,
                                         Reading const& reading);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <tenon/train/config/number.hpp>

namespace tenon::internal::training {

TENON_RUNTIME std::string range_text(Note const& note) {
  return "from " + shortest_digits(note.low) + " to " + shortest_digits(note.high);
}

TENON_RUNTIME void refuse_type(Type const& type, Value const& value, Reading const& reading) {
  reading.place.refuse(type.name(), words_of(value));
}

}  // namespace tenon::internal::training

#endif
