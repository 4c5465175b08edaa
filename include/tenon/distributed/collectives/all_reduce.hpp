#pragma once

#include <cmath>
#include <complex>
#include <concepts>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include <tenon/distributed/collectives/along.hpp>
#include <tenon/distributed/collectives/replicated_value.hpp>
#include <tenon/distributed/communication/group.hpp>
#include <tenon/tensor/live_recordings.hpp>

namespace tenon::internal::mpi {

/// The `copy_to` results of the current recording. A value used by several matmuls (queries, keys
/// and values of the same tokens) is copied once: the adjoints are summed locally first, and
/// reduced over ranks once. Copies of other recordings are not reused, so that every run is the
/// same.
class Copies {
 public:
  /// Those of the current recording of this thread.
  static Copies& current() {
    static thread_local Copies one;
    if (one.tape_ != recording) one = Copies(recording);
    return one;
  }

  /// The tape mark of the copy of a value; none if it has not been copied.
  TapeMark find(TapeMark from, Group const& group) const {
    auto const found = made_.find({from.slot, &group.communicator()});
    return found == made_.end() || from.tape != tape_ ? TapeMark{} : found->second.to;
  }
  void keep(TapeMark from, Group const& group, TapeMark to) {
    if (from.tape == tape_) made_.insert({{from.slot, &group.communicator()}, {group, to}});
  }

 private:
  struct Copy {
    Group group;  ///< Kept, so that its address is not reused.
    TapeMark to;
  };

  explicit Copies(std::uint32_t tape = 0) : tape_(tape) {}

  std::uint32_t tape_;
  std::map<std::pair<std::uint32_t, Communicator const*>, Copy> made_;
};

}  // namespace tenon::internal::mpi

/// Reductions over ranks, with the result on all ranks.
namespace tenon::internal {

namespace mpi {

/// Reductions over ranks: sums, products and means of numbers, extremes of ordered dtypes, any and
/// all of masks.
template <class Fold, class T>
concept ReducesOverRanks =
    (op::MaskReduction<Fold> && BoolType<T>) || (std::same_as<Fold, op::mean> && InexactType<T>) ||
    ((std::same_as<Fold, op::sum> || std::same_as<Fold, op::prod>)&&NumType<T>) ||
    ((std::same_as<Fold, op::max> || std::same_as<Fold, op::min>)&&RealType<T>);

/// The reduction that is sent: for a mean the sum.
template <class Fold>
using SentAs = std::conditional_t<std::same_as<Fold, op::mean>, op::sum, Fold>;

/// Divides every element by a number.
template <class T>
void divide(T* data, std::int64_t count, int by) {
  using C = Computed<T>;
  C const divisor = static_cast<decltype(std::abs(C()))>(by);
  for (std::int64_t i = 0; i < count; ++i)
    data[i] = static_cast<T>(static_cast<C>(data[i]) / divisor);
}
template <TensorType X>
void divide(X& x, int by) {
  divide(x.own_memory(), x.size(), by);
}

/// The reduction of a tensor over all ranks: in place if its memory is unshared.
template <class Fold, TensorType X>
X reduced(X x, Group const& group, Call const& call) {
  agree(group, call);
  if (group.size() == 1) return x;
  if (is_spare(x)) {
    all_reduce<SentAs<Fold>>(x.own_memory(), x.size(), group);
  } else {
    X result = X::uninitialised(x.sizes());
    all_reduce<SentAs<Fold>>(x.data(), result.own_memory(), x.size(), group);
    x = std::move(result);
  }
  if constexpr (std::same_as<Fold, op::mean>) divide(x, group.size());
  return x;
}

/// Backward of an extreme: the adjoint is split equally among the ranks that attain it; a NaN
/// result distributes to all.
template <TensorType X>
X partials_of_extreme(X dy, X const& y, X const& x, Group const& group, Call const& call) {
  using C = Computed<typename X::value_type>;
  std::vector<C> ties(static_cast<std::size_t>(x.size()));
  for (std::size_t i = 0; i < ties.size(); ++i) ties[i] = x.data()[i] == y.data()[i] ? 1 : 0;
  std::vector<C> const own = ties;
  agree(group, call);
  all_reduce<op::sum>(ties.data(), x.size(), group);
  auto* const to = dy.own_memory();
  for (std::size_t i = 0; i < ties.size(); ++i) {
    C const extreme = static_cast<C>(y.data()[i]), none = extreme == extreme ? C(0) : extreme;
    to[i] =
        static_cast<typename X::value_type>(own[i] == 0 ? none : static_cast<C>(to[i]) / ties[i]);
  }
  return dy;
}

/// Backward of a product: the adjoint of the result times the values of the other ranks.
template <TensorType X>
X partials_of_product(X dy, X const& x, Group const& group, Call const& call) {
  using T = typename X::value_type;
  auto const n = static_cast<std::size_t>(x.size()), ranks = static_cast<std::size_t>(group.size());
  auto const all = room_for<T>(x.size() * group.size());
  agree(group, call);
  all_gather(x.data(), all.get(), std::vector<std::int64_t>(ranks, x.size()), group);
  auto* const to = dy.own_memory();
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r == static_cast<std::size_t>(group.rank())) continue;
    for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<T>(to[i] * all[r * n + i]);
  }
  return dy;
}

