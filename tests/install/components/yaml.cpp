#include <tenon/train/yaml.hpp>

struct Config {
  int steps = 10;
};

int main() {
  using namespace tenon;
  return training::config_from_yaml<Config>("steps: 20").steps == 20 ? 0 : 1;
}
