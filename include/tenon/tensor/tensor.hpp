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
#include <tenon/core/shape.hpp>
#include <tenon/tensor/elements.hpp>
#include <tenon/tensor/expression.hpp>
#include <tenon/tensor/nested.hpp>
#include <tenon/tensor/unfit.hpp>

namespace tenon {

/// A value: dtype `T`, axes `S` (canonical, see `Float32`), device `D`. Copies share the elements;
/// writing copies them first if they are shared. A moved-from tensor is empty if it has run-time
/// sizes, else it throws `Error` until it is assigned to.
template <class T, Spec S, class D>
  requires internal::Canonical<S>
class Tensor : public internal::TensorBase<Tensor<T, S, D>, S.view().empty()>,
               internal::ElementsOfTensor<T, S, D> {
  using Carrier = internal::ShapeOf<S>;
  using Elements = internal::ElementsOfTensor<T, S, D>;
  using TapeMark = internal::TapeMark;

 public:
  using value_type = T;
  using device = D;
  using Sizes = internal::Sizes;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = internal::ShapeOf<S>::shape;
  static constexpr int rank = shape.rank;
  static constexpr bool holds_elements = internal::holds_elements<T, S, D>;
  static constexpr std::int64_t static_count = internal::static_count<S>;
  using Storage = typename Elements::Storage;

  /// Zeros; run-time axes have size 0.
  constexpr Tensor()
    requires holds_elements
  {}
  constexpr Tensor()
    requires(!holds_elements)
      : Elements(stored, static_count) {
    set_elements([](T* to) { std::fill_n(to, static_count, T{}); });
  }

  /// The one element of a scalar.
  constexpr Tensor(T value)
    requires(rank == 0)
      : Elements(stored, 1) {
    set_elements([&](T* to) { *to = value; });
  }

  /// Elements in braces: `Float32<"2 2">{{1, 2}, {3, 4}}`; run-time sizes are deduced from them.
  /// The compiler counts those of static vectors of 2 to 64 elements and of static matrices.
  constexpr Tensor(std::initializer_list<internal::Nested<T, (rank > 1 ? rank - 1 : 0)>> list)
    requires(rank > 0 && !internal::counts_elements<S> && !internal::counts_rows<S>)
      : Tensor(read<T>(list)) {
    set_elements([&](T* to) { internal::read_elements<T, rank>(list, sizes(), 0, to); });
  }
  using Elements::Elements;
  template <std::size_t... N>
    requires internal::FillsRows<S, N...>
  constexpr Tensor(internal::InBraces<T> const (&... rows)[N]) : Elements(stored, static_count) {
    set_elements([&](T* to) { ((to = std::copy_n(rows, N, to)), ...); });
  }
  template <std::convertible_to<internal::InBraces<T>>... I,
            class Wrong = typename internal::UnfitBraces<T, S, I...>::type>
  explicit(sizeof...(I) == 1) Tensor(I...) = delete;
  template <std::size_t... N, class Wrong = typename internal::UnfitRows<S, N...>::type>
  Tensor(internal::InBraces<T> const (&... rows)[N]) = delete;

  /// A copy of `elements`, row-major; the run-time sizes in order. Throws `ShapeError`.
  template <internal::ElementsOf<T> R = std::span<T const>, std::convertible_to<std::int64_t>... I>
  explicit Tensor(R const& range, I... run_time_sizes)
      : Tensor(uninitialised(with_run_time_sizes({static_cast<std::int64_t>(run_time_sizes)...}))) {
    std::span<T const> const elements = range;
    if (static_cast<std::int64_t>(elements.size()) != size())
      internal::refuse_count("", size(), "elements", elements.size());
    set_elements([&](T* to) { std::copy(elements.begin(), elements.end(), to); });
  }

  /// The value of an expression, or of a tensor whose axes agree. Does not broadcast. Run-time
  /// sizes are checked; throws `ShapeError`.
  template <internal::AssignableTo<Tensor> E>
  TENON_INLINE constexpr Tensor(E&& e)
      : Tensor(evaluate_once_as(std::type_identity<Tensor>{}, std::forward<E>(e))) {}
  /// The diagnostic overload. (For an overload set that differs only in the tensor parameter, an
  /// expression is ambiguous; `f(eval(x))` is not.)
  template <Expression E,
            class Wrong = typename internal::UnfitValue<Tensor, std::remove_cvref_t<E>>::type>
  Tensor(E&&) = delete;
  /// The same for an existing tensor: reuses its memory if it is not shared.
  template <internal::AssignableTo<Tensor> E>
  TENON_INLINE constexpr Tensor& operator=(E&& e) {
    constexpr std::type_identity<Tensor> type;
    if constexpr (holds_elements) return *this = evaluate_once_as(type, std::forward<E>(e));
    else return *this = evaluate_once_as(type, std::forward<E>(e), this);
  }
  template <Expression E,
            class Wrong = typename internal::UnfitValue<Tensor, std::remove_cvref_t<E>>::type>
  auto operator=(E&&) -> Wrong;
  /// Sizes are arguments of creation functions: `zeros<Float32<"a b">>(2, 3)`.
  template <std::integral... I,
            class Wrong = compile_error::sizes_are_no_elements<"zeros or braces", S>>
    requires(sizeof...(I) > (rank == 0 ? 1 : 0) && !internal::counts_elements<S>)
  explicit Tensor(I...) = delete;
  /// Declared only: the compiler reports the error itself instead of a failed conversion.
  template <internal::Mistake M>
  Tensor(M const&);

  /// Uninitialised elements; `sizes` are checked against the spec.
  static constexpr Tensor uninitialised(Sizes const& sizes) { return Tensor(sizes, checked{}); }
  static constexpr Tensor uninitialised()
    requires holds_elements
  {
    return Tensor(checked{});
  }

  /// A tensor over existing elements (shared, not copied).
  static Tensor adopt(internal::SharedBuffer buffer, Sizes const& sizes, TapeMark mark = {})
    requires(!holds_elements)
  {
    return Tensor(std::move(buffer), sizes, mark);
  }

  constexpr Sizes sizes() const {
    return run_time_.among(internal::static_sizes_of<Carrier>, internal::dynamic_axes_of<Carrier>);
  }
  constexpr auto const& run_time_sizes() const { return run_time_.value; }  ///< In order.
  constexpr std::int64_t size() const {
    if constexpr (shape.is_static()) return static_count;
    else return internal::count(sizes(), rank);
  }

  /// The elements, row-major, in the memory of the device. Throws `Error` where recorded.
  constexpr T const* data() const {
    internal::check_read(mark_);
    return storage_.data();
  }

  /// The elements for writing by the host, copied first if they are shared. The pointer is valid
  /// until the tensor is next copied, used in an expression, or assigned to: those share the
  /// elements, and a later write would change them too. Then call it again, or write through a
  /// `mutable_view`, with which copies stay apart. Throws `Error` where recorded.
  constexpr T* mutable_data()
    requires D::is_host
  {
    return own_memory();
  }
  /// The same for kernels, in the memory of the device.
  constexpr T* own_memory() {
    internal::check_written(mark_);
    return storage_.unshared(size());
  }

  /// The element at a position, a number. Throws `IndexError`, and `Error` for a recorded tensor:
  /// `x[i]` is a tensor with a gradient, `stop_gradient(x)(i)` a number. Use a
  /// returned reference at once: a write through it also changes copies made in the meantime.
  template <std::integral... I>
    requires internal::NamesElement<Tensor, I...>
  constexpr T operator()(I... indices) const {
    return element_at(position(indices...));
  }
  template <std::integral... I>
    requires(D::is_host && internal::NamesElement<Tensor, I...>)
  constexpr T& operator()(I... indices) {
    internal::check_read(mark_);
    return own_memory()[position(indices...)];
  }
  template <std::integral... I>
    requires(!internal::NamesElement<Tensor, I...>)
  auto operator()(I... indices) const
      -> compile_error::wrong_number_of_indices<S, rank, int{sizeof...(I)}>;

  /// The slice at an index of the first axis, as in PyTorch: `x[2]`, `x[-1]`.
  template <std::integral I>
    requires(rank > 0)
  constexpr auto operator[](I place) const {
    return take<0>(*this, place);
  }

  /// The element of a scalar, as in PyTorch.
  constexpr T item() const
    requires(rank == 0)
  {
    return element_at(0);
  }
  auto item() const -> compile_error::is_not_a_scalar<"item", S>
    requires(rank != 0);

  /// `write(elements)` sets all elements on the host; they are then copied to the device.
  template <class F>
  constexpr void set_elements(F const& write) {
    internal::check_written(mark_);
    storage_.set_elements(size(), write);
  }

  constexpr TapeMark mark() const { return mark_; }
  constexpr void set_mark(TapeMark mark) { mark_ = mark; }
  constexpr Storage const& storage() const { return storage_; }

  /// All sizes from those of the run-time axes, in order. Throws `ShapeError` for a wrong number.
  static constexpr Sizes with_run_time_sizes(std::initializer_list<std::int64_t> run_time) {
    return internal::sizes_from_run_time<Carrier>(S.view(), run_time);
  }

 private:
  friend struct internal::TensorPlaces;
  template <class X>
  using Cleared = std::conditional_t<holds_elements, X, internal::ClearedByMove<X>>;
  struct checked {};
  static constexpr internal::InStorage stored{};
  explicit constexpr Tensor(checked) : Elements(stored, static_count) {}
  constexpr Tensor(Sizes const& sizes, checked) : Elements(stored, elements_of(sizes)) {
    keep(sizes);
  }
  Tensor(internal::SharedBuffer buffer, Sizes const& sizes, TapeMark mark)
      : Elements(stored, std::move(buffer)), mark_(mark) {
    internal::check_sizes_of<Carrier>("Tensor", S.view(), sizes);
    keep(sizes);
  }

  static constexpr std::int64_t elements_of(Sizes const& sizes) {
    internal::check_sizes_of<Carrier>("Tensor", S.view(), sizes);
    if constexpr (holds_elements) return static_count;
    else
      return static_cast<std::int64_t>(
          internal::memory::bytes_of(std::span(sizes).first(rank), sizeof(T)) / sizeof(T));
  }

  template <class U>
  static constexpr Tensor read(
      std::initializer_list<internal::Nested<U, (rank > 1 ? rank - 1 : 0)>> list) {
    Sizes sizes = internal::unit_sizes();
    internal::read_sizes<T, rank>(list, sizes, 0);
    return uninitialised(sizes);
  }
  constexpr void keep(Sizes const& sizes) {
    run_time_.keep(sizes, internal::dynamic_axes_of<Carrier>);
  }
  constexpr T element_at(std::int64_t place) const {
    internal::check_read(mark_);
    if constexpr (D::is_host) return storage_.data()[place];
    else return storage_.element(place);
  }

  template <class... I>
  constexpr std::int64_t position(I... indices) const {
    return internal::checked_place(sizes(), static_cast<std::int64_t>(indices)...);
  }

  using Elements::storage_;
  [[no_unique_address]] Cleared<internal::RunTimeSizes<internal::dynamic_axes(shape), Tensor>>
      run_time_{};
  Cleared<TapeMark> mark_{};
};

}  // namespace tenon
