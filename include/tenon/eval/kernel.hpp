#pragma once

#include <tenon/eval/lower_row.hpp>
#include <tenon/eval/settle.hpp>
#include <tenon/eval/share_rows.hpp>

namespace tenon {

/// Bytes for a shared row, in whole cache lines.
template <class F>
std::size_t scratch_for(F const& shared) {
  auto const bytes = static_cast<std::size_t>(shared.elements()) * sizeof(typename F::T);
  return (bytes + 63) / 64 * 64;
}

/// A kernel ready to run: rows over outer axes. `M` is the machine, `F` the frame of the formula.
template <class M, class F, bool is_scalar, bool folds>
struct Kernel {
  static constexpr bool has_scalar_rows = is_scalar;  ///< One element a row.
  static constexpr bool has_folds = folds;

  F frame;
  Access out;  ///< Of the result, or of its adjoint.
  Sizes outer = ones();
  int outer_rank = 0;
  Row row{};
  std::int64_t row_work = 1;      ///< Elements that the longest fold of a row walks.
  std::int64_t element_work = 1;  ///< Elements that are folded into one of the row.

  std::int64_t rows() const { return count(outer, outer_rank); }

  /// Bytes of working memory for the rows that are shared.
  std::size_t scratch_bytes() {
    std::size_t bytes = 0;
    frame.rows([&](auto& shared) { bytes += scratch_for(shared); });
    return bytes;
  }
  void place_scratch(std::byte* scratch) {
    frame.rows([&](auto& shared) {
      shared.place(reinterpret_cast<typename Unqualified<decltype(shared)>::T*>(scratch));
      scratch += scratch_for(shared);
    });
  }

  /// Stands at a row.
  void start(std::int64_t number) {
    Index const index = unravel(number, outer, outer_rank);
    auto const place = [&](Access& a) {
      a.at = a.start + offset(a.stride, index, outer_rank);
      a.now = a.at;
    };
    frame.visit(place);
    place(out);
  }
};

/// The strides of memory that a result of `sizes` fills.
inline Access access_out(std::byte* memory, Sizes const& strides, std::size_t element_bytes) {
  Access out;
  out.gradient = memory;
  out.data = memory;
  out.stride = strides;
  out.element_bytes = static_cast<std::int64_t>(element_bytes);
  return out;
}

/// Merges outer axes that all accesses walk as one, and takes away those of size 1.
template <class K>
void collapse_outer(K& kernel) {
  auto const all = [&](auto const& f) {
    kernel.frame.visit(f);
    f(kernel.out);
  };
  for (int i = kernel.outer_rank - 1; i >= 0; --i) {
    bool const is_one = at(kernel.outer, i) == 1;
    bool merges = !is_one && i + 1 < kernel.outer_rank;
    if (merges) all([&](Access& a) { merges = merges && walks_as_one(a.stride, kernel.outer, i); });
    if (!is_one && !merges) continue;
    if (merges) at(kernel.outer, i + 1) *= at(kernel.outer, i);
    all([&](Access& a) { remove_axis(a.stride, i, kernel.outer_rank, 0); });
    remove_axis(kernel.outer, i, kernel.outer_rank, 1);
    --kernel.outer_rank;
  }
}

/// Makes the last outer axis part of the row where all accesses walk both as one.
template <class K>
void merge_into_row(K& kernel) {
  auto const all = [&](auto const& f) {
    kernel.frame.visit(f);
    f(kernel.out);
  };
  while (kernel.outer_rank > 0 && kernel.row.rank == 1) {
    int const last = kernel.outer_rank - 1;
    bool merges = true;
    all([&](Access& a) {
      merges = merges && at(a.stride, last) == at(a.row, 0) * at(kernel.row.sizes, 0);
    });
    if (!merges) return;
    at(kernel.row.sizes, 0) *= at(kernel.outer, last);
    all([&](Access& a) { at(a.stride, last) = 0; });
    at(kernel.outer, last) = 1;
    --kernel.outer_rank;
  }
}

/// Collects what folds have to say: which of them are equal, and how long the longest row is.
struct RowNotes : SharedFrames {
  std::int64_t work = 1;

  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    if constexpr (requires { frame.row; }) work = std::max(work, frame.row.size());
    return SharedFrames::enter(frame);
  }
};

/// Lays the axes of a kernel out: the last are the row, the others are walked outside of it.
template <bool merges, class K>
void arrange(K& kernel, Sizes const& sizes, int rank, int row_axes) {
  kernel.outer_rank = rank - row_axes;
  for (int i = 0; i < kernel.outer_rank; ++i) at(kernel.outer, i) = at(sizes, i);
  kernel.row = row_of(sizes, rank, row_axes);
  auto const enter = [&](Access& access) { access.enter_row(rank, row_axes); };
  kernel.frame.step(enter);
  enter(kernel.out);
  if constexpr (!K::has_scalar_rows) {
    collapse_row(kernel.frame, kernel.row, &kernel.out);
    if constexpr (!K::has_folds && merges) merge_into_row(kernel);
    set_inner(kernel.frame, kernel.row);
  }
  kernel.out.inner = at(kernel.out.row, kernel.row.rank - 1);
  collapse_outer(kernel);
}

/// Gives the parts of a row's formula that stand in it several times a row to share.
template <class M, class F, bool is_scalar, bool folds>
auto sharing(Kernel<M, F, is_scalar, folds> const& kernel) {
  if constexpr (!folds) return kernel;
  else {
    auto frame = with_shared_rows<F>(kernel.frame, is_scalar ? nullptr : &kernel.row);
    return Kernel<M, decltype(frame), is_scalar, folds>{frame, kernel.out, kernel.outer,
                                                        kernel.outer_rank, kernel.row};
  }
}

/// The kernel of a settled recipe; `out` has strides over the axes of `E`. Where `merges`, a row
/// may be several rows of the result.
template <class M, bool merges = true, class E>
auto bind(E const& e, Access const& out, Tape* tape) {
  constexpr int rank = E::shape.rank;
  constexpr bool folds = has_fold<E>;
  constexpr int row_axes = folds ? wanted_row<E> : (rank > 0 ? 1 : 0);
  auto frame = lower<M, (row_axes > 0 ? rank - 1 : -1), last_axes(rank, row_axes)>(e, tape);
  Kernel<M, decltype(frame), row_axes == 0, folds> plain{frame, out};
  arrange<merges>(plain, e.sizes(), rank, row_axes);
  auto kernel = sharing(plain);
  RowNotes notes;
  kernel.frame.share(notes);
  kernel.row_work = std::max(notes.work, kernel.row.size());
  if constexpr (is_column_fold<E>) kernel.element_work = kernel.frame.length();
  return kernel;
}

}  // namespace tenon
