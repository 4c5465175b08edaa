// expect: expected metrics in a plain struct
#include <tenon/train/run.hpp>

class Metrics {
 public:
  explicit Metrics(double loss) : loss_(loss) {}

 private:
  double loss_;
};

void record(tenon::training::RunManager& run) { run.metrics(Metrics(0.5)); }
