// expect: no matching
// expect: info
#include <tenon/train/run.hpp>

struct Model {};

void record(tenon::training::Logger const& log) { log.info("{}", Model()); }
