// Observers of kernels: profilers, ranges, and checks for the first NaN or infinity.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <tenon/io/json/value.hpp>
#include <tenon/tenon.hpp>

#include <tenon/train/inspect.hpp>

namespace inspect_observer_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Matrix = Float32<"row column">;

/// Each reading is one millisecond later.
std::int64_t readings = 0;
std::int64_t counting_clock() { return ++readings * 1'000'000; }

/// The message without the line of the source, which only programs with debug information have.
template <class F>
std::string message_of(F const& f) {
  try {
    f();
  } catch (NotFiniteError const& error) {
    std::string const message = error.what();
    auto const line = message.rfind(", at ");
    return line == message.npos ? message : message.substr(0, line) + ")";
  }
  return "nothing thrown";
}

/// The number of the kernels of a thread.
struct Counter final : internal::Observer {
  int forward = 0, backward = 0;
  void ran(internal::ObservedKernel const& kernel) override {
    ++(kernel.is_backward ? backward : forward);
  }
};

}  // namespace

TEST_CASE("a profiler adds up kernels by name, shape and dtype") {
  Matrix const x = ones<Matrix>(20, 30);
  Profiler profiler(&counting_clock);
  for (int i = 0; i < 3; ++i) Matrix const y = exp(x) + 1;
  auto const product = eval(matmul(x, ones<Float32<"column out">>(30, 40)));
  auto const rows = profiler.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].kernel == "add(exp(_), _)");
  CHECK(rows[0].shape == "(20, 30)");
  CHECK(rows[0].dtype == "float32");
  CHECK(rows[0].calls == 3);
  CHECK(rows[0].total == doctest::Approx(0.003));
  CHECK(rows[0].mean == doctest::Approx(0.001));
  CHECK(rows[0].max == doctest::Approx(0.001));
  CHECK(rows[0].bytes == 3 * 20 * 30 * 4);
  CHECK(rows[1].kernel == "matmul(_, _)");
  CHECK(rows[1].shape == "(20, 40)");
  CHECK(profiler.table() ==
        "=====================================================================\n"
        "kernel          shape     dtype    calls  total  mean   max     bytes\n"
        "=====================================================================\n"
        "add(exp(_), _)  (20, 30)  float32      3   3 ms  1 ms  1 ms  7.03 KiB\n"
        "matmul(_, _)    (20, 40)  float32      1   1 ms  1 ms  1 ms  3.12 KiB\n");
}

TEST_CASE("a table is sorted by a column, and cut") {
  Matrix const x = ones<Matrix>(20, 30);
  Profiler profiler(&counting_clock);
  auto const y = eval(matmul(x, ones<Float32<"column out">>(30, 30)));
  for (int i = 0; i < 2; ++i) Matrix const z = exp(x);
  auto const first = [&](std::string_view column) {
    std::string const text = profiler.table({.sort_by = column, .rows = 1});
    std::string const line = text.substr(0, text.rfind('\n'));
    return line.substr(line.rfind('\n') + 1, 3);
  };
  CHECK(first("total") == "exp");
  CHECK(first("calls") == "exp");
  CHECK(first("bytes") == "exp");
  CHECK(first("mean") == "exp");  // equal: by name
  CHECK(first("kernel") == "exp");
  CHECK_THROWS_WITH_AS(static_cast<void>(profiler.table({.sort_by = "time"})),
                       "tenon::Profiler::table: 'sort_by': expected total, mean, max, calls, bytes "
                       "or kernel, got time",
                       ValueError);
  profiler.clear();
  CHECK(profiler.rows().empty());
}

TEST_CASE("a profiler lists the backward of each kernel") {
  Matrix const x = ones<Matrix>(20, 30), w = ones<Matrix>(20, 30);
  Profiler profiler(&counting_clock);
  static_cast<void>(grad([&](Matrix const& v) { return sum(exp(v) * x); })(w));
  std::vector<std::string> names;
  for (auto const& row : profiler.rows()) names.push_back(row.kernel);
  CHECK(std::ranges::count(names, "sum(mul(exp(_), _))") == 1);
  CHECK(std::ranges::count(names, "backward of sum(mul(exp(_), _))") == 1);
}

TEST_CASE("profilers nest, end with their scope, also by an exception, and are those of a thread") {
  Matrix const x = ones<Matrix>(20, 30);
  Counter outer;
  {
    Counter inner;
    Matrix const y = exp(x);
    CHECK(inner.forward == 1);
  }
  CHECK(outer.forward == 1);
  try {
    Counter inner;
    throw std::runtime_error("stop");
  } catch (std::runtime_error const&) {
  }
  std::thread([&] { Matrix const y = exp(x); }).join();
  CHECK(outer.forward == 1);
  Matrix const y = exp(x);
  CHECK(outer.forward == 2);
}

TEST_CASE("without an observer the results are the same bits") {
  Matrix const x = normal<Matrix>(Key(3), 50, 70);
  auto const f = [](Matrix const& v) { return mean(log_softmax<"column">(v) * v); };
  auto const before = grad(f)(x);
  Counter counter;
  auto const after = grad(f)(x);
  CHECK(all(before == after).item());
  CHECK(counter.forward > 0);
  CHECK(counter.backward > 0);
}

