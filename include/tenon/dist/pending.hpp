#pragma once

#include <cstdint>
#include <memory>
#include <utility>

#include <tenon/dist/all_reduce.hpp>
#include <tenon/dist/transfers.hpp>

namespace tenon {

/// A collective that goes on while this rank does something else. `wait()` before its end: all
/// ranks, in the order in which they began.
template <TensorType X>
class Pending {
 public:
  /// Of the value as it is here.
  Pending(X value, Group const& group, mpi::Call const& call)
      : value_(std::make_shared<X>(std::move(value))), group_(group), transfers_(group, call) {}

  /// Is it done? Looks, and helps it on.
  bool is_done() { return transfers_.is_done(); }

  /// The result, once it is there.
  X wait() {
    transfers_.wait();
    if (divides_ && group_.size() > 1) mpi::divide(*value_, group_.size());
    return std::move(*value_);
  }

  /// Folds with the other ranks' values from here on.
  template <class Fold>
  void begin() {
    using T = typename X::value_type;
    divides_ = std::same_as<Fold, op::mean>;
    if (group_.size() == 1) return;
    T* const data = value_->own_memory();
    auto const moved = mpi::bytes_of_all_reduce(mpi::bytes_in<T>(value_->size()), group_.size());
    mpi::tally(mpi::Sends::all_reduce, moved, moved);
    transfers_.begin(value_, value_->size(), [&](std::int64_t first, int n, MPI_Request* request) {
      return MPI_Iallreduce(MPI_IN_PLACE, data + first, n, mpi::type_of<T>(),
                            mpi::operation_of<mpi::SentAs<Fold>, T>(), group_.handle(), request);
    });
  }

 private:
  std::shared_ptr<X> value_;  ///< MPI writes there: it stays where it is.
  Group group_;
  mpi::Transfers transfers_;
  bool divides_ = false;
};

/// `all_reduce` that only begins: `auto sum = begin_all_reduce(x, group); ...; sum.wait()`. Of
/// constants: throws `ValueError` where `x` is recorded. Ranks wait for each other here to compare
/// what they want, then go on. PyTorch: `all_reduce(async_op=True)`.
template <class Fold = op::sum, Expression X>
  requires mpi::FoldsOverRanks<Fold, typename Unqualified<X>::value_type> &&
           Unqualified<X>::device::is_host
auto begin_all_reduce(X&& x, Group const& group, mpi::Place where = mpi::Place::current()) {
  auto value = mpi::value_of(std::forward<X>(x));
  if (any_recorded(value))
    fail<ValueError>({"begin_all_reduce", {}, "a constant", "a recorded value"});
  auto const call = mpi::call_of("begin_all_reduce", Fold::name, value, where);
  mpi::agree(group, call);
  Pending<decltype(value)> pending(std::move(value), group, call);
  pending.template begin<Fold>();
  return pending;
}

}  // namespace tenon
