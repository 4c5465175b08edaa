#pragma once

#include <concepts>

#include <tenon/eval/access.hpp>
#include <tenon/eval/tape/tape.hpp>
#include <tenon/expr/contract/matmul.hpp>

namespace tenon {

/// The backend that computes for a device; specialised where the backend is written.
template <class Device>
struct BackendFor;

template <class Device>
using BackendOf = typename BackendFor<Device>::type;

/// What evaluation asks of a backend: two verbs, each given a settled recipe, which is a plan.
///
///   fill(e, out)              every element of e to out: loops, rows with folds, gathers
///   contract(product, out)    a product, to a row-major result
///
/// A faster verb that a backend offers beyond these is found by a `requires`.
template <class B>
concept Backend = requires(
    Tensor<float, "n", typename B::device> const& x,
    Contract<Tensor<float, "n k", typename B::device>, Tensor<float, "k m", typename B::device>,
             MatmulRule<Tensor<float, "n k", typename B::device>,
                        Tensor<float, "k m", typename B::device>>> const& p,
    MemoryAccess out, float* to) {
  B::fill(x, out);
  B::contract(p, to);
};

/// And what differentiation asks of it, the same in reverse:
///
///   pull(e, adjoint, tape)    adds the adjoint of e to those of its leaves
///   pull_contract(product, adjoint, tape)
template <class B>
concept DifferentiatingBackend =
    Backend<B> &&
    requires(
        Tensor<float, "n", typename B::device> const& x,
        Contract<Tensor<float, "n k", typename B::device>, Tensor<float, "k m", typename B::device>,
                 MatmulRule<Tensor<float, "n k", typename B::device>,
                            Tensor<float, "k m", typename B::device>>> const& p,
        MemoryAccess out, float const* from, Tape& tape) {
      B::pull(x, out, tape);
      B::pull_contract(p, from, tape);
    };

}  // namespace tenon
