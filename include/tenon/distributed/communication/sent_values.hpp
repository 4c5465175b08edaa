#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <tenon/distributed/communication/failure.hpp>
#include <tenon/distributed/communication/watchdog.hpp>

/// Counts values sent by `send` and received by `receive`: at the end of the world the counts have
/// to be equal.
namespace tenon::internal::mpi {

/// The counts of this rank for one peer.
struct SentValues {
  std::int64_t sent = 0, received = 0;
  Call last{};  ///< The last one sent.
};

/// By world rank.
inline std::map<int, SentValues>& sent_values() {
  static std::map<int, SentValues> all;
  return all;
}

/// The message to a peer at the end: the number of values sent to it, and the last one.
inline std::string final_message_to(int rank) {
  auto const found = sent_values().find(rank);
  if (found == sent_values().end() || found->second.sent == 0) return {};
  return std::to_string(found->second.sent) + " " + description_of(found->second.last);
}

/// "rank 0: 1 value, the last one of send float32 "n" of 2 (train.cpp:31)", a line for each peer
/// with values not received by this rank.
inline std::string unreceived_values() {
  std::string text;
  for (int rank = 0; rank < session().size; ++rank) {
    std::string const& words = control_messages().final_messages[static_cast<std::size_t>(rank)];
    if (words.empty()) continue;
    std::size_t digits = 0;
    std::int64_t const count = std::stoll(words, &digits) - sent_values()[rank].received;
    if (count <= 0) continue;
    text.append("\n  rank ").append(std::to_string(rank)).append(" sent ");
    text.append(std::to_string(count)).append(count == 1 ? " value: " : " values, the last one: ");
    text.append(words.substr((std::min)(words.size(), digits + 1)));
  }
  return text;
}

/// Ends the job if values sent to this rank were not received. All ranks have left.
inline void check_all_received() {
  if (std::string const text = unreceived_values(); !text.empty())
    end_job_once("World: expected that all values are received, got others at its end" + text);
}

}  // namespace tenon::internal::mpi
