#include <tenon/train/config.hpp>

#include <string>

struct Config {
  int steps = 10;
  std::string device = "cpu";
};

int main() {
  using namespace tenon;
  auto const config = training::parse_config<Config>({"--steps=20"});
  return config.steps == 20 && training::to_toml(config).find("steps = 20") == 0 ? 0 : 1;
}
