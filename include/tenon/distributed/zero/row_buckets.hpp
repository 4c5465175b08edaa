#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/agree.hpp>
#include <tenon/distributed/communication/exchange.hpp>
#include <tenon/distributed/zero/row_division.hpp>

/// Sends rows of many leaves; several small leaves share one collective.
namespace tenon::internal::mpi {

/// The rows of a leaf: all rows as the one buffer, the local rows as the other.
template <class T>
struct RowBlock {
  T const* from = nullptr;
  T* to = nullptr;
  RowDivision const* by = nullptr;

  std::int64_t count(std::size_t rank) const { return by->rows[rank] * by->row; }
};

/// Leaves that are divided among the same ranks.
template <class T>
struct RowBucket {
  Group group;
  std::vector<RowBlock<T>> blocks{};
  std::int64_t size = 0;

  /// The number of elements for each rank.
  std::vector<std::int64_t> counts() const {
    std::vector<std::int64_t> all(static_cast<std::size_t>(group.size()));
    for (auto const& block : blocks)
      for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank] += block.count(rank);
    return all;
  }
  std::size_t rank() const { return static_cast<std::size_t>(group.rank()); }
  void agree_on(std::string_view operation, SourceLocation where) const {
    Sizes sizes = unit_sizes();
    sizes[0] = size, sizes[1] = static_cast<std::int64_t>(blocks.size());
    agree(group, {operation, {}, dtype_name<T>, "element leaf", sizes, 2, -1, where}, leaves());
  }
  /// Their paths and rows.
  Details leaves() const {
    Fingerprint print;
    for (auto const& block : blocks) {
      print.add(block.by->name);
      print.add(block.by->row);
      for (std::int64_t const rows : block.by->rows) print.add(rows);
    }
    return {print.value, [this] {
              std::string text;
              for (auto const& block : blocks)
                text.append(text.empty() ? "'" : "\n'")
                    .append(block.by->name + "' of ")
                    .append(std::to_string(sum_of(block.by->rows)) + " rows of ")
                    .append(std::to_string(block.by->row));
              return text;
            }};
  }
  /// Calls `copy(block, offset among all its rows, count)`, rank by rank.
  template <class Copy>
  void for_each_run(Copy const& copy) const {
    std::vector<std::int64_t> starts(blocks.size());
    for (std::size_t rank = 0; rank < static_cast<std::size_t>(group.size()); ++rank) {
      for (std::size_t k = 0; k < blocks.size(); ++k) {
        std::int64_t const count = blocks[k].count(rank);
        copy(blocks[k], std::exchange(starts[k], starts[k] + count), count);
      }
    }
  }
};

/// Groups blocks into buckets of at most `most` elements, at least one block each.
template <class T>
std::vector<RowBucket<T>> in_buckets(std::vector<RowBlock<T>> const& blocks, std::int64_t most) {
  std::vector<RowBucket<T>> buckets;
  for (auto const& block : blocks) {
    std::int64_t const size = block.by->elements();
    auto const open = std::ranges::find_if(buckets, [&](auto const& bucket) {
      return is_same_group(bucket.group, block.by->holders) && bucket.size + size <= most;
    });
    auto& bucket =
        open == buckets.end() ? buckets.emplace_back(RowBucket<T>{block.by->holders}) : *open;
    bucket.blocks.push_back(block);
    bucket.size += size;
  }
  return buckets;
}

/// Reduce_scatter: from all rows on each rank to the local rows of the sum.
template <class T>
void scatter_sums(RowBucket<T> const& bucket, SourceLocation where) {
  bucket.agree_on("reduce_rows", where);
  auto const counts = bucket.counts();
  if (bucket.blocks.size() == 1)
    return reduce_scatter<op::sum>(bucket.blocks[0].from, bucket.blocks[0].to, counts,
                                   bucket.group);
  auto const all = room_for<T>(bucket.size), own = room_for<T>(counts[bucket.rank()]);
  T* to = all.get();
  bucket.for_each_run([&](RowBlock<T> const& block, std::int64_t at, std::int64_t count) {
    to = std::copy_n(block.from + at, count, to);
  });
  reduce_scatter<op::sum>(all.get(), own.get(), counts, bucket.group);
  T const* from = own.get();
  for (auto const& block : bucket.blocks) {
    std::copy_n(from, block.count(bucket.rank()), block.to);
    from += block.count(bucket.rank());
  }
}

/// All_gather: from the local rows to all rows.
template <class T>
void gather_rows(RowBucket<T> const& bucket, SourceLocation where) {
  bucket.agree_on("gather_rows", where);
  auto const counts = bucket.counts();
  if (bucket.blocks.size() == 1)
    return all_gather(bucket.blocks[0].from, bucket.blocks[0].to, counts, bucket.group);
  auto const all = room_for<T>(bucket.size), own = room_for<T>(counts[bucket.rank()]);
  T* to = own.get();
  for (auto const& block : bucket.blocks)
    to = std::copy_n(block.from, block.count(bucket.rank()), to);
  all_gather(own.get(), all.get(), counts, bucket.group);
  T const* from = all.get();
  bucket.for_each_run([&](RowBlock<T> const& block, std::int64_t at, std::int64_t count) {
    std::copy_n(std::exchange(from, from + count), count, block.to + at);
  });
}

}  // namespace tenon::internal::mpi
