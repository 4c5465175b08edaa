// expect: error::field_is_no_configuration<
// expect: "training.schedule"
// expect: "is a pointer"
#include <tenon/train/config.hpp>

struct Training {
  double rate = 0.1;
  int* schedule = nullptr;
};
struct PointerConfig {
  Training training{};
};

auto with_pointer(int argc, char** argv) {
  return tenon::training::load_config<PointerConfig>(argc, argv).training;
}
