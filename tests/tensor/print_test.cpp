#include <doctest/doctest.h>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

#include <limits>
#include <sstream>
#include <string>

namespace print_test {

using namespace tenon;
using namespace tenon::internal;

// The expected texts are those that NumPy 2 prints for the same arrays.
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("floating-point numbers are aligned at the decimal point") {
  CHECK(to_string(Float32<"3">{1, 2.5f, 3}) == "[1.  2.5 3. ]");
  CHECK(to_string(Float32<"2 2">{{-1, 0.5f}, {3.25f, 400}}) ==
        "[[ -1.     0.5 ]\n [  3.25 400.  ]]");
  CHECK(to_string(Float32<"3">{0, 0, 0}) == "[0. 0. 0.]");
  CHECK(to_string(Float64<"3">{1.0 / 3, 2.0 / 3, 1}) == "[0.33333333 0.66666667 1.        ]");
  CHECK(to_string(Float32<"3">{1.0f / 3, 2.0f / 3, 1}) == "[0.33333334 0.6666667  1.        ]");
  CHECK(to_string(Float32<"2">{100000, 123456.789f}) == "[100000.   123456.79]");
  CHECK(to_string(Float64<"3">{499.5678901234, 0.5, 2}) ==
        "[499.56789012   0.5          2.        ]");
}

TEST_CASE("numbers of very different magnitudes are printed with an exponent") {
  CHECK(to_string(Float32<"3">{1e-5f, 2.5f, 3}) == "[1.0e-05 2.5e+00 3.0e+00]");
  CHECK(to_string(Float32<"3">{1e10f, 2.5f, -3}) == "[ 1.0e+10  2.5e+00 -3.0e+00]");
  CHECK(to_string(Float64<"3">{999.5678901234, 0.5, 2}) ==
        "[9.9956789e+02 5.0000000e-01 2.0000000e+00]");
  CHECK(to_string(Float64<"2">{1e100, 1e-5}) == "[1.e+100 1.e-005]");
}

TEST_CASE("infinities and NaN are aligned in the columns") {
  CHECK(to_string(Float32<"4">{1, nan, infinity, -infinity}) == "[  1.  nan  inf -inf]");
  CHECK(to_string(Float32<"2">{nan, nan}) == "[nan nan]");
  CHECK(to_string(Float32<"3">{-1.5f, nan, -infinity}) == "[-1.5  nan -inf]");
}

TEST_CASE("integers and masks") {
  CHECK(to_string(Int32<"2 3">{{1, -20, 3}, {4, 5, 600}}) == "[[  1 -20   3]\n [  4   5 600]]");
  CHECK(to_string(Int8<"3">{1, -20, 3}) == "[  1 -20   3]");
  CHECK(to_string(UInt64<"2">{18446744073709551615u, 3}) ==
        "[18446744073709551615                    3]");
  CHECK(to_string(Mask<"3">{true, false, true}) == "[ True False  True]");
  CHECK(to_string(Mask<"2">{true, true}) == "[ True  True]");
}

TEST_CASE("complex and 16-bit numbers") {
  CHECK(to_string(Complex64<"2">{{1, 2}, {-1.5f, 0}}) == "[ 1. +2.j -1.5+0.j]");
  CHECK(to_string(Complex128<"2">{{1, -2.25}, {1e-6, 3}}) == "[1.e+00-2.25j 1.e-06+3.j  ]");
  CHECK(to_string(Float16<"3">{float16(0.1f), float16(1.0f), float16(3.14159f)}) ==
        "[0.1  1.   3.14]");
}

TEST_CASE("a scalar is printed without brackets") {
  CHECK(to_string(Float32<"">(1.0f)) == "1.0");
  CHECK(to_string(Float32<"">(0.1f)) == "0.1");
  CHECK(to_string(Float64<"">(1e20)) == "1e+20");
  CHECK(to_string(Float32<"">(1e-5f)) == "1e-05");
  CHECK(to_string(Float32<"">(nan)) == "nan");
  CHECK(to_string(Int32<"">(7)) == "7");
  CHECK(to_string(Mask<"">(true)) == "True");
  CHECK(to_string(Complex64<"">(std::complex<float>(1, 2))) == "(1+2j)");
}

TEST_CASE("axes are nested, with empty lines between larger blocks") {
  CHECK(to_string(iota<Int32<"2 2 2">>()) == "[[[0 1]\n  [2 3]]\n\n [[4 5]\n  [6 7]]]");
  CHECK(to_string(iota<Int32<"2 1 1 2">>()) == "[[[[0 1]]]\n\n\n [[[2 3]]]]");
  CHECK(to_string(zeros<Float32<"n 3">>(0)) == "[]");
  CHECK(to_string(iota<Int32<"1">>()) == "[0]");
}

TEST_CASE("long rows are wrapped") {
  CHECK(to_string(iota<Float32<"30">>()) ==
        "[ 0.  1.  2.  3.  4.  5.  6.  7.  8.  9. 10. 11. 12. 13. 14. 15. 16. 17.\n"
        " 18. 19. 20. 21. 22. 23. 24. 25. 26. 27. 28. 29.]");
}

TEST_CASE("above 1000 elements only the ends of the axes are printed") {
  CHECK(to_string(iota<Int32<"1001">>()) == "[   0    1    2 ...  998  999 1000]");
  CHECK(to_string(iota<Int32<"2000 2">>()) ==
        "[[   0    1]\n [   2    3]\n [   4    5]\n ...\n"
        " [3994 3995]\n [3996 3997]\n [3998 3999]]");
  CHECK(to_string(iota<Int32<"20 100">>()) ==
        "[[   0    1    2 ...   97   98   99]\n"
        " [ 100  101  102 ...  197  198  199]\n"
        " [ 200  201  202 ...  297  298  299]\n"
        " ...\n"
        " [1700 1701 1702 ... 1797 1798 1799]\n"
        " [1800 1801 1802 ... 1897 1898 1899]\n"
        " [1900 1901 1902 ... 1997 1998 1999]]");
}

TEST_CASE_TEMPLATE("a stream prints values and expressions", D, Cpu, Reference) {
  std::ostringstream out;
  out << iota<Float32<"n", D>>(3) << "; " << iota<Float32<"n", D>>(3) + 0.5f;
  CHECK(out.str() == "[0. 1. 2.]; [0.5 1.5 2.5]");
}

TEST_CASE("describe gives dtype, names and sizes") {
  CHECK(describe_tensor(zeros<Float32<"n m=3 n+1">>(2, 3)) == "float32 \"n=2 m=3 3\"");
  CHECK(describe_tensor(zeros<Mask<"batch=1..4 _">>(2, 3) || Mask<"">(true)) ==
        "bool \"batch=2 3\"");
  CHECK(describe_tensor(Int64<"">(1)) == "int64 \"\"");
}

}  // namespace

}  // namespace print_test
