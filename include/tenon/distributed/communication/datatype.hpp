#pragma once

#include <complex>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>

#include <tenon/core/dtype.hpp>
#include <tenon/distributed/communication/session.hpp>
#include <tenon/op/reduction.hpp>

/// MPI datatypes and operations for dtypes and reductions.
namespace tenon::internal::mpi {

/// A contiguous datatype of `count` elements of another.
struct OwnType : Kept {
  MPI_Datatype handle = MPI_DATATYPE_NULL;

  OwnType(int count, MPI_Datatype of) {
    check(MPI_Type_contiguous(count, of, &handle), "datatype");
    check(MPI_Type_commit(&handle), "datatype");
  }
  ~OwnType() override { OwnType::release(); }
  void release() override {
    if (handle != MPI_DATATYPE_NULL && is_running()) MPI_Type_free(&handle);
    handle = MPI_DATATYPE_NULL;
  }
};

/// A user-defined commutative operation.
struct OwnOperation : Kept {
  MPI_Op handle = MPI_OP_NULL;

  explicit OwnOperation(MPI_User_function* combine) {
    check(MPI_Op_create(combine, 1, &handle), "operation");
  }
  ~OwnOperation() override { OwnOperation::release(); }
  void release() override {
    if (handle != MPI_OP_NULL && is_running()) MPI_Op_free(&handle);
    handle = MPI_OP_NULL;
  }
};

/// The predefined MPI datatype of a dtype; null if there is none.
template <class T>
MPI_Datatype named_type() {
  if constexpr (std::same_as<T, float>) return MPI_FLOAT;
  else if constexpr (std::same_as<T, double>) return MPI_DOUBLE;
  else if constexpr (std::same_as<T, bool>) return MPI_CXX_BOOL;
  else if constexpr (std::same_as<T, std::int8_t>) return MPI_INT8_T;
  else if constexpr (std::same_as<T, std::int16_t>) return MPI_INT16_T;
  else if constexpr (std::same_as<T, std::int32_t>) return MPI_INT32_T;
  else if constexpr (std::same_as<T, std::int64_t>) return MPI_INT64_T;
  else if constexpr (std::same_as<T, std::uint8_t>) return MPI_UINT8_T;
  else if constexpr (std::same_as<T, std::uint16_t>) return MPI_UINT16_T;
  else if constexpr (std::same_as<T, std::uint32_t>) return MPI_UINT32_T;
  else if constexpr (std::same_as<T, std::uint64_t>) return MPI_UINT64_T;
  else return MPI_DATATYPE_NULL;
}

/// The MPI datatype of any dtype, freed before MPI is finalised: 16-bit floats are two bytes,
/// complex numbers two reals.
template <ShapedType T>
MPI_Datatype type_of() {
  if constexpr (StorageType<T>) {
    return MPI_BYTE;
  } else if constexpr (HalfType<T> || ComplexType<T>) {
    static std::shared_ptr<OwnType> own;
    if (own && own->handle != MPI_DATATYPE_NULL) return own->handle;
    if constexpr (HalfType<T>) own = keep<OwnType>(2, MPI_BYTE);
    else own = keep<OwnType>(2, type_of<typename T::value_type>());
    return own->handle;
  } else {
    return named_type<T>();
  }
}

/// Combines two values as the reductions of this library do: 16-bit floats in float, NaN
/// propagates.
template <class Fold, class T>
T combined(T a, T b) {
  if constexpr (HalfType<T>)
    return static_cast<T>(Fold::f(static_cast<float>(a), static_cast<float>(b)));
  else return static_cast<T>(Fold::f(a, b));
}

template <class Fold, class T>
void combine_all(void* from, void* into, int* count, MPI_Datatype*) {
  T const* const x = static_cast<T const*>(from);
  T* const y = static_cast<T*>(into);
  for (int i = 0; i < *count; ++i) y[i] = combined<Fold>(x[i], y[i]);
}

/// The predefined MPI operation with the same semantics; null if there is none.
template <class Fold, class T>
MPI_Op named_operation() {
  constexpr bool is_plain = RealType<T> && !HalfType<T>;
  if constexpr (is_plain && std::same_as<Fold, op::sum>) return MPI_SUM;
  else if constexpr (is_plain && std::same_as<Fold, op::prod>) return MPI_PROD;
  else if constexpr (IntegerType<T> && std::same_as<Fold, op::max>) return MPI_MAX;
  else if constexpr (IntegerType<T> && std::same_as<Fold, op::min>) return MPI_MIN;
  else return MPI_OP_NULL;
}

/// The MPI operation of a reduction, freed before MPI is finalised.
template <class Fold, ShapedType T>
MPI_Op operation_of() {
  if (MPI_Op const named = named_operation<Fold, T>(); named != MPI_OP_NULL) return named;
  static std::shared_ptr<OwnOperation> own;
  if (!own || own->handle == MPI_OP_NULL) own = keep<OwnOperation>(&combine_all<Fold, T>);
  return own->handle;
}

}  // namespace tenon::internal::mpi
