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

/// What evaluation asks of a backend: four verbs, each given a settled recipe, which is a plan.
///
///   fill(e, out)              every element of e to out: loops, rows with folds, gathers
///   pull(e, adjoint, tape)    the adjoint of e to those of its leaves: the same, in reverse
///   contract(product, out)    a product, to a row-major result
///   pull_contract(product, adjoint, tape)
///
/// A faster verb that a backend offers beyond these is found by a `requires`.
template <class B>
concept Backend = requires(
    Tensor<float, "n", typename B::device> const& x,
    Contract<Tensor<float, "n k", typename B::device>, Tensor<float, "k m", typename B::device>,
             MatmulRule<Tensor<float, "n k", typename B::device>,
                        Tensor<float, "k m", typename B::device>>> const& p,
    MemoryAccess out, float* to, float const* from, Tape& tape) {
  B::fill(x, out);
  B::pull(x, out, tape);
  B::contract(p, to);
  B::pull_contract(p, from, tape);
};

}  // namespace tenon
