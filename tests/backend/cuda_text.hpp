#pragma once

// The text of kernels in CUDA C: compiled by NVRTC, also for architectures that are not present,
// and run on the host by the shim.

#include <dlfcn.h>
#include <doctest/doctest.h>

#include <array>
#include <regex>
#include <string>
#include <vector>

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/cuda/compiler.hpp>
#include <tenon/backend/cuda/dialect.hpp>

#include "shim/groups.hpp"
#include "shim/library.hpp"

namespace cuda_text {

/// True if the text of kernels is to be compiled and run.
inline constexpr bool is_tested =
#ifdef TENON_WITHOUT_KERNEL_TEXT
    false;
#else
    true;
#endif

/// Compiles to assembly: as on a device for architecture 8.0, and without optimisation, which takes
/// a fifth of the time, for 9.0 and 10.0. (Machine code takes three times as long and rejects
/// nothing that assembly accepts.)
inline void expect_compiles(std::string const& text) {
  if (!tenon::internal::cuda::Compiler::instance().is_there()) {
    MESSAGE("not compiled by NVRTC: it is not there");
    return;
  }
  tenon::internal::cuda::OwnedProgram optimised("kernels", text);
  CHECK_NOTHROW(tenon::internal::cuda::compile(optimised, "kernels", text, "compute_80"));
  CHECK(!optimised.assembly().empty());
  for (char const* const target :
       {"--gpu-architecture=compute_90", "--gpu-architecture=compute_100"}) {
    INFO(target);
    tenon::internal::cuda::OwnedProgram program("kernels", text);
    bool const compiles =
        program.compiles({target, "--fmad=false", "--std=c++17", "--device-debug"});
    INFO(program.log());
    CHECK(compiles);
    CHECK(!program.assembly().empty());
  }
}

/// All kernels of a text as a host library.
class Library {
 public:
  explicit Library(std::string const& text)
      : has_barriers_(text.find("__syncthreads") != text.npos) {
    std::string const bare =
        std::regex_replace(text, std::regex("__launch_bounds__\\([0-9]*\\)"), "");
    auto const made = shim::made_of("cuda.hpp", bare, shim::names_after("__global__ void", bare));
    INFO(made.log);
    REQUIRE(!made.library.empty());
    library_ = dlopen(made.library.c_str(), RTLD_NOW | RTLD_LOCAL);
    REQUIRE(library_ != nullptr);
  }

  /// Launches a kernel with memory arguments and with the addresses of number arguments.
  void run(tenon::internal::codegen::Kernel const& kernel, std::vector<void*> arguments) const {
    std::string const kinds = function<char const* (*)()>("kinds_" + kernel.name)();
    std::vector<void*> places;
    for (std::size_t i = 0; i < kinds.size(); ++i)
      places.push_back(kinds[i] == 'p' ? &arguments[i] : arguments[i]);
    auto const [groups, members] = dealt(kernel.work);
    shim::Groups(function<shim::Entry>("call_" + kernel.name), places.data())
        .run({groups, 1, 1}, {members, 1, 1}, has_barriers_);
  }

 private:
  template <class F>
  F function(std::string const& name) const {
    void* const symbol = dlsym(library_, name.c_str());
    REQUIRE(symbol != nullptr);
    return reinterpret_cast<F>(symbol);
  }
  /// The number and the size of work groups: few, and such that they do not divide the number of
  /// rows.
  static std::array<unsigned, 2> dealt(tenon::internal::codegen::Work work) {
    if (work.groups == 0) return {3, 8};
    return {static_cast<unsigned>(work.groups), static_cast<unsigned>(work.members)};
  }

  bool has_barriers_;
  void* library_ = nullptr;
};

}  // namespace cuda_text
