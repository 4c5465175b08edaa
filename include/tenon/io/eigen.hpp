#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include <tenon/core/mistake.hpp>
#include <tenon/core/rules/agree.hpp>
#include <tenon/expr/view.hpp>
#include <tenon/tensor/borrowed.hpp>

/// Interchange with Eigen, without copies: `view` of an Eigen object, `as_eigen` of a tensor. The
/// only header that includes Eigen; with CMake, `tenon::eigen` has its include path.
#if !__has_include(<Eigen/Core>)
#error \
    "tenon/io/eigen.hpp: expected Eigen 3.4 or newer (Debian: libeigen3-dev, -I/usr/include/eigen3)"
#endif
#include <Eigen/Core>

namespace tenon::compile_error {

/// An Eigen object has at most two axes.
template <Spec Operation, Spec Advice, Spec Shape>
struct eigen_has_two_axes;

}  // namespace tenon::compile_error

namespace tenon::internal {

/// A class whose base is `Base` of some class.
template <class M, template <class> class Base>
concept DerivedFromSome = requires(M const& x) { []<class D>(Base<D> const&) {}(x); };

/// A matrix, array or expression of Eigen.
template <class M>
concept EigenType = DerivedFromSome<M, Eigen::EigenBase>;

/// One with elements in memory, with strides: `Matrix`, `Array`, `Map`, `Ref`, blocks, transposes,
/// diagonals and the like.
template <class M>
concept EigenMemory = EigenType<M> && DerivedFromSome<M, Eigen::DenseBase> &&
                      (static_cast<unsigned>(M::Flags) & Eigen::DirectAccessBit) != 0;

/// One whose elements are freed with it. (A `Ref` to const may have made a copy.)
template <class M>
inline constexpr bool owns_elements = DerivedFromSome<M, Eigen::PlainObjectBase>;
template <class M, int Options, class Strides>
inline constexpr bool owns_elements<Eigen::Ref<M const, Options, Strides>> = true;

template <class M>
inline constexpr bool is_writable =
    !std::is_const_v<std::remove_reference_t<M>> &&
    (static_cast<unsigned>(Unqualified<M>::Flags) & Eigen::LvalueBit) != 0;

/// The sizes of an Eigen type as a shape: one axis for a vector if `rank` is 1, else two.
template <class M, int rank>
struct EigenShape {
  static constexpr bool is_vector = rank == 1 && M::IsVectorAtCompileTime;
  static constexpr Shape shape{
      {axis_of_size(is_vector ? M::SizeAtCompileTime : M::RowsAtCompileTime),
       axis_of_size(is_vector ? dynamic : M::ColsAtCompileTime)},
      is_vector ? 1 : 2};
};

/// Names the reason why an Eigen object has no view with this spec; `void` if it has one.
template <Spec S, class M, class X = Unqualified<M>>
constexpr auto eigen_view_mistake() {
  if constexpr (!ValidSpec<S>) return std::type_identity<ReadSpec<S>>{};
  else if constexpr (!EigenMemory<X>)
    return std::type_identity<
        error::expression_has_no_elements<"view", "evaluate it into a Matrix first">>{};
  else if constexpr (owns_elements<X> && !std::is_lvalue_reference_v<M>)
    return std::type_identity<
        error::temporary_has_no_lasting_elements<"view", "name the Eigen object first">>{};
  else if constexpr (!is_dtype<typename X::Scalar>)
    return std::type_identity<error::scalar_is_no_dtype<"view", typename X::Scalar>>{};
  else return unfit_view<ShapeOf<S>, EigenShape<X, ShapeOf<S>::shape.rank>>();
}

template <Spec S, class M>
using EigenViewMistake = typename decltype(eigen_view_mistake<S, M>())::type;

template <Spec S, class M>
concept HasEigenView = std::is_void_v<EigenViewMistake<S, M>>;

/// A view of the elements of an Eigen object without a copy, `view<"row column">(matrix)`: of a
/// `Matrix`, `Array`, `Map`, `Ref`, block, transpose or diagonal. A vector has one axis or two.
/// Sizes that Eigen's type has are static in the view; the others are checked against the spec:
/// throws `ShapeError`. `assign` may write it unless the object is const. The object must outlive
/// it: a temporary `Matrix` or `Array` does not compile. PyTorch: `from_numpy`.
template <Spec S, class M>
  requires EigenType<Unqualified<M>> && HasEigenView<S, M>
auto view(M&& matrix) {
  using X = Unqualified<M>;
  using Own = EigenShape<X, ShapeOf<ReadSpec<S>::canonical>::shape.rank>;
  using Sized = SizedBy<ReadSpec<S>::canonical, Own>;
  using T = typename X::Scalar;
  constexpr bool is_vector = Own::is_vector;
  Sizes sizes = unit_sizes(), strides{};
  sizes[0] = is_vector ? matrix.size() : matrix.rows();
  strides[0] = is_vector ? matrix.innerStride() : matrix.rowStride();
  if constexpr (!is_vector) sizes[1] = matrix.cols(), strides[1] = matrix.colStride();
  if constexpr (is_writable<M>)
    return MutableView<T, spec_of<Sized>>(matrix.data(), sizes, strides);
  else return View<T, spec_of<Sized>>(std::as_const(matrix).data(), sizes, strides);
}
template <Spec S, class M>
  requires EigenType<Unqualified<M>> && (!HasEigenView<S, M>)
auto view(M&& matrix) -> EigenViewMistake<S, M>;

/// The most bytes for which a tensor's static sizes are static in Eigen too, as it puts temporaries
/// of such types on the stack. (The default of Eigen's EIGEN_STACK_ALLOCATION_LIMIT.)
inline constexpr std::int64_t most_bytes_on_stack = 128 * 1024;

/// The static number of rows or columns of the Eigen type, or `Dynamic`.
constexpr int eigen_size(Shape const& shape, int axis, std::int64_t element_bytes) {
  if (axis >= shape.rank) return 1;
  bool const is_large =
      shape.is_static() &&
      count(static_sizes(shape), shape.rank) * element_bytes > most_bytes_on_stack;
  return is_large || !shape[axis].is_static() ? Eigen::Dynamic : static_cast<int>(shape[axis].size);
}

/// The Eigen type with the axes of a tensor or a view: row-major; a column for one axis.
template <class E>
struct EigenMatrixOf {
  using T = typename E::value_type;
  static constexpr int rows = eigen_size(E::shape, 0, sizeof(T));
  static constexpr int columns = eigen_size(E::shape, 1, sizeof(T));
  static constexpr bool is_column = columns == 1 && rows != 1;
  using type = Eigen::Matrix<T, rows, columns, is_column ? Eigen::ColMajor : Eigen::RowMajor>;
};
template <class E, class T>
using EigenMatrixWith =
    std::conditional_t<std::is_const_v<T>, typename EigenMatrixOf<E>::type const,
                       typename EigenMatrixOf<E>::type>;

/// A `Map` of the elements at `data`; of a view with its strides.
template <class E, class T>
auto map_elements(E const& x, T* data) {
  using M = EigenMatrixWith<E, T>;
  Sizes const sizes = x.sizes();
  if constexpr (TensorType<E>) {
    return Eigen::Map<M>(data, sizes[0], sizes[1]);
  } else {
    using Strides = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
    constexpr std::size_t inner = EigenMatrixOf<E>::is_column ? 0 : 1;
    Sizes const strides = x.strides();
    return Eigen::Map<M, Eigen::Unaligned, Strides>(data, sizes[0], sizes[1],
                                                    Strides(strides[1 - inner], strides[inner]));
  }
}

/// A `Map` that may write a tensor's elements as long as it exists. (Assigning to it assigns
/// elements: it writes where it did.)
template <class M>
struct WritingMap : M {
  WritingMap(M const& map, BufferWriter const& own) : M(map), writer(own) {}
  WritingMap(WritingMap const&) = default;
  WritingMap& operator=(WritingMap const& other) {
    M::operator=(other);
    return *this;
  }
  ~WritingMap() = default;
  using M::operator=;