/// The adjoint of the local operand of a reduction.
template <class Fold, TensorType X>
X pulled(X dy, X const& y, X const& x, Group const& group, Call const& call) {
  if constexpr (!InexactType<typename X::value_type>) return dy;  // integers have no adjoints
  else if constexpr (std::same_as<Fold, op::mean>) divide(dy, group.size());
  else if constexpr (std::same_as<Fold, op::prod>) return partials_of_product(dy, x, group, call);
  else if constexpr (!std::same_as<Fold, op::sum>)
    return partials_of_extreme(dy, y, x, group, call);
  return dy;
}

/// `x` with a backward that sums over ranks.
template <TensorType X>
X copied(X x, Group const& group, Call const& call) {
  return linear([](X v) { return v; },
                [group, call](X dy, X const&, X const&) {
                  return reduced<op::sum>(std::move(dy), group, gradient_of(call));
                },
                std::move(x));
}

/// The same, cached: one copy per value and recording.
template <TensorType X>
X copied_once(X x, Group const& group, Call const& call) {
  if (group.size() == 1 || !any_recorded(x)) return x;
  if (graph::is_open()) return copied(std::move(x), group, call);
  Copies& copies = Copies::current();
  TapeMark const from = x.mark();
  if (TapeMark const before = copies.find(from, group); before != TapeMark{}) {
    x.set_mark(before);
    return x;
  }
  x = copied(std::move(x), group, call);
  copies.keep(from, group, x.mark());
  return x;
}

struct AllReduceName {
  static constexpr std::string_view name = "all_reduce";
};

template <class Fold, class X>
constexpr auto reduced_type() {
  if constexpr (ReducesOverRanks<Fold, typename X::value_type>)
    return std::type_identity<TensorOf<X>>{};
  else return dtype_mistake<AllReduceName, X>();
}

/// The result type of `all_reduce`, or an undefined type that names the error.
template <class Fold, Expression X>
using AllReduced = typename decltype(reduced_type<Fold, Unqualified<X>>())::type;

}  // namespace mpi

/// The elementwise reduction of `x` over all ranks of a group, on all of them: the sum, or
/// `all_reduce<op::mean>(x, group)`, `op::max`, `op::min`, `op::prod`, `op::any` and `op::all` of
/// masks. Axes and sizes are equal on all ranks. 16-bit dtypes are added in float and rounded after
/// each step. `all_reduce(std::move(x), group)` reuses the memory of an unshared tensor.
/// Differentiable. Throws `CommunicationError`. PyTorch: `all_reduce`. JAX: `psum`.
template <class Fold = op::sum, Expression X>
auto all_reduce(X&& x, Group const& group,
                mpi::SourceLocation where = mpi::SourceLocation::current())
    -> mpi::AllReduced<Fold, X> {
  return mpi::on_host(
      [&]<class V>(V value) {
        mpi::Call const call = mpi::call_of("all_reduce", Fold::name, value, where);
        mpi::note_reduction(value, group, call);
        auto const forward = [group, call](V v) {
          return mpi::reduced<Fold>(std::move(v), group, call);
        };
        auto const backward = [group, call](V dy, V const& y, V const& v) {
          return mpi::pulled<Fold>(std::move(dy), y, v, group, mpi::gradient_of(call));
        };
        constexpr bool is_linear = std::same_as<mpi::SentAs<Fold>, op::sum>;
        if constexpr (is_linear) return mpi::linear(forward, backward, std::move(value));
        else return mpi::differentiable(forward, backward, std::move(value));
      },
      std::forward<X>(x));
}
template <class = void, class... X>
auto all_reduce(X const&...) -> FirstMistake<X...>;

/// `x`, replicated on all ranks of a group, for use with data that differs between ranks: the
/// identity, whose backward sums adjoints over the ranks. Repeated copies of one value are merged,
/// with one reduction. Megatron: `copy_to_tensor_model_parallel_region`.
template <Expression X>
  requires InexactType<typename Unqualified<X>::value_type>
auto copy_to(X&& x, Group const& group,
             mpi::SourceLocation where = mpi::SourceLocation::current()) {
  return mpi::on_host(
      [&]<class V>(V value) {
        mpi::Call const call = mpi::call_of("copy_to", {}, value, where);
        return mpi::copied_once(std::move(value), group, call);
      },
      std::forward<X>(x));
}
template <class... X>
auto copy_to(X const&...) -> FirstMistake<X...>;

}  // namespace tenon::internal

namespace tenon {

using internal::all_reduce;
using internal::copy_to;

}  // namespace tenon
