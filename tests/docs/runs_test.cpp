// The code of docs/runs.md.

#include <doctest/doctest.h>

#include <filesystem>
#include <memory>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/train/run.hpp>

#include "../io/folder.hpp"

namespace runs_test {

using namespace tenon;

struct Validation {
  int epoch = 0;
  double loss = 0, perplexity = 0;
  bool is_best = false;
};

TEST_CASE("an event file is written") {
  Folder const folder;
  training::SummaryWriter writer(folder / "events");
  writer.add_scalar("loss", 0.5, 100);
  writer.add_histogram("weight", Float32<"3">{0.5f, 1, 2}, 100);
  CHECK_FALSE(std::filesystem::is_empty(folder / "events"));
}

struct CountingSink final : training::Sink {
  int errors = 0;

  void write(training::LogRecord const& record) override {
    if (record.level == training::LogLevel::error) ++errors;
  }
};

/// The working directory, in which runs/ is created, for the duration of a test.
struct Within {
  Folder folder{};
  std::filesystem::path before = std::filesystem::current_path();

  Within() { std::filesystem::current_path(folder / ""); }
  Within(Within const&) = delete;
  Within& operator=(Within const&) = delete;
  ~Within() { std::filesystem::current_path(before); }
};

double learn(int step) { return 1.0 / step; }

TEST_CASE("the loop of the page leaves a folder in runs/") {
  Within const within;
  training::ConfigText const config{"seed = 1\n", "toml"};
  int const steps = 30;
  std::string const device = "cpu";
  training::RunManager run(config, "first", {.log_every = 10});
  run.log().info("{} steps on {}", steps, device);
  training::Progress progress(steps, {.items_per_step = 64, .unit = "tokens"});
  for (int step = 1; step <= steps; ++step) {
    training::Span const span(run.log(), "step", {{"step", step}});
    double const loss = learn(step);
    progress.step(step, [&] { return "loss " + std::to_string(loss); });
    training::StepMetrics const metrics{
        .step = step, .loss = loss, .items_per_second = progress.items_per_second()};
    run.metrics(metrics);
    run.log().log_step(metrics);
  }
  std::string const log = read_bytes(run.folder() / "train.log");
  CHECK(log.find("30 steps on cpu\n") != log.npos);
  auto const begin = log.find("step 20, loss 0.05, ");
  REQUIRE(begin != log.npos);
  CHECK(log.substr(begin, log.find('\n', begin) - begin).ends_with(" items/s"));
  CHECK(log.find("step 21") == log.npos);
  CHECK(run.folder().parent_path() == "runs");
}

TEST_CASE("a struct of the page is a line, a sink of the page counts errors") {
  Within const within;
  training::RunManager run(training::ConfigText{}, "second", {.console = false});
  run.metrics(Validation{.epoch = 1, .loss = 0.5, .perplexity = 1.65, .is_best = true});
  CHECK(read_bytes(run.folder() / "metrics.jsonl")
            .ends_with(R"("epoch": 1, "loss": 0.5, "perplexity": 1.65, "is_best": true})"
                       "\n"));
  run.log().add_sink(std::make_shared<training::JsonSink>(run.folder() / "log.jsonl"));
  auto const counting = std::make_shared<CountingSink>();
  run.log().add_sink(counting);
  run.log().error("the loss is {}", 1.5);
  CHECK(counting->errors == 1);
  CHECK(read_bytes(run.folder() / "log.jsonl").ends_with("\"text\": \"the loss is 1.5\"}\n"));
}

}  // namespace runs_test
