#pragma once

#include <algorithm>
#include <exception>
#include <string>
#include <utility>

#include <tenon/distributed/communication/strings.hpp>

/// Collective exceptions: local work that fails on some ranks throws on all.
namespace tenon::internal::mpi {

enum class FailureKind : std::int64_t { none, of_file, of_shape, of_value, other };

struct Failure {
  FailureKind kind = FailureKind::none;
  std::string words;
};

/// What `work` throws. (`CommunicationError` passes through: ranks can then no longer agree.)
template <class F>
Failure failure_of(F const& work) {
  try {
    work();
    return {};
  } catch (CommunicationError const&) {
    throw;
  } catch (FileError const& error) {
    return {FailureKind::of_file, error.what()};
  } catch (ShapeError const& error) {
    return {FailureKind::of_shape, error.what()};
  } catch (ValueError const& error) {
    return {FailureKind::of_value, error.what()};
  } catch (std::exception const& error) {
    return {FailureKind::other, error.what()};
  }
}

/// Throws on all ranks of a group; `place` is the index of this rank.
[[noreturn, gnu::cold]] inline void throw_failure(Failure const& failure, int place) {
  switch (failure.kind) {
    case FailureKind::of_file:
      throw_on_all<FileError>(failure.words, place);
    case FailureKind::of_shape:
      throw_on_all<ShapeError>(failure.words, place);
    case FailureKind::of_value:
      throw_on_all<ValueError>(failure.words, place);
    default:
      throw_on_all<Error>(failure.words, place);
  }
}

/// Runs local work without communication on each rank of a group. An exception on some ranks is
/// thrown on all of them: the message of the first one, with its rank if others succeeded.
template <class F>
void collective_try(Group const& group, F const& work) {
  if (group.size() == 1) return work();
  Failure failure = failure_of(work);
  auto const kinds = all_numbers(static_cast<std::int64_t>(failure.kind), group);
  auto const is_failure = [](std::int64_t kind) { return kind != 0; };
  auto const first = std::ranges::find_if(kinds, is_failure);
  if (first == kinds.end()) return;
  int const rank = static_cast<int>(first - kinds.begin());
  failure = {FailureKind(*first), text_of_root(std::move(failure.words), rank, group)};
  if (!std::ranges::all_of(kinds, is_failure))
    failure.words.append(" (rank ")
        .append(std::to_string(group.world_ranks()[static_cast<std::size_t>(rank)]))
        .append(")");
  throw_failure(failure, group.rank());
}

/// The same, on the first rank only.
template <class F>
void on_first(Group const& group, F const& work) {
  collective_try(group, [&] {
    if (group.rank() == 0) work();
  });
}

}  // namespace tenon::internal::mpi
