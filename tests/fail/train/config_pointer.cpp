// expect: "tenon::load_config: a field is neither a number"
#include <tenon/train/config.hpp>

struct Config {
  int* steps = nullptr;
};

auto config() { return tenon::training::config_from_toml<Config>(""); }
