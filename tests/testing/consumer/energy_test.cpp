#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>

#include <energy.hpp>
#include <tenon/testing.hpp>

using namespace tenon;

TEST_CASE("the energy of one moving body") {
  Float64<"mass=3"> const mass{1, 2, 3};
  Float64<"mass=3 xyz=3"> const velocity{{2, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  CHECK_CLOSE(kinetic_energy(mass, velocity), 2.0);
  CHECK_GRADIENT([&](auto const& v) { return kinetic_energy(mass, v); }, velocity);
}
