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
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include <tenon/backend/cuda/matrix_library.hpp>
#include <tenon/backend/source/products.hpp>

/// Products of matrices by cuBLASLt. What is written here has run against the library of the tests
/// alone, which multiplies on the host as NVIDIA documents it: never yet on a GPU.
namespace tenon::cuda {

/// Elements that the library multiplies, and the sums that it gives.
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

/// A matrix as the library takes it: of `fast` by `slow` elements, the `fast` ones side by side.
struct ColumnMajor {
  std::int64_t fast, slow, leading;
  bool is_transposed;  ///< It is the other way round than was asked for.
};

/// A matrix of labels (x, y) with x side by side, or transposed with y side by side; none where
/// neither lies so.
inline std::optional<ColumnMajor> column_major(std::int64_t x, std::int64_t x_step, std::int64_t y,
                                               std::int64_t y_step) {
  auto const lies = [](std::int64_t fast, std::int64_t fast_step, std::int64_t slow,
                       std::int64_t step) {
    return (fast == 1 || fast_step == 1) && (slow == 1 || step >= fast);
  };
  if (lies(x, x_step, y, y_step)) return ColumnMajor{x, y, y == 1 ? x : y_step, false};
  if (lies(y, y_step, x, x_step)) return ColumnMajor{y, x, x == 1 ? y : x_step, true};
  return std::nullopt;
}

/// A product that is known: all but its memory.
struct PreparedProduct {
  Operation operation = nullptr;
  std::array<Layout, 3> layouts{};
  std::optional<Algorithm> algorithm{};  ///< None: the library does not take it.
};

/// The numbers of a product that decide how it is computed.
struct ProductKey {
  Elements elements, sums;
  std::array<ColumnMajor, 3> matrices;  ///< Left, right and result, as the library takes them.
  std::int64_t batches;
  std::array<std::int64_t, 3> batch_steps;
  std::array<std::uint32_t, 3> alignments;

