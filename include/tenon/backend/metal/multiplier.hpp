#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/matmul/dense_matrix.hpp>
#include <tenon/backend/codegen/matmul/library_matmul.hpp>
#include <tenon/backend/metal/objects.hpp>

/// Which matmuls Metal Performance Shaders compute, and their arguments.
namespace tenon::internal::metal {

/// `MPSDataType`: the floating ones that matmuls accept; no bfloat16, no double.
enum class Elements : std::uint32_t { float16 = 0x10000010, float32 = 0x10000020 };

template <class T>
concept Multiplied = std::same_as<T, float> || std::same_as<T, float16>;
/// Whether results `R` may be of higher precision than elements `T`: `MPSKernelOptionsNone`.
template <class R, class T>
concept SumOf = Multiplied<T> && (std::same_as<R, T> || std::same_as<R, float>);

template <Multiplied T>
inline constexpr Elements elements_of =
    std::same_as<T, float> ? Elements::float32 : Elements::float16;

/// Matrices of one size at equal steps, row-major; all numbers but the steps in elements.
struct MatrixBatch {
  std::byte const* data;
  Elements elements;
  codegen::DenseMatrix lines;
  std::int64_t step_bytes;

  std::int64_t element_bytes() const { return elements == Elements::float32 ? 4 : 2; }
  std::int64_t row_bytes() const { return lines.leading * element_bytes(); }
  std::int64_t rows_bytes() const { return lines.slow * row_bytes(); }

  /// Whether they form one batched `MPSMatrix`, in which each begins at a multiple of a row.
  bool is_one() const { return step_bytes >= rows_bytes() && step_bytes % row_bytes() == 0; }
  /// The bytes from the first matrix to the end of the last, including a full last row.
  std::int64_t bytes(std::int64_t count) const { return (count - 1) * step_bytes + rows_bytes(); }
};

/// c = a b, or c += a b, batched.
struct MatrixProduct {
  std::array<MatrixBatch, 3> matrices;  ///< Left, right and result.
  std::int64_t rows, columns, summed, batches;
  bool accumulates;

  /// Matmul `i` of the batch.
  MatrixProduct batch(std::int64_t i) const {
    MatrixProduct one = *this;
    one.batches = 1;
    for (MatrixBatch& matrix : one.matrices) matrix.data += i * matrix.step_bytes;
    return one;
  }
  /// The smallest number of matmuls into which a batch is split for encoding.
  std::vector<MatrixProduct> parts() const {
    if (batches == 1 || is_one()) return {*this};
    std::vector<MatrixProduct> all;
    for (std::int64_t i = 0; i < batches; ++i) all.push_back(batch(i));
    return all;
  }
  bool is_one() const {
    return matrices[0].is_one() && matrices[1].is_one() && matrices[2].is_one();
  }
};

/// Matrices at an address in device memory.
template <class T>
MatrixBatch matrices_at(T const* data, codegen::DenseMatrix const& lines, std::int64_t step) {
  return {reinterpret_cast<std::byte const*>(data), elements_of<T>, lines,
          step * static_cast<std::int64_t>(sizeof(T))};
}

/// A matmul as arguments of the library, transposed if the result is column-major; none if an
/// operand or the result is not a dense matrix.
template <class T, class R>
std::optional<MatrixProduct> product_of(codegen::Matrices<T, R> p) {
  if (!p.lies_by_rows()) p = p.transposed();
  LoopLabel const &m = p.rows, &n = p.columns, &k = p.summed;
  auto const left = codegen::DenseMatrix::of(k.extent, k.a, m.extent, m.a);
  auto const right = codegen::DenseMatrix::of(n.extent, n.b, k.extent, k.b);
  auto const result = codegen::DenseMatrix::of(n.extent, n.c, m.extent, m.c);
  if (!left || !right || !result || result->is_transposed) return std::nullopt;
  return MatrixProduct{{matrices_at(p.a, *left, p.batch.a), matrices_at(p.b, *right, p.batch.b),
                        matrices_at<R>(p.c, *result, p.batch.c)},
                       m.extent,
                       n.extent,
                       k.extent,
                       p.batch.extent,
                       p.accumulates};
}

/// Whether `MPSMatrixMultiplication` is known to be correct for it, in a few calls.
inline bool is_trusted(MatrixProduct const& p) {
  constexpr std::int64_t most_parts = 16;
  if ((std::min)({p.rows, p.columns, p.summed, p.batches}) < 1) return false;
  if (!p.is_one() && p.batches > most_parts) return false;
  // CTranslate2 reports wrong float16 sums for a single row.
  bool const is_vector = p.rows == 1 || p.columns == 1;
  if (p.matrices[0].elements == Elements::float16 && is_vector) return false;
  // Before macOS 14.4 more than 32768 along an axis gave wrong results (PyTorch 116769).
  constexpr std::int64_t longest = 32768, most_bytes = std::int64_t{1} << 31;
  if ((std::max)({p.rows, p.columns, p.summed}) > longest) return false;
  // Offsets are 32-bit numbers: rows of the result are NaN beyond this (Metal.jl 381).
  if ((p.rows + 2 * p.summed) * p.matrices[2].row_bytes() >= most_bytes) return false;
  return std::all_of(p.matrices.begin(), p.matrices.end(), [&](MatrixBatch const& matrix) {
    return matrix.lines.leading <= longest && matrix.step_bytes >= 0 &&
           matrix.bytes(p.batches) < most_bytes;
  });
}

/// Metal Performance Shaders, opened with the device. Used as declared in Apple's headers; so far
/// tested with a mock only, not on Apple hardware.
class Shaders {
  codegen::Library library_ = codegen::Library::all(
      {"/System/Library/Frameworks/MetalPerformanceShaders.framework/MetalPerformanceShaders"});

