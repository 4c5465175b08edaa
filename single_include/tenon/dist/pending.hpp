// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/dist/all_reduce.hpp>

namespace tenon {

/// A collective that goes on while this rank does something else. `wait()` before its end: all
/// ranks, in the order in which they began.
template <TensorType X>
class Pending {
 public:
  /// Begins with the value as it is here, and `finish(value)` at the end.
  Pending(X value, Group group, mpi::Call const& call)
      : value_(std::make_unique<X>(std::move(value))), group_(std::move(group)), call_(call) {}
  Pending(Pending&&) noexcept = default;
  Pending& operator=(Pending&&) = delete;
  /// Waits; not where an exception is on its way: what MPI may still write to is left to it.
  ~Pending() {
    if (requests_.empty() || !mpi::is_running()) return;
    if (std::uncaught_exceptions() > 0) (void)value_.release();
    else MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  /// Is it done? Looks, and helps it on.
  bool is_done() {
    if (requests_.empty()) return true;
    int done = 0;
    mpi::check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                           MPI_STATUSES_IGNORE),
               call_.operation);
    if (done != 0) requests_.clear();
    return done != 0;
  }

  /// The result, once it is there.
  X wait() {
    mpi::Patience patience(group_.communicator(), call_, number_);
    while (!is_done()) patience.wait();
    if (divides_ && group_.size() > 1) mpi::divide(*value_, group_.size());
    return std::move(*value_);
  }

  /// Folds with the other ranks' values from here on.
  template <class Fold>
  void begin() {
    using T = typename X::value_type;
    mpi::agree(group_, call_);
    number_ = group_.communicator().number();
    divides_ = std::same_as<Fold, op::mean>;
    if (group_.size() == 1) return;
    T* const data = value_->mutable_data();
    auto const moved = mpi::bytes_of_all_reduce(mpi::bytes_in<T>(value_->size()), group_.size());
    mpi::tally(mpi::Sends::all_reduce, moved, moved);
    mpi::in_pieces(value_->size(), [&](std::int64_t first, int n) {
      mpi::check(MPI_Iallreduce(MPI_IN_PLACE, data + first, n, mpi::type_of<T>(),
                                mpi::operation_of<mpi::SentAs<Fold>, T>(), group_.handle(),
                                &requests_.emplace_back()),
                 "begin_all_reduce");
    });
  }

 private:
  std::unique_ptr<X> value_;  ///< MPI writes there: it stays where it is.
  Group group_;
  mpi::Call call_;
  std::vector<MPI_Request> requests_;
  std::uint64_t number_ = 0;
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
  Pending<decltype(value)> pending(std::move(value), group, call);
  pending.template begin<Fold>();
  return pending;
}

}  // namespace tenon
