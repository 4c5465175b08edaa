#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include <tenon/distributed/communication/datatype.hpp>
#include <tenon/distributed/communication/group.hpp>
#include <tenon/distributed/communication/split.hpp>
#include <tenon/distributed/communication/traffic.hpp>

/// Collectives on memory, for any number of elements: in chunks if MPI counts only to 2^31. All
/// ranks of the group make the same call: `agree` checks that.
namespace tenon::internal::mpi {

/// The most elements per MPI call.
inline std::int64_t& largest_chunk() {
  static std::int64_t count = std::int64_t{1} << 30;
  return count;
}

/// Calls `use(first, count)` for each chunk.
template <class Use>
void in_chunks(std::int64_t count, Use const& use) {
  for (std::int64_t first = 0; first < count; first += largest_chunk())
    use(first, static_cast<int>((std::min)(largest_chunk(), count - first)));
}

/// Converts to `int` for MPI; their sum is at most `largest_chunk()`.
inline std::vector<int> as_int(std::span<std::int64_t const> numbers) {
  std::vector<int> result(numbers.size());
  std::ranges::transform(numbers, result.begin(), [](auto x) { return static_cast<int>(x); });
  return result;
}

/// The size of `count` elements in bytes.
template <class T>
constexpr std::int64_t bytes_in(std::int64_t count) {
  return count * static_cast<std::int64_t>(sizeof(T));
}

/// The elementwise reduction over all ranks; `to` may be `from`.
template <class Fold, class T>
void all_reduce(T const* from, T* to, std::int64_t count, Group const& group) {
  if (group.size() == 1 && from != to) std::copy_n(from, count, to);
  if (group.size() == 1) return;
  std::int64_t const moved = bytes_of_all_reduce(bytes_in<T>(count), group.size());
  tally(Sends::all_reduce, moved, moved);
  Watched const watched("all_reduce", &group.communicator().last());
  in_chunks(count, [&](std::int64_t first, int n) {
    check(MPI_Allreduce(from == to ? MPI_IN_PLACE : from + first, to + first, n, type_of<T>(),
                        operation_of<Fold, T>(), group.handle()),
          "all_reduce");
  });
}
template <class Fold, class T>
void all_reduce(T* data, std::int64_t count, Group const& group) {
  all_reduce<Fold, T>(data, data, count, group);
}

/// The elements of the root, on all ranks.
template <class T>
void broadcast(T* data, std::int64_t count, int root, Group const& group,
               Sends as = Sends::broadcast) {
  if (group.size() == 1) return;
  std::int64_t const bytes = bytes_in<T>(count);
  if (root == group.rank()) tally(as, bytes, 0);
  else tally(as, 0, bytes);
  Watched const watched("broadcast", &group.communicator().last());
  in_chunks(count, [&](std::int64_t first, int n) {
    check(MPI_Bcast(data + first, n, type_of<T>(), root, group.handle()), "broadcast");
  });
}

/// All-gathers one number per rank.
inline std::vector<std::int64_t> all_numbers(std::int64_t own, Group const& group) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(group.size()), own);
  std::int64_t const moved = bytes_in<std::int64_t>(group.size() - 1);
  if (moved > 0) tally(Sends::agreement, moved, moved);
  Watched const watched("all_gather", &group.communicator().last());
  if (group.size() > 1)
    check(MPI_Allgather(&own, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, group.handle()),
          "all_gather");
  return all;
}

/// Elements sent to a rank of the group, or received from it.
template <class T>
struct Block {
  T* data = nullptr;
  std::int64_t count = 0;
  int rank = 0;
};

inline constexpr int block_tag = 31000;

/// The bytes of blocks of other ranks.
template <class B>
std::int64_t bytes_elsewhere(std::span<B> blocks, Group const& group) {
  std::int64_t bytes = 0;
  for (auto const& block : blocks)
    if (block.rank != group.rank()) bytes += block.count * std::int64_t{sizeof(*block.data)};
  return bytes;
}

/// Copies the block from this rank to itself.
template <class T>
void copy_own(std::span<Block<T const> const> sent, std::span<Block<T> const> received, int rank) {
  for (auto const& to : received) {
    if (to.rank != rank) continue;
    for (auto const& from : sent)
      if (from.rank == rank) std::copy_n(from.data, to.count, to.data);
  }
}

