#pragma once

#include <chrono>
#include <thread>

#include <tenon/distributed/communication/group.hpp>
#include <tenon/distributed/communication/sent_values.hpp>

namespace tenon::internal::mpi {

/// Waits until all ranks leave the world. Ranks that still wait for this one in a collective are
/// notified.
inline void wait_for_shutdown(Group const& world) {
  if (session().size == 1) return;
  Call const call{.operation = "the end of the world", .where = {}};
  ThreadInMpi const thread;
  check_thread(thread, {.operation = "World", .where = {}}, world.name());
  for (int rank = 0; rank < session().size; ++rank)
    if (rank != session().rank) send_message(rank, MessageKind::left, final_message_to(rank));
  Timeout timeout(world.communicator(), call, world.communicator().number(), true);
  while (!has_sent_all() ||
         control_messages().left() + 1 < static_cast<std::size_t>(session().size)) {
    timeout.wait();
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  check_all_received();
}

}  // namespace tenon::internal::mpi
