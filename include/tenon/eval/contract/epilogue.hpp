#pragma once

#include <utility>

#include <tenon/eval/contract/contraction.hpp>
#include <tenon/eval/run.hpp>
#include <tenon/eval/settle.hpp>

/// A product takes the maps that follow it along: bias, activation, residual are applied to a part
/// of the result while it is in cache.
namespace tenon {

/// Has a recipe a fold anywhere in it?
template <class E>
inline constexpr bool contains_fold = is_fold<E> || contains_fold<OperandsOf<E>>;
template <class... E>
inline constexpr bool contains_fold<Types<E...>> = (contains_fold<E> || ...);

/// Is there a product in `E` whose elements lie where those of `E` do? The first such is the host.
template <class E>
inline constexpr bool has_host = is_contract<E>;

template <std::size_t k, class Node, class E>
constexpr bool hosts() {
  if constexpr (!has_host<E>) return false;
  else
    return E::shape.rank == Node::shape.rank && keeps_places(Node::types::maps[k], E::shape.rank);
}

/// Which operand of a map leads to the host; as many as there are operands if none does.
template <class E>
inline constexpr std::size_t leads_to_host = 0;
template <class Op, class... E>
inline constexpr std::size_t leads_to_host<Elementwise<Op, E...>> =
    []<std::size_t... k>(std::index_sequence<k...>) {
      bool const leads[] = {hosts<k, Elementwise<Op, E...>, E>()...};
      std::size_t first = 0;
      while (first < sizeof...(E) && !leads[first]) ++first;
      return first;
    }(std::index_sequence_for<E...>());

template <class Op, class... E>
inline constexpr bool has_host<Elementwise<Op, E...>> =
    leads_to_host<Elementwise<Op, E...>> < sizeof...(E);

/// A map of maps that ends a product: what is evaluated part by part.
template <class E>
concept Epilogue = is_map<E> && has_host<E> && !contains_fold<E>;

template <class E>
auto const& host_of(E const& e) {
  if constexpr (is_contract<E>) return e;
  else return host_of(operand_at<leads_to_host<E>>(e));
}

/// The recipe with the host's value in its place.
template <class E, class P>
auto with_host(E const& e, P const& value) {
  if constexpr (is_contract<E>) return value;
  else
    return with_operands(e, [&](auto const& operand, auto k) {
      if constexpr (k == leads_to_host<E>) return with_host(operand, value);
      else return operand;
    });
}

/// Are the rows of a product's result, as a plan walks them, those of the result?
template <class T>
bool covers_rows(ProductPlan<T> const& plan, std::int64_t row) {
  return plan.matrix.n == row && (plan.matrix.m == 1 || plan.matrix.c_row == row);
}

/// A kernel that reads a product, and where the product lies.
template <class T>
struct KernelOverParts {
  KernelAtWork work;
  Computed<T> const* product;
};

/// Runs the pieces of rows that read a part of a product, on a copy of the kernel where there are
/// several. (Only where the copy lies knows its type.)
template <class T, class K>
void run_part(void const* context, MatrixProduct<T> const& part, std::int64_t columns) {
  auto const& over = *static_cast<KernelOverParts<T> const*>(context);
  if (part.m == over.work.layout->rows() && columns >= over.work.layout->row.size())
    return run_rows(over.work, 0, part.m, 0, over.work.layout->row.size());
  alignas(K) std::byte memory[sizeof(K)];
  run_pieces(over.work.copied(memory), part.c - over.product, part.m, columns);
}

/// Computes a product to `value`, row-major, and the settled recipe `e`, which reads it, to `out`:
/// after each part of the product the pieces of rows that read it, while it is in cache.
template <class Backend, class A, class B, class Rule, class E>
void run_plan_with_epilogue(Contract<A, B, Rule> const& product, typename A::value_type* value,
                            E const& e, MemoryAccess const& out) {
  constexpr bool stepped = reads_steps<A> || reads_steps<B>;
  using M = typename Backend::machine;
  auto kernel = tenon::bind<M, false>(e, out, nullptr);
  using K = decltype(kernel);
  with_plan<Backend>(product, value, [&](auto& plan) {
    using T = typename Unqualified<decltype(*plan)>::value_type;
    bool const fits = plan && kernel.row.rank == 1 && covers_rows(*plan, kernel.row.size());
    if (fits) {
      KernelOverParts<T> const over{kernel_at_work(kernel, &run_row<M, typename E::value_type, K>),
                                    plan->matrix.c};
      return Backend::template multiply<stepped>(*plan, AfterPart<T>{&over, &run_part<T, K>});
    }
    if (plan) Backend::template multiply<stepped>(*plan, AfterPart<T>{});
    Backend::fill(e, out);
  });
}

}  // namespace tenon
