#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/core/format.hpp>
#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/broadcast.hpp>
#include <tenon/core/rules/limits.hpp>
#include <tenon/core/spec.hpp>
#include <tenon/tensor/device_storage.hpp>
#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/mark.hpp>
#include <tenon/tensor/nested.hpp>
#include <tenon/tensor/unfit.hpp>

namespace tenon {

/// Where the shape of a spec is kept: one parse for each spec of a program.
template <Spec S>
struct ShapeOf {
  static constexpr Shape shape = parse(S.view()).shape;
};

/// A value: dtype `T`, axes `S` (canonical, see `Float32`), device `D`.
/// Copying shares the elements; writing copies them first if they are shared.
template <class T, Spec S, class D>
  requires Canonical<S>
class Tensor {
 public:
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;
  static constexpr int rank = shape.rank;
  static constexpr bool holds_elements = D::is_host && is_inline(shape, sizeof(T));
  static constexpr std::int64_t static_count = count(static_sizes(shape), rank);
  using Storage = typename StorageOf<T, D, holds_elements, static_count>::type;

  /// Zeros; run-time axes have size 0.
  constexpr Tensor()
    requires holds_elements
  {}
  constexpr Tensor()
    requires(!holds_elements)
      : storage_(static_count) {
    set_elements([](T* to) { std::fill_n(to, static_count, T{}); });
  }

  /// The one element of a scalar.
  constexpr Tensor(T value)
    requires(rank == 0)
      : storage_(1) {
    set_elements([&](T* to) { *to = value; });
  }

  /// Elements in braces: `Float32<"2 2">{{1, 2}, {3, 4}}`; run-time sizes are read off them.
  constexpr Tensor(std::initializer_list<Nested<T, (rank > 1 ? rank - 1 : 0)>> list)
    requires(rank > 0)
      : Tensor(read<T>(list)) {
    set_elements([&](T* to) { read_elements<T, rank>(list, sizes(), 0, to); });
  }

  /// A copy of `elements`, row-major; the run-time sizes in order. Throws `ShapeError`.
  template <std::convertible_to<std::int64_t>... I>
  explicit Tensor(std::span<T const> elements, I... run_time_sizes)
      : Tensor(uninitialised(with_run_time_sizes({static_cast<std::int64_t>(run_time_sizes)...}))) {
    if (static_cast<std::int64_t>(elements.size()) != size()) {
      throw ShapeError("tenon::Tensor: expected " + std::to_string(size()) + " elements, got " +
                       std::to_string(elements.size()));
    }
    set_elements([&](T* to) { std::copy(elements.begin(), elements.end(), to); });
  }

  /// The value of a recipe, or of a tensor whose axes agree. Does not broadcast. Sizes known only
  /// at run time are checked; throws `ShapeError`.
  template <Expression E>
    requires(!std::same_as<Unqualified<E>, Tensor> && Assignable<Tensor, Unqualified<E>>)
  [[gnu::always_inline]] constexpr Tensor(E&& e)
      : Tensor(evaluate_once_as(std::type_identity<Tensor>{}, std::forward<E>(e))) {}
  /// The twin that names the mistake. (Among functions that differ only in the tensor they take a
  /// recipe finds several; its value, `f(eval(x))`, finds the one.)
  template <Expression E, class Wrong = typename UnfitValue<Tensor, Unqualified<E>>::type>
  Tensor(E&&) = delete;
  /// The same for a tensor that is there already: into its memory, where nobody else has that.
  template <Expression E>
    requires(!std::same_as<Unqualified<E>, Tensor> && Assignable<Tensor, Unqualified<E>>)
  [[gnu::always_inline]] constexpr Tensor& operator=(E&& e) {
    constexpr std::type_identity<Tensor> type;
    if constexpr (holds_elements) return *this = evaluate_once_as(type, std::forward<E>(e));
    else return *this = evaluate_once_as(type, std::forward<E>(e), this);
  }
  /// Declared only: what is said of a mistaken value is its mistake, not that it does not convert.
  template <Mistake M>
  Tensor(M const&);

  /// Elements without values; `sizes` are checked against the spec.
  static constexpr Tensor uninitialised(Sizes const& sizes) { return Tensor(sizes, checked{}); }
  static constexpr Tensor uninitialised()
    requires holds_elements
  {
    return Tensor(checked{});
  }

  /// A tensor over elements that exist already (and are shared, not copied).
  static Tensor adopt(SharedBuffer buffer, Sizes const& sizes, TapeMark mark = {})
    requires(!holds_elements)
  {
    return Tensor(std::move(buffer), sizes, mark);
  }

  constexpr Sizes sizes() const {
    return run_time_.among(static_sizes_of<ShapeOf<S>>, dynamic_axes_of<ShapeOf<S>>);
  }
  constexpr std::int64_t size() const {
    if constexpr (shape.is_static()) return static_count;
    else return count(sizes(), rank);
  }

