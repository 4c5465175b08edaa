// Times, summaries, statistics and checks of values.

#include <doctest/doctest.h>

#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/tensor/complex.hpp>
#include <tenon/train/inspect.hpp>

namespace inspect_test {

using namespace tenon;
using namespace tenon::training;

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::int64_t now = 0;

std::int64_t test_clock() { return now; }

template <class F>
std::string message_of(F const& f) {
  try {
    f();
  } catch (NotFiniteError const& error) {
    return error.what();
  }
  return "nothing thrown";
}

struct Layer {
  Float32<"in out=2"> weight;
  Float32<"out=2"> bias;
};
struct Model {
  std::vector<Layer> layers;
  Frozen<Float32<"n=3">> table;
  Int32<"k=4"> ids;
  double rate = 0.5;
};

Model model_of(int layers) {
  Model model;
  for (int i = 0; i < layers; ++i)
    model.layers.push_back({zeros<Float32<"in out=2">>(1000), zeros<Float32<"out=2">>()});
  return model;
}

}  // namespace

TEST_CASE("a timer reads seconds, laps, and starts again") {
  now = 1'000'000'000;
  Timer timer(&test_clock);
  CHECK(timer.seconds() == 0);
  now += 500'000'000;
  CHECK(timer.seconds() == doctest::Approx(0.5));
  CHECK(timer.lap() == doctest::Approx(0.5));
  now += 250'000'000;
  CHECK(timer.lap() == doctest::Approx(0.25));
  CHECK(timer.seconds() == doctest::Approx(0.75));
  timer.restart();
  CHECK(timer.seconds() == 0);
  CHECK(timer.lap() == 0);
}

TEST_CASE("a timer of the machine does not go back") {
  Timer timer;
  CHECK(timer.lap() >= 0);
  CHECK(timer.seconds() >= 0);
}

TEST_CASE("a summary shows the fields as a tree, with elements and bytes") {
  Summary const found = summary(model_of(2));
  CHECK(found.rows.size() == 6);
  CHECK(found.elements == 4011);
  CHECK(found.trainable == 4004);
  CHECK(found.bytes == 4 * 4011);
  CHECK(found.text() ==
        "============================================================\n"
        "field         tensor                                elements\n"
        "============================================================\n"
        "model                                                  4,011\n"
        "├─layers                                               4,004\n"
        "│ ├─0                                                  2,002\n"
        "│ │ ├─weight  float32 \"in=1000 out=2\"                  2,000\n"
        "│ │ └─bias    float32 \"out=2\"                              2\n"
        "│ └─1                                                  2,002\n"
        "│   ├─weight  float32 \"in=1000 out=2\"                  2,000\n"
        "│   └─bias    float32 \"out=2\"                              2\n"
        "├─table       float32 \"n=3\"            not trained         3\n"
        "└─ids         int32 \"k=4\"              not trained         4\n"
        "============================================================\n"
        "Total parameters: 4,011\n"
        "Trainable parameters: 4,004\n"
        "Other parameters: 7\n"
        "Size: 15.67 KiB\n"
        "============================================================\n");
}

TEST_CASE("a summary of one tensor, and of nothing") {
  CHECK(summary(Float32<"n=2">{}).text().find("model  float32 \"n=2\"") != std::string::npos);
  CHECK(summary(Layer{}).rows[0].path == "weight");
  CHECK(summary(std::vector<Layer>()).elements == 0);
  CHECK(summary(std::vector<Layer>()).text().find("Total parameters: 0\n") != std::string::npos);
}

TEST_CASE("statistics count zeros, NaN and infinities, the rest is of finite elements") {
  Float32<"n"> const x{0, 1, nan, 3, infinity, -infinity, 0};
  Statistics const found = statistics(x);
  CHECK(found.count == 7);
  CHECK(found.zeros == 2);
  CHECK(found.nans == 1);
  CHECK(found.infinities == 2);
  CHECK(found.has_nan());
  CHECK(found.has_infinity());
  CHECK_FALSE(found.is_finite());
  CHECK(found.min == 0);
  CHECK(found.max == 3);
  CHECK(found.mean == doctest::Approx(1));
  CHECK(found.std == doctest::Approx(1.224744871));  // sqrt(6 / 4)
  CHECK(found.text() ==
        "min 0, max 3, mean 1, std 1.225 of 7 elements, 2 zeros, 1 NaN, 2 infinite");
}

