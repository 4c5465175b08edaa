#pragma once

// Malformed headers, each with the size of its data and the expected message.

#include <cstddef>
#include <string>
#include <string_view>

struct Malformed {
  std::string header;
  std::size_t data_bytes;
  std::string_view words;
};

inline std::string entry(std::string const& dtype, std::string const& shape,
                         std::string const& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
inline std::string one(std::string const& dtype, std::string const& shape,
                       std::string const& offsets) {
  return "{\"a\":" + entry(dtype, shape, offsets) + "}";
}
inline std::string two(std::string const& first, std::string const& second) {
  return "{\"a\":" + entry("U8", "[4]", first) + ",\"b\":" + entry("U8", "[4]", second) + "}";
}
inline std::string repeated(std::string const& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

inline Malformed const not_json[] = {
    {"", 0, "expected '{', got the end of the header"},
    {"   ", 0, "expected '{', got the end of the header"},
    {"x", 0, "expected '{', got 'x'"},
    {"\x01", 0, "expected '{', got the control character 1"},
    {"[]", 0, "expected '{', got '['"},
    {"null", 0, "expected '{', got 'n'"},
    {"{", 0, "expected a string, got the end of the header"},
    {"{}}", 0, "expected nothing more, got '}'"},
    {"{} {}", 0, "expected nothing more, got '{'"},
    {std::string("{}\0", 3), 0, "expected nothing more, got the control character 0"},
    {"{a:1}", 0, "expected a string, got 'a'"},
    {"{1:1}", 0, "expected a string, got '1'"},
    {"{\"a\" {}}", 0, "expected ':', got '{'"},
    {"{\"a", 0, "expected the end of a string, got the end of the header"},
    {"{\"a\\", 0, "expected an escape of JSON, got the end of the header"},
    {"{\"a\n\":1}", 0,
     "expected a string without control characters, got the control character 10"},
    {"{\"\\x41\":1}", 0, "expected an escape of JSON, got 'x'"},
    {"{\"\\u00g1\":1}", 0, "expected four hexadecimal digits, got 'g'"},
    {"{\"\\u12", 0, "expected four hexadecimal digits, got the end of the header"},
    {"{\"\\udc00\":1}", 0, "expected the two halves of a surrogate pair, got '\"'"},
    {"{\"\\ud800\":1}", 0, "expected the two halves of a surrogate pair, got '\"'"},
    {"{\"\\ud800\\u0041\":1}", 0, "expected the second half of a surrogate pair, got '\"'"},
    {one("U8", "[1]", "[0,1]") + "x", 1, "expected nothing more, got 'x'"},
    {"{\"a\":" + entry("U8", "[1]", "[0,1]") + ",}", 1, "expected a string, got '}'"},
    {"{\"a\":" + entry("U8", "[1]", "[0,1]"), 1, "expected ',' or '}', got the end of the header"},
};

inline Malformed const no_entries[] = {
    {"{\"a\":1}", 0, "expected '{', got '1'"},
    {"{\"a\":null}", 0, "expected '{', got 'n'"},
    {"{\"a\":" + repeated("[", 100000), 0, "expected '{', got '['"},
    {repeated("{\"a\":", 100000), 0, "expected dtype, shape or data_offsets, got 'a'"},
    {"{\"a\":{}}", 0, "expected a dtype, got none"},
    {"{\"a\":{\"dtype\":\"U8\"}}", 0, "expected a shape, got none"},
    {"{\"a\":{\"dtype\":\"U8\",\"shape\":[1]}}", 1, "expected data_offsets, got none"},
    {"{\"a\":{\"dtype\":\"U8\",\"dtype\":\"U8\"}}", 0,
     "expected every name once, got 'dtype' again"},
    {"{\"a\":{\"size\":1}}", 0, "expected dtype, shape or data_offsets, got 'size'"},
    {one("U7", "[1]", "[0,1]"), 1, "expected a dtype of safetensors, got 'U7'"},
    {one("", "[1]", "[0,1]"), 1, "expected a dtype of safetensors, got ''"},
    {"{\"a\":{\"dtype\":8}}", 0, "expected a string, got '8'"},
    {one("U8", "1", "[0,1]"), 1, "expected '[', got '1'"},
    {one("U8", "[-1]", "[0,1]"), 1, "expected a whole number, got '-'"},
    {one("U8", "[1.0]", "[0,1]"), 1, "expected a whole number, got '.'"},
    {one("U8", "[1e0]", "[0,1]"), 1, "expected a whole number, got 'e'"},
    {one("U8", "[\"1\"]", "[0,1]"), 1, "expected a whole number, got '\"'"},
    {one("U8", "[01]", "[0,1]"), 1, "expected a number without leading zeros, got 01"},
    {one("U8", "[1,]", "[0,1]"), 1, "expected a whole number, got ']'"},
    {one("U8", "[1 1]", "[0,1]"), 1, "expected ',' or ']', got '1'"},
    {one("U8", "[1", "[0,1]"), 1, "expected a whole number, got '\"'"},
    {one("U8", "[9223372036854775808]", "[0,1]"), 1,
     "expected a number below 2^63, got 9223372036854775808"},
    {one("U8", "[99999999999999999999999999]", "[0,1]"), 1,
     "expected a number below 2^63, got 99999999999999999999999999"},
    {one("U8", "[9223372036854775807]", "[0,1]"), 1,
     "expected a size of at most 2^53, got 9223372036854775807"},
    {one("U8", "[0,9223372036854775807]", "[0,0]"), 0,
     "expected a size of at most 2^53, got 9223372036854775807"},
    {one("U8", "[" + repeated("1,", 64) + "1]", "[0,1]"), 1, "expected at most 64 axes, got more"},
    {one("U8", "[1]", "[0]"), 1, "expected ',', got ']'"},
    {one("U8", "[1]", "[0,1,2]"), 1, "expected ']', got ','"},
    {one("U8", "[1]", "[-1,0]"), 1, "expected a whole number, got '-'"},
    {one("U8", "[1]", "{}"), 1, "expected '[', got '{'"},
    {"{\"__metadata__\":[]}", 0, "expected '{', got '['"},
    {"{\"__metadata__\":{\"a\":1}}", 0, "expected a string, got '1'"},
    {"{\"__metadata__\":" + entry("U8", "[1]", "[0,1]") + "}", 1, "expected a string, got '['"},
    {"{\"__metadata__\":{\"a\":\"\",\"a\":\"\"}}", 0, "expected every name once, got 'a' again"},
    {"{\"__metadata__\":{},\"__metadata__\":{}}", 0,
     "expected every name once, got '__metadata__' again"},
    {"{\"a\":" + entry("U8", "[1]", "[0,1]") + ",\"\\u0061\":" + entry("U8", "[1]", "[1,2]") + "}",
     2, "expected every name once, got 'a' again"},
};

inline Malformed const not_laid_out[] = {
    {"{}", 1, "expected 0 bytes of data, as the header says, got 1 bytes"},
    {one("U8", "[4]", "[0,4]"), 5, "expected 4 bytes of data, as the header says, got 5 bytes"},
    {one("U8", "[4]", "[0,4]"), 3, "'a': expected offsets up to 3, got 0..4"},
    {one("U8", "[4]", "[0,4]"), 0, "'a': expected offsets up to 0, got 0..4"},
    {one("U8", "[4]", "[1,5]"), 5, "'a': expected offsets from 0, got 1..5"},
    {one("U8", "[4]", "[4,0]"), 4, "'a': expected offsets in order, got 4..0"},
    {one("U8", "[4]", "[0,9223372036854775807]"), 4,
     "'a': expected offsets up to 4, got 0..9223372036854775807"},
    {one("F32", "[4]", "[0,4]"), 4, "'a': expected 16 bytes for its shape, got 4 bytes"},
    {one("U8", "[]", "[0,0]"), 0, "'a': expected 1 bytes for its shape, got 0 bytes"},
    {one("U8", "[0]", "[0,1]"), 1, "'a': expected 0 bytes for its shape, got 1 bytes"},
    {one("F64", "[9007199254740992,9007199254740992]", "[0,8]"), 8,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {one("U8", "[4294967296,4294967296,1]", "[0,0]"), 0,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {one("U8", "[0,4294967296,4294967296]", "[0,0]"), 0,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {one("F4", "[3]", "[0,1]"), 1,
     "'a': expected a shape of whole bytes, less than 2^60 of them, got another"},
    {two("[0,4]", "[5,9]"), 9, "'b': expected offsets from 4, got 5..9"},
    {two("[0,4]", "[3,7]"), 7, "'b': expected offsets from 4, got 3..7"},
    {two("[0,4]", "[0,4]"), 4, "'b': expected offsets from 4, got 0..4"},
    {two("[4,8]", "[5,9]"), 9, "'a': expected offsets from 0, got 4..8"},
};
