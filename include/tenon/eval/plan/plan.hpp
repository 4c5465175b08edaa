#pragma once

#include <tenon/eval/evaluate.hpp>
#include <tenon/ir/earlier.hpp>

/// The kernels that evaluating an expression would run, in order, without running any.
namespace tenon::internal {

/// Materializes expressions as evaluation does; instead of running a kernel, calls `Visitor` and
/// replaces the kernel's value by an `Earlier`. A visitor has `kernel(expression)`,
/// `product(contract)` and `epilogue(contract, expression)`, where the expression reads the
/// contraction as `own_product`; each returns the kernel's number.
template <class Visitor>
class Planned {
 public:
  explicit Planned(Visitor& visitor) : visitor_(&visitor) {}

  template <class E>
  auto operator()(E const& e) const {
    if constexpr (TensorType<E> || is_earlier<E>) return e;
    else return earlier(e, number_of(e));
  }

  template <class R, class E>
  static auto reshaped_to(E const& value, Sizes const& sizes) {
    return Earlier<typename R::value_type, R::spec, typename R::device>(value.number, sizes);
  }

 private:
  template <class E>
  int number_of(E const& e) const {
    if constexpr (is_contract<E>) {
      return visitor_->product(e);
    } else if constexpr (FusesEpilogue<E>) {
      auto const& product = host_of(e);
      auto const rest = materialized(with_host(e, earlier(product, own_product)), *this);
      return visitor_->epilogue(product, rest);
    } else if constexpr (ReducesProduct<E>) {
      auto const& product = host_of(operand_at<0>(host_reduction(e)));
      auto const reduced = with_reduced_host(e, earlier(product, own_product));
      return visitor_->epilogue(product, materialized(reduced, *this));
    } else {
      auto const expression = arranged(materialized(e, *this));
      if constexpr (is_earlier<Unqualified<decltype(expression)>>) return expression.number;
      else return visitor_->kernel(expression);
    }
  }

  /// Only the host packs tensors: kernel text has the expression as it is.
  template <class E>
  auto arranged(E const& e) const {
    if constexpr (requires { Visitor::packs_for_lanes; }) return pack_tensors(e, *this);
    else return e;
  }

  Visitor* visitor_;
};

/// Calls `visitor` for every kernel that evaluating `e` would run, in order. A tensor needs none.
template <class Visitor, class E>
void plan(E const& e, Visitor& visitor) {
  (void)Planned<Visitor>(visitor)(e);
}

}  // namespace tenon::internal
