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

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <tenon/dist/failure.hpp>
#include <tenon/dist/watch.hpp>

/// Counts values sent by `send` and received by `receive`: at the end of the world the counts have
/// to be equal.
namespace tenon::mpi {

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
inline std::string last_words_to(int rank) {
  auto const found = sent_values().find(rank);
  if (found == sent_values().end() || found->second.sent == 0) return {};
  return std::to_string(found->second.sent) + " " + description_of(found->second.last);
}

/// "rank 0: 1 value, the last one of send float32 "n" of 2 (train.cpp:31)", a line for each peer
/// with values not received by this rank.
inline std::string unreceived_values() {
  std::string text;
  for (int rank = 0; rank < session().size; ++rank) {
    std::string const& words = heard().last_words[static_cast<std::size_t>(rank)];
    if (words.empty()) continue;
    std::size_t digits = 0;
    std::int64_t const count = std::stoll(words, &digits) - sent_values()[rank].received;
    if (count <= 0) continue;
    text.append("\n  rank ").append(std::to_string(rank)).append(" sent ");
    text.append(std::to_string(count)).append(count == 1 ? " value: " : " values, the last one: ");
    text.append(words.substr(std::min(words.size(), digits + 1)));
  }
  return text;
}

/// Ends the job if values sent to this rank were not received. All ranks have left.
inline void check_all_received() {
  if (std::string const text = unreceived_values(); !text.empty())
    end_job_once("World: expected that all values are received, got others at its end" + text);
}

}  // namespace tenon::mpi
