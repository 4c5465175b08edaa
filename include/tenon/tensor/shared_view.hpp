#pragma once

#include <utility>

#include <tenon/tensor/view.hpp>

namespace tenon {

/// A view that owns a share of its memory, which is freed with the last copy of the view and of the
/// expressions with it. Read-only. A `View` copied from it owns nothing. NumPy: an array with a
/// `base`.
template <class T, Spec S, class D = Cpu>
class SharedView : public View<T, S, D> {
 public:
  constexpr SharedView(T const* data, internal::Sizes const& sizes, internal::Sizes const& strides,
                       internal::SharedBuffer owner)
      : View<T, S, D>(data, sizes, strides), owner_(std::move(owner)) {}

 private:
  internal::SharedBuffer owner_;
};

/// The same that `assign` may write.
template <class T, Spec S, class D = Cpu>
class MutableSharedView : public MutableView<T, S, D> {
 public:
  constexpr MutableSharedView(T* data, internal::Sizes const& sizes, internal::Sizes const& strides,
                              internal::SharedBuffer owner)
      : MutableView<T, S, D>(data, sizes, strides, internal::BufferWriter(std::move(owner))) {}
};

}  // namespace tenon

namespace tenon::internal {

template <class T, Spec S, class D>
inline constexpr bool is_view<SharedView<T, S, D>> = true;
template <class T, Spec S, class D>
inline constexpr bool is_view<MutableSharedView<T, S, D>> = true;

/// Whether a view's memory may be freed with it.
template <class X>
inline constexpr bool owns_memory = false;
template <class T, Spec S, class D>
inline constexpr bool owns_memory<SharedView<T, S, D>> = true;
template <class T, Spec S, class D>
inline constexpr bool owns_memory<MutableSharedView<T, S, D>> = true;

}  // namespace tenon::internal
