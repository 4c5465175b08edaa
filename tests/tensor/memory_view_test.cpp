// Views of vectors, arrays, spans and pointers, and the elements of tensors as spans.
#include <doctest/doctest.h>

#include <array>
#include <complex>
#include <cstdint>
#include <list>
#include <span>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace tensor_memory_view {
namespace {

using namespace tenon;

template <class V>
inline constexpr bool is_writable = requires(V const& v) { v.mutable_data(); };
template <Spec S, class M, class... A>
using ViewOf = decltype(view<S>(std::declval<M>(), std::declval<A>()...));
template <Spec S, class M, class... A>
concept HasView = requires(M&& memory, A... a) {
  { view<S>(std::forward<M>(memory), a...) } -> ExpressionType;
};
static_assert(is_writable<ViewOf<"n", std::vector<float>&>>);
static_assert(!is_writable<ViewOf<"n", std::vector<float> const&>>);
static_assert(!is_writable<ViewOf<"n", std::span<float const>>>);
static_assert(is_writable<ViewOf<"n", std::span<float> const&>>, "the elements are not const");
static_assert(is_writable<ViewOf<"n", float* const&, int>>);
static_assert(!is_writable<ViewOf<"n", float const*, int>>);
static_assert(is_writable<ViewOf<"n", std::int16_t (&)[4]>>);
static_assert(shape_of<ViewOf<"n m=3", std::vector<float>&>> == "n m=3");
static_assert(!HasView<"n", std::vector<float>>, "a temporary");
static_assert(!HasView<"n", std::array<float, 3>>, "a temporary");
static_assert(HasView<"n", std::span<float>>, "a temporary that owns nothing");
static_assert(!HasView<"n", std::vector<long double>&>);
static_assert(!HasView<"n", std::vector<bool>&>, "its elements are not in memory");
static_assert(!HasView<"n", std::list<float>&>);
static_assert(!HasView<"n m", std::vector<float>&>, "two sizes are missing");
static_assert(!HasView<"n", float*>, "the size is missing");
static_assert(HasView<"2 2", std::array<float, 4>&> && !HasView<"2 2", std::array<float, 5>&>);
static_assert(HasView<"2 2", float (&)[4]> && !HasView<"2 2", std::span<float, 3>>);
static_assert(HasView<"n m", float*, int, int, ViewStrides<2>>);
static_assert(!HasView<"n m", float*, int, int, ViewStrides<1>>);
static_assert(HasView<"n m", float*, int, int, RowPitch> && !HasView<"", float*, RowPitch>);

template <class E>
concept HasSpan = requires(E&& e) { as_span(std::forward<E>(e)).size(); };
static_assert(HasSpan<Float32<"n">&> && HasSpan<Float32<"n=2"> const&>);
static_assert(!HasSpan<Float32<"n">>, "a temporary");
static_assert(!HasSpan<View<float, "n">&>, "it may have strides");
static_assert(!HasSpan<decltype(Float32<"n">() + 1)&>, "an expression");
static_assert(
    std::same_as<decltype(as_span(std::declval<Float64<"n">&>())), std::span<double const>>);

TEST_CASE_TEMPLATE("a view of a vector of every dtype is its memory", T, float, double, float16,
                   bfloat16, std::int8_t, std::int64_t, std::uint8_t, std::uint32_t,
                   std::complex<float>, std::complex<double>) {
  std::vector<T> numbers{T(1), T(2), T(3), T(4)};
  auto const x = view<"row=2 column">(numbers);
  CHECK(x.data() == numbers.data());
  CHECK(x.sizes()[1] == 2);
  CHECK(x(1, 0) == T(3));
}

TEST_CASE("a view of an array of masks") {
  std::array<bool, 3> const mask{true, false, true};
  CHECK(any(~view<"n">(mask)).item());
}

TEST_CASE("a length that does not fit throws") {
  std::vector<float> const numbers(7);
  CHECK_THROWS_WITH_AS(view<"row column">(numbers, 2, 3),
                       "tenon::view: 'row column': expected 6 elements, got 7", ShapeError);
  CHECK_THROWS_WITH_AS(view<"row column">(numbers, 2, 4),
                       "tenon::view: 'row column': expected 8 elements, got 7", ShapeError);
  CHECK_THROWS_WITH_AS(view<"row column=3">(numbers),
                       "tenon::view: 'row column=3': expected a multiple of 3 elements, got 7",
                       ShapeError);
  CHECK_THROWS_WITH_AS(view<"2 3">(numbers), "tenon::view: '2 3': expected 6 elements, got 7",
                       ShapeError);
  CHECK_THROWS_AS(view<"n=..6">(numbers), ShapeError);
  CHECK_THROWS_AS(view<"n n">(numbers, 1, 7), ShapeError);
  CHECK_THROWS_AS(view<"row column">(numbers, -1, -7), ShapeError);
  CHECK_THROWS_AS(view<"row column">(numbers, std::int64_t{1} << 40, std::int64_t{1} << 40),
                  ShapeError);
}

TEST_CASE("empty memory has views") {
  std::vector<float> const none;
  CHECK(view<"n">(none).size() == 0);
  CHECK(view<"row column=3">(none).sizes()[0] == 0);
  CHECK(sum(view<"row column">(none, 0, 5)).item() == 0);
  CHECK(view<"n m=0">(none).sizes()[0] == 0);
  CHECK(view<"n">(none, 0, ViewStrides(7)).size() == 0);
  std::vector<float> const two(2);
  CHECK_THROWS_AS(view<"n m=0">(two), ShapeError);
}

TEST_CASE("strides stay within a range") {
  std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  CHECK(view<"row column">(numbers, 3, 2, ViewStrides(1, 3))(1, 1) == 5);
  CHECK(view<"n">(numbers, 3, ViewStrides(2))(2) == 5);
  CHECK(view<"n m">(numbers, 2, 6, ViewStrides(0, 1))(1, 5) == 6);
  CHECK_THROWS_WITH_AS(view<"n">(numbers, 4, ViewStrides(2)),
                       "tenon::view: 'n': expected at least 7 elements, got 6", ShapeError);
  CHECK_THROWS_WITH_AS(view<"n">(numbers, 2, ViewStrides(-1)),
                       "tenon::view: 'n': expected strides that are not negative, from the first "
                       "element on, got -1",
                       ShapeError);
  CHECK_THROWS_WITH_AS(view<"n m">(numbers, 2, 2, ViewStrides(std::int64_t{1} << 62, 1)),
                       doctest::Contains("expected at least"), ShapeError);
  CHECK_THROWS_WITH_AS(view<"n">(numbers, 3, ViewStrides(std::int64_t{1} << 62)),
                       "tenon::view: 'n': expected at least 2^63 elements, got 6", ShapeError);
}

TEST_CASE("a pitch is the distance of rows in bytes") {
  std::vector<std::int16_t> numbers{1, 2, 3, 0, 4, 5, 6, 0};
  auto const x = view<"row column">(numbers.data(), 2, 3, RowPitch(8));
  CHECK(x(1, 2) == 6);
  CHECK(view<"row column">(numbers, 2, 3, RowPitch(8))(1, 0) == 4);
  CHECK(view<Int16<"row column=3">>(numbers.data(), 2, RowPitch(8u))(1, 0) == 4);
  auto const up = view<"row column">(numbers.data() + 4, 2, 3, RowPitch(-8));
  CHECK(up(1, 0) == 1);
  CHECK_THROWS_WITH_AS(view<"row column">(numbers.data(), 2, 3, RowPitch(9)),
                       "tenon::view: 'row pitch': expected a multiple of 2 bytes, got 9",
                       ValueError);
  CHECK_THROWS_WITH_AS(view<"row column">(numbers.data(), 2, 3, RowPitch(4)),
                       "tenon::view: 'row pitch': expected at least 6 bytes, a row, got 4",
                       ValueError);
  CHECK_THROWS_AS(view<"row column">(numbers, 2, 4, RowPitch(10)), ShapeError);
}

TEST_CASE("as_span is the memory of a tensor") {
  auto const x = iota<Float32<"row column">>(30, 3);
  CHECK(as_span(x).data() == x.data());
  CHECK(as_span(x).size() == 90);
  CHECK(view<"row column=3">(as_span(x)).data() == x.data());
  CHECK_THROWS_AS(
      grad([](Float32<"n=2"> const& a) { return as_span(a)[0] * sum(a); })(Float32<"n=2">{1, 2}),
      Error);
}

TEST_CASE("to_vector copies tensors, views, masks and expressions") {
  std::vector<float> const numbers{1, 2, 3, 4};
  CHECK(to_vector(view<"n">(numbers)) == numbers);
  CHECK(to_vector(transpose(view<"2 2">(numbers))) == std::vector<float>{1, 3, 2, 4});
  CHECK(to_vector(view<"n">(numbers) > 2) == std::vector<bool>{false, false, true, true});
  CHECK(to_vector(Float32<"">(3)) == std::vector<float>{3});
  CHECK(to_vector(Float32<"n">()).empty());
  CHECK_THROWS_AS(
      grad([](Float32<"n=2"> const& a) { return to_vector(a)[0] * sum(a); })(Float32<"n=2">{1, 2}),
      Error);
}

}  // namespace
}  // namespace tensor_memory_view
