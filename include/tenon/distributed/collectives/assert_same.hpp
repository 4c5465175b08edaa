#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tenon/distributed/communication/in_order.hpp>
#include <tenon/eval/move_to.hpp>
#include <tenon/tensor/columns.hpp>
#include <tenon/tensor/print.hpp>
#include <tenon/tree/tree.hpp>

/// Checks that values are equal on all ranks.
namespace tenon::internal {

namespace mpi {

/// A leaf of a tree, as bytes.
struct ComparedLeaf {
  std::string path;
  std::string kind;  ///< `float32 "n=3 d=2"`
  std::vector<std::int64_t> sizes;
  std::span<std::uint8_t const> bytes;
  std::size_t element = 1;  ///< Bytes of one element.
  /// The text of the element at an address.
  std::function<std::string(std::uint8_t const*)> text;

  /// A hash of everything that has to be equal.
  std::uint64_t fingerprint() const {
    Fingerprint print;
    print.add(path);
    print.add(kind);
    std::uint64_t value = print.value;
    for (std::size_t i = 0; i < bytes.size(); i += 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i));
      value = (value ^ word) * 0x9e3779b97f4a7c15u;  // odd; the golden ratio
      value ^= value >> 32;
    }
    return value;
  }
};

template <class T>
std::string text_of_element(std::uint8_t const* data) {
  T x{};
  std::memcpy(&x, data, sizeof(T));
  if constexpr (is_dtype<T>) return PrintColumns<T>::alone(x);
  else if constexpr (tree::is_key<T>)
    return "Key of words " + std::to_string(x.words()[0]) + " " + std::to_string(x.words()[1]);
  else return std::to_string(x);
}

template <class X>
ComparedLeaf compared_leaf(std::string path, X const& x) {
  using T = X;
  std::span const bytes(reinterpret_cast<std::uint8_t const*>(&x), sizeof(T));
  return {std::move(path), "a number", {}, bytes, sizeof(T), text_of_element<T>};
}
template <TensorType X>
ComparedLeaf compared_leaf(std::string path, X const& x) {
  using T = typename X::value_type;
  auto const host = std::make_shared<OnDevice<X, Cpu> const>(moved_to<Cpu>(x));
  std::span const bytes(reinterpret_cast<std::uint8_t const*>(stored_elements(*host)),
                        static_cast<std::size_t>(host->size()) * sizeof(T));
  Sizes const sizes = x.sizes();
  return {std::move(path),
          describe_tensor(x),
          {sizes.begin(), sizes.begin() + X::rank},
          bytes,
          sizeof(T),
          [host](std::uint8_t const* data) { return text_of_element<T>(data); }};
}

/// "(1, 5)": the index of the element with a linear index.
inline std::string position_text(std::int64_t number, std::vector<std::int64_t> const& sizes) {
  std::string text;
  for (std::size_t i = sizes.size(); i-- > 0; number /= sizes[i])
    text = std::to_string(number % sizes[i]) + (text.empty() ? "" : ", ") + text;
  return text.empty() ? text : " at (" + text + ")";
}

/// The difference from the leaf of another rank; "" if there is none.
inline std::string difference_from(ComparedLeaf const& own, std::string const& kind,
                                   std::vector<std::uint8_t> const& bytes, int rank) {
  std::string const as = " as rank " + std::to_string(rank);
  if (own.kind != kind) return own.kind + ", not " + kind + as;
  auto const found = std::ranges::mismatch(own.bytes, bytes).in1;
  if (found == own.bytes.end()) return {};
  std::size_t const at = static_cast<std::size_t>(found - own.bytes.begin()) / own.element;
  std::string const mine = own.text(own.bytes.data() + at * own.element);
  std::string const other = own.text(bytes.data() + at * own.element);
  return mine + position_text(static_cast<std::int64_t>(at), own.sizes) + ", not " + other + as +
         (mine == other ? ": of other bits" : "");
}

