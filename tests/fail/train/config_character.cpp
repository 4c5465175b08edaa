// expect: error::field_is_no_configuration<
// expect: "separator"
// expect: "is a character: use std::string"
#include <tenon/train/config.hpp>

struct CharacterConfig {
  char separator = ',';
};

auto character_of(int argc, char** argv) {
  return tenon::training::load_config<CharacterConfig>(argc, argv).separator;
}