/// Sends and receives blocks point-to-point; the block of this rank to itself is copied.
template <class T>
void exchange(std::span<Block<T const> const> sent, std::span<Block<T> const> received,
              Group const& group, int tag = block_tag) {
  if (group.size() > 1)
    tally(Sends::exchange, bytes_elsewhere(sent, group), bytes_elsewhere(received, group));
  Watched const watched("exchange", &group.communicator().last());
  std::vector<MPI_Request> requests;
  auto const post = [&](auto const& begin, auto const& blocks) {
    for (auto const& block : blocks) {
      if (block.rank == group.rank()) continue;
      in_chunks(block.count, [&](std::int64_t first, int n) {
        check(begin(block.data + first, n, type_of<T>(), block.rank, tag, group.handle(),
                    &requests.emplace_back()),
              "exchange");
      });
    }
  };
  post(MPI_Irecv, received);
  post(MPI_Isend, sent);
  copy_own(sent, received, group.rank());
  check(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
        "exchange");
}

/// Contiguous blocks, one per rank.
template <class T>
std::vector<Block<T>> blocks_of(T* data, std::span<std::int64_t const> counts) {
  std::vector<Block<T>> blocks;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    blocks.push_back({data, counts[i], static_cast<int>(i)});
    data += counts[i];
  }
  return blocks;
}

/// All-to-all with equal shards, one for each rank; `count` elements in all.
template <class T>
void all_to_all(T const* from, T* to, std::int64_t count, Group const& group) {
  int const size = group.size();
  if (size == 1) return void(std::copy_n(from, count, to));
  if (count <= largest_chunk()) {
    std::int64_t const moved = bytes_in<T>(count / size * (size - 1));
    tally(Sends::exchange, moved, moved);
    int const n = static_cast<int>(count / size);
    Watched const watched("all_to_all", &group.communicator().last());
    check(MPI_Alltoall(from, n, type_of<T>(), to, n, type_of<T>(), group.handle()), "all_to_all");
  } else {
    std::vector<std::int64_t> const parts(static_cast<std::size_t>(size), count / size);
    exchange<T>(blocks_of(from, parts), blocks_of(to, parts), group);
  }
}

/// The elements of all ranks, concatenated; `counts` of each.
template <class T>
void all_gather(T const* own, T* all, std::span<std::int64_t const> counts, Group const& group) {
  auto const starts = starts_of(counts);
  std::int64_t const count = counts[static_cast<std::size_t>(group.rank())];
  if (group.size() == 1) {
    std::copy_n(own, count, all);
  } else if (starts.back() <= largest_chunk()) {
    auto const n = as_int(counts), at = as_int(starts);
    tally(Sends::all_gather, bytes_in<T>(count * (group.size() - 1)),
          bytes_in<T>(starts.back() - count));
    Watched const watched("all_gather", &group.communicator().last());
    bool const are_equal = std::ranges::count(counts, count) == group.size();
    check(are_equal
              ? MPI_Allgather(own, n[0], type_of<T>(), all, n[0], type_of<T>(), group.handle())
              : MPI_Allgatherv(own, static_cast<int>(count), type_of<T>(), all, n.data(), at.data(),
                               type_of<T>(), group.handle()),
          "all_gather");
  } else {
    std::vector<Block<T const>> sent(counts.size(), {own, count, 0});
    for (int rank = 0; auto& block : sent) block.rank = rank++;
    exchange<T>(sent, blocks_of(all, counts), group);
  }
}

/// Reduce-scatter of more elements than one MPI call supports: the shard of each rank separately.
template <class Fold, class T>
void reduce_to_each(T const* all, T* own, std::span<std::int64_t const> counts,
                    Group const& group) {
  Watched const watched("reduce_scatter", &group.communicator().last());
  for (int rank = 0; rank < group.size(); ++rank) {
    std::int64_t const count = counts[static_cast<std::size_t>(rank)];
    in_chunks(count, [&](std::int64_t first, int n) {
      check(MPI_Reduce(all + first, rank == group.rank() ? own + first : nullptr, n, type_of<T>(),
                       operation_of<Fold, T>(), rank, group.handle()),
            "reduce_scatter");
    });
    all += count;
  }
}

/// Reduce-scatter: the shard of this rank of the reduction; `counts` elements per rank.
template <class Fold, class T>
void reduce_scatter(T const* all, T* own, std::span<std::int64_t const> counts,
                    Group const& group) {
  auto const starts = starts_of(counts);
  if (group.size() == 1) {
    std::copy_n(all, starts.back(), own);
    return;
  }
  std::int64_t const count = counts[static_cast<std::size_t>(group.rank())];
  tally(Sends::reduce_scatter, bytes_in<T>(starts.back() - count),
        bytes_in<T>(count * (group.size() - 1)));
  if (starts.back() <= largest_chunk()) {
    Watched const watched("reduce_scatter", &group.communicator().last());
    check(MPI_Reduce_scatter(all, own, as_int(counts).data(), type_of<T>(), operation_of<Fold, T>(),
                             group.handle()),
          "reduce_scatter");
  } else {
    reduce_to_each<Fold>(all, own, counts, group);
  }
}

}  // namespace tenon::internal::mpi
