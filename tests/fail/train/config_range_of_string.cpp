// expect: tenon::training::field: a range of a field that is not a number
#include <string>

#include <tenon/train/config.hpp>

struct RangeOfString {
  std::string name{};
  static constexpr auto describe() {
    return tenon::training::fields(
        tenon::training::field<&RangeOfString::name>("a name").range(0, 1));
  }
};

auto range_of_string(int argc, char** argv) {
  return tenon::training::load_config<RangeOfString>(argc, argv).name;
}