 public:
  static Shaders const& instance() {
    static Shaders const shaders;
    return shaders;
  }

  bool (*supports)(Object) = library_.find("MPSSupportsMTLDevice");
};

/// Multiplies matrices. Commands are encoded under the lock of the queue.
class Multiplier {
 public:
  Multiplier(Object device, Buffers& buffers)
      : device_(device), buffers_(&buffers), is_there_(is_there(device)) {}

  /// Whether the library is present and supports a matmul, and full rows are inside the buffers.
  bool takes(MatrixProduct const& product) const {
    return is_there_ && is_trusted(product) &&
           std::all_of(product.matrices.begin(), product.matrices.end(), [&](auto const& matrix) {
             return buffers_->find(matrix.data).bytes >= Natural(matrix.bytes(product.batches));
           });
  }

  /// Encodes a matmul into a command buffer without an open encoder.
  void encode(Object commands, MatrixProduct const& product) {
    for (MatrixProduct const& part : product.parts()) {
      Owned const left = matrix(part, 0), right = matrix(part, 1), result = matrix(part, 2);
      ask<"encodeToCommandBuffer:leftMatrix:rightMatrix:resultMatrix:">(
          kernel(part), commands, left.get(), right.get(), result.get());
    }
  }

 private:
  using Key = std::array<std::int64_t, 6>;

  static bool is_there(Object device) {
    auto const supports = Shaders::instance().supports;
    return supports != nullptr && supports(device);
  }

  static Object class_of(char const* name) { return Api::instance().class_of(name); }

  /// Checks a result of `alloc` and `init`, which the caller owns.
  static Owned checked(Object made, std::string_view what) {
    if (made == nullptr) refuse("a product of matrices", what, "none");
    return Owned(made);
  }

  Owned matrix(MatrixProduct const& product, std::size_t i) const {
    MatrixBatch const& own = product.matrices[i];
    auto const count = [](std::int64_t number) { return static_cast<Natural>(number); };
    auto const step = product.batches == 1 ? own.rows_bytes() : own.step_bytes;
    Object const description =
        ask<"matrixDescriptorWithRows:columns:matrices:rowBytes:matrixBytes:dataType:", Object>(
            class_of("MPSMatrixDescriptor"), count(own.lines.slow), count(own.lines.fast),
            count(product.batches), count(own.row_bytes()), count(step), own.elements);
    Spot const spot = buffers_->find(own.data);
    return checked(
        ask<"initWithBuffer:offset:descriptor:", Object>(
            ask<"alloc", Object>(class_of("MPSMatrix")), spot.buffer, spot.offset, description),
        "a matrix");
  }

  /// The `MPSMatrixMultiplication` for a size, cached; it may be encoded any number of times.
  Object kernel(MatrixProduct const& product) {
    Owned& known = kernels_[key_of(product)];
    if (!known) known = made(product);
    return known.get();
  }
  static Key key_of(MatrixProduct const& product) {
    return {product.matrices[0].lines.is_transposed,
            product.matrices[1].lines.is_transposed,
            product.rows,
            product.columns,
            product.summed,
            product.accumulates};
  }
  Owned made(MatrixProduct const& product) const {
    auto const count = [](std::int64_t number) { return static_cast<Natural>(number); };
    return checked(
        ask<"initWithDevice:transposeLeft:transposeRight:resultRows:resultColumns:interiorColumns:"
            "alpha:beta:",
            Object>(ask<"alloc", Object>(class_of("MPSMatrixMultiplication")), device_,
                    product.matrices[0].lines.is_transposed,
                    product.matrices[1].lines.is_transposed, count(product.rows),
                    count(product.columns), count(product.summed), 1.0,
                    product.accumulates ? 1.0 : 0.0),
        "a kernel");
  }

  Object device_;
  Buffers* buffers_;
  bool is_there_;
  std::map<Key, Owned> kernels_{};
};

}  // namespace tenon::internal::metal
