// Examples of docs/functions/: reductions.

#include <doctest/doctest.h>

#include <tenon/statistics.hpp>
#include <tenon/tenon.hpp>

namespace functions_reductions_test {

using namespace tenon;

Float32<"row=2 column=3"> const x{{1, 2, 3}, {4, 5, 6}};

TEST_CASE("reductions over named axes") {
  CHECK(to_string(sum<"column">(x)) == "[ 6. 15.]");
  CHECK(to_string(prod<"column">(x)) == "[  6. 120.]");
  CHECK(to_string(mean<"row">(x)) == "[2.5 3.5 4.5]");
  CHECK(to_string(var<"row">(x)) == "[2.25 2.25 2.25]");
  CHECK(to_string(stddev<"row">(x)) == "[1.5 1.5 1.5]");
  CHECK(norm(Float32<"2">{3, 4}).item() == 5);
  CHECK(to_string(max<"column">(x)) == "[3. 6.]");
  CHECK(to_string(min<"column">(x)) == "[1. 4.]");
  CHECK(to_string(argmax<"column">(x)) == "[2 2]");
  CHECK(to_string(argmin<"column">(x)) == "[0 0]");
  CHECK(to_string(any<"column">(x > 5)) == "[False  True]");
  CHECK(to_string(all<"column">(x > 3)) == "[False  True]");
  CHECK(to_string(sum<"column">(x, keep)) == "[[ 6.]\n [15.]]");
}

TEST_CASE("statistics") {
  CHECK(to_string(nansum<"column">(sqrt(x - 2))) == "[1.        5.1462646]");
  CHECK(to_string(nanmean<"row">(sqrt(x - 4))) == "[0.        1.        1.4142135]");
  CHECK(to_string(nanmax<"column">(sqrt(x - 2))) == "[1. 2.]");
  CHECK(to_string(nanmin<"column">(sqrt(x - 2))) == "[0.        1.4142135]");
  CHECK(to_string(ptp<"column">(x)) == "[2. 2.]");
  CHECK(to_string(count_nonzero<"row">(x - 1)) == "[1 2 2]");
  CHECK(to_string(average<"column">(x, Float32<"column=3">{1, 1, 2})) == "[2.25 5.25]");
  CHECK(to_string(diff<"row">(x)) == "[[3. 3. 3.]]");
  CHECK(to_string(trapezoid<"column">(x)) == "[ 4. 10.]");
  CHECK(to_string(quantile<"column">(x, 0.25)) == "[1.5 4.5]");
  CHECK(to_string(median<"row">(x)) == "[2.5 3.5 4.5]");
  CHECK(to_string(cov<"column">(x)) == "[[1. 1.]\n [1. 1.]]");
  CHECK(corrcoef<"column">(x)(0, 1) == doctest::Approx(1));
}

TEST_CASE("functions of rows") {
  CHECK(sum(softmax<"column">(x)).item() == doctest::Approx(2));
  CHECK(log_softmax<"column">(x)(0, 2) == doctest::Approx(-0.407606));
  CHECK(logsumexp<"column">(x)(0) == doctest::Approx(3.407606));
  CHECK(to_string(cumsum<"column">(x)) == "[[ 1.  3.  6.]\n [ 4.  9. 15.]]");
  CHECK(to_string(cumprod<"column">(x)) == "[[  1.   2.   6.]\n [  4.  20. 120.]]");
}

TEST_CASE("scans, counts and places") {
  CHECK(to_string(cummax<"column">(-x)) == "[[-1. -1. -1.]\n [-4. -4. -4.]]");
  CHECK(to_string(cummin<"column">(-x)) == "[[-1. -2. -3.]\n [-4. -5. -6.]]");
  CHECK(logcumsumexp<"column">(x)(0, 2) == doctest::Approx(3.407606));
  CHECK(to_string(histogram<Int64<"bin=2">>(x, 1, 6)) == "[3 3]");
  CHECK(to_string(histogram(x, Float32<"edge=3">{0, 3, 5})) == "[2 3]");
  CHECK(to_string(bincount<Int64<"word=3">>(Int32<"n=3">{2, 0, 2})) == "[1 0 2]");
  CHECK(to_string(searchsorted(Float32<"n=3">{1, 3, 4}, x)) == "[[0 1 1]\n [2 3 3]]");
  CHECK(searchsorted(Float32<"n=2">{1, 3}, x, SearchSide::right)(0, 0) == 1);
  Unique<Float32<"n=_">, Int64<"n=_">> const all = unique(Float32<"n=3">{2, 1, 2});
  CHECK(to_string(all.values) == "[1. 2.]");
  CHECK(to_string(all.counts) == "[1 2]");
  CHECK(partition<"column">(-x, 1)(0, 1) == -2);
  CHECK(argpartition<"column">(-x, 1)(0, 1) == 1);
}

TEST_CASE("pooling") {
  CHECK(to_string(max_pool<"column", 2, Sliding{.stride = 1}>(x)) == "[[2. 3.]\n [5. 6.]]");
  CHECK(to_string(avg_pool<"row column", 2, Sliding{.stride = 1}>(x)) == "[[3. 4.]]");
  auto const [values, indices] = max_pool_with_indices<"row column", 2>(x);
  CHECK(values(0, 0) == 5);
  CHECK(indices(0, 0) == 4);
}

}  // namespace functions_reductions_test
