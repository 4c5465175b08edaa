#pragma once

#include <array>

#include <tenon/backend/cuda/api.hpp>

/// The functions of cuBLASLt that are used here (cuBLAS 13.0, NVIDIA, 2025; all are there since
/// 11.0). Matrices are column-major there: element (i, j) lies at `i + j * leading`.
namespace tenon::internal::cuda {

struct MatricesHandle;
struct OperationObject;
struct LayoutObject;
struct PreferenceObject;

using MatrixHandle = MatricesHandle*;
using Operation = OperationObject*;
using Layout = LayoutObject*;
using Preference = PreferenceObject*;

/// `cudaDataType` and `cublasComputeType_t`.
enum class Elements : int { float32 = 0, float64 = 1, float16 = 2, bfloat16 = 14 };
enum class Compute : int { float32 = 68, float64 = 70, float32_by_tf32 = 77 };

/// `cublasLtEpilogue_t`: the operation on sums before they are stored.
enum class Epilogue : std::uint32_t {
  none = 1,
  relu = 2,
  bias = 4,
  relu_of_bias = 6,
  gelu = 32,
  gelu_of_bias = 36
};

enum : int {
  transpose_a = 3,
  transpose_b = 4,
  kind_of_epilogue = 7,
  bias_pointer = 8,
  batch_count = 5,
  batch_step = 6,
  most_workspace = 1,
  reductions = 3,
  alignment_of_a = 5,
  alignment_of_b = 6,
  alignment_of_c = 7,
  alignment_of_d = 8
};
inline constexpr std::uint32_t in_compute_type = 2;  ///< Partial sums are added so.

/// An algorithm, as in `cublasLtMatmulHeuristicResult_t`.
struct Algorithm {
  std::array<std::uint64_t, 8> algorithm{};
  std::size_t workspace = 0;
  int state = 0;
  float waves = 0;
  std::array<int, 4> reserved{};
};

static_assert(sizeof(Algorithm) == 96);

/// The library, opened once; without it every function is null.
struct MatrixLibrary {
  Library library{"libcublasLt.so.13",
                  "libcublasLt.so.12",
                  "libcublasLt.so.11",
                  "libcublasLt.so",
                  "/usr/local/cuda/lib64/libcublasLt.so",
                  "cublasLt64_13.dll",
                  "cublasLt64_12.dll",
                  "cublasLt64_11.dll"};

  static MatrixLibrary const& instance() {
    static MatrixLibrary const one;
    return one;
  }

  Call<MatrixHandle*> create = library.find("cublasLtCreate");
  Call<Operation*, Compute, Elements> create_operation = library.find("cublasLtMatmulDescCreate");
  Call<Operation, int, void const*, std::size_t> set_operation =
      library.find("cublasLtMatmulDescSetAttribute");
  Call<Layout*, Elements, std::uint64_t, std::uint64_t, std::int64_t> create_layout =
      library.find("cublasLtMatrixLayoutCreate");
  Call<Layout, int, void const*, std::size_t> set_layout =
      library.find("cublasLtMatrixLayoutSetAttribute");
  Call<Preference*> create_preference = library.find("cublasLtMatmulPreferenceCreate");
  Call<Preference, int, void const*, std::size_t> set_preference =
      library.find("cublasLtMatmulPreferenceSetAttribute");
  Call<Preference> destroy_preference = library.find("cublasLtMatmulPreferenceDestroy");
  Call<MatrixHandle, Operation, Layout, Layout, Layout, Layout, Preference, int, Algorithm*, int*>
      find_algorithm = library.find("cublasLtMatmulAlgoGetHeuristic");
  Call<MatrixHandle, Operation, void const*, void const*, Layout, void const*, Layout, void const*,
       void const*, Layout, void*, Layout, std::array<std::uint64_t, 8> const*, void*, std::size_t,
       Stream>
      multiply = library.find("cublasLtMatmul");

  char const* (*words)(Code) = library.find("cublasLtGetStatusString");

  bool is_there() const { return multiply != nullptr && find_algorithm != nullptr; }
};

/// Throws `DeviceError` if a call of cuBLASLt failed.
inline void check_matrices(Code code, std::string_view what) {
  if (code == 0) return;
  auto const ask = MatrixLibrary::instance().words;
  std::string got = "status " + std::to_string(code) + " of cuBLASLt";
  if (ask != nullptr) got.append(": ").append(ask(code));
  fail<DeviceError>({.who = "cuda", .what = what, .expected = "success", .got = got});
}

}  // namespace tenon::internal::cuda
