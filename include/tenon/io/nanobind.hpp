#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/io/dlpack.hpp>

/// Functions of tensors in Python modules of nanobind, without copies. A parameter of type `View`
/// or `MutableView` takes an array of NumPy, PyTorch, JAX, CuPy or any other with DLPack or the
/// buffer protocol, during the call; `SharedView` and `MutableSharedView` may be kept; a parameter
/// of type `Tensor` copies the elements. A `Tensor` is returned as an array of NumPy that shares
/// its elements (of `bfloat16` or a device: an object with DLPack).
#if !__has_include(<nanobind/ndarray.h>)
#error "tenon/io/nanobind.hpp: expected nanobind 2.10 or newer (CMake: nanobind_add_module)"
#endif
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

namespace tenon::internal {

/// An array of Python of any dtype; writable or not.
template <bool writable>
using PythonArray =
    std::conditional_t<writable, nanobind::ndarray<>, nanobind::ndarray<nanobind::ro>>;

/// The layout of an `R` in an array of Python, after all checks.
template <TensorType R, class A>
interchange::Layout layout_of_array(A const& array) {
  auto const type = array.dtype();
  dlpack::DLTensor const given{const_cast<void*>(static_cast<void const*>(array.data())),
                               {array.device_type(), array.device_id()},
                               static_cast<std::int32_t>(array.ndim()),
                               {type.code, type.bits, type.lanes},
                               const_cast<std::int64_t*>(array.shape_ptr()),
                               const_cast<std::int64_t*>(array.stride_ptr()),
                               0};
  interchange::Layout const layout = interchange::layout_of(given, wanted_of_dlpack<R>);
  check_sizes_of<R>("from_dlpack", R::spec.view(), layout.sizes);
  return layout;
}

/// An array of Python as a parameter of type `V`; a shared view owns a share of the array.
template <class V, class A>
V parameter(A const& array) {
  using T = typename V::value_type;
  using R = Tensor<T, V::spec, typename V::device>;
  interchange::Layout const layout = layout_of_array<R>(array);
  auto* const data = static_cast<T*>(layout.data);
  if constexpr (owns_memory<V>) {  // g++ warns: types of nanobind are hidden
    std::shared_ptr<void> owner = std::make_shared<A>(array);
    return V(data, layout.sizes, layout.strides, SharedBuffer::adopt(data, 0, std::move(owner)));
  } else if constexpr (is_view<V>) {
    return V(data, layout.sizes, layout.strides);
  } else {
    return V(View<T, V::spec, typename V::device>(data, layout.sizes, layout.strides));
  }
}

/// An array of Python that owns a tensor.
template <class Framework, bool is_read_only, TensorType X>
nanobind::handle array_of(std::unique_ptr<X> own, nanobind::detail::cleanup_list* cleanup) {
  using T = typename X::value_type;
  using Data = std::conditional_t<is_read_only, void const, void>;
  using A = std::conditional_t<is_read_only, nanobind::ndarray<Framework, nanobind::ro>,
                               nanobind::ndarray<Framework>>;
  constexpr dlpack::DLDataType type = interchange::dtype_of<T>;
  constexpr dlpack::DLDevice device = interchange::device_of<typename X::device>;
  std::array<std::size_t, max_rank> sizes{};
  for (int i = 0; i < X::rank; ++i)
    sizes[static_cast<std::size_t>(i)] = static_cast<std::size_t>(at(own->sizes(), i));
  Data* const data = const_cast<T*>(stored_elements(*own));
  nanobind::capsule const owner(own.get(), [](void* x) noexcept { delete static_cast<X*>(x); });
  (void)own.release();
  A const array(data, static_cast<std::size_t>(X::rank), sizes.data(), owner, nullptr,
                {type.code, type.bits, type.lanes}, device.device_type, device.device_id, 'C');
  return nanobind::detail::make_caster<A>::from_cpp(array, nanobind::rv_policy::automatic, cleanup);
}

/// A tensor as an array of Python: read-only if others share its elements.
template <class E>
nanobind::handle returned(E&& x, nanobind::detail::cleanup_list* cleanup) {
  using X = Unqualified<E>;
  using D = typename X::device;
  using T = typename X::value_type;
  constexpr bool is_numpy = D::is_host && !std::is_same_v<T, bfloat16> && !StorageType<T>;
  using Framework = std::conditional_t<is_numpy, nanobind::numpy, nanobind::array_api>;
  refuse_recorded("to_dlpack", x.mark());
  if constexpr (requires { D::synchronise(); }) D::synchronise();
  auto own = owns_alone(x) ? std::make_unique<X>(std::forward<E>(x))
                           : std::make_unique<X>(std::as_const(x));
  return owns_alone(*own) ? array_of<Framework, false>(std::move(own), cleanup)
                          : array_of<Framework, true>(std::move(own), cleanup);
}

/// A type of a parameter, for signatures: `Annotated[ArrayLike, "float32 row column=3"]`.
template <class V>
constexpr auto python_name() {
  constexpr std::string_view type = dtype_name<typename V::value_type>;
  constexpr auto text = [=] {
    std::array<char, type.size() + V::spec.view().size() + 2> all{};
    auto const next = std::copy(type.begin(), type.end(), all.begin());
    *next = ' ';
    std::copy(V::spec.view().begin(), V::spec.view().end(), next + 1);
    return all;
  }();
  nanobind::detail::descr<text.size() - 1> words;
  std::copy(text.begin(), text.end(), words.text);
  return nanobind::detail::const_name("typing.Annotated[numpy.typing.ArrayLike, \"") + words +
         nanobind::detail::const_name("\"]");
}

/// The conversion of a parameter: the array is kept during the call, and checked when the function
/// is called, so that Python gets the message of an error.
template <class V, bool writable>
struct [[gnu::visibility("hidden")]] PythonParameter {  // as nanobind is
  using Array = PythonArray<writable>;
  static constexpr auto Name = python_name<V>();
  template <class>
  using Cast = V;
  template <class>
  static constexpr bool can_cast() {
    return true;
  }

