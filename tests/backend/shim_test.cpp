// The text of kernels runs on the host, by work groups with barriers.

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shim/groups.hpp"
#include "shim/library.hpp"

namespace shim_test {

namespace {

constexpr char text[] = R"(
extern "C" __global__ void reversed(float* __restrict__ out, float const* x, long long n) {
  __shared__ float part[64];
  long long const at = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  part[threadIdx.x] = at < n ? x[at] : 0.0f;
  __syncthreads();
  for (int step = 0; step < 2; ++step) {
    float const other = part[blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    part[threadIdx.x] = other + 1.0f;
    __syncthreads();
  }
  out[at] = __fmaf_rn(part[blockDim.x - 1 - threadIdx.x], 2.0f, (float)gridDim.x);
}

extern "C" __global__ void unequal(float* out) {
  if (threadIdx.x == 1) __syncthreads();
  out[threadIdx.x] = 0.0f;
}
)";

struct Library {
  std::vector<std::string> const names = shim::names_after("__global__ void", text);
  shim::Made const made = shim::made_of("cuda.hpp", text, names);
  void* const opened =
      made.library.empty() ? nullptr : dlopen(made.library.c_str(), RTLD_NOW | RTLD_LOCAL);

  template <class F>
  F function(std::string const& name) const {
    return reinterpret_cast<F>(dlsym(opened, name.c_str()));
  }
};

bool has_compiler() {
  static bool const is_there =
      std::system((shim::compiler() + " --version > /dev/null 2>&1").c_str()) == 0;
  if (!is_there) MESSAGE("skipped: there is no compiler " << shim::compiler());
  return is_there;
}

}  // namespace

TEST_CASE("the shim runs work groups that read what others stored before a barrier") {
  if (!has_compiler()) return;
  Library const library;
  INFO(library.made.log);
  REQUIRE(library.opened != nullptr);
  CHECK(library.names == std::vector<std::string>{"reversed", "unequal"});
  CHECK(std::string(library.function<char const* (*)()>("kinds_reversed")()) == "pp8");
  std::vector<float> x(96), out(96);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  float *to = out.data(), *from = x.data();
  std::int64_t n = 96;
  void* arguments[] = {&to, &from, &n};
  shim::Groups(library.function<shim::Entry>("call_reversed"), arguments)
      .run({3, 1, 1}, {32, 1, 1}, true);
  for (std::size_t i = 0; i < 96; ++i) {
    std::size_t const group = i / 32, reversed = group * 32 + 31 - i % 32;
    CHECK(out[i] == (x[reversed] + 2.0f) * 2.0f + 3.0f);
  }
}

TEST_CASE("the shim rejects a barrier that only some work items of a group reach") {
  if (!has_compiler()) return;
  Library const library;
  REQUIRE(library.opened != nullptr);
  float out[4];
  float* to = out;
  void* arguments[] = {&to};
  CHECK_THROWS_WITH(shim::Groups(library.function<shim::Entry>("call_unequal"), arguments)
                        .run({1, 1, 1}, {4, 1, 1}, true),
                    "a barrier that only some of a group meet");
}

TEST_CASE("the shim returns the messages of the compiler") {
  if (!has_compiler()) return;
  auto const made = shim::made_of("cuda.hpp", "void wrong() { nowhere(); }", {});
  CHECK(made.library.empty());
  CHECK(made.log.find("nowhere") != made.log.npos);
}

}  // namespace shim_test
