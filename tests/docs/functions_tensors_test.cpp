// Examples of docs/functions/: tensors, dtypes and annotations.

#include <doctest/doctest.h>

#include <complex>
#include <cstdint>

#include <tenon/eval/print_bindings.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace functions_tensors_test {

using namespace tenon;

auto area(Float<"height width"> auto const& image) { return size<"height width">(image); }
auto axes(Shaped<"*axes"> auto const& x) { return x.rank; }
auto count(Bool<"n"> auto const& mask) { return eval(sum(to<std::int32_t>(mask))); }
auto doubled(Num<"n"> auto const& x) { return eval(x + x); }
auto largest(Real<"n"> auto const& x) { return max(x).item(); }
auto half(Inexact<"n"> auto const& x) { return eval(x / 2); }
auto sums(OfDtype<double, "... n"> auto const& x) { return eval(sum<"n">(x)); }
auto squares(Complex<"n"> auto const& z) { return eval(z * z); }
auto odd(Integer<"n"> auto const& x) { return eval(x % 2 != 0); }
auto negated(Int<"n"> auto const& x) { return eval(-x); }
auto inverted(UInt<"n"> auto const& x) { return eval(~x); }

template <Expression X>
auto twice(X&& x) {
  return eval(2 * x);
}

template <class X, class Y>
  requires fits<"b n, n m", X, Y>
auto product(X const& x, Y const& y) {
  return eval(matmul(x, y));
}

TEST_CASE("tensors of each dtype") {
  Tensor<float, "row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK(x(1, 2) == 6);

  Float32<"n"> const three{1, 2, 3};  // n is read off the elements
  CHECK(size<"n">(three) == 3);

  Of<float, " row=2   column=3 "> const same = zeros<Float32<"row=2 column=3">>();
  CHECK(same.size() == 6);

  Float64<"n=2"> const precise{1.0 / 3, 0};
  CHECK(precise(0) == 1.0 / 3);

  Float16<"n=2"> const halves{float16(0.1f), float16(1)};
  CHECK(float(halves(0)) == 0.099975586f);

  BFloat16<"n=1"> const brain{bfloat16(0.1f)};
  CHECK(float(brain(0)) == 0.100097656f);

  float16 const rounded(0.1f);
  CHECK(float(rounded) == 0.099975586f);

  bfloat16 const coarse(0.1f);
  CHECK(float(coarse) == 0.100097656f);

  Int8<"n=2"> const i8{-128, 127};
  CHECK(i8(0) == -128);

  Int16<"n=1"> const i16{-32768};
  CHECK(i16(0) == -32768);

  Int32<"n=3"> const ids{2, 0, 1};
  CHECK(ids(0) == 2);

  Int64<"n=1"> const i64{std::int64_t{1} << 40};
  CHECK(i64(0) == 1099511627776);

  UInt8<"n=2"> const pixels{0, 255};
  CHECK(pixels(1) == 255);

  UInt16<"n=1"> const u16{65535};
  CHECK(u16(0) == 65535);

  UInt32<"n=1"> const u32{4294967295u};
  CHECK(u32(0) == 4294967295u);

  UInt64<"n=1"> const u64{std::uint64_t{1} << 63};
  CHECK(u64(0) == 9223372036854775808u);

  Complex64<"n=1"> const z{std::complex<float>(0, 1)};
  CHECK(eval(z * z)(0) == std::complex<float>(-1, 0));

  Complex128<"n=1"> const w{std::complex<double>(0, 1)};
  CHECK(eval(w * w)(0) == std::complex<double>(-1, 0));

  Mask<"n=3"> const mask = ids > 0;
  CHECK(to_string(mask) == "[ True False  True]");
}

