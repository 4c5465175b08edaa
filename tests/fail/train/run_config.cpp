// expect: include <tenon/train/config.hpp> to record a configuration
#include <tenon/train/run.hpp>

struct Config {
  int seed = 1;
};

void start(Config const& config) { tenon::training::RunManager const run(config, "tag"); }
