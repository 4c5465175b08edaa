#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tenon/distributed/communication/exchange.hpp>

/// Strings sent between ranks.
namespace tenon::internal::mpi {

using Letter = std::uint8_t;  // MPI's dtypes have no char

/// The strings of all ranks on the root; empty on other ranks.
inline std::vector<std::string> texts_on_root(std::string const& own, int root,
                                              Group const& group) {
  if (group.size() == 1) return {own};
  auto const count = static_cast<std::int64_t>(own.size());
  auto const counts = all_numbers(count, group);
  bool const is_root = group.rank() == root;
  std::vector<Letter> all(is_root ? static_cast<std::size_t>(sum_of(counts)) : 0);
  std::vector<Block<Letter>> received;
  if (is_root) received = blocks_of(all.data(), counts);
  Block<Letter const> const sent{reinterpret_cast<Letter const*>(own.data()), count, root};
  exchange<Letter>(std::span(&sent, 1), received, group);
  std::vector<std::string> texts;
  texts.reserve(received.size());
  for (auto const& block : received) texts.emplace_back(block.data, block.data + block.count);
  return texts;
}

/// The string of the root, on all ranks.
inline std::string text_of_root(std::string text, int root, Group const& group) {
  if (group.size() == 1) return text;
  auto count = static_cast<std::int64_t>(text.size());
  mpi::broadcast(&count, 1, root, group);
  text.resize(static_cast<std::size_t>(count));
  mpi::broadcast(reinterpret_cast<Letter*>(text.data()), count, root, group);
  return text;
}

}  // namespace tenon::internal::mpi
