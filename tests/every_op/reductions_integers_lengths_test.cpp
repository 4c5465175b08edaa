#include "reduction_definitions.hpp"

namespace folds_integers_lengths_test {

using namespace every_op;

namespace {

template <class T>
using Sum = std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>;

/// The sum and the product of the elements, modulo 2^64.
struct Totals {
  std::uint64_t sum = 0, product = 1;
  void add(std::uint64_t x) {
    sum += x;
    product *= x;
  }
};

template <class T>
T element(T value, bool varies, std::int64_t i) {
  return varies && i % 3 != 0 ? static_cast<T>(i * 40503) : value;
}

/// A tensor filled with `value`, or with other integers as well, reduced over all axes and over
/// each.
template <class T, class D>
void check_reductions(std::int64_t rows, std::int64_t columns, T value, bool varies) {
  auto x = zeros<Tensor<T, "a b", D>>(rows, columns);
  Totals all;
  std::vector<Totals> of_row(static_cast<std::size_t>(rows));
  std::vector<Totals> of_column(static_cast<std::size_t>(columns));
  for (std::int64_t i = 0; i < x.size(); ++i) {
    T const e = x.own_memory()[i] = element(value, varies, i);
    auto const wide = static_cast<std::uint64_t>(static_cast<Sum<T>>(e));
    all.add(wide);
    of_row[static_cast<std::size_t>(i / columns)].add(wide);
    of_column[static_cast<std::size_t>(i % columns)].add(wide);
  }
  CHECK(static_cast<std::uint64_t>(sum(x).item()) == all.sum);
  CHECK(static_cast<std::uint64_t>(prod(x).item()) == all.product);
  auto const agree = [](auto const& got, std::vector<Totals> const& wanted, auto part) {
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (static_cast<std::uint64_t>(got.data()[i]) != wanted[i].*part) return false;
    }
    return got.size() == static_cast<std::int64_t>(wanted.size());
  };
  CHECK(agree(eval(sum<"b">(x)), of_row, &Totals::sum));
  CHECK(agree(eval(sum<"a">(x)), of_column, &Totals::sum));
  CHECK(agree(eval(prod<"b">(x)), of_row, &Totals::product));
  CHECK(agree(eval(prod<"a">(x)), of_column, &Totals::product));
}

constexpr std::int64_t lengths[]{0, 1, 7, 63, 64, 65, 1000, 100003};

template <class D, class T>
void check_lengths() {
  using Limits = std::numeric_limits<T>;
  for (std::int64_t const n : lengths) {
    CAPTURE(n);
    if (std::same_as<D, Reference> && n > 1000) continue;
    for (T const value : {Limits::max(), Limits::lowest()}) {
      check_reductions<T, D>(1, n, value, false);
      check_reductions<T, D>(n, 1, value, false);
    }
    if (n > 1000) continue;
    check_reductions<T, D>(3, n, Limits::lowest(), true);
    check_reductions<T, D>(n, 3, Limits::max(), true);
  }
  check_reductions<T, D>(130, 67, Limits::max(), false);
  check_reductions<T, D>(67, 133, Limits::lowest(), true);
}

/// (Sums of powers of two are exact in `float`.)
template <class D, class T>
void check_means() {
  T const power = static_cast<T>(std::numeric_limits<T>::max() / 2 + 1);
  for (std::int64_t const n : lengths) {
    if (n == 0 || n > 1000) continue;
    CHECK(mean(full<Tensor<T, "n", D>>(power, n)).item() == static_cast<float>(power));
    CHECK(mean<"a">(full<Tensor<T, "a b", D>>(power, n, 2))(1) == static_cast<float>(power));
  }
}

template <class D, class... T>
void check_each() {
  (check_lengths<D, T>(), ...);
  (check_means<D, T>(), ...);
}

}  // namespace

TEST_CASE_TEMPLATE("reductions of integers are exact for any number of elements", D, Cpu,
                   Reference) {
  check_each<D, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t>();
  check_each<D, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>();
}

TEST_CASE_TEMPLATE("reductions of rows and columns of slices of small integers are exact", D, Cpu,
                   Reference) {
  auto x = full<Tensor<std::int16_t, "a b c", D>>(std::int16_t{-32768}, 70, 5, 90);
  CHECK(sum(slice<"c", 3, 80>(x)).item() == std::int64_t{-32768} * 70 * 5 * 77);
  CHECK(sum<"a c">(slice<"b", 1, 3>(x))(1) == std::int64_t{-32768} * 70 * 90);
  CHECK(sum<"a b">(slice<"c", 3, 80>(x))(76) == std::int64_t{-32768} * 70 * 5);
  CHECK(sum(rearrange<"a b c -> c b a">(x)).item() == std::int64_t{-32768} * 70 * 5 * 90);
  CHECK(sum<"b">(rearrange<"a b c -> c b a">(x))(89, 69) == -32768 * 5);
}

}  // namespace folds_integers_lengths_test
