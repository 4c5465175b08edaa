#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tenon/eval/frame/frames.hpp>
#include <tenon/op/symbolic.hpp>

/// The type of a formula as data, for lowering: its nodes, and the offsets of what is set in its
/// inputs.
namespace tenon::internal {

struct FormulaTable;

enum class PartKind : std::uint8_t {
  map,
  leaf,
  constant,
  gather,
  once_a_row,  ///< A scalar or a shared row: the formula of the same node.
  reduction,
  column,
  short_reduction
};

/// A node of a formula. Places are offsets in bytes.
struct FramePart {
  PartKind kind = PartKind::map;
  bool is_mul = false;         ///< Of a map.
  bool refuses_empty = false;  ///< Of a reduction: whether it has no value of an empty row.
  std::uint32_t place = 0;     ///< Of an input in its formula.
  std::uint32_t ids = 0;       ///< Of a gather.
  std::uint32_t stride = 0;
  std::uint32_t row = 0;  ///< Of a reduction.
  std::uint32_t walking = 0;
  std::uint32_t sizes = 0;  ///< Of a reduction over columns.
  std::uint32_t rank = 0;
  std::uint32_t inner_place = 0;        ///< Of the formula that computes it,
  FormulaTable const* inner = nullptr;  ///< which is described here.
  void (*set)(std::byte* constant, std::byte const* number) = nullptr;
  void (*enter_row)(std::byte* reduction) = nullptr;  ///< Null where no row is shared.
  /// Of a leaf: adds adjoints; null where there are none.
  void (*add)(std::byte* to, std::byte const* from, std::int64_t count) = nullptr;
  std::uint32_t bytes = 0, adjoint_bytes = 0;  ///< Of an element.
};

/// The nodes of a formula in post-order; the last one is its root.
struct FormulaTable {
  FrameNode const* nodes;
  FramePart const* parts;
  std::size_t size;

