#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <utility>

#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/storage.hpp>

/// The elements of a small tensor in registers. They are loaded and stored in the chunks in which
/// such a tensor is copied (see `InlineStorage`): g++ 12 then keeps them in registers.
namespace tenon::internal {

/// A register of `width` elements, as a vector extension of g++ and clang: it does not depend on
/// which loops the compiler vectorises.
template <class T, int width>
struct RegisterOf {
  using Vector [[gnu::vector_size(static_cast<std::size_t>(width) * sizeof(T))]] = T;
};
template <class T>
struct RegisterOf<T, 1> {
  using Vector = T;
};
template <class T, int width>
using Register = typename RegisterOf<T, width>::Vector;

/// The source element of each lane; -1: any.
template <int width>
using LaneOrder = std::array<int, static_cast<std::size_t>(width)>;

/// An integer of the size of an element, to shuffle. (g++ 12 takes some orders of 8 doubles for
/// shuffles within pairs, incorrectly.)
template <class T>
using WordOf = std::conditional_t<sizeof(T) == 8, std::int64_t, T>;

/// The lanes of `x` followed by those of `y`, in another order. (Not for one lane.)
template <auto order, class T, class V, std::size_t... i>
TENON_INLINE inline Register<T, static_cast<int>(order.size())> shuffled(
    V const& x, V const& y, std::index_sequence<i...>) {
  using Words = Register<WordOf<T>, static_cast<int>(sizeof(V) / sizeof(T))>;
  return std::bit_cast<Register<T, static_cast<int>(order.size())>>(
      __builtin_shufflevector(std::bit_cast<Words>(x), std::bit_cast<Words>(y), order[i]...));
}
template <auto order, class V>
TENON_INLINE inline auto shuffled(V const& x, V const& y) {
  using T = Unqualified<decltype(x[0])>;
  return shuffled<order, T>(x, y, std::make_index_sequence<order.size()>());
}

/// The first `n` lanes of one register, followed by those of another.
template <int width>
constexpr LaneOrder<width> one_behind(int n, int all) {
  LaneOrder<width> order{};
  for (int i = 0; i < width; ++i)
    order[static_cast<std::size_t>(i)] = i < n ? i : i < all ? width + i - n : -1;
  return order;
}
/// `count` lanes from `first` on; the others are unspecified.
template <int width>
constexpr LaneOrder<width> lanes_from(int first, int count) {
  LaneOrder<width> order{};
  for (int i = 0; i < width; ++i) order[static_cast<std::size_t>(i)] = i < count ? first + i : -1;
  return order;
}

/// The lanes of a register; the additional ones are unspecified. (g++ 12 doubles a register without
/// an instruction, but uses memory to quadruple it.)
template <int width, class V>
TENON_INLINE inline auto widened(V const& x) {
  constexpr int lanes = static_cast<int>(sizeof(V) / sizeof(x[0]));
  if constexpr (lanes == width) return x;
  else return widened<width>(shuffled<lanes_from<2 * lanes>(0, lanes)>(x, x));
}

/// The first `n` lanes of a register, loaded in pieces; the others are unspecified.
template <int width, int n, class T>
TENON_INLINE inline Register<T, width> load_pieces(T const* from) {
  constexpr int piece = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  Register<T, width> all;
  if constexpr (piece == width) {
    std::memcpy(&all, from, sizeof all);
  } else {
    if constexpr (piece == 1) {
      all = Register<T, width>{*from};
    } else {
      Register<T, piece> first;
      std::memcpy(&first, from, sizeof first);
      all = widened<width>(first);
    }
    if constexpr (n > piece)
      all = shuffled<one_behind<width>(piece, n)>(all, load_pieces<width, n - piece>(from + piece));
  }
  return all;
}

/// Stores `n` lanes of a register, from `first` on, in pieces.
template <int width, int n, int first = 0, class T>
TENON_INLINE inline void store_pieces(Register<T, width> const& all, T* to) {
  constexpr int piece = static_cast<int>(std::bit_floor(static_cast<unsigned>(n)));
  if constexpr (piece == width) {
    std::memcpy(to, &all, sizeof all);
  } else {
    if constexpr (piece == 1) {
      *to = all[first];
    } else {
      Register<T, piece> const part = shuffled<lanes_from<piece>(first, piece)>(all, all);
      std::memcpy(to, &part, sizeof part);
    }
    if constexpr (n > piece) store_pieces<width, n - piece, first + piece>(all, to + piece);
  }
}

/// `count` contiguous elements, in the required number of registers.
template <class T, int count, int width>
struct Registers {
  static constexpr int number = (count + width - 1) / width;
  static constexpr int in_last = count - (number - 1) * width;
  Register<T, width> all[static_cast<std::size_t>(number)];

  template <int i = 0>
  TENON_INLINE void load(T const* from) {
    all[i] = load_pieces < width, i + 1 < number ? width : in_last > (from + i * width);
    if constexpr (i + 1 < number) load<i + 1>(from);
  }
  template <int i = 0>
  TENON_INLINE void store(T* to) const {
    store_pieces<width, i + 1 < number ? width : in_last>(all[i], to + i * width);
    if constexpr (i + 1 < number) store<i + 1>(to);
  }

  /// A register of elements in any order: one instruction for elements of one or two registers, and
  /// one for each further register.
  template <LaneOrder<width> elements>
  TENON_INLINE Register<T, width> gathered() const {
    constexpr auto used = used_by(elements);
    constexpr int x = used[0], y = used[1] < 0 ? x : used[1];
    return added<elements, 2>(shuffled<lanes_of(elements, x, y)>(all[x], all[y]));
  }

  /// The number of registers from which lanes come.
  static constexpr int sources(LaneOrder<width> const& elements) {
    int sources = 0;
    for (int const source : used_by(elements)) sources += source >= 0;
    return sources;
  }

 private:
  /// The registers from which lanes come, then -1.
  static constexpr auto used_by(LaneOrder<width> const& elements) {
    std::array<int, static_cast<std::size_t>(number) + 2> used{};
    used.fill(-1);
    std::size_t to = 0;
    for (int source = 0; source < number; ++source) {
      bool is_used = false;
      for (int const element : elements)
        is_used = is_used || (element >= 0 && element / width == source);
      if (is_used) used[to++] = source;
    }
    return used;
  }
  /// The indices of the lanes in registers x and y.
  static constexpr LaneOrder<width> lanes_of(LaneOrder<width> const& elements, int x, int y) {
    LaneOrder<width> lanes{};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      int const element = elements[i], source = element / width, lane = element % width;
      lanes[i] = element < 0 ? -1 : source == x ? lane : source == y ? width + lane : -1;
    }
    return lanes;
  }
  /// The order that adds the lanes of register y to those already gathered.
  static constexpr LaneOrder<width> lanes_with(LaneOrder<width> const& elements, int y) {
    LaneOrder<width> lanes{};
    for (std::size_t i = 0; i < lanes.size(); ++i) {
      bool const from_y = elements[i] >= 0 && elements[i] / width == y;
      lanes[i] = from_y ? width + elements[i] % width : static_cast<int>(i);
    }
    return lanes;
  }
  template <LaneOrder<width> elements, std::size_t next>
  TENON_INLINE Register<T, width> added(Register<T, width> const& so_far) const {
    constexpr int y = used_by(elements)[next];
    if constexpr (y < 0) return so_far;
    else return added<elements, next + 1>(shuffled<lanes_with(elements, y)>(so_far, all[y]));
  }
};

}  // namespace tenon::internal
