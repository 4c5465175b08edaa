#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>

#include <tenon/backend/metal/buffers.hpp>
#include <tenon/backend/metal/products.hpp>

namespace tenon::internal::metal {

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
