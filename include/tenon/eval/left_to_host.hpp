#pragma once

#include <tenon/eval/by_host.hpp>
#include <tenon/eval/linalg/cholesky.hpp>
#include <tenon/eval/linalg/det.hpp>
#include <tenon/eval/linalg/eigh.hpp>
#include <tenon/eval/linalg/qr.hpp>
#include <tenon/eval/linalg/solve.hpp>
#include <tenon/eval/linalg/svd.hpp>
#include <tenon/eval/lines/replace.hpp>
#include <tenon/eval/lines/scan.hpp>
#include <tenon/eval/lines/sort.hpp>

/// What devices with memory of their own leave to the host: an overload for each function that
/// walks over elements itself.
namespace tenon {

template <DistantTensor R>
R cumsum_along(R const& x, int axis, bool reversed = false) {
  auto const op = [=](auto const& here) { return cumsum_along(here, axis, reversed); };
  return by_host<typename R::device>("cumsum", op, x);
}

template <DistantTensor R>
R cumprod_along(R const& x, int axis) {
  auto const op = [=](auto const& here) { return cumprod_along(here, axis); };
  return by_host<typename R::device>("cumprod", op, x);
}

template <TensorType R, DistantTensor E>
R ordered_places(E const& x, Sizes const& sizes, int axis, bool largest_first) {
  auto const op = [&](auto const& here) {
    return ordered_places<OnDevice<R, Cpu>>(here, sizes, axis, largest_first);
  };
  return by_host<typename E::device>("sort", op, x);
}

template <DistantTensor R, class P, class V>
R replaced_slices(R x, int axis, P const& positions, V const& value) {
  auto const op = [&](auto const& here, auto const& places, auto const& other) {
    return replaced_slices(here, axis, places, other);
  };
  return by_host<typename R::device>("set", op, x, positions, value);
}

template <TensorType R, DistantTensor A, TensorType B>
R solved(std::type_identity<R>, A const& a, B const& b) {
  auto const op = [](auto const& left, auto const& right) {
    return solved(std::type_identity<OnDevice<R, Cpu>>(), left, right);
  };
  return by_host<typename A::device>("solve", op, a, b);
}

template <TensorType R, DistantTensor A>
R inverted(std::type_identity<R>, A const& a) {
  auto const op = [](auto const& x) { return inverted(std::type_identity<OnDevice<R, Cpu>>(), x); };
  return by_host<typename A::device>("inverse", op, a);
}

template <TensorType R, DistantTensor A>
R cholesky_factor(std::type_identity<R>, A const& a) {
  auto const op = [](auto const& x) {
    return cholesky_factor(std::type_identity<OnDevice<R, Cpu>>(), x);
  };
  return by_host<typename A::device>("cholesky", op, a);
}

template <TensorType R, DistantTensor A>
R determinants(std::type_identity<R>, A const& a) {
  auto const op = [](auto const& x) {
    return determinants(std::type_identity<OnDevice<R, Cpu>>(), x);
  };
  return by_host<typename A::device>("det", op, a);
}

template <TensorType Q, TensorType R, DistantTensor A>
linalg::QR<Q, R> orthogonal_factors(std::type_identity<linalg::QR<Q, R>>, A const& a) {
  using Here = linalg::QR<OnDevice<Q, Cpu>, OnDevice<R, Cpu>>;
  auto const op = [](auto const& x) { return orthogonal_factors(std::type_identity<Here>(), x); };
  return by_host<typename A::device>("qr", op, a);
}

template <TensorType U, TensorType S, TensorType Vt, DistantTensor A>
linalg::SVD<U, S, Vt> singular_factors(std::type_identity<linalg::SVD<U, S, Vt>>, A const& a) {
  using Here = linalg::SVD<OnDevice<U, Cpu>, OnDevice<S, Cpu>, OnDevice<Vt, Cpu>>;
  auto const op = [](auto const& x) { return singular_factors(std::type_identity<Here>(), x); };
  return by_host<typename A::device>("svd", op, a);
}

template <TensorType Values, TensorType Vectors, DistantTensor A>
linalg::Eigen<Values, Vectors> symmetric_eigen(std::type_identity<linalg::Eigen<Values, Vectors>>,
                                               A const& a) {
  using Here = linalg::Eigen<OnDevice<Values, Cpu>, OnDevice<Vectors, Cpu>>;
  auto const op = [](auto const& x) { return symmetric_eigen(std::type_identity<Here>(), x); };
  return by_host<typename A::device>("eigh", op, a);
}

}  // namespace tenon
