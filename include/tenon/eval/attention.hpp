#pragma once

#include <cstdint>
#include <utility>

#include <tenon/eval/backend.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/op/philox.hpp>

/// Attention as a single operation, for backends that implement it.
namespace tenon::internal {

/// The sizes of softmax(scale q kᵀ) v. All tensors are "batch position head feature", row-major;
/// `rows` is the number of batches times that of heads. Causal: a query attends to the keys up to
/// its own position.
struct AttentionNumbers {
  std::int64_t rows, heads, queries, keys, width;
  bool is_causal;
  double scale;
};

/// A mask "batch head query key" by its strides, in elements: Boolean, true where a key is seen, or
/// of the dtype of the scores, to which it is added. On the host only.
struct AttentionMask {
  void const* data = nullptr;
  bool is_boolean = false;
  std::int64_t batch = 0, head = 0, query = 0, key = 0;
};
/// Dropout of the weights "batch head query key": the weight at word i of a key's stream of random
/// words, in their order, is kept where the word is below `bound`, and multiplied by `factor`. On
/// the host only.
struct AttentionDropout {
  op::PhiloxKey key{};
  std::uint64_t bound = std::uint64_t{1} << 32;
  double factor = 1;
};
/// What backends on the host compute besides: dropout; a mask; heads of keys that each serve
/// several heads of queries (0: as many as those); with fewer queries than keys the last queries
/// end with the last keys.
struct AttentionOptions {
  AttentionMask mask{};
  std::int64_t key_heads = 0;
  AttentionDropout dropout{};
};

/// The memory that attention reads and writes: `log_sums` are the logarithms of the sums of
/// exponentials, one for each query of each head, which its backward needs.
template <class T>
struct AttentionMemory {
  T const* q;
  T const* k;
  T const* v;
  T* out;
  Computed<T>* log_sums;
};

/// Where its backward accumulates adjoints; null where none is needed. Where `is_new` is set, the
/// memory is uninitialised.
template <class T>
struct AttentionAdjoints {
  struct Place {
    Computed<T>* to;
    bool is_new;
  };
  Computed<T> const* of_result;
  Place q, k, v;
};

/// Whether a device has a kernel for attention of tensors of this type that does not store the
/// scores.
template <class Q>
concept AttendsAtOnce = BackendOf<typename Q::device>::template attends<typename Q::value_type>;

/// The tape entry of attention: of the scores it stores one number per query.
template <class Q, class K, class LogSums>
struct AttentionStep {
  using T = typename Q::value_type;
  using D = typename Q::device;

  AttentionNumbers numbers;
  Q q;
  K k, v;
  Q out;
  LogSums log_sums;
  AttentionOptions options{};
  SharedBuffer mask{};

  void operator()(Tape& tape, std::byte const* adjoint) const {
    auto const* const from = reinterpret_cast<Computed<T> const*>(adjoint);
    auto const place_of = [&](auto const& operand) -> typename AttentionAdjoints<T>::Place {
      bool is_new = false;
      auto* const to = tape.gradient_of<D>(operand.mark(), operand.size(), sizeof(*from), is_new);
      return {reinterpret_cast<Computed<T>*>(to), is_new};
    };
    hold();
    auto const own_q = place_of(q), own_k = place_of(k), own_v = place_of(v);
    AttentionAdjoints<T> const adjoints{from, own_q, own_k, own_v};
    if constexpr (D::is_host)
      BackendOf<D>::backward_attention(numbers, memory(), adjoints, options);
    else BackendOf<D>::backward_attention(numbers, memory(), adjoints);
  }
  void compute() const {
    hold();
    if constexpr (D::is_host) BackendOf<D>::attend(numbers, memory(), options);
    else BackendOf<D>::attend(numbers, memory());
  }

 private:
  /// Keeps the memory that is read and written alive as long as a recording of kernels.
  void hold() const {
    if constexpr (D::is_host) return;
    else if (auto* const lender = DeviceLender<D>::current)
      for (SharedBuffer const& buffer : {q.storage().buffer, k.storage().buffer, v.storage().buffer,
                                         out.storage().buffer, log_sums.storage().buffer})
        lender->hold(buffer);
  }
  AttentionMemory<T> memory() const {
    return {stored_elements(q), stored_elements(k), stored_elements(v),
            const_cast<T*>(stored_elements(out)),
            const_cast<Computed<T>*>(stored_elements(log_sums))};
  }
};

/// Whether any of these depends on what this thread records. Every one is checked.
template <TensorType... X>
bool any_depends_on_recording(X const&... x) {
  bool found = false;
  ((found = depends_on_recording(x) || found), ...);
  return found;
}
/// The same, and whether higher derivatives may be requested.
template <TensorType... X>
bool any_joins_graph(X const&... x) {
  return graph::is_open() && any_depends_on_recording(x...);
}

/// The value of an expression of any dtype, where derivatives of its derivatives may be requested.
template <TensorType R, class E>
R rounded_in_graph(E const& e) {
  if constexpr (is_rounded<E>) return value_in_graph<R>(rounded(e));
  else return value_in_graph<R>(e);
}

/// Appends the step that made `result` to the tape of this thread.
template <TensorType R, class Step>
void record_step(R& result, Step step) {
  Tape& tape = *Tape::current();
  result.set_mark(tape.new_slot());
  tape.record(result.mark(), std::move(step));
}

/// Attention by the backend's own kernel, recorded as one step. `mask` is the memory of that of the
/// options.
template <TensorType Q, TensorType K>
  requires AttendsAtOnce<Q>
Q attended_at_once(AttentionNumbers const& numbers, Q const& q, K const& k, K const& v,
                   AttentionOptions const& options = {}, SharedBuffer const& mask = {}) {
  using LogSums = Tensor<Computed<typename Q::value_type>, "row", typename Q::device>;
  AttentionStep<Q, K, LogSums> step{numbers,
                                    q,
                                    k,
                                    v,
                                    Q::uninitialised(q.sizes()),
                                    LogSums::uninitialised({numbers.rows * numbers.queries}),
                                    options,
                                    mask};
  step.compute();
  ++kernels_run;
  Q result = step.out;
  if (any_depends_on_recording(q, k, v)) record_step(result, std::move(step));
  return result;
}

}  // namespace tenon::internal

namespace tenon {

using internal::AttentionAdjoints;
using internal::AttentionMemory;
using internal::AttentionNumbers;

}  // namespace tenon
