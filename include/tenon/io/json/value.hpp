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

#include <algorithm>
#include <locale>
#include <set>
#include <sstream>

#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/utf8.hpp>

namespace tenon::json {

using internal::json::Kind;

TENON_RUNTIME Value const* Value::find(std::string_view name) const {
  auto const found = std::ranges::find(members(), name, &Value::key);
  return found == parts_.end() || found->is_null() ? nullptr : &*found;
}

TENON_RUNTIME Value const& Value::at(std::string_view name) const {
  if (Value const* const found = find(name)) return *found;
  std::string const outer = path();
  std::string const path = outer.empty() ? std::string(name) : outer + "." + std::string(name);
  internal::fail<FileError>({"load", path, "a value", "none", file()});
}

TENON_RUNTIME std::vector<Value> const& Value::elements() const {
  require(Kind::array, "an array");
  return parts_;
}

TENON_RUNTIME std::vector<Value> const& Value::members() const {
  require(Kind::object, "an object");
  return parts_;
}

TENON_RUNTIME bool Value::boolean() const {
  require(Kind::boolean, "true or false");
  return text_ == "true";
}

TENON_RUNTIME std::string const& Value::string() const {
  require(Kind::string, "a string");
  return text_;
}

TENON_RUNTIME double Value::number() const {
  require(Kind::number, "a number");
  std::istringstream stream(text_);  // libc++ before 20 has no std::from_chars of double
  stream.imbue(std::locale::classic());
  double value = 0;
  if (!(stream >> value)) refuse("a number in the range of double");
  return value;
}

TENON_RUNTIME std::int64_t Value::integer(std::int64_t least, std::int64_t most) const {
  require(Kind::number, "a whole number");
  std::istringstream stream(text_);
  stream.imbue(std::locale::classic());
  std::int64_t value = 0;
  bool const is_whole = text_.find_first_of(".eE") == text_.npos;
  if (!is_whole || !(stream >> value)) refuse("a whole number of 64 bits");
  if (value < least || value > most)
    refuse("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
  return value;
}

TENON_RUNTIME std::string Value::path() const {
  std::string path = key_;
  for (auto const* outer = outer_.get(); outer->outer; outer = outer->outer.get())
    path.insert(0, outer->key + ".");
  return path;
}

TENON_RUNTIME std::string const& Value::file() const {
  auto const* outer = outer_.get();
  while (outer->outer) outer = outer->outer.get();
  return outer->key;
}

TENON_RUNTIME void Value::require(Kind kind, std::string const& expected) const {
  if (kind_ != kind) refuse(expected);
}

TENON_RUNTIME void Value::refuse(std::string const& expected) const { refuse(expected, shown()); }

TENON_RUNTIME void Value::refuse(std::string const& expected, std::string const& got) const {
  internal::fail<FileError>({"load", path(), expected, internal::escaped(got), file()});
}

TENON_RUNTIME std::string Value::shown() const {
  if (kind_ == Kind::array) return "an array";
  if (kind_ == Kind::object) return "an object";
  std::size_t end = std::min<std::size_t>(text_.size(), 200);
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xc0u) == 0x80u) ++end;
  std::string const part = text_.substr(0, end) + (end < text_.size() ? "..." : "");
  return kind_ == Kind::string ? "\"" + part + "\"" : part;
}

}  // namespace tenon::json

namespace tenon::internal::json {

TENON_RUNTIME tenon::json::Value Parser::read(std::string key, Around const& outer) {
  Value value;
  value.key_ = std::move(key);
  value.outer_ = outer;
  if (++depth_ > 64) reader_.refuse("at most 64 nested values", "more");
  char const first = reader_.next_character();
  if (first == '{') read_object(value);
  else if (first == '[') read_array(value);
  else read_scalar(value, first);
  --depth_;
  return value;
}

TENON_RUNTIME void Parser::read_scalar(Value& value, char first) {
  if (first == '"') {
    value.kind_ = Kind::string;
    value.text_ = reader_.string();
  } else if (first == 't' || first == 'f' || first == 'n') {
    value.kind_ = first == 'n' ? Kind::null : Kind::boolean;
    value.text_ = first == 't' ? "true" : first == 'f' ? "false" : "null";
    reader_.literal(value.text_);
  } else if (first == '-' || (first >= '0' && first <= '9')) {
    value.kind_ = Kind::number;
    value.text_ = reader_.number_text();
  } else {
    reader_.refuse("a value");
  }
}

/// The outermost value has no key: around its parts is the file.
TENON_RUNTIME Parser::Around Parser::around_parts(Value const& value) const {
  if (value.outer_ == file_ && value.key_.empty()) return file_;
  return std::make_shared<Outer const>(Outer{value.key_, value.outer_});
}

TENON_RUNTIME void Parser::read_array(Value& value) {
  value.kind_ = Kind::array;
  Around const outer = around_parts(value);
  reader_.array([&] { value.parts_.push_back(read(std::to_string(value.parts_.size()), outer)); });
}

TENON_RUNTIME void Parser::read_object(Value& value) {
  value.kind_ = Kind::object;
  std::set<std::string> names;
  Around const outer = around_parts(value);
  reader_.object([&](std::string const& name) {
    if (!names.insert(name).second) reader_.refuse("every name once", "'" + name + "' again");
    value.parts_.push_back(read(name, outer));
  });
}

TENON_RUNTIME void check_utf8(std::string_view text, std::string_view where) {
  if (is_utf8(text)) return;
  std::string const at = std::string(where) + ", byte " + std::to_string(utf8_end(text));
  fail<FileError>({"load", {}, "a text of UTF-8", "other bytes", at});
}

}  // namespace tenon::internal::json

namespace tenon::internal {

TENON_RUNTIME tenon::json::Value load_json(std::filesystem::path const& path) {
  std::string const text = InputFile(path).text(), where = path.string();
  json::check_utf8(text, where);
  json::Reader reader(text, where, "file");
  tenon::json::Value value = json::Parser(reader, where).read();
  reader.end();
  return value;
}

}  // namespace tenon::internal

#endif
