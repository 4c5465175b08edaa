#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/backend/codegen/emit/kernel.hpp>
#include <tenon/backend/codegen/launch/launch.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::internal::codegen {

/// The index of an element in a vector; its size if it is not in it.
template <class T>
std::size_t place_of(std::vector<T> const& all, T const& thing) {
  return static_cast<std::size_t>(std::ranges::find(all, thing) - all.begin());
}

/// The run-time part of an expression in addition to its type: its sizes, and which of its leaves
/// and scalars are equal. The key determines the text and the run-time sizes of a kernel, in the
/// order of the nodes; the rest is passed to the kernel at each launch.
struct KernelInstance {
  using Number = std::array<std::byte, 8>;

  Tape const* tape = nullptr;  ///< The tape of a backward pass; null in a forward pass.
  std::vector<std::int64_t> key{};
  std::vector<void const*> memories{};
  std::vector<Number> scalars{};
  std::vector<TapeMark> marks{};  ///< Of leaves whose adjoints are required.

  void note_type(Node e);
  void note(Node e);

  void note_all(Sizes const& numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); }

 private:
  void note_leaf(Node leaf);
  void note_number(Number const& number);
  void note_mark(TapeMark mark);

  /// Adds an element if it is new, and its index to the key.
  template <class T>
  void note_place(std::vector<T>& seen, T const& thing) {
    std::size_t const place = place_of(seen, thing);
    if (place == seen.size()) seen.push_back(thing);
    key.push_back(static_cast<std::int64_t>(place));
  }
};

/// Calls `hold(buffer)` for the memory of all leaves of an expression, which a recording of its
/// kernels keeps alive.
void hold_leaves(Node e, Callback<void(SharedBuffer const&)> const& hold);

}  // namespace tenon::internal::codegen

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/codegen/cache/kernel_instance.ipp>
#endif
