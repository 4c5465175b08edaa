// The same step on several devices: which devices run it, how often, and the printed table. (The
// durations are not tested.)

#include <doctest/doctest.h>

#include <map>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/train/compare_devices.hpp>

namespace compare_devices_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// A device that this machine does not have.
struct Absent {
  static constexpr std::string_view name = "absent";
  static constexpr bool is_host = false;
};

int lines_of(std::string const& text) {
  return static_cast<int>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("a table has a row for every device and dtype") {
  auto const prepare = []<class D, class T>(D, T) {
    auto const x = to<D>(ones<Tensor<T, "row column">>(8, 16));
    return [x] { return eval(softmax<"column">(x)); };
  };
  auto const table = tenon::benchmark::compare_devices(prepare, DeviceList<Cpu, Reference>(),
                                                       tenon::benchmark::DtypeList<float, double>(),
                                                       {.items = 8 * 16, .unit = "elements"});
  std::string const text = table.text();
  INFO(text);
  CHECK(lines_of(text) == 5);
  CHECK(text.starts_with("device      dtype     runs"));
  CHECK(text.find("elements/s\n") != text.npos);
  REQUIRE(table.rows.size() == 4);
  CHECK(table.rows[0].device == "cpu");
  CHECK(table.rows[0].dtype == "float32");
  CHECK(table.rows[3].device == "reference");
  CHECK(table.rows[3].dtype == "float64");
  for (auto const& row : table.rows) {
    CHECK(row.remark == "");
    CHECK(row.runs == 20);
    CHECK((0 < row.least && row.least <= row.median && row.median <= row.most));
    CHECK((row.least <= row.mean * (1 + 1e-12) && row.mean <= row.most * (1 + 1e-12)));
    CHECK(row.throughput == doctest::Approx(8 * 16 / row.median));
  }
}

TEST_CASE(
    "a step is prepared once for each device and dtype, and run the requested number of times") {
  std::map<std::string, int> prepared, done;
  auto const prepare = [&]<class D, class T>(D, T) {
    std::string const name = std::string(D::name) + " " + std::string(dtype_name<T>);
    ++prepared[name];
    return [&done, name] { ++done[name]; };
  };
  auto const table = tenon::benchmark::compare_devices(
      prepare, DeviceList<Cpu, Absent>(), tenon::benchmark::DtypeList<float, bfloat16>(),
      {.warm_up = 2, .runs = 5});
  CHECK(prepared == std::map<std::string, int>{{"cpu float32", 1}, {"cpu bfloat16", 1}});
  CHECK(done == std::map<std::string, int>{{"cpu float32", 7}, {"cpu bfloat16", 7}});
  CHECK(table.rows[2].remark == "not on this machine");
  CHECK(table.rows[2].runs == 0);
  CHECK(table.text().find("absent      float32   not on this machine\n") != std::string::npos);
}

TEST_CASE("a device without a step runs nothing") {
  auto const prepare = [](Cpu, std::floating_point auto) { return [] {}; };
  auto const table = tenon::benchmark::compare_devices(
      prepare, DeviceList<Cpu, Reference>(), tenon::benchmark::DtypeList<float, std::int32_t>());
  CHECK(table.rows[0].remark == "");
  for (std::size_t i : {1u, 2u, 3u}) CHECK(table.rows[i].remark == "no such step");
  CHECK_THROWS_WITH_AS(
      tenon::benchmark::compare_devices(prepare, DeviceList<Cpu>(),
                                        tenon::benchmark::DtypeList<float>(), {.runs = 0}),
      "tenon::compare_devices: expected at least one run, got 0 after 3 to warm up", ValueError);
}

TEST_CASE("the median is the middle of the durations") {
  using tenon::internal::benchmark::summary;
  CHECK(summary({}, {1, 2, 10}, 6).median == 2);
  CHECK(summary({}, {1, 2, 4, 10}, 6).median == 3);
  CHECK(summary({}, {1, 2, 4, 10}, 6).throughput == 2);
  CHECK(tenon::internal::benchmark::time_in_words(1.25) == "1.25 s");
  CHECK(tenon::internal::benchmark::time_in_words(0.00125) == "1.25 ms");
  CHECK(tenon::internal::benchmark::time_in_words(2.5e-7) == "250 ns");
  CHECK(tenon::internal::benchmark::time_in_words(0) == "0 ns");
}

}  // namespace compare_devices_test
