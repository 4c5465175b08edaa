#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/distributed/communication/abandoned_requests.hpp>
#include <tenon/distributed/communication/failure.hpp>
#include <tenon/distributed/communication/timeout.hpp>
#include <tenon/distributed/communication/traffic.hpp>

/// Compares the calls of ranks before a collective runs.
namespace tenon::internal::mpi {

/// Whether calls are compared before they run.
inline bool& collectives_are_checked() {
  static bool yes = true;
  return yes;
}

/// The fingerprint of a call, and whether all received so far are equal.
struct Print {
  std::uint64_t value = 0;
  std::uint64_t agrees = 1;
};

inline constexpr int agreement_tag = 32000;

/// Sends to one rank and receives from another; waits with a timeout.
inline Print exchanged(Print const& own, int to, int from, MPI_Comm handle, Timeout& timeout) {
  Print other;
  std::array<MPI_Request, 2> requests{};
  check(MPI_Irecv(&other, sizeof(Print), MPI_BYTE, from, agreement_tag, handle, &requests[0]),
        "agree");
  check(MPI_Isend(&own, sizeof(Print), MPI_BYTE, to, agreement_tag, handle, &requests[1]), "agree");
  for (int tries = 0;; ++tries) {
    int done = 0;
    check(MPI_Testall(2, requests.data(), &done, MPI_STATUSES_IGNORE), "agree");
    if (done != 0) return other;
    if (tries > 20) timeout.wait();
  }
}

/// The hash of everything that has to be equal on all ranks of a group.
inline std::uint64_t fingerprint_of(Communicator const& group, Call const& call,
                                    Details const& details) {
  Fingerprint print{group.fingerprint()};
  for (std::uint64_t const part : {group.number(), fingerprint_of(call), details.fingerprint})
    print.add(static_cast<std::int64_t>(part));
  return print.value;
}

/// The texts of all ranks of a group.
inline std::vector<std::string> texts_of_all(Communicator const& group, std::string const& own) {
  auto const ranks = static_cast<std::size_t>(group.size());
  std::vector<int> lengths(ranks), starts(ranks);
  int const length = static_cast<int>(own.size());
  Watched const watched("a comparison", &group.last());
  check(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, group.handle()), "agree");
  for (std::size_t i = 1; i < ranks; ++i) starts[i] = starts[i - 1] + lengths[i - 1];
  std::string all(static_cast<std::size_t>(starts.back() + lengths.back()), ' ');
  check(MPI_Allgatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), starts.data(),
                       MPI_CHAR, group.handle()),
        "agree");
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < ranks; ++i)
    texts.push_back(
        all.substr(static_cast<std::size_t>(starts[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  for (std::size_t end = 0; end != std::string_view::npos; text.remove_prefix(end + 1)) {
    end = text.find('\n');
    lines.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
  }
  return lines;
}

/// The first line of multi-line texts, and the first other line in which they differ.
inline std::vector<std::string> where_they_differ(std::vector<std::string> const& texts) {
  std::vector<std::vector<std::string>> all;
  std::size_t longest = 0;
  for (auto const& text : texts)
    longest = (std::max)(longest, all.emplace_back(lines_of(text)).size());
  auto const line_of = [](auto const& lines, std::size_t i) {
    return i < lines.size() ? lines[i] : std::string("nothing more");
  };
  std::size_t k = 1;
  auto const are_equal = [&](auto const& lines) { return line_of(lines, k) == line_of(all[0], k); };
  while (k < longest && std::ranges::all_of(all, are_equal)) ++k;
  std::vector<std::string> result;
  result.reserve(all.size());
  for (auto const& lines : all)
    result.push_back(k < longest ? lines[0] + ": " + line_of(lines, k) : lines[0]);
  return result;
}

/// The calls of all ranks, a line for each distinct one.
inline std::string descriptions_of_all(Communicator const& group, Call const& call,
                                       Details const& details) {
  std::string own = description_of(call);
  if (details.text) own += "\n" + details.text();
  auto calls = where_they_differ(texts_of_all(group, own));
  auto const names = texts_of_all(group, group.name());
  bool const have_one_name = std::ranges::count(names, names[0]) == group.size();
  std::map<std::string, std::string> ranks;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (!have_one_name) calls[i] += " of group '" + names[i] + "'";
    ranks[calls[i]].append(" ").append(std::to_string(group.world_ranks()[i]));
  }
  std::string text;
  for (auto const& [one, who] : ranks) text += "\n  rank" + who + ": " + one;
  return text;
}

[[noreturn, gnu::cold]] inline void refuse(Communicator const& group, Call const& call,
                                           Details const& details) {
  std::string const calls = descriptions_of_all(group, call, details);
  std::string text = std::string("tenon::").append(call.operation);
  text.append(": expected one call on all ranks of group '").append(group.name());
  text.append("', got at its collective ").append(std::to_string(group.number())).append(calls);
  throw_on_all<CommunicationError>(text, group.rank(), calls);
}

/// Returns once all ranks of the group have made the same call; otherwise throws
/// `CommunicationError` on all of them. (Dissemination: log2(size) rounds, each doubling the number
/// of ranks compared.)
inline void agree(Communicator& own, Call const& call, Details const& details = {}) {
  bool const is_new_owner = own.check_owner(call);
  ThreadInMpi const thread;
  if (own.size() > 1) own.check_thread(thread, call, is_new_owner);
  std::uint64_t const number = own.begin(call);
  int const size = own.size();
  if (size > 1) release_abandoned_requests();
  if (size == 1 || !collectives_are_checked()) return;
  Timeout timeout(own, call, number);
  Print print{fingerprint_of(own, call, details), 1};
  for (int step = 1; step < size; step *= 2) {
    int const to = (own.rank() + step) % size, from = (own.rank() - step + size) % size;
    tally(Sends::agreement, sizeof(Print), sizeof(Print));
    Print const other = exchanged(print, to, from, own.handle(), timeout);
    if (other.value != print.value || other.agrees == 0) print.agrees = 0;
  }
  if (print.agrees == 0) refuse(own, call, details);
}

}  // namespace tenon::internal::mpi
