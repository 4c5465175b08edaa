// Any bytes as a JSON document: a value, which is the same after it is written and read again, or a
// FileError.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/io/json/value.hpp>
#include <tenon/tenon.hpp>

namespace {

using tenon::json::Value;
namespace json = tenon::internal::json;

Value read(std::string_view text) {
  json::check_utf8(text, "fuzz");
  json::Reader reader(text, "fuzz", "document");
  Value value = json::Parser(reader, "fuzz").read();
  reader.end();
  return value;
}

std::string written(Value const& value);

/// The parts of an array or an object, in `open` and `close`.
template <class Part>
std::string joined(char open, char close, std::vector<Value> const& parts, Part const& part) {
  std::string text(1, open);
  for (Value const& one : parts) text += (text.size() > 1 ? "," : "") + part(one);
  return text + close;
}

template <class Get>
bool has(Get const& get) {
  try {
    return get(), true;
  } catch (tenon::FileError const&) {
    return false;
  }
}

std::string scalar(Value const& value) {
  if (value.is_null()) return "null";
  if (value.is_string()) return json::quoted(value.string());
  if (has([&] { return value.boolean(); })) return value.boolean() ? "true" : "false";
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.17g", value.number());
  return text.data();
}

std::string written(Value const& value) {
  if (value.is_array()) return joined('[', ']', value.elements(), written);
  if (!has([&] { return value.members().size(); })) return scalar(value);
  return joined('{', '}', value.members(), [&](Value const& member) {
    if (Value const* const found = value.find(member.key()); found && found != &member)
      std::abort();
    return json::quoted(member.key()) + ":" + written(member);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  std::string text;
  try {
    text = written(read({reinterpret_cast<char const*>(data), bytes}));
  } catch (tenon::FileError const&) {
    return 0;  // the one error that a document may cause
  }
  if (written(read(text)) != text) std::abort();
  return 0;
}