  constexpr FrameNode const& root() const { return nodes[size - 1]; }
};
template <class F>
struct FormulaTableOf;

template <class T>
void add_elements(std::byte* to, std::byte const* from, std::int64_t count) {
  T* const sum = reinterpret_cast<T*>(to);
  T const* const more = reinterpret_cast<T const*>(from);
  for (std::int64_t i = 0; i < count; ++i) sum[i] = sum[i] + more[i];
}

template <class T>
constexpr FramePart leaf_part() {
  FramePart part{PartKind::leaf};
  part.bytes = sizeof(T);
  part.adjoint_bytes = sizeof(Computed<T>);
  if constexpr (AdjointSum<Computed<T>>) part.add = &add_elements<Computed<T>>;
  return part;
}

// (`offsetof` of a class without standard layout is supported by g++ and clang.)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

template <class F>
struct PartOf;
template <class M, class Op, class... F>
struct PartOf<MapFrame<M, Op, F...>> {
  static constexpr FramePart part{PartKind::map, std::is_same_v<Op, op::Mul>};
};
template <class M, class T, FrameReach reach>
struct PartOf<LeafFrame<M, T, reach>> {
  static constexpr FramePart part = leaf_part<T>();
};
template <class M, class T>
struct PartOf<ConstantFrame<M, T>> {
  static void set(std::byte* constant, std::byte const* number) {
    auto& frame = *reinterpret_cast<ConstantFrame<M, T>*>(constant);
    frame.value = *reinterpret_cast<Computed<T> const*>(number);
  }
  static constexpr FramePart part = [] {
    FramePart made{PartKind::constant};
    made.set = &set;
    made.bytes = sizeof(T);
    return made;
  }();
};
template <class M, class T, class I, FrameReach reach, bool by_lane>
struct PartOf<GatherFrame<M, T, I, reach, by_lane>> {
  using Frame = GatherFrame<M, T, I, reach, by_lane>;
  static constexpr FramePart part = [] {
    FramePart made = leaf_part<T>();
    made.kind = PartKind::gather;
    made.ids = __builtin_offsetof(Frame, ids);
    made.stride = __builtin_offsetof(Frame, stride);
    return made;
  }();
};

/// A part whose operand is another formula, which has its own table: the operand of a reduction.
template <class Frame, class F>
constexpr FramePart part_over(PartKind kind) {
  FramePart part{kind};
  part.inner = &FormulaTableOf<F>::value;
  part.inner_place = __builtin_offsetof(Frame, frame);
  return part;
}
template <class M, class F>
struct PartOf<ScalarFrame<M, F>> {
  static constexpr FramePart part = part_over<ScalarFrame<M, F>, F>(PartKind::once_a_row);
};
template <class M, class F>
struct PartOf<SharedFrame<M, F>> {
  static constexpr FramePart part = part_over<SharedFrame<M, F>, F>(PartKind::once_a_row);
};
template <class M, class Op, class F, int number>
struct PartOf<ShortFrame<M, Op, F, number>> {
  static constexpr FramePart part =
      part_over<ShortFrame<M, Op, F, number>, F>(PartKind::short_reduction);
};
template <class M, class Op, class F>
struct PartOf<ColumnFrame<M, Op, F>> {
  using Frame = ColumnFrame<M, Op, F>;
  static constexpr FramePart part = [] {
    FramePart made = part_over<Frame, F>(PartKind::column);
    made.walking = __builtin_offsetof(Frame, walking);
    made.sizes = __builtin_offsetof(Frame, sizes);
    made.rank = __builtin_offsetof(Frame, rank);
    return made;
  }();
};

/// Whether a formula stores rows.
template <class F>
inline constexpr bool stores_rows = false;
template <class M, class F>
inline constexpr bool stores_rows<SharedFrame<M, F>> = true;
template <class M, class Op, class... F>
inline constexpr bool stores_rows<MapFrame<M, Op, F...>> = (stores_rows<F> || ...);

template <class Frame, class F, bool refuses_empty>
struct PartOfReduction {
  static void enter_row(std::byte* reduction) {
    auto& frame = *reinterpret_cast<Frame*>(reduction);
    frame.frame.enter_row(frame.row);
  }
  static constexpr FramePart part = [] {
    FramePart made = part_over<Frame, F>(PartKind::reduction);
    made.row = __builtin_offsetof(Frame, row);
    made.walking = __builtin_offsetof(Frame, walking);
    made.refuses_empty = refuses_empty;
    if constexpr (stores_rows<F>) made.enter_row = &enter_row;
    return made;
  }();
};
template <class M, class Op, class F>
struct PartOf<ReductionFrame<M, Op, F>> : PartOfReduction<ReductionFrame<M, Op, F>, F, false> {};
template <class M, class Op, class F>
struct PartOf<PositionFrame<M, Op, F>> : PartOfReduction<PositionFrame<M, Op, F>, F, true> {};

#pragma GCC diagnostic pop

template <class Nodes, class Inputs>
struct FormulaParts;
/// Where the inputs of a formula are: its bases, in order.
template <class... N, class... F>
struct FormulaParts<FrameNodes<N...>, FrameNodes<F...>> {
  static constexpr std::size_t aligned(std::size_t place, std::size_t to) {
    return (place + to - 1) / to * to;
  }
  static constexpr std::size_t end = [] {
    std::size_t place = 0;
    ((place = aligned(place, alignof(F)) + sizeof(F)), ...);
    return aligned(place, (std::max)({alignof(F)...}));
  }();
  static constexpr auto parts = [] {
    constexpr std::size_t bytes[] = {sizeof(F)...}, alignments[] = {alignof(F)...};
    std::array<FramePart, sizeof...(N)> all{PartOf<N>::part...};
    std::size_t place = 0, i = 0;
    for (FramePart& part : all) {
      if (part.kind == PartKind::map) continue;
      place = aligned(place, alignments[i]);
      part.place = static_cast<std::uint32_t>(place);
      place += bytes[i++];
    }
    return all;
  }();
};

template <class F>
struct FormulaTableOf {
  using Nodes = NodesOf<F>;
  static_assert(FormulaParts<Nodes, InputsOf<F>>::end == sizeof(Formula<F>));
  static constexpr FormulaTable value{LinkedNodes<Nodes>::nodes.data(),
                                      FormulaParts<Nodes, InputsOf<F>>::parts.data(), Nodes::size};
};

}  // namespace tenon::internal
