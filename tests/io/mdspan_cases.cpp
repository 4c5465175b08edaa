// Views of mdspans and mdspans of tensors, without copies: of the standard library, or of Kokkos.
#include <doctest/doctest.h>

#include <array>
#include <concepts>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <tenon/io/mdspan.hpp>
#include <tenon/tenon.hpp>

namespace io_mdspan {
namespace {

using namespace tenon;
namespace md = internal::mdspan_library;

constexpr std::size_t any = std::dynamic_extent;
template <std::size_t... E>
using Extents = md::extents<std::size_t, E...>;

template <Spec S, class M>
using ViewOf = decltype(view<S>(std::declval<M>()));
template <Spec S, class M>
concept HasView = requires(M&& m) {
  { view<S>(std::forward<M>(m)) } -> ExpressionType;
};
template <class V>
inline constexpr bool is_writable = requires(V const& v) { v.mutable_data(); };

// Static extents are static, and checked by the compiler.
using Dynamic = md::mdspan<float, Extents<any, any>>;
using Rows = md::mdspan<float const, Extents<any, 3>>;
static_assert(shape_of<ViewOf<"row column", Dynamic>> == "row column");
static_assert(shape_of<ViewOf<"row column", Rows&>> == "row column=3");
static_assert(shape_of<ViewOf<"row column=3", Dynamic const&>> == "row column=3");
static_assert(shape_of<ViewOf<"_ _", md::mdspan<double, Extents<2, 3>>>> == "2 3");
static_assert(shape_of<ViewOf<"n=1..9 m", Rows>> == "n=1..9 m=3");
static_assert(is_writable<ViewOf<"row column", Dynamic const&>>);
static_assert(!is_writable<ViewOf<"row column", Rows>>);
static_assert(HasView<"row column", Rows> && !HasView<"row column=4", Rows>);
static_assert(!HasView<"n", Rows> && !HasView<"a b c", Rows> && !HasView<"a column=..2", Rows>);
static_assert(!HasView<"n", md::mdspan<long double, Extents<3>>>);

// The mdspan of a tensor has its static sizes.
template <class E>
using MdspanOf = decltype(as_mdspan(std::declval<E&>()));
static_assert(std::same_as<MdspanOf<Float32<"a b=3">>,
                           md::mdspan<float const, md::extents<std::int64_t, any, 3>>>);
static_assert(
    std::same_as<MdspanOf<View<int, "a">>,
                 md::mdspan<int const, md::extents<std::int64_t, any>, md::layout_stride>>);
static_assert(MdspanOf<Float32<"">>::rank() == 0);

template <class E>
concept HasMdspan = requires(E&& e) { as_mdspan(std::forward<E>(e)).extents(); };
template <class E>
concept HasMutableMdspan = requires(E&& e) { as_mutable_mdspan(std::forward<E>(e)).extents(); };
static_assert(HasMdspan<Float32<"n">&> && HasMdspan<Float32<"n"> const&>);
static_assert(!HasMdspan<Float32<"n">> && !HasMdspan<decltype(Float32<"n">() + 1)&>);
static_assert(HasMutableMdspan<Float32<"n">&> && !HasMutableMdspan<Float32<"n"> const&>);
static_assert(HasMdspan<View<float, "n">> && !HasMutableMdspan<View<float, "n">&>);
static_assert(!HasMutableMdspan<MutableView<float, "n">>, "a temporary may own what it writes");

template <class M>
float at(M const& m, std::size_t i, std::size_t k) {
  std::array<typename M::index_type, 2> const index{static_cast<typename M::index_type>(i),
                                                    static_cast<typename M::index_type>(k)};
  return m[index];
}

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  std::iota(all.begin(), all.end(), 0.0f);
  return all;
}

/// Whether a view reads the elements of an mdspan.
template <class V, class M>
bool equal(V const& x, M const& m) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(m.extent(0)); ++i)
    for (std::size_t k = 0; k < static_cast<std::size_t>(m.extent(1)); ++k)
      if (x(i, k) != at(m, i, k)) return false;
  return x.sizes()[0] == static_cast<std::int64_t>(m.extent(0)) &&
         x.sizes()[1] == static_cast<std::int64_t>(m.extent(1));
}

TEST_CASE_TEMPLATE("a view of an mdspan reads it in either layout", Layout, md::layout_right,
                   md::layout_left) {
  auto memory = numbers(12);
  md::mdspan<float, Extents<any, 3>, Layout> const m(memory.data(), 4);
  auto const x = view<"row column">(m);
  CHECK(x.data() == memory.data());
  CHECK(equal(x, m));
  Float32<"row column=3"> const copy = 2 * x;
  CHECK(copy(3, 1) == 2 * at(m, 3, 1));
  assign(x, copy);
  CHECK(at(m, 3, 1) == copy(3, 1));
}

