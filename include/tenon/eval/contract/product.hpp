#pragma once

#include <optional>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/contract/direct.hpp>
#include <tenon/eval/contract/implicit_im2col.hpp>
#include <tenon/eval/contract/winograd.hpp>

namespace tenon {

/// A matmul c = a b (or c += a b) as a backend computes it; strides are in elements, the rows of c
/// are contiguous. For 16-bit operands c is `float`.
template <class T>
struct MatrixProduct {
  std::int64_t m = 1, n = 1, k = 1;
  T const* a = nullptr;
  std::int64_t a_row = 0, a_column = 0;
  T const* b = nullptr;
  std::int64_t b_row = 0, b_column = 0;
  internal::Computed<T>* c = nullptr;
  std::int64_t c_row = 0;
  bool accumulate = false;

  std::int64_t work() const { return m * n * k; }

  /// At most `count` rows of the result from `first` on, and all columns.
  MatrixProduct rows(std::int64_t first, std::int64_t count) const {
    MatrixProduct p = *this;
    p.m = (std::min)(count, m - first);
    p.a += first * a_row;
    p.c += first * c_row;
    return p;
  }
  /// At most `count` columns from `first` on, and all rows.
  MatrixProduct columns(std::int64_t first, std::int64_t count) const {
    MatrixProduct p = *this;
    p.n = (std::min)(count, n - first);
    p.b += first * b_column;
    p.c += first;
    return p;
  }
  /// At most `count` terms of the sums from `first` on; all but the first add to the result.
  MatrixProduct steps(std::int64_t first, std::int64_t count) const {
    MatrixProduct p = *this;
    p.k = (std::min)(count, k - first);
    p.a += first * a_column;
    p.b += first * b_row;
    p.accumulate = accumulate || first > 0;
    return p;
  }
};

}  // namespace tenon

namespace tenon::internal {

/// The matmul, element by element.
template <class T>
void plain_product(MatrixProduct<T> const& p) {
  for (std::int64_t i = 0; i < p.m; ++i) {
    for (std::int64_t j = 0; j < p.n; ++j) {
      Computed<T> sum = p.accumulate ? p.c[i * p.c_row + j] : Computed<T>(0);
      for (std::int64_t l = 0; l < p.k; ++l) {
        Computed<T> const x(p.a[i * p.a_row + l * p.a_column]),
            y(p.b[l * p.b_row + j * p.b_column]);
        sum += x * y;
      }
      p.c[i * p.c_row + j] = sum;
    }
  }
}

/// The tile sizes into which a backend cuts a matmul; they depend on sizes alone.
struct ProductCut {
  std::int64_t rows = 128, columns = 512;
  bool packed = false;  ///< Whether the right matrix is packed once, for all tasks.
};

/// A contraction over labels as loops around matmuls.
template <class T>
struct ProductPlan {
  using value_type = T;
  MatrixProduct<T> matrix;
  LoopLabels batch;   ///< Independent matmuls.
  LoopLabels summed;  ///< Matmuls that are added up.
  ProductCut cut;
  std::optional<Im2col> scattered;      ///< The offsets of the operands' elements, if these have no
                                        ///< strides.
  std::optional<DirectProduct> direct;  ///< The loops of a direct contraction.
  /// The labels of a convolution for `multiply_winograd`.
  std::optional<WinogradProduct> winograd;

  ProductPlan() {}  // otherwise the array of labels is zeroed first

  std::int64_t row_panels() const { return (matrix.m + cut.rows - 1) / cut.rows; }
  std::int64_t column_panels() const { return (matrix.n + cut.columns - 1) / cut.columns; }
  std::int64_t tasks() const { return batch.count() * row_panels() * column_panels(); }
  std::int64_t sums() const { return std::max<std::int64_t>(1, summed.count()); }

  /// Whether the whole contraction is one matmul and one task.
  bool is_one_task() const {
    return batch.size == 0 && summed.size == 0 && matrix.m <= cut.rows && matrix.n <= cut.columns;
  }

  /// Multiply-adds that justify a thread: 18 µs at 16 per cycle, or eight times as many; waking a
  /// thread takes up to 7 µs.
  static constexpr std::int64_t work_at_once = std::int64_t{1} << (HalfType<T> ? 23 : 20);

