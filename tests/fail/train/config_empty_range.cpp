// expect clang++: constexpr variable 'descriptions' must be initialized by a constant expression
// expect g++: call to non-'constexpr' function 'void tenon::internal::training::range_is_empty()'
#include <tenon/train/config.hpp>

struct EmptyRange {
  int size = 1;
  static constexpr auto describe() {
    return tenon::training::fields(tenon::training::field<&EmptyRange::size>("").range(1, 0));
  }
};

auto empty_range(int argc, char** argv) {
  return tenon::training::load_config<EmptyRange>(argc, argv).size;
}
