#pragma once

#include <chrono>
#include <thread>

#include <tenon/dist/alarm.hpp>

namespace tenon::mpi {

/// Waits until all ranks leave. Who still waits for this one in a collective hears that it will not
/// come.
inline void say_farewell() {
  if (session().size == 1) return;
  tell_all(News::leaves);
  while (!has_told_all() || heard().left() + 1 < static_cast<std::size_t>(session().size)) {
    listen("has left the world");
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

}  // namespace tenon::mpi
