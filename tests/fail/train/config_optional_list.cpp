// expect: error::field_is_no_configuration<
// expect: "sizes"
// expect: "optional list: use an empty one"
#include <optional>
#include <vector>

#include <tenon/train/config.hpp>

struct OptionalListConfig {
  std::optional<std::vector<int>> sizes{};
};

auto list_of(int argc, char** argv) {
  return tenon::training::load_config<OptionalListConfig>(argc, argv).sizes;
}
