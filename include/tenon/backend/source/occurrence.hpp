#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/backend/source/kernel.hpp>
#include <tenon/backend/source/launch.hpp>
#include <tenon/eval/tape/tape.hpp>

namespace tenon::source {

/// The place of a thing among others; past the end where it is not among them.
template <class T>
std::size_t place_of(std::vector<T> const& all, T const& thing) {
  return static_cast<std::size_t>(std::ranges::find(all, thing) - all.begin());
}

/// What a recipe is beside its type: its sizes, and which of its leaves and numbers are equal. All
/// that a kernel's text and its run-time sizes depend on, in the order of the nodes; and what is
/// handed to a kernel anew each time.
struct Occurrence {
  using Number = std::array<std::byte, 8>;

  Tape const* tape = nullptr;  ///< On which adjoints are asked for; null: a value is.
  std::vector<std::int64_t> key{};
  std::vector<void const*> memories{};
  std::vector<Number> scalars{};
  std::vector<TapeMark> marks{};  ///< Of leaves whose adjoints are asked for.

  void note_type(Node e);
  void note(Node e);

  void note_all(Sizes const& numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); }

 private:
  void note_leaf(Node leaf);
  void note_number(Number const& number);
  void note_mark(TapeMark mark);

  /// A thing joins those seen before, if it is new; the key has its place.
  template <class T>
  void note_place(std::vector<T>& seen, T const& thing) {
    std::size_t const place = place_of(seen, thing);
    if (place == seen.size()) seen.push_back(thing);
    key.push_back(static_cast<std::int64_t>(place));
  }
};

/// Calls `hold(buffer)` for the memory of all leaves of a recipe, which a recording of its kernels
/// keeps.
void hold_leaves(Node e, Callback<void(SharedBuffer const&)> const& hold);

}  // namespace tenon::source

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/source/occurrence.ipp>
#endif
