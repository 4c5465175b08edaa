#include <cstdio>

#include "checks.hpp"

int main() {
  try {
    run_checks();
  } catch (tenon::Error const& failure) {
    std::puts(failure.what());
    return 1;
  }
  return 0;
}
