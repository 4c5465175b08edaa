#pragma once

#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <tenon/dist/exchange.hpp>
#include <tenon/dist/patience.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::mpi {

/// Tensors on their way from rank to rank while this rank does something else. What is sent or
/// received lives until `wait()`, and is left alone until then. Between two ranks what has one tag
/// arrives in the order in which it was sent.
class Transfers {
 public:
  Transfers(Group group, Call const& call) : group_(std::move(group)), call_(call) {}
  Transfers(Transfers&&) noexcept = default;
  Transfers& operator=(Transfers&&) = delete;
  /// Waits; not where an exception is on its way, which ends the job.
  ~Transfers() {
    if (!requests_.empty() && std::uncaught_exceptions() == 0 && is_running())
      MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
  }

  template <TensorType X>
  void send(X const& x, int to, int tag) {
    using T = typename X::value_type;
    tally(Sends::exchange, bytes_in<T>(x.size()), 0);
    begin<T>(MPI_Isend, x.data(), x.size(), to, tag);
  }
  /// Into memory that nobody shares.
  template <TensorType X>
  void receive(X& x, int from, int tag) {
    using T = typename X::value_type;
    tally(Sends::exchange, 0, bytes_in<T>(x.size()));
    begin<T>(MPI_Irecv, x.mutable_data(), x.size(), from, tag);
  }

  /// Is all of it done? Looks, and helps it on: most MPIs move large messages only when asked.
  bool is_done() {
    if (requests_.empty()) return true;
    int done = 0;
    check(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done,
                      MPI_STATUSES_IGNORE),
          call_.operation);
    if (done != 0) requests_.clear();
    return done != 0;
  }

  void wait() {
    Patience patience(group_.communicator(), call_, group_.communicator().number());
    for (int tries = 0; !is_done(); ++tries)
      if (tries > 20) patience.wait();
  }

 private:
  template <class T, class Begin, class Data>
  void begin(Begin const& begin, Data* data, std::int64_t count, int rank, int tag) {
    in_pieces(count, [&](std::int64_t first, int n) {
      check(begin(data + first, n, type_of<T>(), rank, tag, group_.handle(),
                  &requests_.emplace_back()),
            call_.operation);
    });
  }

  Group group_;
  Call call_;
  std::vector<MPI_Request> requests_;
};

}  // namespace tenon::mpi