  /// The elements, row-major, in the memory of the device.
  constexpr T const* data() const { return storage_.data(); }

  /// The elements, to be written by the host. Throws `Error` where they are part of a recording.
  constexpr T* mutable_data()
    requires D::is_host
  {
    return own_memory();
  }
  /// The same in the memory of the device, for its kernels.
  constexpr T* own_memory() {
    refuse_recorded();
    return storage_.unshared(size());
  }

  /// The element at a position, one index for each axis. Throws `IndexError`.
  template <std::integral... I>
    requires NamesElement<Tensor, I...>
  constexpr T operator()(I... indices) const {
    return element_at(position(indices...));
  }
  template <std::integral... I>
    requires(D::is_host && NamesElement<Tensor, I...>)
  constexpr T& operator()(I... indices) {
    return mutable_data()[position(indices...)];
  }
  template <std::integral... I>
    requires(!NamesElement<Tensor, I...>)
  auto operator()(I... indices) const -> error::wrong_number_of_indices<S, rank, int{sizeof...(I)}>;

  /// The part at a place of the first axis, as in PyTorch: `x[2]`, `x[-1]`.
  template <std::integral I>
    requires(rank > 0)
  constexpr auto operator[](I place) const {
    return take<0>(*this, place);
  }

  /// The one element of a scalar, as in PyTorch.
  constexpr T item() const
    requires(rank == 0)
  {
    return element_at(0);
  }
  auto item() const -> error::is_not_a_scalar<"item", S>
    requires(rank != 0);

  /// Lets `write(elements)` set all elements on the host, from where they go to the device.
  template <class F>
  constexpr void set_elements(F const& write) {
    refuse_recorded();
    storage_.set_elements(size(), write);
  }

  constexpr TapeMark mark() const { return mark_; }
  constexpr void set_mark(TapeMark mark) { mark_ = mark; }
  constexpr Storage const& storage() const { return storage_; }

  /// All sizes from those of the run-time axes, in order. Throws `ShapeError` for a wrong number.
  static constexpr Sizes with_run_time_sizes(std::initializer_list<std::int64_t> run_time) {
    if (static_cast<int>(run_time.size()) != dynamic_axes(shape)) {
      throw ShapeError("tenon::Tensor: \"" + std::string(S.view()) + "\": expected " +
                       std::to_string(dynamic_axes(shape)) + " run-time sizes, got " +
                       std::to_string(run_time.size()));
    }
    Sizes sizes = static_sizes_of<ShapeOf<S>>;
    auto next = run_time.begin();
    for (int const axis : dynamic_axes_of<ShapeOf<S>>) at(sizes, axis) = *next++;
    return sizes;
  }

 private:
  struct checked {};
  explicit constexpr Tensor(checked) : storage_(static_count) {}
  constexpr Tensor(Sizes const& sizes, checked) : storage_(elements_of(sizes)) { keep(sizes); }
  Tensor(SharedBuffer buffer, Sizes const& sizes, TapeMark mark)
      : storage_(std::move(buffer)), mark_(mark) {
    check_sizes_of<ShapeOf<S>>("Tensor", S.view(), sizes);
    keep(sizes);
  }

  static constexpr std::int64_t elements_of(Sizes const& sizes) {
    check_sizes_of<ShapeOf<S>>("Tensor", S.view(), sizes);
    if constexpr (holds_elements) return static_count;
    else
      return static_cast<std::int64_t>(memory::bytes_of(std::span(sizes).first(rank), sizeof(T)) /
                                       sizeof(T));
  }

  template <class U>
  static constexpr Tensor read(std::initializer_list<Nested<U, (rank > 1 ? rank - 1 : 0)>> list) {
    Sizes sizes = ones();
    read_sizes<T, rank>(list, sizes, 0);
    return uninitialised(sizes);
  }
  constexpr void keep(Sizes const& sizes) { run_time_.keep(sizes, dynamic_axes_of<ShapeOf<S>>); }

  constexpr void refuse_recorded() const {
    if (is_recorded(mark_))
      throw Error("tenon::Tensor: a recorded tensor cannot be written; read it as const");
  }
  constexpr T element_at(std::int64_t place) const {
    if constexpr (D::is_host) return data()[place];
    else return storage_.element(place);
  }

  template <class... I>
  constexpr std::int64_t position(I... indices) const {
    ElementIndex const index{static_cast<std::int64_t>(indices)...};
    Sizes const now = sizes();
    check_index(index, now, rank);
    return offset(row_major(now, rank), index, rank);
  }

  Storage storage_;
  [[no_unique_address]] RunTimeSizes<dynamic_axes(shape), Tensor> run_time_{};
  TapeMark mark_{};
};

template <class E>
inline constexpr bool is_tensor = false;
template <class T, Spec S, class D>
inline constexpr bool is_tensor<Tensor<T, S, D>> = true;

template <class E>
concept TensorType = is_tensor<E>;

}  // namespace tenon