/// The first rank that has the most frequent value.
inline int usual_rank(std::vector<std::uint64_t> const& values) {
  auto const times = [&](std::uint64_t value) { return std::ranges::count(values, value); };
  return static_cast<int>(std::ranges::max_element(values, {}, times) - values.begin());
}

/// Throws on all ranks; the message lists the ranks whose leaf differs from the most frequent one.
[[noreturn, gnu::cold]] inline void refuse_difference(ComparedLeaf const& own, int usual,
                                                      std::string const& number, Group const& group,
                                                      SourceLocation where) {
  std::string const kind = texts_of_all(own.kind, group)[static_cast<std::size_t>(usual)];
  auto const size = all_numbers(static_cast<std::int64_t>(own.bytes.size()), group);
  std::vector<std::uint8_t> bytes(own.bytes.begin(), own.bytes.end());
  bytes.resize(static_cast<std::size_t>(size[static_cast<std::size_t>(usual)]));
  broadcast(bytes.data(), static_cast<std::int64_t>(bytes.size()), usual, group);
  auto const rank = group.world_ranks()[static_cast<std::size_t>(usual)];
  auto const texts = texts_of_all(difference_from(own, kind, bytes, rank), group);
  std::string const expected =
      "one value on all ranks of group '" + std::string(group.name()) + "'";
  std::string lines = by_ranks(texts, group.world_ranks(), "  ");
  lines.pop_back();
  throw_on_all<ValueError>(
      message({"assert_same", own.path, expected, number, place_of(where)}) + "\n" + lines,
      group.rank());
}

/// Compares leaves by fingerprints, which are gathered on all ranks.
inline void compare_leaves(std::vector<ComparedLeaf> const& leaves, Group const& group,
                           SourceLocation where) {
  std::vector<std::uint64_t> own(leaves.size());
  std::ranges::transform(leaves, own.begin(), &ComparedLeaf::fingerprint);
  auto const ranks = static_cast<std::size_t>(group.size());
  std::vector<std::uint64_t> all(own.size() * ranks), column(ranks);
  std::vector<std::int64_t> const counts(ranks, static_cast<std::int64_t>(own.size()));
  all_gather(own.data(), all.data(), counts, group);
  std::size_t first = leaves.size(), number = 0;
  int usual = 0;
  for (std::size_t i = leaves.size(); i-- > 0;) {
    for (std::size_t rank = 0; rank < ranks; ++rank) column[rank] = all[rank * own.size() + i];
    if (std::ranges::count(column, column[0]) == group.size()) continue;
    first = i, usual = usual_rank(column), ++number;
  }
  if (number == 0) return;
  std::string const text = "another in " + std::to_string(number) + " of " +
                           std::to_string(leaves.size()) +
                           (leaves.size() == 1 ? " leaf" : " leaves");
  refuse_difference(leaves[first], usual, text, group, where);
}

}  // namespace mpi

/// Checks that a tensor, an expression, or a tree with all that it stores is bitwise equal on all
/// ranks of a group; otherwise throws `ValueError` on all of them, naming the first leaf that
/// differs, the ranks, and the position. Leaves are compared by 64-bit fingerprints: one pass over
/// all elements, and 8 bytes per leaf are sent. Collective.
template <class Tree>
void assert_same(Tree const& tree, Group const& group,
                 mpi::SourceLocation where = mpi::SourceLocation::current()) {
  if constexpr (Expression<Tree> && !TensorType<Tree>) {
    assert_same(eval(tree), group, where);
  } else {
    std::vector<mpi::ComparedLeaf> leaves;
    tree::for_each<tree::Stored>(
        [&](tree::Path const& path, auto const& leaf) {
          leaves.push_back(mpi::compared_leaf(path.text(), leaf));
        },
        tree);
    mpi::Call call{.operation = "assert_same", .where = where};
    call.sizes[0] = static_cast<std::int64_t>(leaves.size());
    call.rank = 1;
    mpi::agree(group, call);
    mpi::compare_leaves(leaves, group, where);
  }
}

}  // namespace tenon::internal

namespace tenon {

using internal::assert_same;

}  // namespace tenon