  BufferWriter writer;
};

struct AsEigenName {
  static constexpr std::string_view name = "as_eigen";
  static constexpr bool with_strides = true;
};
struct AsMutableEigenName {
  static constexpr std::string_view name = "as_mutable_eigen";
  static constexpr bool with_strides = true;
  static constexpr Spec for_constants = "use as_eigen";
};

/// Names the reason why a tensor is no Eigen object; `void` if it is one.
template <class Name, class E, class X = Unqualified<E>>
constexpr auto as_eigen_mistake() {
  constexpr auto who = spec_of_name<Name>;
  if constexpr (!HasElements<X>) return lending_mistake<Name, E>();
  else if constexpr (X::device::is_host && HalfType<typename X::value_type>)
    return std::type_identity<
        error::dtype_is_not_supported<who, spec_of_dtype<typename X::value_type>>>{};
  else if constexpr (X::device::is_host && X::rank > 2)
    return std::type_identity<error::eigen_has_two_axes<who, "reshape it first", X::spec>>{};
  else return lending_mistake<Name, E>();
}
template <class Name, class E>
using AsEigenMistake = typename decltype(as_eigen_mistake<Name, E>())::type;

/// A tensor or a view of up to two axes as an `Eigen::Map` to const, without a copy: row-major,
/// with the static sizes up to 128 KiB; one axis is a column, a view has run-time strides. The
/// tensor must outlive the `Map` and not move; an expression, a temporary and 16-bit floats do not
/// compile. Throws `Error` for a recorded tensor. PyTorch: `x.numpy()`.
template <Expression E>
  requires std::is_void_v<AsEigenMistake<AsEigenName, E>>
auto as_eigen(E&& x) {
  if constexpr (TensorType<Unqualified<E>>) refuse_recorded("as_eigen", x.mark());
  return map_elements(x, std::as_const(x).data());
}
template <Expression E>
  requires(!std::is_void_v<AsEigenMistake<AsEigenName, E>>)
auto as_eigen(E&& x) -> AsEigenMistake<AsEigenName, E>;

/// The same, through which Eigen may write. Shared elements are copied first, and as long as the
/// `Map` exists copies of the tensor copy the elements, as with a `mutable_view`. Keep the `Map` as
/// long as a block, a transpose or an `Eigen::Ref` of it writes.
template <Expression E>
  requires std::is_void_v<AsEigenMistake<AsMutableEigenName, E>>
auto as_mutable_eigen(E&& x) {
  if constexpr (TensorType<Unqualified<E>>) refuse_recorded("as_mutable_eigen", x.mark());
  auto const map = map_elements(x, x.mutable_data());
  if constexpr (requires { x.storage().buffer; })
    return WritingMap(map, BufferWriter(x.storage().buffer));
  else return map;
}
template <Expression E>
  requires(!std::is_void_v<AsEigenMistake<AsMutableEigenName, E>>)
auto as_mutable_eigen(E&& x) -> AsEigenMistake<AsMutableEigenName, E>;

}  // namespace tenon::internal

namespace tenon {

using internal::as_eigen;
using internal::as_mutable_eigen;
using internal::view;

}  // namespace tenon
