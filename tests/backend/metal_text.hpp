#pragma once

// The text of kernels in Metal: compiled by clang with its address spaces, as Metal's compiler
// does, if clang is installed, and run on the host by the shim.

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/metal/dialect.hpp>

#include "shim/groups.hpp"
#include "shim/library.hpp"
#include "shim/metal_text.hpp"

namespace metal_text {

/// Compiles as C++14 by clang, where `device`, `constant` and `threadgroup` are address spaces;
/// only warnings about extensions and unused entities are disabled.
inline void expect_compiles(std::string const& text) {
  std::string const clang = "$(command -v clang++ || ls /usr/bin/clang++-[0-9]* | head -1)";
  if (std::system(("test -x " + clang + " 2> /dev/null").c_str()) != 0) {
    MESSAGE("not compiled with address spaces: there is no clang");
    return;
  }
  auto const folder = shim::Workshop::instance().path;
  std::string const source = folder / "spaces.cpp", log = folder / "spaces.log";
  std::string const header = shim::folder() / "metal.hpp";
  std::ofstream(source) << "#include \"" << header << "\"\n" << shim::metal_text(text);
  std::string const command =
      clang + " -std=c++14 -fsyntax-only -Wall -Werror -Wno-unknown-pragmas -Wno-unused " +
      "-Wno-unknown-attributes -Wno-c++17-extensions " + source + " 2> " + log;
  bool const compiles = std::system(command.c_str()) == 0;
  INFO(shim::read_all(log).substr(0, 2000));
  CHECK(compiles);
}

/// All kernels of a text as a host library.
class Library {
 public:
  explicit Library(std::string const& text)
      : has_barriers_(text.find("threadgroup_barrier(") != text.npos) {
    auto const made = shim::made_of_metal(text);
    INFO(made.log);
    REQUIRE(!made.library.empty());
    library_ = dlopen(made.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library_ != nullptr);
  }

  /// Launches a kernel with memory arguments and with the addresses of number arguments.
  void run(tenon::internal::codegen::Kernel const& kernel,
           std::vector<void*> const& arguments) const {
    void* const symbol = dlsym(library_, ("call_" + kernel.name).c_str());
    REQUIRE(symbol != nullptr);
    bool const is_free = kernel.work.groups == 0;
    auto const groups = is_free ? 3u : static_cast<unsigned>(kernel.work.groups);
    auto const members = is_free ? 8u : static_cast<unsigned>(kernel.work.members);
    shim::Groups(reinterpret_cast<shim::Entry>(symbol), arguments.data())
        .run({groups, 1, 1}, {members, 1, 1}, has_barriers_ && !is_free);
  }

 private:
  bool has_barriers_;
  void* library_ = nullptr;
};

/// True if Metal supports all dtypes of an expression. Others are left out of a Metal text.
template <class E>
bool is_spoken(tenon::codegen::Dialect const& dialect) {
  using Unsupported = tenon::internal::codegen::UnsupportedDtype<tenon::dialect::MetalC, E>;
  return dialect.has_double || std::is_void_v<Unsupported>;
}

}  // namespace metal_text
