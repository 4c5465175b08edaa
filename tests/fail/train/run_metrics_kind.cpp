// expect: expected metrics of numbers, bools, texts, optionals of these, and plain structs
#include <vector>

#include <tenon/train/run.hpp>

struct Metrics {
  std::vector<double> losses;
};

void record(tenon::training::RunManager& run) { run.metrics(Metrics{{0.5}}); }
