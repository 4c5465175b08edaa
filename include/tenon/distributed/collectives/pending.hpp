#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/communication/transfers.hpp>

namespace tenon {

/// A nonblocking collective. Call `wait()` before destruction, on all ranks in the order in which
/// the collectives began. PyTorch: `Work`. MPI: `MPI_Request`.
template <TensorType X>
class Pending {
 public:
  /// Of the local value.
  Pending(X value, Group const& group, internal::mpi::Call const& call)
      : value_(std::make_shared<X>(std::move(value))), group_(group), transfers_(group, call) {}

  /// Whether it has completed; drives progress.
  bool is_done() { return transfers_.is_done(); }

  /// Waits for the result.
  X wait() {
    transfers_.wait();
    if (divides_ && group_.size() > 1) internal::mpi::divide(*value_, group_.size());
    return std::move(*value_);
  }

  /// Starts the reduction with the values of the other ranks.
  template <class Fold>
  void begin() {
    using T = typename X::value_type;
    divides_ = std::same_as<Fold, op::mean>;
    if (group_.size() == 1) return;
    T* const data = value_->own_memory();
    auto const moved = internal::mpi::bytes_of_all_reduce(
        internal::mpi::bytes_in<T>(value_->size()), group_.size());
    internal::mpi::tally(internal::mpi::Sends::all_reduce, moved, moved);
    transfers_.begin(value_, value_->size(), [&](std::int64_t first, int n, MPI_Request* request) {
      return MPI_Iallreduce(MPI_IN_PLACE, data + first, n, internal::mpi::type_of<T>(),
                            internal::mpi::operation_of<internal::mpi::SentAs<Fold>, T>(),
                            group_.handle(), request);
    });
  }

 private:
  std::shared_ptr<X> value_;  ///< MPI writes there: its address is stable.
  Group group_;
  internal::mpi::Transfers transfers_;
  bool divides_ = false;
};

}  // namespace tenon

namespace tenon::internal {

/// Nonblocking `all_reduce`: `auto sum = begin_all_reduce(x, group); ...; sum.wait()`. For
/// constants: throws `ValueError` if `x` is recorded. Ranks synchronise here to compare their
/// calls. PyTorch: `all_reduce(async_op=True)`.
template <class Fold = op::sum, Expression X>
  requires mpi::ReducesOverRanks<Fold, typename Unqualified<X>::value_type> &&
           Unqualified<X>::device::is_host
auto begin_all_reduce(X&& x, Group const& group,
                      mpi::SourceLocation where = mpi::SourceLocation::current()) {
  auto value = mpi::value_of(std::forward<X>(x));
  if (any_recorded(value))
    fail<ValueError>({"begin_all_reduce", {}, "a constant", "a recorded value"});
  auto const call = mpi::call_of("begin_all_reduce", Fold::name, value, where);
  mpi::agree(group, call);
  Pending<decltype(value)> pending(std::move(value), group, call);
  pending.template begin<Fold>();
  return pending;
}

}  // namespace tenon::internal

namespace tenon {

using internal::begin_all_reduce;

}  // namespace tenon
