// expect: 'time' is the time of the line; name the metric otherwise
#include <tenon/train/run.hpp>

struct Metrics {
  double loss, time;
};

void record(tenon::training::RunManager& run) { run.metrics(Metrics{0.5, 2}); }
