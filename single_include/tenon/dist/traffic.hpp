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

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

/// Bytes that collectives move, counted where MPI is called. Of n ranks each, whatever algorithm
/// MPI takes, is counted with what the best ones send (Thakur, Rabenseifner, Gropp: Optimization of
/// Collective Communication Operations in MPICH, 2005): of b bytes an all_reduce sends and receives
/// 2 (n - 1) / n b; an all_gather sends n - 1 times one's own part and receives the other parts; a
/// reduce_scatter the other way round; a broadcast leaves its root once and reaches each other rank
/// once; from rank to rank goes what is sent.
namespace tenon::mpi {

/// Ways to send. An agreement is what goes ahead of values: fingerprints of calls, and sizes.
enum class Sends { all_reduce, reduce_scatter, all_gather, broadcast, exchange, agreement };

inline constexpr std::array<std::string_view, 6> names_of_sends{
    "all_reduce", "reduce_scatter", "all_gather", "broadcast", "exchange", "agreement"};

/// Calls of MPI, and the bytes that they send from this rank and bring to it.
struct Moved {
  std::int64_t calls = 0, sent = 0, received = 0;

  constexpr Moved operator+(Moved const& other) const {
    return {calls + other.calls, sent + other.sent, received + other.received};
  }
  constexpr Moved operator-(Moved const& other) const {
    return {calls - other.calls, sent - other.sent, received - other.received};
  }
  bool operator==(Moved const&) const = default;
};

using MovedBy = std::array<Moved, names_of_sends.size()>;

/// Since the start of this thread. Nothing but `Traffic` reads it.
inline MovedBy& moved_so_far() {
  static thread_local MovedBy all{};
  return all;
}

inline void tally(Sends way, std::int64_t sent, std::int64_t received) {
  Moved& all = moved_so_far()[static_cast<std::size_t>(way)];
  all = all + Moved{1, sent, received};
}

/// What an all_reduce of so many bytes sends, and receives; rounded down.
constexpr std::int64_t bytes_of_all_reduce(std::int64_t bytes, int ranks) {
  return 2 * (ranks - 1) * bytes / ranks;
}

/// What this thread sends and receives while it lives: `mpi::Traffic traffic; ...; traffic.sent()`.
/// Always counted; costs a few additions for each call of MPI.
class Traffic {
 public:
  /// By one way of sending.
  Moved by(Sends way) const {
    auto const i = static_cast<std::size_t>(way);
    return moved_so_far()[i] - before_[i];
  }
  /// By all ways but the agreements.
  Moved all() const {
    Moved sum;
    for (std::size_t i = 0; i < static_cast<std::size_t>(Sends::agreement); ++i)
      sum = sum + by(static_cast<Sends>(i));
    return sum;
  }
  std::int64_t sent() const { return all().sent; }
  std::int64_t received() const { return all().received; }
  std::int64_t calls() const { return all().calls; }

  /// A line for each way that was taken: "all_reduce: 96 bytes sent, 96 received, calls: 2".
  std::string text() const {
    std::string lines;
    for (std::size_t i = 0; i < names_of_sends.size(); ++i) {
      Moved const one = by(static_cast<Sends>(i));
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
  MovedBy before_ = moved_so_far();
};

}  // namespace tenon::mpi
