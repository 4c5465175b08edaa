#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include <tenon/distributed/communication/communicator.hpp>
#include <tenon/distributed/communication/messages.hpp>

namespace tenon::internal {

namespace mpi {

/// A wait for other ranks in a collective, with a timeout.
class Timeout {
 public:
  /// `others_may_leave`: ranks that have left the world count as done.
  Timeout(Communicator const& group, Call const& call, std::uint64_t number,
          bool others_may_leave = false)
      : group_(group), call_(call), number_(number), others_may_leave_(others_may_leave) {}

  /// One unsuccessful poll. Ends the job on timeout, naming the missing ranks.
  void wait() {
    std::this_thread::yield();
    auto const now = Clock::now();
    if (now - last_poll_ < std::chrono::milliseconds(1)) return;
    last_poll_ = now;
    if (receive_messages(doing())) postponed_ += std::chrono::seconds(2);  // another rank reports
    if (lost_ == never && has_rank_left()) lost_ = now;
    if (now - postponed_ > lost_ + Seconds(1) + head_start()) end_job_of_timeout();
    if (now - postponed_ - begin_ > Seconds(time_limit()) + head_start()) end_job_of_timeout();
  }

 private:
  /// The reply to requests from other ranks.
  std::string doing() const { return LastCall{group_.name(), call_, number_}.text(); }
  /// Delays by rank, so that only one rank reports.
  Seconds head_start() const { return Seconds(0.05) * (std::min)(group_.rank(), 20); }

  /// Whether a rank of the group has left the world, so that the wait cannot succeed.
  bool has_rank_left() const {
    return !others_may_leave_ && std::ranges::any_of(group_.world_ranks(), [](int rank) {
      return control_messages().has_left[static_cast<std::size_t>(rank)] != 0;
    });
  }

  [[noreturn, gnu::cold]] void end_job_of_timeout() {
    control_messages().replies.assign(control_messages().replies.size(), {});
    send_message_to_all(MessageKind::status_request);
    for (auto const until = Clock::now() + std::chrono::seconds(1); Clock::now() < until;) {
      receive_messages(doing());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    auto const waited = Seconds(Clock::now() - begin_).count();
    end_job(doing() + " in vain, for " + std::to_string(std::lround(waited)) + " s" + others());
  }

  /// The states of other ranks, equal ones merged.
  std::string others() const {
    std::map<std::string, std::string> ranks;
    for (int rank = 0; rank < session().size; ++rank) {
      if (rank == session().rank) continue;
      ranks[state_of(static_cast<std::size_t>(rank))].append(" ").append(std::to_string(rank));
    }
    std::string text;
    for (auto const& [state, who] : ranks) text += "\n  rank" + who + ": " + state;
    return text;
  }
  static std::string state_of(std::size_t rank) {
    if (control_messages().has_left[rank] != 0) return "has left the world";
    std::string const& answer = control_messages().replies[rank];
    if (!answer.empty()) return answer;
    auto const process = state_of_process(static_cast<int>(rank));
    return "is missing: it waits in no collective (" + process + ")";
  }

  Communicator const& group_;
  Call const& call_;
  std::uint64_t number_;
  bool others_may_leave_;
  static constexpr Clock::time_point never = (Clock::time_point::max)() - std::chrono::hours(1);
  Clock::time_point begin_ = Clock::now(), last_poll_ = begin_, lost_ = never;
  Clock::duration postponed_{};
};

}  // namespace mpi

/// Sets how long a rank waits in a collective, in `receive`, or for the other ranks at the end of
/// the world, before it ends the job and names the missing ranks: 300 seconds, or the value of the
/// environment variable TENON_COLLECTIVE_SECONDS. PyTorch: `init_process_group(timeout=...)`.
inline void collective_time_limit(std::chrono::duration<double> limit) {
  mpi::time_limit() = limit.count();
}

}  // namespace tenon::internal

namespace tenon {

using internal::collective_time_limit;

}  // namespace tenon