TEST_CASE("shapes and specs are values") {
  static_assert(shape_of<Float32<"batch pixel=784">> == "batch pixel=784");

  static_assert(std::is_same_v<value_type_of<Float32<"n">>, float>);

  static_assert(is_dtype<bfloat16> && !is_dtype<long double>);

  static_assert(std::is_same_v<Float64<spec_of<Float32<"n=3">>>, Float64<"n=3">>);

  constexpr int hidden = 128;
  static_assert(std::is_same_v<Float32<tenon::spec("hidden={}", hidden)>, Float32<"hidden=128">>);

  constexpr Shape shape = shape_of<Float32<"2 3">>;
  static_assert(shape.rank == 2);

  constexpr Spec spec = "batch pixel=784";
  static_assert(spec.view() == "batch pixel=784");

  CHECK(to_string(Float32<"n">{1, 2.5f}) == "[1.  2.5]");

  static_assert(TensorType<Float32<"n">> && !TensorType<float>);

  using Sum = decltype(std::declval<Float32<"n">>() + 1);
  static_assert(ExpressionType<Sum> && !TensorType<Sum>);

  static_assert(Expression<Float32<"n"> const&>);
  CHECK(twice(Float32<"n">{1, 2})(1) == 4);
}

TEST_CASE("annotations accept the tensors that fit") {
  static_assert(Float<Float32<"height=4 width=3">, "height width">);
  CHECK(area(ones<Float32<"height=4 width=3">>()) == 12);

  static_assert(Shaped<Mask<"n=3">, "n">);
  CHECK(axes(ones<Int8<"2 3">>()) == 2);

  static_assert(Bool<Mask<"n=3">, "n"> && !Bool<Int32<"n=3">, "n">);
  CHECK(count(Mask<"n">{true, false, true}).item() == 2);

  static_assert(Num<Int32<"n=3">, "n"> && !Num<Mask<"n=3">, "n">);
  CHECK(doubled(Int32<"n">{1, 2})(1) == 4);

  static_assert(Real<Int32<"n=3">, "n"> && !Real<Complex64<"n=3">, "n">);
  CHECK(largest(Int32<"n">{1, 2}) == 2);

  static_assert(Inexact<Complex64<"n=3">, "n"> && !Inexact<Int32<"n=3">, "n">);
  CHECK(half(Float32<"n">{1, 2})(0) == 0.5f);

  static_assert(OfDtype<Float32<"2 n=3">, float, "... n">);
  CHECK(sums(Float64<"2 n=2">{{1, 2}, {3, 4}})(1) == 7);

  static_assert(Complex<Complex64<"n=3">, "n"> && !Complex<Float32<"n=3">, "n">);
  CHECK(squares(Complex64<"n">{std::complex<float>(0, 1)})(0) == std::complex<float>(-1, 0));

  static_assert(Integer<UInt8<"n=3">, "n"> && !Integer<Float32<"n=3">, "n">);
  CHECK(odd(Int32<"n">{1, 2})(0));

  static_assert(Int<Int32<"n=3">, "n"> && !Int<UInt8<"n=3">, "n">);
  CHECK(negated(Int32<"n">{1, 2})(0) == -1);

  static_assert(UInt<UInt8<"n=3">, "n"> && !UInt<Int32<"n=3">, "n">);
  CHECK(inverted(UInt8<"n">{1, 2})(0) == 254);

  static_assert(fits<"b n, n m", Float32<"7 3">, Float32<"3 2">>);
  CHECK(product(ones<Float32<"7 3">>(), ones<Float32<"3 2">>())(0, 0) == 3);
}

TEST_CASE("patterns that are checked at run time") {
  auto const x = ones<Float32<"batch 784">>(32);
  auto const y = as<"batch=32 pixel=784">(x);
  static_assert(shape_of<decltype(y)> == "batch=32 pixel=784");

  auto const two = ones<Float32<"n">>(2);
  CHECK_THROWS_AS((check<"n, 2*n">(two, ones<Float32<"m">>(5))), ShapeError);

  CHECK(bindings_text<"*b n">(ones<Float32<"7 batch 3">>(2)) == "n=3, *b=(7, 2)");

  auto const column_sums = checked<"n m -> m">([](auto const& a) { return sum<0>(a); });
  CHECK(column_sums(ones<Float32<"n m">>(2, 3))(0) == 2);
}

}  // namespace functions_tensors_test
