#pragma once

#include <bit>
#include <concepts>
#include <type_traits>
#include <utility>

#include <tenon/backend/cpu/machine.hpp>
#include <tenon/backend/cpu/simd/registers.hpp>
#include <tenon/eval/inline/map.hpp>
#include <tenon/op/integer_intrinsics.hpp>

/// Evaluation of inline tensors: elements are moved from full registers into the required order by
/// static shuffles.
namespace tenon::internal {

/// Dtypes supported by vector extensions.
template <class T>
concept RegisterNumber = std::is_arithmetic_v<T> && !std::same_as<T, bool>;

/// The elements at `P::order` of a tensor, at least two.
template <class P, int width, class T>
TENON_INLINE inline Register<T, width> taken_register(T const* from) {
  using All = Registers<T, P::extent, width>;
  if constexpr (All::sources(P::order) <= 4) {
    All all;
    all.load(from);
    return all.template gathered<P::order>();
  } else {
    return [&]<std::size_t... i>(std::index_sequence<i...>) {
      return Register<T, width>{from[P::order[i]]...};
    }(std::make_index_sequence<P::order.size()>());
  }
}

/// Few lanes: for ops that are one instruction at every register width.
template <RegisterNumber T, int width>
struct PlainLanes {
  using value_type = T;
  /// Integers wrap around, which C++ defines for unsigned types only.
  using Word = typename std::conditional_t<std::integral<T>, std::make_unsigned<T>,
                                           std::type_identity<T>>::type;
  using Words = Register<Word, width>;
  Register<T, width> all;

  TENON_INLINE PlainLanes(T value) : all{value} { all = shuffled<LaneOrder<width>{}>(all, all); }
  TENON_INLINE explicit PlainLanes(Register<T, width> const& x) : all(x) {}
  TENON_INLINE static PlainLanes of(Words const& x) {
    return PlainLanes(std::bit_cast<Register<T, width>>(x));
  }
  TENON_INLINE Words words() const { return std::bit_cast<Words>(all); }

  TENON_INLINE friend PlainLanes operator+(PlainLanes const& a, PlainLanes const& b) {
    return of(a.words() + b.words());
  }
  TENON_INLINE friend PlainLanes operator-(PlainLanes const& a, PlainLanes const& b) {
    return of(a.words() - b.words());
  }
  TENON_INLINE friend PlainLanes operator*(PlainLanes const& a, PlainLanes const& b) {
    return of(a.words() * b.words());
  }
  TENON_INLINE friend PlainLanes operator/(PlainLanes const& a, PlainLanes const& b) {
    if constexpr (std::floating_point<T>) return of(a.words() / b.words());
    else {
      PlainLanes quotient = a;
      for (int i = 0; i < width; ++i)
        quotient.all[i] = intrinsics::divide(T(a.all[i]), T(b.all[i]));
      return quotient;
    }
  }
  TENON_INLINE friend PlainLanes operator-(PlainLanes const& a) { return of(-a.words()); }
};

/// Computes with registers no wider than required.
template <class T, int width>
struct PlainMachine {
  static constexpr int count = width;
  template <class>
  using vector = PlainLanes<T, width>;

  template <class P>
  TENON_INLINE static PlainLanes<T, width> taken(T const* from) {
    if constexpr (P::extent == 1) return *from;
    else if constexpr (P::is_in_order)
      return PlainLanes<T, width>(load_pieces<width, width>(from + P::first));
    else return PlainLanes<T, width>(taken_register<P, width>(from));
  }
  template <int>
  TENON_INLINE static void put(PlainLanes<T, width> const& x, T* to) {
    std::memcpy(to, &x.all, sizeof x.all);
  }
};
template <class T>
struct PlainMachine<T, 1> : ScalarMachine {
  template <class P>
  TENON_INLINE static T taken(T const* from) {
    return from[P::first];
  }
  template <int>
  TENON_INLINE static void put(T x, T* to) {
    *to = x;
  }
};

/// The remainder is computed in the chunks in which it is copied (see `InlineStorage`).
template <class T>
struct PlainMachines {
  template <int left>
  using For = PlainMachine<T, static_cast<int>(std::bit_floor((std::min)(
                                  static_cast<std::size_t>(left), register_bytes / sizeof(T))))>;
};

/// The positions of one part of the lanes.
template <class P, int width, int number>
struct PartPlaces {
  static constexpr int extent = P::extent;
  static constexpr LaneOrder<width> order = [] {
    LaneOrder<width> order{};
    for (std::size_t i = 0; i < order.size(); ++i)
      order[i] = P::order[static_cast<std::size_t>(number) * order.size() + i];
    return order;
  }();
};

/// Computes in lanes, whatever the op.
struct InlineMachine : CpuMachine {
  template <class P, class T>
  TENON_INLINE static Lanes<T> taken(T const* from) {
    if constexpr (P::extent == 1) return Lanes<T>(*from);
    else if constexpr (P::is_in_order && P::count == count) return load(from + P::first);
    else if constexpr (simd::Wide<T>)
      return taken_parts<P, T>(from, std::make_index_sequence<Lanes<T>::parts>());
    else {
      T element[count];
      for (int i = 0; i < count; ++i) element[i] = from[P::order[static_cast<std::size_t>(i)]];
      return load(element);
    }
  }
  template <int n, class T>
  TENON_INLINE static void put(Lanes<T> const& x, T* to) {
    if constexpr (n == count) store(x, to);
    else if constexpr (simd::Wide<T>) put_parts<n>(x, to);
    else {
      T element[count];
      store(x, element);
      for (int i = 0; i < n; ++i) to[i] = element[i];
    }
  }

 private:
  template <class T>
  using Part = Register<T, simd::width<T>>;

  template <class P, class T, std::size_t... p>
  TENON_INLINE static Lanes<T> taken_parts(T const* from, std::index_sequence<p...>) {
    constexpr int width = simd::width<T>;
    Lanes<T> x;
    ((x.part[p] = batch_of<T>(taken_register<PartPlaces<P, width, int{p}>, width>(from))), ...);
    return x;
  }
  template <class T>
  TENON_INLINE static simd::Batch<T> batch_of(Part<T> const& x) {
    using Native = typename simd::Batch<T>::register_type;
    return simd::Batch<T>(std::bit_cast<Native>(x));
  }
  template <int n, int p = 0, class T>
  TENON_INLINE static void put_parts(Lanes<T> const& x, T* to) {
    constexpr int width = simd::width<T>, left = n - p * width;
    using Native = typename simd::Batch<T>::register_type;
    store_pieces<width, (left < width ? left : width)>(
        std::bit_cast<Part<T>>(static_cast<Native>(x.part[p])), to + p * width);
    if constexpr (left > width) put_parts<n, p + 1>(x, to);
  }
};

template <int>
using LanesFor = InlineMachine;

/// Stores every element of an inline expression, row-major: elements that do not fill registers as
/// scalars; long code as loops.
template <class E, class T = typename E::value_type>
TENON_INLINE inline void fill_inline_map(E const& e, T* to) {
  if constexpr (is_plain<E> && RegisterNumber<T>)
    fill_groups<PlainMachines<T>::template For>(e, to);
  else if constexpr (is_plain<E>) fill_inline<ScalarMachine>(e, to);
  else if constexpr (InlineWalk<E>::elements <= 4 * InlineMachine::count)
    fill_groups<LanesFor>(e, to);
  else fill_inline<CpuMachine>(e, to);
}

}  // namespace tenon::internal
