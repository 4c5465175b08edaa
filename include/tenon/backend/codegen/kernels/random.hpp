#pragma once

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/core/config.hpp>
#include <tenon/op/philox.hpp>

/// Random words generated on the device.
namespace tenon::internal::codegen {

/// The kernel that fills memory with the words of a Philox stream, one block per row. Its
/// arguments: the memory, and, as numbers, the count of words, the stream, the two words of the
/// key, and the number of blocks.
Kernel draw_kernel(Functions& functions);

/// Its launch arguments.
inline std::vector<LaunchArgument> draw_arguments(op::PhiloxKey key, std::uint32_t stream,
                                                  std::uint32_t const* to, std::int64_t words) {
  std::vector<LaunchArgument> all{{to, 0, {}}};
  for (std::int64_t const number :
       {words, std::int64_t{stream}, std::int64_t{key[0]}, std::int64_t{key[1]}, (words + 3) / 4})
    all.push_back(LaunchArgument::of(number));
  return all;
}

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME

namespace tenon::internal::codegen {

/// Emits the block of four random words of a row, from the function that the CPU uses.
TENON_RUNTIME op::PhiloxBlock<Symbol<std::uint32_t>> emit_block(
    Walk& walk, Symbol<std::uint32_t> stream, std::array<Symbol<std::uint32_t>, 2> const& key) {
  using Word = Symbol<std::uint32_t>;
  Symbol<std::int64_t> const row(walk.listing, walk.rows.row);
  Symbol<std::uint64_t> const block = cast<std::uint64_t>(row);
  op::PhiloxBlock<Word> const counter{cast<std::uint32_t>(block), cast<std::uint32_t>(block >> 32),
                                      stream, Word(0u)};
  return op::philox(counter, key);
}

/// Emits the stores of the words of a row, as far as they are within `count`.
TENON_RUNTIME void emit_stores(Walk& walk, op::PhiloxBlock<Symbol<std::uint32_t>> const& drawn,
                               std::string const& words, int block) {
  int number = 0;
  for (auto const& word : {drawn.word0, drawn.word1, drawn.word2, drawn.word3}) {
    std::string const at = "4 * row + " + std::to_string(number++);
    walk.listing.line(block, "if (" + at + " < " + words + ") out[" + at +
                                 "] = " + word.text(walk.listing) + ";");
  }
}

TENON_RUNTIME Kernel draw_kernel(Functions& functions) {
  Walk walk(functions);
  auto const argument = [&](char const* name) {
    return walk.variables.text(walk.variables.fresh(name, 1));
  };
  auto const word = [&](char const* name) {
    int const known = walk.listing.parameter(argument(name));
    return cast<std::uint32_t>(Symbol<std::int64_t>(walk.listing, known));
  };
  std::string const words = argument("words");
  auto const stream = word("stream"), low = word("key_low"), high = word("key_high");
  Loops loops(walk.listing, 0);
  (void)open_rows(walk, {walk.variables.fresh("blocks", 1)}, 1, 0, loops);
  auto const drawn = emit_block(walk, stream, {low, high});
  emit_stores(walk, drawn, words, loops.block());
  loops.close();
  return with_text({"draw", {}, type_text<std::uint32_t>, 0, sizeof(std::uint32_t)}, walk,
                   "// out: random words\n", {{Argument::Is::result}});
}

}  // namespace tenon::internal::codegen

#endif
