#pragma once

// A Metal device for tests: that of the machine, or the fake of `shim/metal_fake.cpp`, which is
// built and opened before the first use of Metal.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <tenon/backend/metal.hpp>

#include "shim/library.hpp"

namespace metal_device {

/// The controls and counters of the fake. (There is none on a machine with Metal.)
struct StandIn {
  void (*order)(char const*) = nullptr;
  long (*living)(char const*) = nullptr;
  char const* (*mistakes)() = nullptr;
  void (*forgive)() = nullptr;
  long (*pools)() = nullptr;
  long (*products)() = nullptr;

  explicit operator bool() const { return order != nullptr; }
};

inline void* opened() {
  if (std::filesystem::exists("/System/Library/Frameworks/Metal.framework")) return nullptr;
  auto const folder = shim::folder();
  std::string const library = shim::Workshop::instance().path / "metal_fake.so";
  std::string const command = shim::compiler() + " -std=c++20 -O0 -w -shared -fPIC -o " + library +
                              " " + (folder / "metal_fake.cpp").string() + " 2> /dev/null";
  if (std::system(command.c_str()) != 0) return nullptr;
  return dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
}

inline StandIn const& stand_in() {
  static StandIn const one = [] {
    StandIn all;
    void* const library = opened();
    if (library == nullptr) return all;
    auto const find = [&](auto& function, char const* name) {
      function =
          reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    };
    find(all.order, "fake_order"), find(all.living, "fake_living");
    find(all.mistakes, "fake_mistakes"), find(all.forgive, "fake_forgive");
    find(all.pools, "fake_pools"), find(all.products, "fake_products");
    return all;
  }();
  return one;
}

/// True if there is a device or a fake.
inline bool is_there() {
  (void)stand_in();
  if (tenon::Mps::is_available()) return true;
  MESSAGE("skipped: there is neither Metal nor a C++ compiler for its stand-in");
  return false;
}

/// Checks that the fake has recorded no misuse.
inline void expect_no_mistakes() {
  if (!stand_in()) return;
  CHECK(std::string(stand_in().mistakes()) == "");
  CHECK(stand_in().pools() == 0);
}

/// Checks the message of what `f` throws.
template <class F>
void expect_words(F const& f, std::string const& words) {
  try {
    f();
    FAIL("nothing was thrown");
  } catch (tenon::DeviceError const& error) {
    INFO(error.what());
    CHECK(std::string(error.what()).find(words) != std::string::npos);
  }
}

}  // namespace metal_device