TEST_CASE("a view of an mdspan with strides") {
  auto memory = numbers(40);
  using E = Extents<any, any>;
  md::layout_stride::mapping<E> const mapping(E(3, 4), std::array<std::size_t, 2>{10, 2});
  md::mdspan<float, E, md::layout_stride> const m(memory.data(), mapping);
  CHECK(equal(view<"row column">(m), m));
  CHECK(view<"row column">(m)(2, 3) == 26);
}

TEST_CASE("run-time extents are checked against the spec") {
  auto memory = numbers(6);
  Dynamic const m(memory.data(), 2, 3);
  CHECK_NOTHROW(view<"row=2 column=3">(m));
  CHECK_THROWS_WITH_AS(view<"row=3 column">(m),
                       "tenon::view: 'row': expected 3, got 2 (\"row=3 column\")", ShapeError);
  CHECK_THROWS_AS(view<"row column=..2">(m), ShapeError);
  CHECK_THROWS_AS(view<"n n">(m), ShapeError);
}

TEST_CASE("empty and scalar mdspans have views") {
  md::mdspan<float, Extents<any, 3>> const none(nullptr, 0);
  CHECK(view<"row column">(none).size() == 0);
  float one = 5;
  CHECK(view<"">(md::mdspan<float, Extents<>>(&one)).item() == 5);
}

TEST_CASE("a tensor is an mdspan of its own elements") {
  auto const x = iota<Float32<"row column=3">>(40);
  auto const m = as_mdspan(x);
  CHECK(m.data_handle() == x.data());
  CHECK(m.extent(0) == 40);
  CHECK(equal(x, m));
  CHECK(equal(view<"row column">(m), m));
  Float64<"n=3"> const small{1, 2, 3};
  CHECK(as_mdspan(small).data_handle() == small.data());
  auto const none = zeros<Float32<"n m">>(0, 2);
  CHECK(as_mdspan(none).extent(0) == 0);
}

TEST_CASE("writing through a mutable mdspan does not change copies") {
  auto x = zeros<Float32<"row column">>(20, 10);
  auto const before = x;
  {
    auto const m = as_mutable_mdspan(x);
    CHECK(view<"row column">(m).data() == m.data_handle());
    m.data_handle()[11] = 5;
    CHECK(x(1, 1) == 5);
    CHECK(before(1, 1) == 0);
    auto const after = x;
    m.data_handle()[0] = 9;
    CHECK(x(0, 0) == 9);
    CHECK(after(0, 0) == 0);
  }
  auto const shared = x;
  CHECK(shared.data() == std::as_const(x).data());
}

TEST_CASE("a view is an mdspan with its strides") {
  auto memory = numbers(12);
  auto const columns = view<"column row">(memory, 3, 4, ViewStrides(1, 3));
  CHECK(equal(columns, as_mdspan(columns)));
  as_mutable_mdspan(columns).data_handle()[0] = 7;
  CHECK(memory[0] == 7);
  CHECK(as_mdspan(view<"one n">(memory, 1, 3, ViewStrides(0, 4))).extent(1) == 3);
  CHECK(as_mdspan(view<"none n">(memory, 0, 3, ViewStrides(0, -1))).extent(1) == 3);
}

TEST_CASE("a view that repeats elements or walks backward is no mdspan") {
  auto memory = numbers(12);
  auto const repeated = view<"n m">(memory, 3, 4, ViewStrides(0, 1));
  CHECK_THROWS_WITH_AS(as_mdspan(repeated),
                       "tenon::as_mdspan: expected a view that has each element once, got one with "
                       "a stride of 0",
                       ValueError);
  CHECK_THROWS_AS(as_mdspan(view<"n m">(memory, 3, 4, ViewStrides(1, 1))), ValueError);
  CHECK_THROWS_AS(as_mdspan(view<"n">(memory.data() + 3, 3, ViewStrides(-1))), ValueError);
}

TEST_CASE("a filter of another library on a tensor") {
  using md::mdspan;
  std::vector<double> memory{1, 2, 3, 4, 5, 6};
  mdspan<double, Extents<any, 3>> const rows(memory.data(), 2);
  auto const x = view<"row column">(rows);  // "row column=3"
  Float64<"column=3"> const means = mean<"row">(x);
  CHECK(as_mdspan(means).static_extent(0) == 3);
}

TEST_CASE("a recorded tensor is no mdspan") {
  auto const f = [](Float32<"n=2"> const& x) { return as_mdspan(x).data_handle()[0] * sum(x); };
  CHECK_THROWS_WITH_AS(grad(f)(Float32<"n=2">{1, 2}),
                       doctest::Contains("tenon::as_mdspan: expected a constant"), Error);
}

}  // namespace
}  // namespace io_mdspan
