#pragma once

// Malformed npy files, each with the expected message.

#include <cstddef>
#include <string>
#include <string_view>

struct MalformedNpy {
  std::string bytes;
  std::string_view words;
};

/// A file of a version with a header, without alignment.
inline std::string npy_file(std::string const& header, std::string const& elements = {},
                            char version = 1) {
  std::string file = std::string("\x93NUMPY") + version + '\0';
  for (int i = 0; i < (version == 1 ? 16 : 32); i += 8)
    file += static_cast<char>(header.size() >> i & 255u);
  return file + header + elements;
}

inline std::string dictionary(std::string const& descr, std::string const& shape,
                              std::string const& order = "False") {
  return "{'descr': " + descr + ", 'fortran_order': " + order + ", 'shape': " + shape + ", }";
}

/// A file of uint8 elements.
inline std::string npy_of(std::string const& shape, std::string const& elements = {}) {
  return npy_file(dictionary("'|u1'", shape), elements);
}

inline std::string copies_of(std::string const& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

inline MalformedNpy const no_npy_files[] = {
    {"", "expected an npy file, of at least 10 bytes, got 0 bytes"},
    {"\x93NUMPY\x01", "expected an npy file, of at least 10 bytes, got 7 bytes"},
    {std::string("PK\x03\x04", 4) + "123456",
     "expected an npy file, got an npz file, which "
     "npz::load reads"},
    {"\x93NUMPX1234", "expected an npy file, got another"},
    {"NUMPY 1 2 3 4", "expected an npy file, got another"},
    {"GIF89a12345678", "expected an npy file, got another"},
    {std::string("\x93NUMPY\0\0\0\0", 10),
     "expected version 1.0, 2.0 or 3.0 of the npy format, "
     "got 0.0"},
    {std::string("\x93NUMPY\x01\x01\0\0", 10),
     "expected version 1.0, 2.0 or 3.0 of the npy format, "
     "got 1.1"},
    {std::string("\x93NUMPY\x04\0\0\0", 10),
     "expected version 1.0, 2.0 or 3.0 of the npy format, "
     "got 4.0"},
    {std::string("\x93NUMPY\xff\xff\0\0", 10),
     "expected version 1.0, 2.0 or 3.0 of the npy "
     "format, got 255.255"},
    {std::string("\x93NUMPY\x02\0\0\0", 10),
     "expected the length of the header, got the end of the "
     "file"},
    {std::string("\x93NUMPY\x01\0\x05\0{}", 12),
     "expected a header of at most 2 bytes, the rest of the file, got 5 bytes"},
    {std::string("\x93NUMPY\x01\0\xff\xff{}", 12),
     "expected a header of at most 2 bytes, the rest of the file, got 65535 bytes"},
    {std::string("\x93NUMPY\x02\0\xff\xff\xff\xff{}", 14),
     "expected a header of at most 2 bytes, the rest of the file, got 4294967295 bytes"},
    {std::string("\x93NUMPY\x03\0\0\0\0\x80", 12),
     "expected a header of at most 0 bytes, the rest of the file, got 2147483648 bytes"},
    {npy_file(std::string(10001, ' ')),
     "expected a header of at most 10000 bytes, got 10001 bytes"},
    {npy_file(std::string(70000, ' '), "", 2),
     "expected a header of at most 10000 bytes, got 70000 bytes"},
};

inline MalformedNpy const no_npy_headers[] = {
    {npy_file(""), "expected '{', got the end of the header"},
    {npy_file(std::string(10000, ' ')), "expected '{', got the end of the header"},
    {npy_file("x"), "expected '{', got 'x'"},
    {npy_file("[]"), "expected '{', got '['"},
    {npy_file(std::string("\0", 1)), "expected '{', got the byte 0"},
    {npy_file("{"), "expected a string, got the end of the header"},
    {npy_file("{}"), "expected descr, got none"},
    {npy_file("{,}"), "expected a string, got ','"},
    {npy_file("{descr: 1}"), "expected a string, got 'd'"},
    {npy_file("{'descr"), "expected the end of a string, got the end of the header"},
    {npy_file("{\"descr': 1}"), "expected the end of a string, got the end of the header"},
    {npy_file("{'desc\\x72': 1}"), "expected a string of ASCII without escapes, got '\\'"},
    {npy_file("{'d\xe9': 1}"), "expected a string of ASCII without escapes, got the byte 233"},
    {npy_file("{'descr' '|u1'}"), "expected ':', got '''"},
    {npy_file("{'descr': u'|u1'}"), "expected a string, got 'u'"},
    {npy_file("{'descr': |u1}"), "expected a string, got '|'"},
    {npy_file("{'descr': None}"), "expected a string, got 'N'"},
    {npy_file("{'descr': '|u1' 'shape': ()}"), "expected '}', got '''"},
    {npy_file("{'descr': '|u1', 'descr': '|u1'}"), "expected every name once, got 'descr' again"},
    {npy_file("{'order': 1}"), "expected descr, fortran_order or shape, got 'order'"},
    {npy_file("{'': 1}"), "expected descr, fortran_order or shape, got ''"},
    {npy_file("{'descr': '|u1'}"), "expected fortran_order, got none"},
    {npy_file("{'descr': '|u1', 'fortran_order': True}"), "expected shape, got none"},
    {npy_file("{'shape': (), 'fortran_order': True}"), "expected descr, got none"},
    {npy_file(dictionary("'|u1'", "()", "0")), "expected True or False, got '0'"},
    {npy_file(dictionary("'|u1'", "()", "true")), "expected True or False, got 't'"},
    {npy_file(dictionary("'|u1'", "()", "'True'")), "expected True or False, got '''"},
    {npy_of("3"), "expected '(', got '3'"},
    {npy_of("[3]"), "expected '(', got '['"},
    {npy_of("(3)"), "expected ',', got ')'"},
    {npy_of("(3 4)"), "expected ',', got '4'"},
    {npy_of("(3, 4 5)"), "expected ',' or ')', got '5'"},
    {npy_of("(3,, )"), "expected a whole number, got ','"},
    {npy_of("(,)"), "expected a whole number, got ','"},
    {npy_of("(-1,)"), "expected a whole number, got '-'"},
    {npy_of("(3.0,)"), "expected ',', got '.'"},
    {npy_of("(1e3,)"), "expected ',', got 'e'"},
    {npy_of("(0x3,)"), "expected ',', got 'x'"},
    {npy_of("('3',)"), "expected a whole number, got '''"},
    {npy_of("((3,),)"), "expected a whole number, got '('"},
    {npy_of("(03,)"), "expected a number without leading zeros, got 03"},
    {npy_of("(9007199254740993,)"), "expected a size of at most 2^53, got 9007199254740993"},
    {npy_of("(18446744073709551616,)"),
     "expected a size of at most 2^53, got 18446744073709551616"},
    {npy_of("(" + copies_of("9", 9000) + ",)"),
     "expected a size of at most 2^53, got 9999999999999999999999999999999999999999"},
    {npy_of("(" + copies_of("1, ", 64) + "1)"), "expected at most 64 axes, got more"},
    {npy_of("(1,"), "expected a whole number, got ','"},
    {npy_file("{'descr': ["), "expected the end of a list, got the end of the header"},
    {npy_file("{'descr': " + copies_of("[", 9000)),
     "expected the end of a list, got the end of the "
     "header"},
    {npy_file("{'descr': [('a"), "expected the end of a string, got the end of the header"},
    {npy_file("{'descr': ['\\"), "expected the end of a string, got the end of the header"},
    {npy_file(dictionary("'|u1'", "(1,)") + "x", "1"), "expected nothing more, got 'x'"},
    {npy_file(dictionary("'|u1'", "(1,)") + "\n{}", "1"), "expected nothing more, got '{'"},
    {npy_file(dictionary("'|u1'", "(1,)") + std::string(1, '\0'), "1"),
     "expected nothing more, got the byte 0"},
};

inline MalformedNpy const no_npy_elements[] = {
    {npy_of("(4,)"), "expected 4 bytes of elements for its shape, got 0 bytes"},
    {npy_of("(4,)", "123"), "expected 4 bytes of elements for its shape, got 3 bytes"},
    {npy_of("(4,)", "12345"), "expected 4 bytes of elements for its shape, got 5 bytes"},
    {npy_of("(0,)", "1"), "expected 0 bytes of elements for its shape, got 1 bytes"},
    {npy_of("()", ""), "expected 1 bytes of elements for its shape, got 0 bytes"},
    {npy_of("(1073741824,)", "1"),
     "expected 1073741824 bytes of elements for its shape, got 1 "
     "bytes"},
    {npy_of("(9007199254740992,)", "1"),
     "expected 9007199254740992 bytes of elements for its shape, got 1 bytes"},
    {npy_of("(4294967296, 4294967296)"), "expected a shape of less than 2^60 bytes, got another"},
    {npy_of("(4294967296, 4294967296, 0)"),
     "expected a shape of less than 2^60 bytes, got another"},
    {npy_file(dictionary("'<f8'", "(2305843009213, 4000000)"), "12345678"),
     "expected a shape of less than 2^60 bytes, got another"},
    {npy_of("(4,)", "1234") + npy_of("(4,)", "1234"),
     "expected 4 bytes of elements for its shape, got 75 bytes"},
};

inline MalformedNpy const no_npy_dtypes[] = {
    {npy_file(dictionary("'|O'", "(1,)"), "\x80\x04"),
     "expected an array of numbers, got an object array, which needs pickle"},
    {npy_file(dictionary("[('a', '<f4'), ('b', '|u1')]", "(1,)"), "12345"),
     "expected an array of numbers, got a structured dtype"},
    {npy_file(dictionary("[('\xc3\xa4\\'', '<f4')]", "(1,)"), "1234", 3),
     "expected an array of numbers, got a structured dtype"},
    {npy_file(dictionary("('<f4', (2,))", "(1,)"), "12345678"),
     "expected an array of numbers, got a dtype with axes"},
    {npy_file(dictionary("'>f4'", "(1,)"), "1234"), "expected little-endian, got '>f4'"},
    {npy_file(dictionary("'>U3'", "(1,)")), "expected little-endian, got '>U3'"},
    {npy_file(dictionary("'<U3'", "(1,)")), "expected a dtype of Tenon, got '<U3'"},
    {npy_file(dictionary("'|S3'", "(1,)")), "expected a dtype of Tenon, got '|S3'"},
    {npy_file(dictionary("'|V4'", "(1,)")), "expected a dtype of Tenon, got '|V4'"},
    {npy_file(dictionary("'<M8[ns]'", "(1,)")), "expected a dtype of Tenon, got '<M8[ns]'"},
    {npy_file(dictionary("'<f16'", "(1,)")), "expected a dtype of Tenon, got '<f16'"},
    {npy_file(dictionary("'<c32'", "(1,)")), "expected a dtype of Tenon, got '<c32'"},
    {npy_file(dictionary("'|f4'", "(1,)")), "expected a dtype of Tenon, got '|f4'"},
    {npy_file(dictionary("''", "(1,)")), "expected a dtype of Tenon, got ''"},
    {npy_file(dictionary("'<'", "(1,)")), "expected a dtype of Tenon, got '<'"},
    {npy_file(dictionary("'float32'", "(1,)")), "expected a dtype of Tenon, got 'float32'"},
};
