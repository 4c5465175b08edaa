#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/stable_sort.hpp>
#include <tenon/distributed/checkpoint/index_text.hpp>
#include <tenon/distributed/checkpoint/tensor_shards.hpp>

/// Assigns boxes to ranks: each box is written by one of the ranks that hold it.
namespace tenon::internal::checkpoints {

/// "shard-00002-of-00004.safetensors"
inline std::string shard_name(int rank, int ranks) {
  char text[64];
  std::snprintf(text, sizeof text, "shard-%05d-of-%05d.safetensors", rank + 1, ranks);
  return text;
}

/// Boxes of at most this many bytes (numbers and keys) are compared between ranks.
inline constexpr std::size_t most_compared_bytes = 16;

inline std::string print_of(std::span<std::byte const> bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  if (bytes.size() > most_compared_bytes) return text;
  for (std::byte const byte : bytes)
    text.append({digits[std::to_integer<unsigned>(byte >> 4)],
                 digits[std::to_integer<unsigned>(byte & std::byte{15})]});
  return text;
}

/// The boxes of one rank.
inline Index index_of(std::vector<TensorShard> const& tensor_shards) {
  Index index;
  for (TensorShard const& tensor_shard : tensor_shards) {
    auto const [place, is_new] = index.whole.entries.try_emplace(
        tensor_shard.name, safetensors::Entry{tensor_shard.dtype, tensor_shard.sizes});
    if (!is_new &&
        (place->second.dtype != tensor_shard.dtype || place->second.sizes != tensor_shard.sizes))
      fail<ValueError>({"save_shards", tensor_shard.name, "one tensor of that name", "several"});
    index.boxes[tensor_shard.name].push_back(
        {{tensor_shard.begin, tensor_shard.extent}, {}, print_of(tensor_shard.bytes)});
    index.whole.metadata[std::string(safetensors::spec_key).append(tensor_shard.name)] =
        format(tensor_shard.axes).view();
  }
  return index;
}

/// The boxes of all ranks.
class Holdings {
 public:
  /// Throws `ValueError` if a rank has another tensor of that name, or another number.
  void add(int rank, Index const& held) {
    for (auto const& [name, entry] : held.whole.entries) {
      auto const [place, is_new] = all_.whole.entries.try_emplace(name, entry);
      if (is_new) first_[name] = rank, copy_axes(held, name);
      else check(name, held, rank);
      for (StoredBox const& stored : held.boxes.at(name)) add(rank, name, stored);
    }
  }

  /// All boxes with their files: in decreasing size, each to the rank with the fewest bytes so far.
  /// Throws `ValueError` if they do not cover a tensor.
  Index planned(int ranks) {
    std::vector<Wanted> boxes;
    for (auto const& [name, held] : holders_) {
      auto const& entry = all_.whole.entries.find(name)->second;
      for (auto const& [box, holder] : held)
        if (volume(box.extent) > 0)
          boxes.push_back({&name, &box, &holder.ranks, bytes_of(entry, box.extent)});
      if (volume(entry.sizes) == 0)
        boxes.push_back({&name, nullptr, &held.begin()->second.ranks, 0});
    }
    stable_sort(boxes, [](Wanted const& a, Wanted const& b) { return a.bytes > b.bytes; });
    give(boxes, ranks);
    for (auto const& [name, stored] : all_.boxes)
      check_cover<ValueError>("save_shards", name, all_.whole.entries.find(name)->second.sizes,
                              stored, {});
    return std::move(all_);
  }

 private:
  struct Holder {
    std::vector<int> ranks;
    std::string print;
  };
  struct Wanted {
    std::string const* name;
    Box const* box;  ///< Null: a tensor without elements.
    std::vector<int> const* ranks;
    std::uint64_t bytes;
  };

  void copy_axes(Index const& held, std::string const& name) {
    all_.whole.metadata[std::string(safetensors::spec_key).append(name)] =
        axes_text(held.whole, name);
    all_.boxes[name];
  }

  static std::string described(Index const& index, std::string const& name, int rank) {
    auto const& entry = index.whole.entries.find(name)->second;
    return safetensors::described(index.whole, name, entry) + " on rank " + std::to_string(rank);
  }

  void check(std::string const& name, Index const& held, int rank) const {
    auto const& one = all_.whole.entries.find(name)->second;
    auto const& other = held.whole.entries.find(name)->second;
    if (one.dtype == other.dtype && one.sizes == other.sizes) return;
    std::string const got =
        described(all_, name, first_.at(name)) + " and " + described(held, name, rank);
    fail<ValueError>({"save_shards", name, "one tensor on all ranks", got});
  }

  void add(int rank, std::string const& name, StoredBox const& stored) {
    auto const [place, is_new] = holders_[name].try_emplace(stored.box, Holder{{}, stored.print});
    Holder& holder = place->second;
    if (!is_new && holder.print != stored.print)
      fail<ValueError>({"save_shards", name, "the same value on all ranks",
                        "others on rank " + std::to_string(holder.ranks.front()) + " and rank " +
                            std::to_string(rank)});
    if (!is_new && holder.ranks.back() == rank)
      fail<ValueError>({"save_shards", name, "every name once", "it twice"});
    holder.ranks.push_back(rank);
  }

  void give(std::vector<Wanted> const& boxes, int ranks) {
    std::vector<std::uint64_t> loads(static_cast<std::size_t>(ranks));
    for (Wanted const& wanted : boxes) {
      int const rank = *std::ranges::min_element(
          *wanted.ranks, {}, [&](int r) { return loads[static_cast<std::size_t>(r)]; });
      loads[static_cast<std::size_t>(rank)] += wanted.bytes;
      auto const& sizes = all_.whole.entries.find(*wanted.name)->second.sizes;
      all_.boxes[*wanted.name].push_back(
          {wanted.box ? *wanted.box : whole_box(sizes), shard_name(rank, ranks), {}});
    }
  }

  Index all_{};
  std::map<std::string, int> first_{};  ///< The first rank that has a tensor.
  std::map<std::string, std::map<Box, Holder>> holders_{};
};

/// The index of the boxes of all ranks, from the index text of each.
inline Index planned(std::vector<std::string> const& texts) {
  Holdings holdings;
  for (std::size_t rank = 0; rank < texts.size(); ++rank)
    holdings.add(static_cast<int>(rank), IndexReader(texts[rank], "what ranks hold").read());
  return holdings.planned(static_cast<int>(texts.size()));
}

}  // namespace tenon::internal::checkpoints
