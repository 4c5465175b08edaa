// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <tenon/backend/cuda/liberties.hpp>
#include <tenon/backend/cuda/matrix_library.hpp>
#include <tenon/backend/source/dense_matrix.hpp>
#include <tenon/backend/source/products.hpp>

/// Matmuls as arguments of cuBLASLt.
namespace tenon::cuda {

/// Whether the library multiplies elements `T` with results `R`.
template <class T, class R>
inline constexpr bool has_matrices = std::same_as<T, R>;
template <HalfType T>
inline constexpr bool has_matrices<T, float> = true;
template <class R, class T>
concept SumOf = (std::floating_point<T> || HalfType<T>)&&has_matrices<T, R>;

template <class T>
inline constexpr Elements elements_of = std::same_as<T, float>     ? Elements::float32
                                        : std::same_as<T, double>  ? Elements::float64
                                        : std::same_as<T, float16> ? Elements::float16
                                                                   : Elements::bfloat16;

/// The parameters of a matmul that determine its algorithm.
struct ProductKey {
  Elements elements, sums;
  std::array<source::DenseMatrix, 3>
      matrices;  ///< Left, right and result, as the library takes them.
  std::int64_t batches;
  std::array<std::int64_t, 3> batch_steps;
  std::array<std::uint32_t, 3> alignments;
  Compute compute = Compute::float32;
  Epilogue epilogue = Epilogue::none;
  std::uint32_t bias_alignment = 0;

  std::vector<std::int64_t> numbers() const {
    std::vector<std::int64_t> all{
        static_cast<int>(elements), static_cast<int>(sums), static_cast<int>(compute),
        static_cast<int>(epilogue), bias_alignment,         batches};
    for (std::size_t i = 0; i < 3; ++i) {
      source::DenseMatrix const& m = matrices[i];
      for (std::int64_t const number : {m.fast, m.slow, m.leading, std::int64_t{m.is_transposed},
                                        batch_steps[i], std::int64_t{alignments[i]}})
        all.push_back(number);
    }
    return all;
  }
};

/// float32 operands are rounded to TF32 only if that is allowed.
template <class T>
Compute compute_of() {
  if (std::same_as<T, double>) return Compute::float64;
  bool const rounds = std::same_as<T, float> && LibertyScope::allowed().tf32;
  return rounds ? Compute::float32_by_tf32 : Compute::float32;
}

/// The alignment of an address: a power of two up to 256.
inline std::uint32_t alignment_of(void const* memory) {
  auto const address = reinterpret_cast<std::uintptr_t>(memory) | 256u;
  return static_cast<std::uint32_t>(address & (~address + 1));
}

/// A matmul as arguments of the library. Its matrices are column-major and those of tensors
/// row-major: it computes the transposed result from exchanged operands.
template <class T>
struct TransposedProduct {
  T const* left;   ///< For the library: the right operand, `columns` by `summed`.
  T const* right;  ///< The left operand, `summed` by `rows`.
  ProductKey key;
  void const* bias = nullptr;  ///< One element per row of the library's result.
};

/// All of it but the algorithm; none if an operand or the result is not a dense matrix.
template <class T, class R>
std::optional<TransposedProduct<T>> transposed(source::Matrices<T, R> p) {
  if (!p.lies_by_rows()) p = p.transposed();
  LoopLabel const &m = p.rows, &n = p.columns, &k = p.summed;
  auto const left = source::DenseMatrix::of(n.extent, n.b, k.extent, k.b);
  auto const right = source::DenseMatrix::of(k.extent, k.a, m.extent, m.a);
  auto const result = source::DenseMatrix::of(n.extent, n.c, m.extent, m.c);
  if (!left || !right || !result || result->is_transposed) return std::nullopt;
  return TransposedProduct<T>{p.b,
                              p.a,
                              {elements_of<T>,
                               elements_of<R>,
                               {*left, *right, *result},
                               p.batch.extent,
                               {p.batch.b, p.batch.a, p.batch.c},
                               {alignment_of(p.b), alignment_of(p.a), alignment_of(p.c)}}};
}

/// The epilogue in the library; none if it does not exist or is not allowed. (The library computes
/// activations in float, which is not accurate enough for double.)
template <class R>
std::optional<Epilogue> epilogue_of(source::Ending const& ending) {
  using source::EndFunction;
  Liberties const& allowed = LibertyScope::allowed();
  bool const adds = ending.bias != nullptr;
  if (ending.function == EndFunction::none) return adds ? Epilogue::bias : Epilogue::none;
  if (std::same_as<R, double>) return std::nullopt;
  if (ending.function == EndFunction::relu && allowed.relu)
    return adds ? Epilogue::relu_of_bias : Epilogue::relu;
  if (ending.function == EndFunction::gelu_tanh && allowed.gelu_tanh)
    return adds ? Epilogue::gelu_of_bias : Epilogue::gelu;
  return std::nullopt;
}

/// The same with an epilogue: none if the bias does not have one element per contiguous element of
/// the library's result.
template <class T, class R>
std::optional<TransposedProduct<T>> transposed(source::Matrices<T, R> const& p,
                                               source::Ending const& ending) {
  constexpr std::uint32_t least_alignment = 16;  // of a bias, for kernels that read four floats
  auto product = transposed(p);
  auto const epilogue = epilogue_of<R>(ending);
  if (!product || !epilogue) return std::nullopt;
  product->key.compute = compute_of<T>();
  product->key.epilogue = *epilogue;
  if (ending.bias == nullptr) return product;
  source::DenseMatrix const& result = product->key.matrices[2];
  std::uint32_t const alignment = alignment_of(ending.bias);
  if (result.fast != ending.biases || alignment < least_alignment) return std::nullopt;
  product->key.bias_alignment = alignment;
  product->bias = ending.bias;
  return product;
}

}  // namespace tenon::cuda
