#pragma once

#include <optional>
#include <utility>

#include <tenon/eval/labelled.hpp>

namespace tenon {

/// A matrix product c = a b (or c += a b) as a backend does it; strides count elements, the rows of
/// c are contiguous.
template <class T>
struct MatrixProduct {
  std::int64_t m = 1, n = 1, k = 1;
  T const* a = nullptr;
  std::int64_t a_row = 0, a_column = 0;
  T const* b = nullptr;
  std::int64_t b_row = 0, b_column = 0;
  T* c = nullptr;
  std::int64_t c_row = 0;
  bool accumulate = false;
};

/// A product over labels as loops around matrix products.
template <class T>
struct ProductPlan {
  MatrixProduct<T> matrix;
  LoopLabels batch;   ///< Independent products.
  LoopLabels summed;  ///< Products that add up.

  static constexpr std::int64_t rows_at_once = 128;
  std::int64_t columns_at_once = 512;

  std::int64_t row_panels() const { return (matrix.m + rows_at_once - 1) / rows_at_once; }
  std::int64_t column_panels() const { return (matrix.n + columns_at_once - 1) / columns_at_once; }
  std::int64_t tasks() const { return batch.count() * row_panels() * column_panels(); }

  /// Small tasks are worked on several at a time, one after the other.
  static constexpr std::int64_t work_at_once = std::int64_t{1} << 17;
  std::int64_t tasks_at_once() const {
    std::int64_t const rows = std::min(matrix.m, rows_at_once);
    std::int64_t const columns = std::min(matrix.n, columns_at_once);
    return std::max<std::int64_t>(
        1, work_at_once / std::max<std::int64_t>(1, rows * columns * matrix.k));
  }

  /// The part of the work that task `number` does, for one combination of the summed labels.
  MatrixProduct<T> task(std::int64_t number, std::int64_t sum) const {
    std::int64_t const row = number % row_panels() * rows_at_once;
    std::int64_t const column = number / row_panels() % column_panels() * columns_at_once;
    LoopLabel const at = batch.place(number / row_panels() / column_panels());
    LoopLabel const part = summed.place(sum);
    MatrixProduct<T> p = matrix;
    p.m = std::min(rows_at_once, p.m - row);
    p.n = std::min(columns_at_once, p.n - column);
    p.a += at.a + part.a + row * p.a_row;
    p.b += at.b + part.b + column * p.b_column;
    p.c += at.c + row * p.c_row + column;
    p.accumulate = p.accumulate || sum > 0;
    return p;
  }
};

/// Makes the label that is contiguous in the result the columns; if it belongs to the left operand
/// the operands change places.
template <class T>
ProductPlan<T> plan_product(SortedLabels labels, T const* a, T const* b, T* c, bool accumulate) {
  bool found = false;
  LoopLabel columns = labels.columns.take_unit(found);
  if (!found && labels.rows.size > 0) {
    std::swap(labels.rows, labels.columns);
    std::swap(a, b);
    for (LoopLabels* group : {&labels.batch, &labels.rows, &labels.columns, &labels.summed})
      for (int i = 0; i < group->size; ++i) std::swap((*group)[i].a, (*group)[i].b);
    columns = labels.columns.take_unit(found);
  }
  LoopLabel const rows = labels.rows.take_longest(), inner = labels.summed.take_longest();
  ProductPlan<T> plan;
  plan.matrix = {rows.extent, columns.extent, inner.extent, a, rows.a, inner.a,
                 b,           inner.b,        columns.b,    c, rows.c, accumulate};
  plan.batch = labels.batch;
  for (LoopLabels const* rest : {&labels.rows, &labels.columns})
    for (int i = 0; i < rest->size; ++i) plan.batch.add((*rest)[i]);
  plan.summed = labels.summed;
  return plan;
}

/// The plan of c = sum of a b (or c += …) over all labels that c has not; none if c is empty.
template <class T>
std::optional<ProductPlan<T>> plan_labels(LoopLabels const& labels, T const* a, T const* b, T* c,
                                          bool accumulate) {
  bool nothing = false, empty = false;
  for (int i = 0; i < labels.size; ++i) {
    bool const zero = labels[i].extent == 0;
    nothing = nothing || (zero && labels[i].in_result());
    empty = empty || (zero && !labels[i].in_result());
  }
  if (nothing) return std::nullopt;
  SortedLabels groups = sorted(labels);
  if (empty) {
    groups.summed = LoopLabels();
    groups.summed.add({0, 1, 1, 0});
  }
  return plan_product(groups, a, b, c, accumulate);
}

/// Calls `after(task)` for every task of a plan once its part of the product is there. What is done
/// at once depends on sizes alone.
template <class Backend, class T, class After>
void run_tasks(ProductPlan<T> const& plan, After const& after) {
  std::int64_t const sums = std::max<std::int64_t>(1, plan.summed.count());
  std::int64_t const tasks = plan.tasks(), group = plan.tasks_at_once();
  auto const run = [&](std::int64_t chunk, std::byte* scratch) {
    for (std::int64_t task = chunk * group; task < std::min(tasks, (chunk + 1) * group); ++task) {
      for (std::int64_t sum = 0; sum < sums; ++sum) Backend::product(plan.task(task, sum), scratch);
      after(task);
    }
  };
  Backend::parallel_for((tasks + group - 1) / group, Backend::product_scratch(plan.matrix), run);
}

/// c = sum of a b (or c += …) over all labels that c has not.
template <class Backend, class T>
void multiply_labels(LoopLabels const& labels, T const* a, T const* b, T* c, bool accumulate) {
  if (auto const plan = plan_labels(labels, a, b, c, accumulate))
    run_tasks<Backend>(*plan, [](std::int64_t) {});
}

}  // namespace tenon
