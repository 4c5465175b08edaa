#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
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

  template <class E>
  void note(E const& e) {
    if constexpr (is_constant<E>) note_number(bytes_of(e.value));
    if constexpr (Leaf<E>) {
      note_place(memories, static_cast<void const*>(internal::stored_elements(e)));
      note_all(e.sizes());
    }
    if constexpr (TensorType<E>) note_mark(e.mark());
    if constexpr (is_view<E>) note_all(e.strides());
    each_number(e, [&](std::int64_t number) { key.push_back(number); });
    each_operand(e, [&](auto const& operand) { note(operand); });
  }

  /// Keeps the memory of the leaves of a recipe while a recording of its kernels lives.
  template <DistantDevice D, class E>
  static void hold(DeviceLender<D>& lender, E const& e) {
    if constexpr (TensorType<E>) {
      if constexpr (std::same_as<typename E::device, D>) lender.hold(e.storage().buffer);
    }
    each_operand(e, [&](auto const& operand) { hold(lender, operand); });
  }

  void note_all(Sizes const& numbers) { key.insert(key.end(), numbers.begin(), numbers.end()); }

 private:
  template <class T>
  static Number bytes_of(T value) {
    Number bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }

  /// A backward kernel may have a number in its text: that of a mean.
  void note_number(Number const& number) {
    note_place(scalars, number);
    if (tape == nullptr) return;
    key.push_back(0);
    std::memcpy(&key.back(), number.data(), sizeof number);
  }
  void note_mark(TapeMark mark) {
    if (tape == nullptr) return;
    if (tape->is_wanted(mark)) note_place(marks, mark);
    else key.push_back(-1);
  }

  /// A thing joins those seen before, if it is new; the key has its place.
  template <class T>
  void note_place(std::vector<T>& seen, T const& thing) {
    std::size_t const place = place_of(seen, thing);
    if (place == seen.size()) seen.push_back(thing);
    key.push_back(static_cast<std::int64_t>(place));
  }
};

}  // namespace tenon::source