TEST_CASE("statistics of nothing, of one element, and without a finite one") {
  Statistics const empty = statistics(zeros<Float32<"n">>(0));
  CHECK(empty.count == 0);
  CHECK(std::isnan(empty.min));
  CHECK(std::isnan(empty.mean));
  CHECK(empty.is_finite());
  Statistics const one = statistics(Float32<"">{5});
  CHECK(one.mean == 5);
  CHECK(one.std == 0);
  CHECK(std::isnan(statistics(Float32<"n">{nan, nan}).mean));
}

TEST_CASE("statistics agree with reductions, also of large numbers, expressions and other dtypes") {
  auto const x = eval(normal<Float64<"n">>(Key(7), 20'000) + 1e6);
  Statistics const found = statistics(x);
  CHECK(found.mean == doctest::Approx(mean(x).item()));
  CHECK(found.std == doctest::Approx(stddev(x).item()).epsilon(1e-9));
  CHECK(found.min == min(x).item());
  CHECK(found.max == max(x).item());
  CHECK(statistics(x * 2).max == 2 * found.max);
  CHECK(statistics(Int32<"n">{1, 2, 3}).mean == 2);
  CHECK(statistics(Mask<"n">{true, false}).mean == 0.5);
  CHECK(statistics(to<bfloat16>(Float32<"n">{1, infinity})).infinities == 1);
}

TEST_CASE("a value that is not finite is reported with its first index and the counts") {
  Float32<"row column=2"> const x{{1, 2}, {3, infinity}, {nan, 6}};
  CHECK(message_of([&] { check_finite(x, "loss"); }) ==
        "tenon::check_finite: 'loss': expected finite elements, got inf at (1, 1), 1 NaN and 1 "
        "infinite of 6 elements");
  CHECK(message_of([&] { check_finite(x * 0); }) ==
        "tenon::check_finite: expected finite elements, got nan at (1, 1), 2 NaN and 0 infinite of "
        "6 elements");
  CHECK(message_of([&] { check_finite(Float32<"">{nan}, "x"); }) ==
        "tenon::check_finite: 'x': expected finite elements, got nan at (), 1 NaN and 0 infinite "
        "of 1 elements");
  CHECK(message_of([&] {
          check_finite(Tensor<std::complex<float>, "n">{{1, 0}, {0, nan}});
        }) ==
        "tenon::check_finite: expected finite elements, got nan at (1), 1 NaN and 0 infinite of 2 "
        "elements");
}

TEST_CASE("a tree that is not finite is reported with the path") {
  Model model = model_of(2);
  check_finite(model, "model");
  model.layers[1].bias(1) = nan;
  CHECK(message_of([&] { check_finite(model, "gradients"); }) ==
        "tenon::check_finite: 'gradients: layers.1.bias': expected finite elements, got nan at "
        "(1), 1 NaN and 0 infinite of 2 elements");
  model = model_of(0);
  model.table.value(0) = -infinity;
  CHECK(message_of([&] { check_finite(model); }) ==
        "tenon::check_finite: 'table': expected finite elements, got -inf at (0), 0 NaN and 1 "
        "infinite of 3 elements");
}

TEST_CASE("finite values, integers and empty tensors pass") {
  check_finite(Float32<"n">{0, -0.0f, std::numeric_limits<float>::max()});
  check_finite(Int32<"n">{1});
  check_finite(zeros<Float32<"n">>(0));
}

TEST_CASE("a recorded value is checked and keeps its gradient") {
  auto const f = [](Float32<"n"> const& x) {
    auto const y = eval(x * x);
    check_finite(y, "y");
    CHECK(statistics(y).max == 9);
    return sum(y);
  };
  CHECK(all(grad(f)(Float32<"n">{1, 3}) == Float32<"n">{2, 6}).item());
}

}  // namespace inspect_test
