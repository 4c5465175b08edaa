#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>

/// Output of several ranks in rank order.
namespace tenon::internal {

namespace mpi {

/// The strings of all ranks of a group, on all of them.
inline std::vector<std::string> texts_of_all(std::string_view own, Group const& group) {
  auto const sizes = all_numbers(static_cast<std::int64_t>(own.size()), group);
  std::vector<std::uint8_t> const sent(own.begin(), own.end());
  std::vector<std::uint8_t> all(static_cast<std::size_t>(sum_of(sizes)));
  all_gather(sent.data(), all.data(), sizes, group);
  std::vector<std::string> texts;
  auto from = all.begin();
  for (auto const size : sizes) {
    texts.emplace_back(from, from + size);
    from += size;
  }
  return texts;
}

/// "rank 3", "ranks 0-2 5".
inline std::string ranks_text(std::vector<int> const& ranks) {
  std::string text = ranks.size() == 1 ? "rank" : "ranks";
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    std::size_t last = i;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    text.append(" ").append(std::to_string(ranks[i]));
    if (last > i) text.append("-").append(std::to_string(ranks[last]));
    i = last;
  }
  return text;
}

/// Nonempty strings, equal ones merged: `ranks 0-2: text`, one per line, ordered by the lowest
/// rank.
inline std::string by_ranks(std::vector<std::string> const& texts, std::vector<int> const& ranks,
                            std::string_view indent = "") {
  std::string all;
  for (auto first = texts.begin(); first != texts.end(); ++first) {
    if (first->empty() || std::find(texts.begin(), first, *first) != first) continue;
    std::vector<int> who;
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (texts[i] == *first) who.push_back(ranks[i]);
    std::istringstream lines(*first);
    for (std::string line; std::getline(lines, line);)
      all.append(indent).append(ranks_text(who)).append(": ").append(line).append("\n");
  }
  return all;
}

}  // namespace mpi

/// The strings of the ranks of a group in rank order, every line prefixed with its world rank;
/// equal strings are merged: `ranks 0-3: loss 2.5`. Returned on all ranks. Empty strings are
/// skipped.
inline std::string in_order(std::string_view own, Group const& group,
                            mpi::SourceLocation where = mpi::SourceLocation::current()) {
  mpi::agree(group, {.operation = "in_order", .where = where});
  return mpi::by_ranks(mpi::texts_of_all(own, group), group.world_ranks());
}

/// Prints on the first rank of the group the values of all ranks. `x` is anything streamable: a
/// string, a number, a tensor. Collective.
template <class X>
void print_in_order(X const& x, Group const& group,
                    mpi::SourceLocation where = mpi::SourceLocation::current()) {
  std::ostringstream text;
  text << x;
  std::string const all = in_order(text.str(), group, where);
  if (group.rank() == 0) std::fputs(all.c_str(), stdout), std::fflush(stdout);
}

}  // namespace tenon::internal

namespace tenon {

using internal::in_order;
using internal::print_in_order;

}  // namespace tenon
