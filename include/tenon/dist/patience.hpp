#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <map>
#include <string>
#include <thread>
#include <utility>

#include <tenon/dist/alarm.hpp>
#include <tenon/dist/call.hpp>
#include <tenon/dist/group.hpp>

namespace tenon {

namespace mpi {

using Seconds = std::chrono::duration<double>;

/// Read from the environment at first: TENON_COLLECTIVE_SECONDS.
inline Seconds& time_limit() {
  static Seconds limit = [] {
    char const* const text = std::getenv("TENON_COLLECTIVE_SECONDS");
    double const given = text == nullptr ? 0 : std::atof(text);
    return Seconds(given > 0 ? given : 300);
  }();
  return limit;
}

/// Waits for other ranks in a collective, and loses patience.
class Patience {
 public:
  Patience(Communicator const& group, Call const& call, std::uint64_t number)
      : group_(group), call_(call), number_(number) {}

  /// Once more in vain. Ends the job when the time is over, naming who is missing.
  void wait() {
    std::this_thread::yield();
    auto const now = Clock::now();
    if (now - heard_ < std::chrono::milliseconds(1)) return;
    heard_ = now;
    if (listen(doing())) begin_ += std::chrono::seconds(2);  // somebody else reports
    if (has_lost_one()) end_ = std::min(end_, now + std::chrono::seconds(1));
    if (now > end_ || now - begin_ > time_limit() + head_start()) give_up();
  }

 private:
  /// What it tells who asks.
  std::string doing() const {
    std::string text("waits in ");
    text.append(description_of(call_)).append(", collective ").append(std::to_string(number_));
    return text.append(" of group '").append(group_.name()).append("'");
  }
  /// So that one rank reports, and not all of them at once.
  Seconds head_start() const { return Seconds(0.05) * std::min(group_.rank(), 20); }

  /// Has a rank of the group left the world? It cannot come any more.
  bool has_lost_one() const {
    return std::ranges::any_of(group_.world_ranks(), [](int rank) {
      return heard().has_left[static_cast<std::size_t>(rank)] != 0;
    });
  }

  [[noreturn, gnu::cold]] void give_up() {
    heard().answers.assign(heard().answers.size(), {});
    tell_all(News::asks);
    for (auto const until = Clock::now() + std::chrono::seconds(1); Clock::now() < until;) {
      listen(doing());
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    auto const waited = Seconds(Clock::now() - begin_).count();
    end_job(doing() + " in vain, for " + std::to_string(std::lround(waited)) + " s" + others());
  }

  /// A line for all that do the same.
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
    if (heard().has_left[rank] != 0) return "has left the world";
    std::string const& answer = heard().answers[rank];
    return answer.empty() ? "is missing: it waits in no collective" : answer;
  }

  Communicator const& group_;
  Call const& call_;
  std::uint64_t number_;
  Clock::time_point begin_ = Clock::now(), heard_ = begin_, end_ = Clock::time_point::max();
};

}  // namespace mpi

/// How long a rank waits in a collective for the others before it ends the job, and says who is
/// missing: 300 seconds, or what the environment's TENON_COLLECTIVE_SECONDS says.
inline void collective_time_limit(std::chrono::duration<double> limit) {
  mpi::time_limit() = limit;
}

}  // namespace tenon
