#pragma once

#include <map>
#include <mutex>

#include <tenon/backend/cuda/products.hpp>

/// Matmuls by cuBLASLt. Tested on an H200, and with a mock library, which multiplies on the host as
/// NVIDIA documents it.
namespace tenon::internal::cuda {

/// A prepared matmul: everything but its memory.
struct PreparedProduct {
  Operation operation = nullptr;
  std::array<Layout, 3> layouts{};
  std::optional<Algorithm> algorithm{};  ///< None: not supported by the library.
};

/// The library handle with its workspace, and the cache of prepared matmuls. Thread-safe.
class Multiplier {
 public:
  static constexpr std::size_t workspace_bytes = std::size_t{32} << 20;

  /// With `workspace_bytes` of device memory; null: no workspace.
  explicit Multiplier(void* workspace) : workspace_(workspace) {
    check_matrices(library().create(&handle_), "opening cuBLASLt");
  }

  /// Whether the library computes such a matmul.
  template <class T>
  bool takes(TransposedProduct<T> const& product) {
    std::lock_guard const lock(mutex_);
    return prepared(product.key, product.bias).algorithm.has_value();
  }

  /// Computes c = left right + factor c in the library's convention.
  template <class T, class R>
  void multiply(TransposedProduct<T> const& product, R* c, bool accumulates, Stream stream) {
    using Factor = std::conditional_t<std::same_as<T, double>, double, float>;
    std::lock_guard const lock(mutex_);  // a descriptor stores the address of its bias
    PreparedProduct const& known = prepared(product.key, product.bias);
    if (product.bias != nullptr) set(known.operation, bias_pointer, product.bias);
    Factor const one = 1, factor = accumulates ? Factor(1) : Factor(0);
    auto const& [left, right, result] = known.layouts;
    check_matrices(library().multiply(handle_, known.operation, &one, product.left, left,
                                      product.right, right, &factor, c, result, c, result,
                                      &known.algorithm->algorithm, workspace_, bytes(), stream),
                   "starting a product");
  }

 private:
  static MatrixLibrary const& library() { return MatrixLibrary::instance(); }

  PreparedProduct const& prepared(ProductKey const& key, void const* bias) {
    auto const numbers = key.numbers();
    auto const found = known_.find(numbers);
    return found != known_.end() ? found->second
                                 : known_.emplace(numbers, prepare(key, bias)).first->second;
  }

  std::size_t bytes() const { return workspace_ == nullptr ? 0 : workspace_bytes; }

  PreparedProduct prepare(ProductKey const& key, void const* bias) const {
    PreparedProduct product;
    bool const is_double = key.elements == Elements::float64;
    check_matrices(library().create_operation(&product.operation, key.compute,
                                              is_double ? Elements::float64 : Elements::float32),
                   "describing a product");
    set(product.operation, transpose_a, std::int32_t{key.matrices[0].is_transposed});
    set(product.operation, transpose_b, std::int32_t{key.matrices[1].is_transposed});
    if (key.epilogue != Epilogue::none) set(product.operation, kind_of_epilogue, key.epilogue);
    if (bias != nullptr) set(product.operation, bias_pointer, bias);  // its alignment is checked
    for (std::size_t i = 0; i < 3; ++i) product.layouts[i] = layout(key, i);
    product.algorithm = algorithm(product, key);
    return product;
  }

  template <class V>
  static void set(Operation operation, int which, V const& value) {
    check_matrices(library().set_operation(operation, which, &value, sizeof value),
                   "describing a product");
  }

  static Layout layout(ProductKey const& key, std::size_t i) {
    codegen::DenseMatrix const& matrix = key.matrices[i];
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
    bool const is_rounded = key.sums == Elements::float16 || key.sums == Elements::bfloat16;
    if (is_rounded)  // once: partial sums are not
      library().set_preference(wishes, reductions, &in_compute_type, sizeof in_compute_type);
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

}  // namespace tenon::internal::cuda