  std::vector<std::int64_t> numbers() const {
    std::vector<std::int64_t> all{static_cast<int>(elements), static_cast<int>(sums), batches};
    for (std::size_t i = 0; i < 3; ++i) {
      ColumnMajor const& m = matrices[i];
      for (std::int64_t const number : {m.fast, m.slow, m.leading, std::int64_t{m.is_transposed},
                                        batch_steps[i], std::int64_t{alignments[i]}})
        all.push_back(number);
    }
    return all;
  }
};

/// The largest power of two up to 256 that an address is a multiple of.
inline std::uint32_t alignment_of(void const* memory) {
  auto const address = reinterpret_cast<std::uintptr_t>(memory) | 256u;
  return static_cast<std::uint32_t>(address & (~address + 1));
}

/// A product in the library's words. Its matrices are column-major and a tensor's are row-major: it
/// computes the transposed result from the operands in exchanged places.
template <class T>
struct TransposedProduct {
  T const* left;   ///< Of the library: the right operand, `columns` by `summed`.
  T const* right;  ///< The left operand, `summed` by `rows`.
  ProductKey key;
};

/// None where an operand or the result does not lie so.
template <class T, class R>
std::optional<TransposedProduct<T>> transposed(source::Matrices<T, R> p) {
  bool const result_lies_by_rows = p.columns.extent == 1 || p.columns.c == 1;
  if (!result_lies_by_rows) {  // the transposed product is one by columns
    std::swap(p.a, p.b);
    std::swap(p.rows, p.columns);
    for (LoopLabel* const label : {&p.rows, &p.columns, &p.summed, &p.batch})
      std::swap(label->a, label->b);
  }
  LoopLabel const &m = p.rows, &n = p.columns, &k = p.summed;
  auto const left = column_major(n.extent, n.b, k.extent, k.b);
  auto const right = column_major(k.extent, k.a, m.extent, m.a);
  auto const result = column_major(n.extent, n.c, m.extent, m.c);
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

/// The library with what it works with, and the products that are known. Thread-safe.
class Multiplier {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  /// With memory of the device to work in, of `workspace_bytes`; null: there is none.
  explicit Multiplier(void* workspace) : workspace_(workspace) {
    check_matrices(library().create(&handle_), "opening cuBLASLt");
  }

  PreparedProduct const& prepared(ProductKey const& key) {
    std::lock_guard const lock(mutex_);
    auto const numbers = key.numbers();
    auto const found = known_.find(numbers);
    return found != known_.end() ? found->second
                                 : known_.emplace(numbers, prepare(key)).first->second;
  }

  /// Computes c = left right + factor c in the library's words.
  template <class T, class R>
  void multiply(TransposedProduct<T> const& product, R* c, bool accumulates, Stream stream) {
    using Factor = std::conditional_t<std::same_as<T, double>, double, float>;
    PreparedProduct const& known = prepared(product.key);
    Factor const one = 1, factor = accumulates ? Factor(1) : Factor(0);
    auto const& [left, right, result] = known.layouts;
    check_matrices(library().multiply(handle_, known.operation, &one, product.left, left,
                                      product.right, right, &factor, c, result, c, result,
                                      &known.algorithm->algorithm, workspace_, bytes(), stream),
                   "starting a product");
  }

 private:
  static MatrixLibrary const& library() { return MatrixLibrary::instance(); }

  std::size_t bytes() const { return workspace_ == nullptr ? 0 : workspace_bytes; }

  PreparedProduct prepare(ProductKey const& key) const {
    PreparedProduct product;
    bool const is_double = key.elements == Elements::float64;
    check_matrices(library().create_operation(&product.operation,
                                              is_double ? Compute::float64 : Compute::float32,
                                              is_double ? Elements::float64 : Elements::float32),
                   "describing a product");
    set_transposed(product.operation, transpose_a, key.matrices[0]);
    set_transposed(product.operation, transpose_b, key.matrices[1]);
    for (std::size_t i = 0; i < 3; ++i) product.layouts[i] = layout(key, i);
    product.algorithm = algorithm(product, key);
    return product;
  }

  static void set_transposed(Operation operation, int which, ColumnMajor const& matrix) {
    std::int32_t const is_transposed = matrix.is_transposed ? 1 : 0;
    check_matrices(library().set_operation(operation, which, &is_transposed, sizeof is_transposed),
                   "describing a product");
  }

  static Layout layout(ProductKey const& key, std::size_t i) {
    ColumnMajor const& matrix = key.matrices[i];
    Layout made = nullptr;
    check_matrices(library().create_layout(&made, i == 2 ? key.sums : key.elements,
                                           static_cast<std::uint64_t>(matrix.fast),
                                           static_cast<std::uint64_t>(matrix.slow), matrix.leading),
                   "describing a matrix");
    auto const batches = static_cast<std::int32_t>(key.batches);
    if (batches == 1) return made;
    check_matrices(library().set_layout(made, batch_count, &batches, sizeof batches),
                   "describing a matrix");
    check_matrices(
        library().set_layout(made, batch_step, &key.batch_steps[i], sizeof(std::int64_t)),
        "describing a matrix");
    return made;
  }

  std::optional<Algorithm> algorithm(PreparedProduct const& product, ProductKey const& key) const {
    Preference wishes = nullptr;
    check_matrices(library().create_preference(&wishes), "asking for a product");
    std::size_t const workspace = bytes();
    library().set_preference(wishes, most_workspace, &workspace, sizeof workspace);
    auto const [left, right, result] = key.alignments;
    for (auto const& [which, bytes] :
         {std::pair{+alignment_of_a, left}, std::pair{+alignment_of_b, right},
          std::pair{+alignment_of_c, result}, std::pair{+alignment_of_d, result}})
      library().set_preference(wishes, which, &bytes, sizeof bytes);
    Algorithm best;
    int count = 0;
    auto const& layouts = product.layouts;
    Code const code = library().find_algorithm(handle_, product.operation, layouts[0], layouts[1],
                                               layouts[2], layouts[2], wishes, 1, &best, &count);
    library().destroy_preference(wishes);
    return code == 0 && count > 0 && best.state == 0 ? std::optional(best) : std::nullopt;
  }

  MatrixHandle handle_ = nullptr;
  void* workspace_;
  std::mutex mutex_{};
  std::map<std::vector<std::int64_t>, PreparedProduct> known_{};
};

}  // namespace tenon::cuda
