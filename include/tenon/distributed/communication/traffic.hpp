#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Bytes moved by collectives, counted at MPI calls. A collective of n ranks is counted by the
/// volume of the best algorithm, whichever MPI uses (Thakur, Rabenseifner, Gropp: Optimization of
/// Collective Communication Operations in MPICH, 2005): for b bytes an all_reduce sends and
/// receives 2 (n - 1) / n b; an all_gather sends the local shard n - 1 times and receives the other
/// shards; a reduce_scatter is the reverse; a broadcast is sent once by the root and received once
/// by each other rank; point-to-point transfers count their bytes.
namespace tenon::internal::mpi {

/// Kinds of transfers. An agreement precedes values: fingerprints of calls, and sizes.
enum class Sends { all_reduce, reduce_scatter, all_gather, broadcast, exchange, agreement };

inline constexpr std::array<std::string_view, 6> names_of_sends{
    "all_reduce", "reduce_scatter", "all_gather", "broadcast", "exchange", "agreement"};

/// The number of MPI calls, and the bytes sent and received by this rank.
struct TransferCounts {
  std::int64_t calls = 0, sent = 0, received = 0;

  constexpr TransferCounts operator+(TransferCounts const& other) const {
    return {calls + other.calls, sent + other.sent, received + other.received};
  }
  constexpr TransferCounts operator-(TransferCounts const& other) const {
    return {calls - other.calls, sent - other.sent, received - other.received};
  }
  bool operator==(TransferCounts const&) const = default;
};

using TransferCountsByKind = std::array<TransferCounts, names_of_sends.size()>;

/// Since the start of this thread. Read only by `Traffic`.
inline TransferCountsByKind& transfers_so_far() {
  static thread_local TransferCountsByKind all{};
  return all;
}

inline void tally(Sends way, std::int64_t sent, std::int64_t received) {
  TransferCounts& all = transfers_so_far()[static_cast<std::size_t>(way)];
  all = all + TransferCounts{1, sent, received};
}

/// The bytes that an all_reduce sends, and receives; rounded down.
constexpr std::int64_t bytes_of_all_reduce(std::int64_t bytes, int ranks) {
  return 2 * (ranks - 1) * bytes / ranks;
}

/// Counts what this thread sends and receives during its lifetime: `mpi::Traffic traffic; ...;
/// traffic.sent()`. Always enabled; costs a few additions per MPI call.
class Traffic {
 public:
  /// Of one kind of transfer.
  TransferCounts by(Sends way) const {
    auto const i = static_cast<std::size_t>(way);
    return transfers_so_far()[i] - before_[i];
  }
  /// Of all kinds but agreements.
  TransferCounts all() const {
    TransferCounts sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Sends::agreement); ++i)
      sum = sum + by(static_cast<Sends>(i));
    return sum;
  }
  std::int64_t sent() const { return all().sent; }
  std::int64_t received() const { return all().received; }
  std::int64_t calls() const { return all().calls; }

  /// A line for each kind used: "all_reduce: 96 bytes sent, 96 received, calls: 2".
  std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < names_of_sends.size(); ++i) {
      TransferCounts const one = by(static_cast<Sends>(i));
      if (one.calls == 0) continue;
      lines.append(names_of_sends[i]).append(": ").append(std::to_string(one.sent));
      lines.append(" bytes sent, ")
          .append(std::to_string(one.received))
          .append(" received, calls: ");
      lines.append(std::to_string(one.calls)).append("\n");
    }
    return lines;
  }

 private:
  TransferCountsByKind before_ = transfers_so_far();
};

}  // namespace tenon::internal::mpi

namespace tenon::mpi {

using internal::mpi::Sends;
using internal::mpi::Traffic;

}  // namespace tenon::mpi
