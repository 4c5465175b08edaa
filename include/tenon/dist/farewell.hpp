#pragma once

#include <chrono>
#include <thread>

#include <tenon/dist/group.hpp>
#include <tenon/dist/sent_values.hpp>

namespace tenon::mpi {

/// Waits until all ranks leave the world. Ranks that still wait for this one in a collective are
/// notified.
inline void say_farewell(Group const& world) {
  if (session().size == 1) return;
  for (int rank = 0; rank < session().size; ++rank)
    if (rank != session().rank) tell(rank, News::leaves, last_words_to(rank));
  Call const call{.operation = "the end of the world", .where = {}};
  Patience patience(world.communicator(), call, world.communicator().number(), true);
  while (!has_told_all() || heard().left() + 1 < static_cast<std::size_t>(session().size)) {
    patience.wait();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  check_all_received();
}

}  // namespace tenon::mpi