  bool from_python(nanobind::handle source, auto flags,
                   nanobind::detail::cleanup_list* cleanup) noexcept {
    return array_.from_python(source, flags, cleanup);
  }
  operator V() { return parameter<V>(array_.value); }

 private:
  nanobind::detail::make_caster<Array> array_;
};

/// Errors of Tenon in Python: `ShapeError` and `ValueError` are ValueError, `IndexError` is
/// IndexError, `FileError` is OSError, all others RuntimeError. Call it in `NB_MODULE`.
inline void register_python_errors() {
  nanobind::register_exception_translator([](std::exception_ptr const& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (ShapeError const& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (ValueError const& error) {
      PyErr_SetString(PyExc_ValueError, error.what());
    } catch (IndexError const& error) {
      PyErr_SetString(PyExc_IndexError, error.what());
    } catch (FileError const& error) {
      PyErr_SetString(PyExc_OSError, error.what());
    }
  });
}

}  // namespace tenon::internal

namespace tenon {

using internal::register_python_errors;

}  // namespace tenon

namespace nanobind::detail {

template <class T, tenon::Spec S, class D>
struct type_caster<tenon::View<T, S, D>>
    : tenon::internal::PythonParameter<tenon::View<T, S, D>, false> {};

template <class T, tenon::Spec S, class D>
struct type_caster<tenon::SharedView<T, S, D>>
    : tenon::internal::PythonParameter<tenon::SharedView<T, S, D>, false> {};

template <class T, tenon::Spec S, class D>
struct type_caster<tenon::MutableView<T, S, D>>
    : tenon::internal::PythonParameter<tenon::MutableView<T, S, D>, true> {};

template <class T, tenon::Spec S, class D>
struct type_caster<tenon::MutableSharedView<T, S, D>>
    : tenon::internal::PythonParameter<tenon::MutableSharedView<T, S, D>, true> {};

template <class T, tenon::Spec S, class D>
struct type_caster<tenon::Tensor<T, S, D>>
    : tenon::internal::PythonParameter<tenon::Tensor<T, S, D>, false> {
  template <class E>
  static handle from_cpp(E&& x, rv_policy, cleanup_list* cleanup) noexcept {
    try {
      return tenon::internal::returned(std::forward<E>(x), cleanup);
    } catch (std::exception const& error) {
      PyErr_SetString(PyExc_RuntimeError, error.what());
      return {};
    }
  }
};

}  // namespace nanobind::detail