  /// Small tasks are grouped; the tasks of a group run one after the other.
  std::int64_t tasks_at_once() const {
    std::int64_t const rows = (std::min)(matrix.m, cut.rows);
    std::int64_t const columns = (std::min)(matrix.n, cut.columns);
    bool const thin = matrix.m == 1 || matrix.n == 1;  // memory-bound
    return std::max<std::int64_t>(1, (thin ? work_at_once / 4 : work_at_once) /
                                         std::max<std::int64_t>(1, rows * columns * matrix.k));
  }

  /// One of the independent matmuls, for one combination of the summed labels.
  MatrixProduct<T> whole(std::int64_t number, std::int64_t sum) const {
    LoopLabel const at = batch.place(number), part = summed.place(sum);
    MatrixProduct<T> p = matrix;
    p.a += at.a + part.a;
    p.b += at.b + part.b;
    p.c += at.c;
    p.accumulate = p.accumulate || sum > 0;
    return p;
  }

  /// The part of the matmul that task `number` computes, for one combination of the summed labels.
  MatrixProduct<T> task(std::int64_t number, std::int64_t sum) const {
    std::int64_t const row = number % row_panels(), rest = number / row_panels();
    std::int64_t const column = rest % column_panels();
    return whole(rest / column_panels(), sum)
        .rows(row * cut.rows, cut.rows)
        .columns(column * cut.columns, cut.columns);
  }
};

/// Plans a contraction whose operands have no strides as matrices.
template <class T>
void plan_im2col(ProductPlan<T>& plan, SortedLabels const& parts) {
  plan.matrix.m = parts.rows.count();
  plan.matrix.n = parts.columns.count();
  plan.matrix.k = parts.summed.count();
  plan.matrix.c_row = parts.rows[parts.rows.size - 1].c;
  plan.batch = parts.batch;
  plan.scattered = im2col_operands(parts);
}

/// Plans a contraction whose rows, columns and sums have one stride each; other labels are loops
/// around it.
template <class T>
void plan_strided(ProductPlan<T>& plan, SortedLabels& labels) {
  LoopLabel const columns = labels.columns.take_unit();
  LoopLabel const rows = labels.rows.take_longest(), inner = labels.summed.take_longest();
  MatrixProduct<T>& matrix = plan.matrix;
  matrix.m = rows.extent, matrix.n = columns.extent, matrix.k = inner.extent;
  matrix.a_row = rows.a, matrix.a_column = inner.a;
  matrix.b_row = inner.b, matrix.b_column = columns.b;
  matrix.c_row = rows.c;
  plan.batch = labels.batch;
  for (LoopLabels const* rest : {&labels.rows, &labels.columns})
    for (int i = 0; i < rest->size; ++i) plan.batch.add((*rest)[i]);
  plan.summed = labels.summed;
}

/// The sizes of the parts of a direct contraction.
template <class T>
void set_direct_sizes(ProductPlan<T>& plan) {
  DirectProduct const& direct = *plan.direct;
  plan.matrix.m = direct.row.extent;
  plan.matrix.n = direct.column.extent;
  plan.matrix.k = direct.outputs.extent * direct.terms * direct.dot.extent;
  plan.matrix.c_row = direct.row.c;
}

/// Makes the label that is contiguous in the result the columns; if it belongs to the left operand,
/// the operands are exchanged. `scatters`: whether the plan may be of scattered operands. (A plan
/// is constructed in place, as are its parts: a copy of data that was just written stalls store
/// forwarding.)
template <bool scatters, class T>
void plan_product(ProductPlan<T>& plan, SortedLabels& labels, [[maybe_unused]] bool has_parts) {
  if (!labels.columns.has_unit() && labels.rows.size > 0) {
    labels.exchange_operands();
    std::swap(plan.matrix.a, plan.matrix.b);
  }
  if constexpr (scatters) {
    if (is_direct(labels)) {
      plan.direct.emplace();
      if (plan_direct(*plan.direct, labels, plan.batch)) std::swap(plan.matrix.a, plan.matrix.b);
      return set_direct_sizes(plan);
    }
    SortedLabels const parts = scattered(labels, has_parts);
    if (im2col_is_faster(parts)) return plan_im2col(plan, parts);
  }
  plan_strided(plan, labels);
}

/// A type-erased function that is called after each part of a contraction, so that the loops around
/// matmuls are compiled once per dtype.
template <class T>
struct AfterPart {
  void const* context = nullptr;
  void (*call)(void const* context, MatrixProduct<T> const& part, std::int64_t columns) = nullptr;

