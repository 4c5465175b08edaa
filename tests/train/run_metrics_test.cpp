// metrics.jsonl: lines of JSON, which other readers read; what happens when the disk is full.
// sanitize: thread

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#if !defined(_WIN32)
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>
#endif

#include <tenon/tenon.hpp>

#include <tenon/io/json/value.hpp>
#include <tenon/train/run.hpp>
#include <tenon/train/run/time_text.hpp>

#include "../io/folder.hpp"

namespace run_metrics_test {

using namespace tenon;
using training::ConfigText;
using training::RunManager;

namespace {

struct Validation {
  double loss = 0;
  float accuracy = 0;
};

struct Everything {
  int epoch = 0;
  unsigned long seen = 0;
  float rate = 0;
  double loss = 0;
  bool is_best = false;
  std::string note{};
  std::optional<double> absent{};
  std::optional<int> given{};
  Validation validation{};
};

std::vector<std::string> lines_of(std::filesystem::path const& path) {
  std::string const all = read_bytes(path);
  std::vector<std::string> lines;
  for (std::size_t at = 0, end; at < all.size(); at = end + 1) {
    end = std::min(all.find('\n', at), all.size());
    lines.push_back(all.substr(at, end - at));
  }
  return lines;
}

json::Value value_of(std::string const& line) {
  internal::json::Reader reader(line, "line");
  auto value = internal::json::Parser(reader, "line").read();
  reader.end();
  return value;
}

/// Without the time, which comes first.
std::string without_time(std::string const& line) {
  auto const at = line.find(", ");
  return at == std::string::npos ? "" : line.substr(at + 2);
}

RunManager run_in(Folder const& folder) {
  return RunManager(ConfigText{}, "tag", {.parent = folder / "runs", .console = false});
}

}  // namespace

TEST_CASE("a line has the time and the fields by name") {
  Folder const folder;
  auto run = run_in(folder);
  double const before = internal::training::unix_seconds(std::chrono::system_clock::now());
  run.metrics({.epoch = 2, .step = 100, .loss = 0.5});
  run.append_metrics(Everything{3,
                                18446744073709551615u,
                                0.1f,
                                0.1,
                                true,
                                "a\"\\\n\xc3\xa4",
                                std::nullopt,
                                4,
                                {1e-300, -0.0f}});
  auto const lines = lines_of(run.folder() / "metrics.jsonl");
  REQUIRE(lines.size() == 2);
  CHECK(value_of(lines[0]).at("time").number() >= before);
  CHECK(without_time(lines[0]) == R"("epoch": 2, "step": 100, "loss": 0.5})");
  CHECK(without_time(lines[1]) ==
        "\"epoch\": 3, \"seen\": 18446744073709551615, \"rate\": 0.1, \"loss\": 0.1, \"is_best\": "
        "true, \"note\": \"a\\\"\\\\\\u000a\xc3\xa4\", \"given\": 4, \"validation\": {\"loss\": "
        "1e-300, \"accuracy\": -0}}");
}

TEST_CASE("the metrics of a resumed run begin with those up to its checkpoint") {
  Folder const folder;
  auto first = run_in(folder);
  for (int step = 1; step <= 4; ++step) first.metrics({.step = step, .loss = 1.0 / step});
  auto const path = first.folder() / "metrics.jsonl";
  auto const lines = lines_of(path);
  std::string const other = R"({"epoch": 1})", word = R"({"step": "last"})";
  auto const resumed = [&](std::string const& text, int step) {
    write_bytes(path, text);
    RunManager run(ConfigText{}, "tag",
                   {.parent = folder / "runs",
                    .console = false,
                    .resumed = first.folder(),
                    .resumed_step = step});
    run.metrics({.step = step + 1});
    auto all = lines_of(run.folder() / "metrics.jsonl");
    CHECK(without_time(all.back()) == "\"step\": " + std::to_string(step + 1) + "}");
    all.pop_back();
    return all;
  };
  using Lines = std::vector<std::string>;
  std::string const all = lines[0] + "\n" + other + "\n" + lines[1] + "\n" + word + "\n" + lines[2];
  CHECK(resumed(all + "\n", 2) == Lines{lines[0], other, lines[1], word});
  CHECK(resumed(all, 3) == Lines{lines[0], other, lines[1], word, lines[2]});
  CHECK(resumed(all, 0).empty());
  CHECK(resumed("", 2).empty());
  std::string const torn = lines[1].substr(0, 9);
  CHECK(resumed(lines[0] + "\n" + torn + "\n" + lines[1] + "\n" + torn, 2) ==
        Lines{lines[0], lines[1]});
  std::filesystem::remove(path);
  CHECK(
      lines_of(RunManager(ConfigText{}, "tag",
                          {.parent = folder / "runs", .console = false, .resumed = first.folder()})
                   .folder() /
               "metrics.jsonl")
          .empty());
}

TEST_CASE("numbers are read back to the bit") {
  for (double const x : {0.1, 1.0 / 3, 5e-324, 1.7976931348623157e308, -2.5, 123456789.125}) {
    CHECK(std::strtod(internal::training::json_number(x).c_str(), nullptr) == x);
    auto const narrow = static_cast<float>(x);
    if (std::isinf(narrow)) continue;
    CHECK(std::strtof(internal::training::json_number(narrow).c_str(), nullptr) == narrow);
  }
}

TEST_CASE("NaN and infinities are strings") {
  Folder const folder;
  auto run = run_in(folder);
  double const infinity = std::numeric_limits<double>::infinity();
  run.metrics(Validation{std::nan(""), static_cast<float>(infinity)});
  run.metrics({.loss = -infinity});
  auto const lines = lines_of(run.folder() / "metrics.jsonl");
  CHECK(without_time(lines[0]) == R"("loss": "nan", "accuracy": "inf"})");
  CHECK(without_time(lines[1]) == R"("loss": "-inf"})");
}

TEST_CASE("no metrics are a line of the time alone") {
  Folder const folder;
  auto run = run_in(folder);
  run.metrics({});
  auto const lines = lines_of(run.folder() / "metrics.jsonl");
  CHECK(value_of(lines[0]).members().size() == 1);
}

TEST_CASE("bytes that are not UTF-8 become U+FFFD") {
  CHECK(internal::training::json_string("a\xff\xc3") == "\"a\xef\xbf\xbd\xef\xbf\xbd\"");
  CHECK(internal::training::json_string("") == "\"\"");
}

TEST_CASE("threads write whole lines") {
  Folder const folder;
  auto run = run_in(folder);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&run, t] {
      for (int i = 0; i < 200; ++i)
        run.metrics(Everything{.epoch = t, .note = std::string(99, 'x')});
    });
  for (auto& thread : threads) thread.join();
  auto const lines = lines_of(run.folder() / "metrics.jsonl");
  CHECK(lines.size() == 800);
  std::vector<int> count(4);
  for (auto const& line : lines)
    ++count[static_cast<std::size_t>(value_of(line).at("epoch").integer(0, 3))];
  CHECK(count == std::vector<int>(4, 200));
}

