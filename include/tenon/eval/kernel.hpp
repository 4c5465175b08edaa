#pragma once

#include <tenon/eval/frame/lower_row.hpp>
#include <tenon/eval/frame/share_rows.hpp>
#include <tenon/eval/rows/layout.hpp>
#include <tenon/eval/settle.hpp>

namespace tenon {

/// Bytes for a shared row, in whole cache lines.
template <class F>
std::size_t scratch_for(F const& shared) {
  auto const bytes = static_cast<std::size_t>(shared.elements()) * sizeof(typename F::T);
  return (bytes + 63) / 64 * 64;
}

/// A kernel ready to run. `M` is the machine, `F` the frame of the formula.
template <class M, class F, bool is_scalar, bool folds>
struct FusedKernel : RowLayout {
  static constexpr bool has_scalar_rows = is_scalar;  ///< One element a row.
  static constexpr bool has_folds = folds;

  F frame;

  /// `make()` is the frame. (Without constructors g++ clears all of a kernel first.)
  template <class Make>
  explicit FusedKernel(Make const& make) : frame(make()) {}
  template <class Make>
  FusedKernel(RowLayout const& layout, Make const& make) : RowLayout(layout), frame(make()) {}

  /// All accesses, that of the result among them.
  Accesses accesses() {
    Accesses list = accesses_of(frame);
    list.add(out);
    return list;
  }
  Accesses walking_accesses() {
    Accesses list = walking_accesses_of(frame);
    list.add(out);
    return list;
  }

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
  /// Before a row is swept.
  void clear_adjoints() {
    frame.rows([](auto& shared) { shared.clear_adjoints(); });
  }
};

/// Collects what folds have to say: which of them are equal, and how long the longest row is.
struct RowNotes : SharedFrames {
  std::int64_t work = 1;

  template <class Frame>
  std::ptrdiff_t enter(Frame const& frame) {
    if constexpr (requires { frame.row; }) work = std::max(work, frame.row.size());
    return SharedFrames::enter(frame);
  }
};

/// Lets the first of equal parts compute for the others.
template <class K>
void note_equals(K& kernel) {
  RowNotes notes;
  if constexpr (has_row_values<decltype(K::frame)>) kernel.frame.share(notes);
  kernel.row_work = std::max(notes.work, kernel.row.size());
}

/// Lays the axes of a kernel out.
template <bool merges, class K>
void arrange(K& kernel, Sizes const& sizes, int rank, int row_axes) {
  kernel.split(kernel.walking_accesses(), sizes, rank, row_axes);
  Accesses const all = kernel.accesses();
  if constexpr (!K::has_scalar_rows && !K::has_folds && merges) kernel.merge_into_row(all);
  kernel.collapse_outer(all);
}

/// Has a kernel parts that may be worth sharing?
template <class K>
concept SharesRows = K::has_folds && requires(K const& plain) {
  requires !std::same_as<decltype(with_shared_rows<decltype(K::frame)>(plain.frame, &plain.row)),
                         decltype(K::frame)>;
};

/// Gives the parts of a row's formula that stand in it several times a row to share.
template <class M, class F, bool is_scalar>
auto sharing(FusedKernel<M, F, is_scalar, true> const& plain) {
  using Shared = decltype(with_shared_rows<F>(plain.frame, &plain.row));
  ScratchRow const* const row = is_scalar ? nullptr : &plain.row;
  return FusedKernel<M, Shared, is_scalar, true>(
      plain, [&] { return with_shared_rows<F>(plain.frame, row); });
}

/// The kernel of a settled recipe as it stands; `out` has strides over the axes of `E`.
template <class M, bool merges, class E>
auto arranged(E const& e, MemoryAccess const& out, Tape* tape) {
  constexpr int rank = E::shape.rank;
  constexpr bool folds = has_fold<E>;
  constexpr int row_axes = folds ? wanted_row<E> : (rank > 0 ? 1 : 0);
  constexpr int inner = row_axes > 0 ? rank - 1 : -1;
  using F = decltype(lower<M, inner, last_axes(rank, row_axes)>(e, tape));
  FusedKernel<M, F, row_axes == 0, folds> kernel(
      [&] { return lower<M, inner, last_axes(rank, row_axes)>(e, tape); });
  // Last: what has just been written comes in small pieces, and is copied in large ones.
  kernel.out = out;
  arrange<merges>(kernel, e.sizes(), rank, row_axes);
  if constexpr (is_column_fold<E>) kernel.element_work = kernel.frame.length();
  return kernel;
}

template <class M, bool merges, class E>
auto shared_or_plain(E const& e, MemoryAccess const& out, Tape* tape) {
  if constexpr (SharesRows<decltype(arranged<M, merges>(e, out, tape))>)
    return sharing(arranged<M, merges>(e, out, tape));
  else return arranged<M, merges>(e, out, tape);
}

/// The kernel of a settled recipe. Where `merges`, a row may be several rows of the result. (It is
/// made where it stays: g++ before 14 copies what is returned from within an inner block.)
template <class M, bool merges = true, class E>
auto bind(E const& e, MemoryAccess const& out, Tape* tape) {
  auto kernel = shared_or_plain<M, merges>(e, out, tape);
  note_equals(kernel);
  return kernel;
}

}  // namespace tenon
