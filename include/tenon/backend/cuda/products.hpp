#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/matmul/dense_matrix.hpp>
#include <tenon/backend/codegen/matmul/library_matmul.hpp>
#include <tenon/backend/cuda/matrix_library.hpp>

namespace tenon::internal::cuda {

/// Math mode of cuBLASLt: optimisations that change values. All are off by default.
struct MathFlags {
  bool tf32 = false;  ///< Operands of float32 are rounded to TF32. PyTorch: `allow_tf32`.
  /// Fuses a following `gelu_tanh`, computed as 0.5 x (1 + tanh ...) with undocumented error; NaN
  /// at minus infinity, where that of Tenon is zero.
  bool gelu_tanh = false;
  /// Fuses a following `relu`: it may map NaN to zero, where that of Tenon propagates NaN.
  bool relu = false;
  /// Adjoints are rounded to the 16-bit dtype of the other operand, which may underflow in float16:
  /// scale the loss. PyTorch does so.
  bool rounded_adjoints = false;

  friend bool operator==(MathFlags const&, MathFlags const&) = default;
};

/// Sets the math mode for matmuls of this thread during its lifetime, replacing the enclosing one:
/// `cuda::MathMode const mode({.tf32 = true});`. A matmul recorded within (`capture`) keeps
/// its mode.
class MathMode {
 public:
  explicit MathMode(MathFlags allowed) : before_(std::exchange(current, allowed)) {}
  MathMode(MathMode const&) = delete;
  MathMode& operator=(MathMode const&) = delete;
  ~MathMode() { current = before_; }

  /// The math mode of this thread.
  static MathFlags const& allowed() { return current; }

 private:
  static inline thread_local MathFlags current{};

  MathFlags before_;
};

}  // namespace tenon::internal::cuda

namespace tenon::cuda {

using internal::cuda::MathFlags;
using internal::cuda::MathMode;

}  // namespace tenon::cuda

/// Matmuls as arguments of cuBLASLt.
namespace tenon::internal::cuda {

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
  std::array<codegen::DenseMatrix, 3>
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
      codegen::DenseMatrix const& m = matrices[i];
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
  bool const rounds = std::same_as<T, float> && MathMode::allowed().tf32;
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
std::optional<TransposedProduct<T>> transposed(codegen::Matrices<T, R> p) {
  if (!p.lies_by_rows()) p = p.transposed();
  LoopLabel const &m = p.rows, &n = p.columns, &k = p.summed;
  auto const left = codegen::DenseMatrix::of(n.extent, n.b, k.extent, k.b);
  auto const right = codegen::DenseMatrix::of(k.extent, k.a, m.extent, m.a);
  auto const result = codegen::DenseMatrix::of(n.extent, n.c, m.extent, m.c);
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
std::optional<Epilogue> epilogue_of(codegen::MatmulEpilogue const& epilogue) {
  using codegen::EpilogueFunction;
  MathFlags const& allowed = MathMode::allowed();
  bool const adds = epilogue.bias != nullptr;
  if (epilogue.function == EpilogueFunction::none) return adds ? Epilogue::bias : Epilogue::none;
  if (std::same_as<R, double>) return std::nullopt;
  if (epilogue.function == EpilogueFunction::relu && allowed.relu)
    return adds ? Epilogue::relu_of_bias : Epilogue::relu;
  if (epilogue.function == EpilogueFunction::gelu_tanh && allowed.gelu_tanh)
    return adds ? Epilogue::gelu_of_bias : Epilogue::gelu;
  return std::nullopt;
}

/// The same with an epilogue: none if the bias does not have one element per contiguous element of
/// the library's result.
template <class T, class R>
std::optional<TransposedProduct<T>> transposed(codegen::Matrices<T, R> const& p,
                                               codegen::MatmulEpilogue const& epilogue) {
  constexpr std::uint32_t least_alignment = 16;  // of a bias, for kernels that read four floats
  auto product = transposed(p);
  auto const fused = epilogue_of<R>(epilogue);
  if (!product || !fused) return std::nullopt;
  product->key.compute = compute_of<T>();
  product->key.epilogue = *fused;
  if (epilogue.bias == nullptr) return product;
  codegen::DenseMatrix const& result = product->key.matrices[2];
  std::uint32_t const alignment = alignment_of(epilogue.bias);
  if (result.fast != epilogue.biases || alignment < least_alignment) return std::nullopt;
  product->key.bias_alignment = alignment;
  product->bias = epilogue.bias;
  return product;
}

}  // namespace tenon::internal::cuda