TEST_CASE("ranges are listed by their names, and nest") {
  Profiler profiler(&counting_clock);
  CHECK(ProfileRange::path() == "");
  {
    ProfileRange const step("step");
    ProfileRange const forward("forward");
    CHECK(ProfileRange::path() == "step/forward");
  }
  CHECK(ProfileRange::path() == "");
  auto const rows = profiler.rows();
  REQUIRE(rows.size() == 2);
  CHECK(rows[0].kernel == "forward");
  CHECK(rows[0].total == doctest::Approx(0.001));
  CHECK(rows[1].kernel == "step");
  CHECK(rows[1].total == doctest::Approx(0.003));
}

TEST_CASE("a Chrome trace is JSON with an event for each kernel and range") {
  auto const path = std::filesystem::temp_directory_path() / "tenon_inspect_observer_trace.json";
  Matrix const x = ones<Matrix>(20, 30);
  {
    Profiler profiler(&counting_clock);
    {
      ProfileRange const range("a \"range\"");
      Matrix const y = exp(x);
    }
    profiler.save_chrome_trace(path);
  }
  auto const trace = load_json(path);
  auto const& events = trace.at("traceEvents").elements();
  REQUIRE(events.size() == 2);
  CHECK(events[0].at("name").string() == "exp(_)");
  CHECK(events[0].at("ph").string() == "X");
  CHECK(events[0].at("ts").number() == 1000);
  CHECK(events[0].at("dur").number() == 1000);
  CHECK(events[0].at("args").at("shape").string() == "(20, 30)");
  CHECK(events[1].at("name").string() == "a \"range\"");
  CHECK(events[1].at("cat").string() == "range");
  CHECK(events[1].at("ts").number() == 0);
  CHECK(events[1].at("dur").number() == 3000);
  std::filesystem::remove(path);
  Profiler const empty(&counting_clock);
  empty.save_chrome_trace(path);
  CHECK(load_json(path).at("traceEvents").elements().empty());
  std::filesystem::remove(path);
}

TEST_CASE("the first kernel with NaN or infinity throws, with its expression and range") {
  Matrix x = ones<Matrix>(20, 30);
  x(3, 4) = 0;
  FiniteChecks const checks;
  CHECK(message_of([&] { Matrix const y = log(x) * 2; }) ==
        "tenon::FiniteChecks: 'mul': expected finite elements, got -inf at (3, 4), 0 NaN and 1 "
        "infinite of 600 elements (float32 \"row column\" of mul(log(float32 (20, 30)), number))");
  ProfileRange const range("forward");
  CHECK(message_of([&] { Matrix const y = 1 / x; }).ends_with(", in forward)"));
  CHECK(message_of([&] { Matrix const y = exp(x); }) == "nothing thrown");
}

TEST_CASE("a backward that divides by zero throws, though the forward is finite") {
  Matrix x = ones<Matrix>(20, 30);
  x(0, 1) = 0;
  FiniteChecks const checks;
  CHECK(message_of(
            [&] { static_cast<void>(grad([](Matrix const& v) { return sum(sqrt(v)); })(x)); }) ==
        "tenon::FiniteChecks: 'backward of sum': expected finite elements, got inf at (0, 1), 0 "
        "NaN and 1 infinite of 600 elements (an adjoint, float32 of sum(sqrt(float32 (20, 30))))");
  auto const again = grad([](Matrix const& v) { return sum(v * v); })(x);
  CHECK(again(0, 0) == 2);
}

TEST_CASE("checks see products, halves and doubles") {
  float const inf = std::numeric_limits<float>::infinity();
  Matrix x = ones<Matrix>(20, 30);
  x(0, 0) = inf;
  auto const w = ones<Float32<"column out">>(30, 8);
  FiniteChecks const checks;
  CHECK(message_of([&] { auto const y = eval(matmul(x, w)); }).find("'matmul'") !=
        std::string::npos);
  CHECK(message_of([&] { auto const y = eval(relu(matmul(x, w))); }).find("'relu'") !=
        std::string::npos);
  CHECK(message_of([&] { auto const y = eval(to<bfloat16>(x)); }).find("bfloat16") !=
        std::string::npos);
  CHECK(message_of([&] { auto const y = eval(to<double>(x)); }).find("float64") !=
        std::string::npos);
  CHECK(message_of([&] { auto const y = eval(x > 0); }) == "nothing thrown");
}

TEST_CASE("an observer that throws is gone with its scope") {
  Matrix x = zeros<Matrix>(20, 30);
  CHECK_THROWS_AS(
      [&] {
        FiniteChecks const checks;
        Matrix const y = 1 / x;
      }(),
      NotFiniteError);
  Matrix const y = 1 / x;
  CHECK(y(0, 0) == std::numeric_limits<float>::infinity());
}

}  // namespace inspect_observer_test