#if !defined(_WIN32)

TEST_CASE("Python reads the files") {
  if (std::system("python3 -c 0 >/dev/null 2>&1") != 0) return;
  Folder const folder;
  auto run = run_in(folder);
  run.metrics(Everything{.epoch = 1, .rate = 0.1f, .loss = std::nan(""), .note = "\xc3\xa4\n"});
  { training::Span const span(run.log(), "e", {{"n", std::nan("")}, {"t", "\t"}}); }
  write_bytes(folder / "check.py",
              "import json, math, sys\n"
              "one, = map(json.loads, open('metrics.jsonl', encoding='utf-8'))\n"
              "assert list(one) == ['time', 'epoch', 'seen', 'rate', 'loss', 'is_best', 'note', "
              "'validation']\n"
              "assert one['rate'] == 0.1 and math.isnan(float(one['loss']))\n"
              "assert one['note'] == chr(228) + chr(10) and one['validation']['accuracy'] == 0\n"
              "assert json.load(open('system.json'))['ranks'] == 1\n"
              "span, = map(json.loads, open('spans.jsonl'))\n"
              "span = span['resourceSpans'][0]['scopeSpans'][0]['spans'][0]\n"
              "assert span['attributes'][0]['value'] == {'doubleValue': 'NaN'}\n");
  std::string const command =
      "cd '" + run.folder().string() + "' && python3 '" + (folder / "check.py").string() + "'";
  CHECK(std::system(command.c_str()) == 0);
}

#endif

}  // namespace run_metrics_test
