#pragma once

#include <concepts>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/core/dtype.hpp>
#include <tenon/eval/move_tree.hpp>
#include <tenon/train/loop/loss_sum.hpp>
#include <tenon/train/precision/loss_scale.hpp>
#include <tenon/tree/fault.hpp>

namespace tenon::internal::training {

/// Whether a value is a tensor or an expression of a floating dtype other than `T`.
template <class X, class T>
concept OfAnotherFloat =
    Expression<X> && FloatType<typename X::value_type> && !std::same_as<typename X::value_type, T>;

/// The value with the dtype `T` if it is a floating tensor or expression, also within tuples and
/// pairs, which become tuples; others are unchanged. jmp: `cast_to_compute`.
template <FloatType T, class X>
auto cast_floats(X&& x) {
  using Argument = Unqualified<X>;
  if constexpr (OfAnotherFloat<Argument, T>) {
    return eval(to<T>(std::forward<X>(x)));
  } else if constexpr (tree::is_tuple<Argument>) {
    auto const cast = [](auto const&... all) { return std::make_tuple(cast_floats<T>(all)...); };
    return std::apply(cast, x);
  } else {
    return Argument(std::forward<X>(x));
  }
}

/// A model of the dtype `Compute` that is called with floating tensors of any dtype, and whose
/// results have the dtype `Output`. Its fields and its other functions are those of the model.
template <class Model, class Compute, class Output>
struct InCompute : Model {
  template <class... X>
  auto operator()(X&&... x) const {
    Model const& model = *this;
    return cast_floats<Output>(model(cast_floats<Compute>(std::forward<X>(x))...));
  }
};

}  // namespace tenon::internal::training

namespace tenon::training {

/// The dtypes of a training: those of the parameters and the state of the optimizer, of the forward
/// and backward passes, and of the results of the model, from which the loss is computed. An
/// argument of `train_step`, which adapts the scale of the loss; a tree that checkpoints save. jmp:
/// `Policy`. PyTorch: `torch.autocast` with `GradScaler`.
template <internal::FloatType Parameters = float, internal::FloatType Compute = bfloat16,
          internal::FloatType Output = float>
struct Precision {
  using parameters = Parameters;
  using compute = Compute;
  using output = Output;

  /// For float16 adapted from 65536; 1 for the others, which have the exponents of float.
  LossScale loss_scale = std::same_as<Compute, float16> ? LossScale() : LossScale::constant(1);
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::Precision;

template <class P>
inline constexpr bool is_precision = false;
template <class... T>
inline constexpr bool is_precision<Precision<T...>> = true;

/// A `Precision`.
template <class P>
concept PrecisionType = is_precision<P>;

/// A model of the parameters' dtype as one that computes in the dtype of a precision: its
/// parameters are rounded once, and gradients pass through that. The model is a template of its
/// dtype.
template <PrecisionType P, class Model>
auto in_compute_dtype(Model const& model) {
  auto rounded = to<typename P::compute>(model);
  return InCompute<decltype(rounded), typename P::compute, typename P::output>{std::move(rounded)};
}

/// The loss of a model in the dtypes of a precision, times its scale: `loss(model, batch)`, where
/// `model(x)` takes floating tensors of any dtype. For `value_and_grad`; `apply_gradients` with the
/// precision divides by the scale. PyTorch: `scaler.scale(loss)` under `torch.autocast`.
template <PrecisionType P, class Loss>
auto scaled_loss(P const& precision, Loss loss) {
  return [scale = precision.loss_scale.scale, loss = std::move(loss)]<class Model, class Batch>(
             Model const& model, Batch const& batch) {
    auto const scaled = [scale]<class X>(X&& value) {
      return eval(to<typename P::parameters>(std::forward<X>(value)) * scale);
    };
    auto result = loss(in_compute_dtype<P>(model), batch);
    if constexpr (is_loss_sum<decltype(result)>)
      return LossSum{scaled(std::move(result.sum)), result.count};
    else return scaled(std::move(result));
  };
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::in_compute_dtype;
using internal::training::scaled_loss;

}  // namespace tenon::training
