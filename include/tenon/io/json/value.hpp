#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/core/config.hpp>
#include <tenon/io/json.hpp>

namespace tenon::internal::json {

class Parser;

/// What is around a value: an array or an object of that key, or the file. All values in it share
/// it, so that a document takes memory in proportion to its length.
struct Outer {
  std::string key;
  std::shared_ptr<Outer const> outer;  // null for the file, whose key is its name
};

/// The kinds of JSON values.
enum class Kind { null, boolean, number, string, array, object };

}  // namespace tenon::internal::json

namespace tenon::json {

/// A value of a JSON document (RFC 8259). Whatever is not as asked for throws `FileError` with the
/// path of the value in the document: `tenon::load: 'rope_scaling.factor': expected a number, got
/// "8" (config.json)`. Python: what `json.load` returns.
class Value {
 public:
  /// The name of a member of an object.
  std::string_view key() const { return key_; }

  bool is_null() const { return kind_ == internal::json::Kind::null; }
  bool is_number() const { return kind_ == internal::json::Kind::number; }
  bool is_string() const { return kind_ == internal::json::Kind::string; }
  bool is_array() const { return kind_ == internal::json::Kind::array; }

  /// The member of that name; null where there is none, or where it is `null`.
  Value const* find(std::string_view name) const;

  /// The same, which must be there.
  Value const& at(std::string_view name) const;

  /// The elements of an array.
  std::vector<Value> const& elements() const;

  /// The members of an object, in the order of the file.
  std::vector<Value> const& members() const;

  bool boolean() const;
  double number() const;
  std::string const& string() const;

  /// A whole number, within bounds.
  std::int64_t integer(std::int64_t least = (std::numeric_limits<std::int64_t>::min)(),
                       std::int64_t most = (std::numeric_limits<std::int64_t>::max)()) const;

  /// Throws `FileError`: not what is expected here.
  [[noreturn]] void refuse(std::string const& expected) const;

 private:
  friend class internal::json::Parser;

  std::string path() const;
  std::string const& file() const;
  void require(internal::json::Kind kind, std::string const& expected) const;
  [[noreturn]] void refuse(std::string const& expected, std::string const& got) const;
  std::string shown() const;

  internal::json::Kind kind_ = internal::json::Kind::null;
  std::string text_{};  // of a scalar
  std::vector<Value> parts_{};
  std::string key_{};
  std::shared_ptr<internal::json::Outer const> outer_{};
};

}  // namespace tenon::json

namespace tenon::internal::json {

/// Reads the values of a document: at most 64 nested, every name of an object once.
class Parser {
 public:
  explicit Parser(Reader& reader, std::string_view where)
      : reader_(reader), file_(new Outer{std::string(where), nullptr}) {}

  /// The next value; the key is its path in the file.
  tenon::json::Value read(std::string key = {}) { return read(std::move(key), file_); }

 private:
  using Value = tenon::json::Value;
  using Around = std::shared_ptr<Outer const>;

  Value read(std::string key, Around const& outer);
  Around around_parts(Value const& value) const;

  void read_scalar(Value& value, char first);
  void read_array(Value& value);
  void read_object(Value& value);

  Reader& reader_;
  Around file_;
  int depth_ = 0;
};

/// Throws `FileError` unless a text is UTF-8.
void check_utf8(std::string_view text, std::string_view where);

}  // namespace tenon::internal::json

namespace tenon::internal {

/// Reads a JSON file. Throws `FileError`, also for a name that an object has twice, and values
/// nested deeper than 64. Python: `json.load`.
tenon::json::Value load_json(std::filesystem::path const& path);

}  // namespace tenon::internal

namespace tenon {

using internal::load_json;

}  // namespace tenon

#if TENON_DEFINES_RUNTIME
#include <tenon/io/json/value.ipp>
#endif