  void operator()(MatrixProduct<T> const& part, std::int64_t columns) const {
    if (call != nullptr) call(context, part, columns);
  }
};

/// Whether a backend multiplies scattered operands. Only instantiated where one is `stepped`, so
/// that programs without convolutions do not compile it.
template <class Backend, bool stepped, class T>
inline constexpr bool scatters = stepped && Backend::template multiplies_im2col<T>;

/// The plan of c = sum of a b (or c += …) over all labels that c does not have; none if c is empty.
/// `has_parts`: whether parts of c are matrices, as an epilogue reads them.
template <class Backend, bool stepped = false, class T>
std::optional<ProductPlan<T>> plan_labels(LoopLabels const& labels, T const* a, T const* b,
                                          Computed<T>* c, bool accumulate, bool has_parts = true) {
  bool nothing = false, empty = false;
  for (int i = 0; i < labels.size; ++i) {
    bool const zero = labels[i].extent == 0;
    nothing = nothing || (zero && labels[i].in_result());
    empty = empty || (zero && !labels[i].in_result());
  }
  std::optional<ProductPlan<T>> plan;
  if (nothing) return plan;
  SortedLabels groups = sorted(labels);
  if (empty) {
    groups.summed = LoopLabels();
    groups.summed.add({0, 1, 1, 0});
  }
  plan.emplace();
  plan->matrix.a = a, plan->matrix.b = b, plan->matrix.c = c;
  plan->matrix.accumulate = accumulate;
  plan_product<scatters<Backend, stepped, T>>(*plan, groups, has_parts);
  return plan;
}

/// Runs a plan as matmuls, several per thread. The grouping depends on sizes alone.
template <class Backend, class T>
void run_tasks(ProductPlan<T> const& plan, AfterPart<T> const& after) {
  if (plan.scattered || plan.direct)
    throw Error("tenon: this backend has no `multiply` for scattered operands");
  std::size_t const scratch_bytes = Backend::product_scratch(plan.matrix);
  if (plan.is_one_task() && scratch_bytes == 0) {
    Backend::product(plan.matrix, nullptr);
    return after(plan.matrix, plan.cut.columns);
  }
  std::int64_t const tasks = plan.tasks(), group = plan.tasks_at_once();
  auto const run = [&](std::int64_t chunk, std::byte* scratch) {
    for (std::int64_t task = chunk * group; task < (std::min)(tasks, (chunk + 1) * group); ++task) {
      for (std::int64_t sum = 0; sum < plan.sums(); ++sum)
        Backend::product(plan.task(task, sum), scratch);
      after(plan.task(task, 0), plan.cut.columns);
    }
  };
  Backend::parallel_for((tasks + group - 1) / group, scratch_bytes, run);
}

/// The plan of a convolution by Winograd's algorithm.
template <class T>
std::optional<ProductPlan<T>> plan_of(WinogradProduct const& product, T const* a, T const* b, T* c,
                                      bool accumulate) {
  std::optional<ProductPlan<T>> plan(std::in_place);
  plan->matrix.a = a + product.start.a, plan->matrix.b = b + product.start.b, plan->matrix.c = c;
  plan->matrix.accumulate = accumulate;
  plan->winograd = product;
  return plan;
}
/// The same for the labels of a contraction; none where they are of another one, or it is slower.
template <class T>
std::optional<ProductPlan<T>> plan_winograd(LoopLabels const& labels, T const* a, T const* b, T* c,
                                            bool accumulate) {
  WinogradProduct const product(labels);
  if (!product.is_faster()) return std::nullopt;
  return plan_of(product, a, b, c, accumulate);
}

/// c = sum of a b (or c += …) over all labels that c does not have.
template <class Backend, bool stepped = false, bool winograd = false, class T>
void multiply_labels(LoopLabels const& labels, T const* a, T const* b, Computed<T>* c,
                     bool accumulate) {
  if constexpr (winograd)
    if (auto plan = plan_winograd(labels, a, b, c, accumulate))
      return Backend::multiply_winograd(*plan);
  if (auto plan = plan_labels<Backend, stepped>(labels, a, b, c, accumulate, false))
    Backend::template multiply<stepped>(*plan, AfterPart<T>{});
}

}  // namespace tenon::internal
