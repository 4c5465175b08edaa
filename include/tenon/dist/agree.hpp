#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tenon/dist/patience.hpp>
#include <tenon/dist/traffic.hpp>

namespace tenon {

namespace mpi {

/// Are calls compared before they run?
inline bool& collectives_are_checked() {
  static bool yes = true;
  return yes;
}

/// What is sent of a call, and whether all heard of so far are the same.
struct Print {
  std::uint64_t value = 0;
  std::uint64_t agrees = 1;
};

inline constexpr int agreement_tag = 32000;

/// Sends to one rank and receives from another; waits with patience.
inline Print exchanged(Print const& own, int to, int from, MPI_Comm handle, Patience& patience) {
  Print other;
  std::array<MPI_Request, 2> requests{};
  check(MPI_Irecv(&other, sizeof(Print), MPI_BYTE, from, agreement_tag, handle, &requests[0]),
        "agree");
  check(MPI_Isend(&own, sizeof(Print), MPI_BYTE, to, agreement_tag, handle, &requests[1]), "agree");
  for (int tries = 0;; ++tries) {
    int done = 0;
    check(MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE), "agree");
    if (done != 0) return other;
    if (tries > 20) patience.wait();
  }
}

/// The calls of all ranks, a line for all that are the same.
inline std::string descriptions_of_all(Communicator const& group, Call const& call) {
  constexpr std::size_t room = 512;
  std::vector<char> all(room * static_cast<std::size_t>(group.size()));
  std::array<char, room> own{};
  description_of(call).copy(own.data(), room - 1);
  check(MPI_Allgather(own.data(), room, MPI_CHAR, all.data(), room, MPI_CHAR, group.handle()),
        "agree");
  std::map<std::string, std::string> ranks;
  for (std::size_t i = 0; i < group.world_ranks().size(); ++i)
    ranks[&all[i * room]].append(" ").append(std::to_string(group.world_ranks()[i]));
  std::string text;
  for (auto const& [one, who] : ranks) text += "\n  rank" + who + ": " + one;
  return text;
}

[[noreturn, gnu::cold]] inline void refuse(Communicator const& group, Call const& call,
                                           std::uint64_t number) {
  throw CommunicationError(std::string("tenon::").append(call.operation) +
                           ": expected one call on all ranks of group '" + group.name() +
                           "', got at its collective " + std::to_string(number) +
                           descriptions_of_all(group, call));
}

/// All ranks of the group are here and want the same; or throws `CommunicationError` on all of
/// them. (Dissemination: in each of log2(size) rounds a rank hears of twice as many.)
inline void agree(Group const& group, Call const& call) {
  Communicator& own = group.communicator();
  std::uint64_t const number = own.next_number();
  int const size = own.size();
  if (size == 1 || !collectives_are_checked()) return;
  Patience patience(own, call, number);
  Print print{fingerprint_of(call, number), 1};
  for (int step = 1; step < size; step *= 2) {
    int const to = (own.rank() + step) % size, from = (own.rank() - step + size) % size;
    tally(Sends::agreement, sizeof(Print), sizeof(Print));
    Print const other = exchanged(print, to, from, own.handle(), patience);
    if (other.value != print.value || other.agrees == 0) print.agrees = 0;
  }
  if (print.agrees == 0) refuse(own, call, number);
}

}  // namespace mpi

/// Waits until all ranks of a group are here.
inline void barrier(Group const& group, mpi::Place where = mpi::Place::current()) {
  mpi::agree(group, {.operation = "barrier", .where = where});
  if (group.size() > 1 && !mpi::collectives_are_checked())
    mpi::check(MPI_Barrier(group.handle()), "barrier");
}

/// Switches off, or on again, that ranks compare what they want before a collective runs: on all
/// ranks alike. Without it a mistake is a hang or a wrong number.
inline void check_collectives(bool yes) { mpi::collectives_are_checked() = yes; }

}  // namespace tenon
