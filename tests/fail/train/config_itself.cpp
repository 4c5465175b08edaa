// expect: error::field_is_no_configuration<
// expect: "children"
// expect: "contains itself"
#include <vector>

#include <tenon/train/config.hpp>

struct TreeConfig {
  std::vector<TreeConfig> children{};
};

auto tree_of(int argc, char** argv) {
  return tenon::training::load_config<TreeConfig>(argc, argv).children;
}
