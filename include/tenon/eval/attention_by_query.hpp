#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include <tenon/eval/attention.hpp>
#include <tenon/op/exponential.hpp>

/// Attention on the host, one query after the other. A matmul over all keys multiplies masked keys
/// by 0, and 0 * NaN is NaN. Where keys or values are not finite, this version reads for each query
/// only the keys that it attends to; and a query without an adjoint passes nothing on.
namespace tenon::internal {

/// Whether no element is NaN or infinite. (In integers and blocks of constant length, so that the
/// inner loop is vectorised wherever it is compiled.)
template <class T>
bool all_finite(T const* x, std::int64_t count) {
  using Wide = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
  using Bits = std::conditional_t<sizeof(T) == 2, std::uint16_t, Wide>;
  constexpr auto infinite = std::bit_cast<Bits>(T(std::numeric_limits<double>::infinity()));
  constexpr std::int64_t together = 16;
  std::array<Bits, together> largest{};
  auto const look = [&](std::int64_t i, std::size_t lane) {
    auto const exponent = static_cast<Bits>(std::bit_cast<Bits>(x[i]) & infinite);
    largest[lane] = (std::max)(largest[lane], exponent);
  };
  std::int64_t i = 0;
  for (; i + together <= count; i += together)
    for (std::int64_t j = 0; j < together; ++j) look(i + j, static_cast<std::size_t>(j));
  for (; i < count; ++i) look(i, 0);
  return *std::max_element(largest.begin(), largest.end()) != infinite;
}

/// One head of one batch element: its positions are `step` elements apart.
template <class T>
struct AttentionHead {
  using R = Computed<T>;
  using Adjoints = AttentionAdjoints<T>;

  AttentionNumbers const& numbers;
  AttentionMemory<T> memory;
  std::int64_t first_query, first_key, step;
  R* weights;  ///< Space for one weight per key.

  AttentionHead(AttentionNumbers const& n, AttentionMemory<T> const& m, std::int64_t row, R* room)
      : numbers(n), memory(m), step(n.heads * n.width), weights(room) {
    std::int64_t const batch = row / n.heads, head = row % n.heads * n.width;
    first_query = batch * n.queries * step + head;
    first_key = batch * n.keys * step + head;
  }

  std::int64_t query(std::int64_t i) const { return first_query + i * step; }
  std::int64_t key(std::int64_t j) const { return first_key + j * step; }
  std::int64_t seen(std::int64_t i) const {
    return numbers.is_causal ? (std::min)(i + 1, numbers.keys) : numbers.keys;
  }

  template <class A>
  R dot(A const* a, T const* b) const {
    R sum = 0;
    for (std::int64_t f = 0; f < numbers.width; ++f)
      sum += static_cast<R>(a[f]) * static_cast<R>(b[f]);
    return sum;
  }
  template <class A>
  void add_to(R* sum, R factor, A const* x) const {
    if (sum == nullptr) return;
    for (std::int64_t f = 0; f < numbers.width; ++f) sum[f] += factor * static_cast<R>(x[f]);
  }
  static R* at(typename Adjoints::Place const& place, std::int64_t element) {
    return place.to == nullptr ? nullptr : place.to + element;
  }

  /// The weights of the keys that query i attends to.
  [[gnu::cold]] void weigh(std::int64_t i) const {
    R most = -std::numeric_limits<R>::infinity(), total = 0;
    for (std::int64_t j = 0; j < seen(i); ++j) {
      weights[j] = dot(memory.q + query(i), memory.k + key(j)) * static_cast<R>(numbers.scale);
      most = intrinsics::maximum(most, weights[j]);
    }
    for (std::int64_t j = 0; j < seen(i); ++j) total += weights[j] = op::Exp::f(weights[j] - most);
    for (std::int64_t j = 0; j < seen(i); ++j) weights[j] /= total;
  }

  [[gnu::cold]] void gather(std::int64_t i) const {
    weigh(i);
    for (std::int64_t f = 0; f < numbers.width; ++f) {
      R sum = 0;
      for (std::int64_t j = 0; j < seen(i); ++j)
        sum += weights[j] * static_cast<R>(memory.v[key(j) + f]);
      memory.out[query(i) + f] = static_cast<T>(sum);
    }
  }

  [[gnu::cold]] void backward(std::int64_t i, Adjoints const& adjoints) const {
    R const* const adjoint = adjoints.of_result + query(i);
    if (std::all_of(adjoint, adjoint + numbers.width, [](R x) { return x == 0; })) return;
    weigh(i);
    R mean = 0;
    for (std::int64_t j = 0; j < seen(i); ++j) mean += weights[j] * dot(adjoint, memory.v + key(j));
    for (std::int64_t j = 0; j < seen(i); ++j) {
      R const share = weights[j] * (dot(adjoint, memory.v + key(j)) - mean);
      R const of_product = share * static_cast<R>(numbers.scale);
      add_to(at(adjoints.q, query(i)), of_product, memory.k + key(j));
      add_to(at(adjoints.k, key(j)), of_product, memory.q + query(i));
      add_to(at(adjoints.v, key(j)), weights[j], adjoint);
    }
  }
};

/// Calls f(head, query) for all queries. A head is computed by one thread: no other thread adds to
/// the adjoints of its keys.
template <class Backend, class T, class F>
[[gnu::cold]] void for_each_query(AttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                                  F const& f) {
  using R = Computed<T>;
  auto const bytes = static_cast<std::size_t>(numbers.keys) * sizeof(R);
  Backend::parallel_for(numbers.rows, bytes, [&](std::int64_t row, std::byte* scratch) {
    AttentionHead<T> const head(numbers, memory, row, reinterpret_cast<R*>(scratch));
    for (std::int64_t i = 0; i < numbers.queries; ++i) f(head, i);
  });
}

/// The tape entry of this attention.
template <class Q, class K>
struct AttentionByQueryStep {
  using T = typename Q::value_type;
  using R = Computed<T>;
  using Backend = BackendOf<typename Q::device>;

  AttentionNumbers numbers;
  Q q;
  K k, v;

  /// The elements, including those of recorded operands.
  AttentionMemory<T> inputs(T* out) const {
    return {stored_elements(q), stored_elements(k), stored_elements(v), out, nullptr};
  }
  void compute(T* out) const {
    for_each_query<Backend, T>(numbers, inputs(out),
                               [](auto const& head, std::int64_t i) { head.gather(i); });
  }
  void operator()(Tape& tape, std::byte const* adjoint) const {
    auto const place = [&](auto const& x) -> typename AttentionAdjoints<T>::Place {
      return {reinterpret_cast<R*>(tape.gradient_of(x.mark(), x.size(), sizeof(R))), false};
    };
    AttentionAdjoints<T> const adjoints{reinterpret_cast<R const*>(adjoint), place(q), place(k),
                                        place(v)};
    for_each_query<Backend, T>(numbers, inputs(nullptr), [&](auto const& head, std::int64_t i) {
      head.backward(i, adjoints);
    });
  }
};

/// Attention, one query after the other.
template <TensorType Q, TensorType K>
[[gnu::cold]] Q attended_by_query(AttentionNumbers const& numbers, Q const& q, K const& k,
                                  K const& v) {
  AttentionByQueryStep<Q, K> step{numbers, q, k, v};
  Q result = Q::uninitialised(q.sizes());
  step.compute(result.own_memory());
  if (any_depends_on_recording(q, k, v)) record_step(result, std::move(step));
  return result;
}

}  // namespace tenon::internal
