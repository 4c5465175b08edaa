// std::format of tensors and expressions: test.sh compiles it where the standard library has it.

#include <cstdio>
#include <format>
#include <sstream>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>
#include <tenon/tensor/formatter.hpp>

using namespace tenon;

int failures = 0;

void check(std::string const& got, std::string const& expected) {
  if (got == expected) return;
  std::printf("expected:\n%s\ngot:\n%s\n", expected.c_str(), got.c_str());
  ++failures;
}

/// Without a format of the elements: the text of a stream.
template <class E>
void check_as_streamed(E const& e) {
  std::ostringstream stream;
  stream << e;
  check(std::format("{}", e), stream.str());
  check(std::format("x = {:}.", e), "x = " + stream.str() + ".");
}

void check_default() {
  Float32<"batch n=3"> const x{{1, 2.5f, -3}, {100, 0.125f, 7}};
  check_as_streamed(x);
  check_as_streamed(x * 2.0f);
  check_as_streamed(sum<"n">(x));
  check_as_streamed(view(x));
  check_as_streamed(transpose<"n batch">(x));
  check_as_streamed(zeros<Float32<"40 40">>());
  check_as_streamed(Float32<"a b">());
  check_as_streamed(Float64<"">(2));
  check_as_streamed(Mask<"2">{true, false});
  check_as_streamed(Complex64<"1">{{1, 2}});
  check_as_streamed(shape_of<decltype(x)>);
  check(std::format("{:>8}", shape_of<Int8<"n">>), "       n");
}

void check_elements() {
  Float32<"batch n=3"> const x{{1, 2.5f, -3}, {100, 0.125f, 7}};
  check(std::format("{:.3f}", x), "[[  1.000   2.500  -3.000]\n [100.000   0.125   7.000]]");
  check(std::format("{:+.1e}", x + 1.0f),
        "[[+2.0e+00 +3.5e+00 -2.0e+00]\n "
        "[+1.0e+02 +1.1e+00 +8.0e+00]]");
  check(std::format("{:.1f} and {:.2f}", sum(x), mean<"n">(x)), "107.6 and [ 0.17 35.71]");
  check(std::format("{:06.2f}", Float64<"2">{1, -2}), "[001.00 -02.00]");
  check(std::format("{:#x}", Int32<"2">{17, 255}), "[0x11 0xff]");
  check(std::format("{:3}", Int8<"2">{65, -2}), "[ 65  -2]");
  check(std::format("{:s}", Mask<"2">{true, false}), "[ true false]");
  check(std::format("{:.2f}", Complex64<"2">{{1, 2}, {3, -4}}), "[1.00+2.00j 3.00-4.00j]");
  check(std::format("{:.2f}", BFloat16<"1">{bfloat16(0.5f)}), "[0.50]");
  check(std::format("{:.0f}", Float32<"a b">()), "[]");
  check(std::format("{:.1f}", ones<Float32<"1001">>()), "[1.0 1.0 1.0 ... 1.0 1.0 1.0]");
}

/// The code of docs/debugging.md.
void check_page() {
  Float32<"batch n=3"> const x{{1, 2.5f, -3}, {100, 0.125f, 7}};
  std::string const text = std::format("{} is\n{:.2f}", shape_of<decltype(x)>, x);
  check(text, "batch n=3 is\n[[  1.00   2.50  -3.00]\n [100.00   0.12   7.00]]");
}

void check_refused() {
  Float32<"2"> const x{1, 2};
  int const digits = 1;
  try {
    check(std::vformat("{:.{}f}", std::make_format_args(x, digits)), "an error");
  } catch (std::format_error const& error) {
    check(error.what(), "tenon: expected a format without {} in it");
  }
}

int main() {
  check_default();
  check_elements();
  check_page();
  check_refused();
  return failures == 0 ? 0 : 1;
}
