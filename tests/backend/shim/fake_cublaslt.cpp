// cuBLASLt for machines without a device: its functions by name, with their argument checks, in the
// order of the fake driver's stream.

#include <dlfcn.h>

#include <array>
#include <functional>
#include <map>

#include "fake_matrices.hpp"

namespace {

using shim::Layout;
using shim::Matrix;
using shim::Operation;

constexpr int success = 0, not_initialised = 1, invalid_value = 7, not_supported = 15;

using Preference = std::map<int, std::uint64_t>;

/// Like `cublasLtMatmulHeuristicResult_t`.
struct Algorithm {
  std::array<std::uint64_t, 8> algorithm;
  std::size_t workspace;
  int state;
  float waves;
  int reserved[4];
};
char handle;

template <class F>
F of_driver(char const* name) {
  static void* const driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  return reinterpret_cast<F>(dlsym(driver, name));
}
std::byte* memory(void const* address, std::size_t bytes) {
  static auto const find = of_driver<void* (*)(unsigned long long, std::size_t)>("fake_memory");
  return static_cast<std::byte*>(find(reinterpret_cast<unsigned long long>(address), bytes));
}

bool is_aligned(void const* address, std::uint64_t bytes) {
  return reinterpret_cast<std::uintptr_t>(address) % bytes == 0;
}
std::uint64_t alignment_of(void const* address) {
  std::uint64_t bytes = 256;
  while (!is_aligned(address, bytes)) bytes /= 2;
  return bytes;
}

double scalar(Operation const& operation, void const* at) {
  return shim::number(operation.scale, static_cast<std::byte const*>(at));
}

/// A matmul that is enqueued.
int run(Operation how, std::array<Matrix, 3> all, std::array<void const*, 3> const& places,
        double factor, double kept) {
  for (std::size_t i = 0; i < 3; ++i)
    if ((all[i].data = memory(places[i], all[i].layout.bytes())) == nullptr) return 700;
  Layout const& result = all[2].layout;
  std::size_t const bytes = static_cast<std::size_t>(result.rows) * result.element_bytes();
  if (how.adds_bias() && (how.bias = memory(how.bias, bytes)) == nullptr) return 700;
  for (std::int32_t z = 0; z < result.batches; ++z)
    shim::multiply(how, all[0].batch(z), all[1].batch(z), all[2].batch(z), factor, kept);
  return 0;
}

}  // namespace

extern "C" {

/// It allocates memory: rejected while this thread records, unless the recording is relaxed.
int cublasLtCreate(void** made) {
  *made = &handle;
  return *of_driver<int* (*)()>("fake_recordings")() > 0 ? not_initialised : success;
}
char const* cublasLtGetStatusString(int status) {
  return status == not_supported ? "the requested functionality is not supported"
                                 : "a status of the fake library";
}
int cublasLtMatmulDescCreate(void** made, int compute, int scale) {
  *made = new Operation{compute, scale};
  return compute == 68 || compute == 70 || compute == 77 ? success : not_supported;
}
int cublasLtMatmulDescSetAttribute(void* operation, int which, void const* value,
                                   std::size_t bytes) {
  auto& own = *static_cast<Operation*>(operation);
  std::int32_t number = 0;
  if (which == 8 && bytes == 8) return std::memcpy(&own.bias, value, 8), success;
  if (bytes != 4) return invalid_value;
  std::memcpy(&number, value, 4);
  if (which == 3 || which == 4) own.is_transposed[which - 3] = number == 1;
  else if (which == 7) own.epilogue = static_cast<std::uint32_t>(number);
  else return invalid_value;
  return success;
}
int cublasLtMatrixLayoutCreate(void** made, int type, std::uint64_t rows, std::uint64_t columns,
                               std::int64_t leading) {
  *made = new Layout{type, static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns),
                     leading};
  return success;
}
int cublasLtMatrixLayoutSetAttribute(void* layout, int which, void const* value,
                                     std::size_t bytes) {
  auto& own = *static_cast<Layout*>(layout);
  if (which == 5 && bytes == 4) std::memcpy(&own.batches, value, 4);
  else if (which == 6 && bytes == 8) std::memcpy(&own.step, value, 8);
  else return invalid_value;
  return success;
}
int cublasLtMatmulPreferenceCreate(void** made) {
  *made = new Preference{{3, 7}, {5, 256}, {6, 256}, {7, 256}, {8, 256}};
  return success;
}
int cublasLtMatmulPreferenceDestroy(void* preference) {
  delete static_cast<Preference*>(preference);
  return success;
}
int cublasLtMatmulPreferenceSetAttribute(void* preference, int which, void const* value,
                                         std::size_t bytes) {
  if (bytes != (which == 1 ? 8u : 4u)) return invalid_value;
  std::memcpy(&(*static_cast<Preference*>(preference))[which], value, bytes);
  return success;
}
int cublasLtMatmulAlgoGetHeuristic(void* own, void* operation, void* a, void* b, void* c, void* d,
                                   void* preference, int wanted, void* results, int* count) {
  *count = 0;
  auto const& how = *static_cast<Operation*>(operation);
  auto const &left = *static_cast<Layout*>(a), &right = *static_cast<Layout*>(b),
             &result = *static_cast<Layout*>(d);
  bool const has_bias = !how.adds_bias() || how.bias != nullptr;
  if (own != &handle || c != d || wanted < 1 || !has_bias || !shim::fits(how, left, right, result))
    return invalid_value;
  auto& wishes = *static_cast<Preference*>(preference);
  bool const is_half = result.type != shim::float32 && result.type != shim::float64;
  if (!shim::is_known(how, left, right, result) || (is_half && wishes[3] != 2))
    return not_supported;
  std::uint64_t const bias = how.adds_bias() ? alignment_of(how.bias) : 1;
  *static_cast<Algorithm*>(results) = {{wishes[5], wishes[6], wishes[8], bias}, 0, 0, 1, {}};
  *count = 1;
  return success;
}
int cublasLtMatmul(void* own, void* operation, void const* alpha, void const* a, void* a_layout,
                   void const* b, void* b_layout, void const* beta, void const* c, void* c_layout,
                   void* d, void* d_layout, void const* algorithm, void* workspace, std::size_t,
                   void* stream) {
  if (own != &handle || c != d || c_layout != d_layout || algorithm == nullptr)
    return invalid_value;
  std::array<std::uint64_t, 8> found{};
  std::memcpy(&found, algorithm, sizeof found);
  Operation const how = *static_cast<Operation*>(operation);
  std::array<void const*, 3> const places{a, b, d};
  for (std::size_t i = 0; i < 3; ++i)
    if (!is_aligned(places[i], found[i])) return invalid_value;
  if (!is_aligned(workspace, 256) || (how.adds_bias() && !is_aligned(how.bias, found[3])))
    return invalid_value;
  std::array<Matrix, 3> const all{{{*static_cast<Layout*>(a_layout), how.is_transposed[0], nullptr},
                                   {*static_cast<Layout*>(b_layout), how.is_transposed[1], nullptr},
                                   {*static_cast<Layout*>(d_layout), false, nullptr}}};
  double const factor = scalar(how, alpha), kept = scalar(how, beta);
  static auto const ask = of_driver<int (*)(void*, std::function<int()> const&)>("fake_ask");
  auto* const counts = of_driver<int*>("fake_counts");
  ++counts[0];
  counts[1] = how.compute;
  counts[2] = static_cast<int>(how.epilogue);
  return ask(stream, [=] { return run(how, all, places, factor, kept); }) == 0 ? success : 13;
}
}
