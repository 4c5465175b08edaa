// expect: error::field_is_no_configuration<
// expect: "values"
// expect: "has a constructor or private data"
#include <map>
#include <string>

#include <tenon/train/config.hpp>

struct MapConfig {
  std::map<std::string, int> values{};
};

auto text_of_map(MapConfig const& config) { return tenon::training::to_toml(config).size(); }
