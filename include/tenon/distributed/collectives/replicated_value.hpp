#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/along.hpp>

/// Global values obtained from sharded tensors by `unshard`: replicated on all ranks of a mesh,
/// with one replicated adjoint. If each rank uses such a value with different data, the adjoints
/// are partial sums that are never reduced. The types of plain tensors do not show this, so the
/// backward compares the adjoints.
namespace tenon::internal::mpi {

/// The replicated values of a recording, and the reductions over ranks that follow them.
struct RecordedReductions {
  std::uint32_t tape = 0;
  std::vector<Group> groups{};                  ///< Of each reduction over ranks, in order.
  std::map<std::uint32_t, Group> one_values{};  ///< By slot; with all ranks of the mesh.
};

/// Those of the current recording of this thread.
inline std::shared_ptr<RecordedReductions> const& recorded_reductions() {
  static thread_local auto one = std::make_shared<RecordedReductions>();
  if (one->tape != recording)
    one = std::make_shared<RecordedReductions>(RecordedReductions{recording, {}, {}});
  return one;
}

/// Whether all ranks of a group belong to another one.
inline bool is_within(Group const& group, Group const& all) {
  return std::ranges::all_of(group.world_ranks(), [&](int rank) {
    return std::ranges::find(all.world_ranks(), rank) != all.world_ranks().end();
  });
}

[[noreturn, gnu::cold]] inline void refuse_one_value(Group const& group, Call const& call) {
  throw CommunicationError(
      "tenon::" + description_of(call) +
      ": expected values of which each rank has its own, got what `unshard` gave, one value on all "
      "ranks of group '" +
      std::string(group.name()) + "': its gradient would be off by their number");
}

/// Records that a value enters a reduction over ranks. Throws `CommunicationError` if it is
/// recorded and comes from `unshard`: it is replicated already, and its adjoint would have the
/// wrong scale.
template <TensorType X>
void note_reduction(X const& x, Group const& group, Call const& call) {
  if constexpr (InexactType<typename X::value_type>) {
    if (recording == 0 || group.size() == 1 || !any_recorded(x)) return;
    RecordedReductions& folds = *recorded_reductions();
    if (folds.one_values.empty()) return;
    folds.groups.push_back(group);
    auto const found = folds.one_values.find(x.mark().slot);
    if (found == folds.one_values.end() || x.mark().tape != folds.tape) return;
    if (is_within(group, found->second)) refuse_one_value(group, call);
  }
}

/// A sketch by which tensors are compared: sums of elements times random numbers in [-1, 1), and
/// their negatives; last the squared norm. A maximum over ranks then gives the largest difference.
template <TensorType X>
std::array<double, 5> measures_of(X const& x) {
  double first = 0, second = 0, square = 0;
  for (std::int64_t i = 0; i < x.size(); ++i) {
    auto const value =
        static_cast<double>(static_cast<Computed<typename X::value_type>>(x.data()[i]));
    std::uint64_t const bits = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
    first += value * static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-63;
    second += value * static_cast<double>(static_cast<std::int64_t>(bits * bits)) * 0x1p-63;
    square += value * value;
  }
  return {first, -first, second, -second, square};
}

/// The relative difference, by norm, up to which adjoints are equal: equal computations differ by
/// rounding only.
template <class T>
inline constexpr double adjoint_tolerance = HalfType<T> ? 0.05 : 1e-3;

[[noreturn, gnu::cold]] inline void refuse_adjoints(Group const& group, Call const& call) {
  throw CommunicationError(
      "tenon::" + description_of(call) + ": expected one adjoint on all ranks of group '" +
      std::string(group.name()) +
      "', got parts of a sum: what each rank uses in its own way goes through copy_to(unshard(x), "
      "group), or stays sharded");
}

/// Throws `CommunicationError` on all ranks of a group unless all have the same adjoint. (Not
/// compared if not finite.)
template <TensorType X>
void require_one_adjoint(X const& adjoint, Group const& group, Call const& call) {
  auto apart = measures_of(adjoint);
  agree(group, gradient_of(call));
  all_reduce<op::max>(apart.data(), static_cast<std::int64_t>(apart.size()), group);
  double const allowed = adjoint_tolerance<typename X::value_type> * std::sqrt(apart[4]);
  if (apart[0] + apart[1] > allowed || apart[2] + apart[3] > allowed) refuse_adjoints(group, call);
}

/// The tape entry of a value that is replicated on all ranks of a mesh.
template <TensorType X>
struct OneValueStep {
  X value, argument;  ///< Their marks, without elements.
  std::shared_ptr<RecordedReductions const> folds;
  Group mesh;
  Call call;
  std::size_t first = folds->groups.size();  ///< The first reduction that follows it.

  /// The groups within the mesh over which a later reduction ran.
  std::vector<Group> groups() const {
    std::vector<Group> found;
    for (std::size_t k = first; k < folds->groups.size(); ++k) {
      Group const& group = folds->groups[k];
      auto const is_it = [&](Group const& other) { return is_same_group(group, other); };
      if (is_within(group, mesh) && std::ranges::none_of(found, is_it)) found.push_back(group);
    }
    return found;
  }

  void operator()(Tape& tape, std::byte const*) const {
    auto const since = collectives_are_checked() ? groups() : std::vector<Group>();
    if (since.empty() && !has_adjoint(value, tape)) return;
    X const adjoint = gradients_of(value, tape);
    for (Group const& group : since) require_one_adjoint(adjoint, group, call);
    seed_leaves(argument, adjoint, tape);
  }
};

/// The mark and the sizes of a tensor.
template <TensorType X>
X mark_of(X const& x) {
  if constexpr (X::holds_elements) {
    return x;
  } else {
    X bare = X::adopt(SharedBuffer(), x.sizes());
    bare.set_mark(x.mark());
    return bare;
  }
}

/// `x`, which is replicated on a mesh, as a plain tensor: its adjoints are compared over each group
/// with a later reduction in the recording, and have to be equal.
template <TensorType X>
X one_value(X x, Group const& mesh, SourceLocation where) {
  X const argument = mark_of(x);
  Tape& tape = *Tape::current();
  x.set_mark(tape.new_slot());
  auto const& folds = recorded_reductions();
  folds->one_values.insert({x.mark().slot, mesh});
  tape.record_joint(
      OneValueStep<X>{mark_of(x), argument, folds, mesh, call_of("unshard", {}, x, where)});
  return x;
}

}  // namespace tenon::internal::mpi
