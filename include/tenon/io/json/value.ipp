#pragma once

#include <algorithm>
#include <locale>
#include <set>
#include <sstream>
#include <utility>

#include <tenon/core/config.hpp>
#include <tenon/core/error.hpp>
#include <tenon/io/file.hpp>
#include <tenon/io/json/value.hpp>
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
