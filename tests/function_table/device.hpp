#pragma once

// A device without hardware: it prints the kernels of CUDA, launches none, and follows which memory
// was computed from the operand of a call.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/backend/codegen/backend.hpp>
#include <tenon/backend/cuda/dialect.hpp>

namespace function_table {

/// The blocks of memory, and whether their elements depend on the operand.
class Blocks {
 public:
  void add(void* block, std::size_t bytes) { blocks_[address(block)] = {block, bytes, false}; }
  void remove(void* block) { blocks_.erase(address(block)); }
  bool depends(void const* place) const {
    Block const* const found = block_of(place);
    return found != nullptr && found->depends;
  }
  void set(void const* place, bool depends) {
    if (Block* const found = block_of(place)) found->depends = depends;
  }
  /// Zeros in the whole block, so that results do not depend on what it contained.
  void clear(void const* place) {
    if (Block* const found = block_of(place)) std::memset(found->start, 0, found->bytes);
  }
  void forget() {
    for (auto& [place, block] : blocks_) block.depends = false;
  }

 private:
  struct Block {
    void* start;
    std::size_t bytes;
    bool depends;
  };
  static std::uintptr_t address(void const* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
  }
  Block* block_of(void const* place) {
    auto after = blocks_.upper_bound(address(place));
    if (after == blocks_.begin()) return nullptr;
    auto& [start, block] = *--after;
    return address(place) - start <= block.bytes ? &block : nullptr;
  }
  Block const* block_of(void const* place) const {
    return const_cast<Blocks*>(this)->block_of(place);
  }

  std::map<std::uintptr_t, Block> blocks_{};
};

/// The kernels, copies and reads of one call of a function.
struct Work {
  int kernels = 0;          ///< Launches.
  int copies = 0;           ///< From and to the host.
  bool is_read = false;     ///< The host has read elements that depend on the operand.
  bool is_printed = false;  ///< A kernel has read such elements.
};

struct Printing {
  static constexpr std::string_view name = "printing";
  static constexpr bool is_host = false;

  static inline Work work{};

  /// A call of the operand with these elements begins.
  static void begin(void const* operand) {
    work = {};
    blocks().forget();
    blocks().set(operand, true);
  }

  static void* allocate(std::size_t bytes) {
    void* const block = std::calloc(bytes + 1, 1);
    blocks().add(block, bytes);
    return block;
  }
  static void deallocate(void* memory) {
    blocks().remove(memory);
    std::free(memory);
  }
  static void copy_from_host(void* to, void const* from, std::size_t bytes) {
    ++work.copies;
    blocks().set(to, false);
    std::memcpy(to, from, bytes);
  }
  static void copy_to_host(void* to, void const* from, std::size_t bytes) {
    ++work.copies;
    work.is_read |= blocks().depends(from);
    std::memcpy(to, from, bytes);
  }
  static void copy_on_device(void* to, void const* from, std::size_t bytes) {
    blocks().set(to, blocks().depends(from));
    std::memcpy(to, from, bytes);
  }
  static void clear(void* to, std::size_t bytes) { std::memset(to, 0, bytes); }

  using Function = int;
  static Function compile(std::string const&, std::string const&) { return 0; }
  /// The first argument is the result.
  static void launch(Function, std::vector<tenon::internal::codegen::LaunchArgument> const& all,
                     tenon::internal::codegen::Work) {
    bool depends = false;
    for (std::size_t i = 1; i < all.size(); ++i) depends |= blocks().depends(all[i].memory);
    blocks().clear(all[0].memory);
    blocks().set(all[0].memory, depends);
    ++work.kernels;
    work.is_printed |= depends;
  }

 private:
  /// Never destroyed: a tensor in static storage may deallocate at any time.
  static Blocks& blocks() {
    static Blocks& all = *new Blocks;
    return all;
  }
};

}  // namespace function_table

template <>
struct tenon::BackendFor<function_table::Printing> {
  using type = tenon::codegen::SourceBackend<function_table::Printing, tenon::dialect::CudaC>;
};
