#pragma once

// Malformed files, each with the expected message.

#include <string>
#include <string_view>

#include "message.hpp"

struct Malformed {
  std::string bytes;
  std::string_view words;
};

inline std::string times(int count, std::string const& text) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

/// Graphs in attributes of nodes of graphs.
inline std::string nested_graphs(int depth) {
  std::string content;
  for (int i = 0; i < depth; ++i) content = bytes(1, bytes(5, bytes(6, content)));
  return graph(content);
}

inline std::uint64_t const minus_one = ~std::uint64_t{0};

inline Malformed const not_protobuf[] = {
    {"", "expected a model of ONNX, with a graph, got none"},
    {integer(1, 8), "expected a model of ONNX, with a graph, got none"},
    {"\x08", "expected a varint, got the end of the message"},
    {"\x80", "expected a varint, got the end of the message"},
    {"\x08\xff\xff", "expected a varint, got the end of the message"},
    {"\x08" + times(10, "\x80") + "\x01", "expected a varint of 64 bits, got a longer one"},
    {"\x08" + times(9, "\xff") + "\x02", "expected a varint of 64 bits, got a longer one"},
    {times(12, "\xff"), "expected a varint of 64 bits, got a longer one"},
    {integer(0, 1), "expected a number of a field below 2^29, got 0"},
    {integer(1u << 29, 1), "expected a number of a field below 2^29, got 536870912"},
    {tag(1, 3) + tag(1, 4), "expected a wire type 0, 1, 2 or 5, got 3"},
    {tag(1000, 4), "expected a wire type 0, 1, 2 or 5, got 4"},
    {tag(7, 6), "expected a wire type 0, 1, 2 or 5, got 6"},
    {tag(7, 7), "expected a wire type 0, 1, 2 or 5, got 7"},
    {"\x3a\x05"
     "ab",
     "expected 5 bytes, got 2 bytes to the end of the message"},
    {"\x3a\x01", "expected 1 bytes, got 0 bytes to the end of the message"},
    {tag(7, 2) + varint(std::uint64_t{1} << 63) + "ab",
     "expected 9223372036854775808 bytes, got 2 bytes to the end of the message"},
    {tag(7, 2) + varint(minus_one),
     "expected 18446744073709551615 bytes, got 0 bytes to the end of the message"},
    {tag(100, 1) + "1234567", "expected 8 bytes, got 7 bytes to the end of the message"},
    {tag(100, 5) + "123", "expected 4 bytes, got 3 bytes to the end of the message"},
    {graph(tag(1, 2) + varint(2) + "a") + bytes(2, "tenon"),
     "expected 2 bytes, got 1 bytes to the end of the message"},
    {nested_graphs(40), "expected messages nested at most 100 deep, got more"},
    {nested_graphs(10000), "expected messages nested at most 100 deep, got more"},
};

inline Malformed const of_wrong_wire_type[] = {
    {bytes(1, "8"), "expected field 1 as a varint, got bytes"},
    {integer(7, 1), "expected field 7 as bytes, got a varint"},
    {integer(2, 1), "expected field 2 as bytes, got a varint"},
    {fixed64(8, 1), "expected field 8 as bytes, got 8 bytes"},
    {graph(fixed32(1, 1)), "expected field 1 as bytes, got 4 bytes"},
    {tensor(1, fixed64(1, 1)), "expected field 1 as bytes, got 8 bytes"},
    {tensor(1, integer(9, 1)), "expected field 9 as bytes, got a varint"},
    {graph(bytes(5, bytes(2, "1"))), "expected field 2 as a varint, got bytes"},
    {tensor(1, integer(1, 1) + bytes(4, "abc")),
     "expected 4 bytes, got 3 bytes to the end of the message"},
    {tensor(1, integer(1, 1) + integer(4, 1)), "expected field 4 as bytes, got a varint"},
    {tensor(6, integer(1, 1) + fixed32(5, 1)), "expected field 5 as bytes, got 4 bytes"},
    {tensor(11, integer(1, 1) + fixed32(10, 1)), "expected field 10 as bytes, got 4 bytes"},
    {tensor(7, integer(1, 1) + bytes(7, "\x80")), "expected a varint, got the end of the message"},
    {attribute(integer(2, 1)), "expected field 2 as 4 bytes, got a varint"},
    {bytes(2, "\xff"), "expected a text of UTF-8, got other bytes"},
    {graph(bytes(5, integer(2, 1) + bytes(8, "\xc3"))),
     "expected a text of UTF-8, got other bytes"},
};

inline Malformed const of_wrong_contents[] = {
    {graph(tensor_fields(1, bytes(9, "1234")) + tensor_fields(1, bytes(9, "1234"))),
     "'w': expected initialisers of different names, got this name again"},
    {attribute(bytes(6, tensor_fields(2, bytes(9, "1")) + tensor_fields(3, bytes(9, "1")))),
     "'w': expected initialisers of different names, got this name again"},
    {property(14, "a", "1") + property(14, "a", "2"),
     "'a': expected metadata of different names, got this name again"},
    {attribute(fixed32(2, 0) + integer(3, 1)), "expected an attribute of INT, got FLOAT"},
    {attribute(integer(8, 1) + fixed32(7, 1)), "expected an attribute of FLOATS, got INTS"},
    {attribute(fixed32(2, 0) + integer(20, 2)), "expected an attribute of INT, got FLOAT"},
    {attribute(fixed32(2, 0) + integer(20, 99)), "expected an attribute of type 99, got FLOAT"},
    {attribute(integer(20, 4)), "expected an attribute of TENSOR, got no value"},
    {attribute(integer(20, 5)), "expected an attribute of GRAPH, got no value"},
};
