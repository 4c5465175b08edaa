#pragma once

#include <cmath>

#include <tenon/nn/init.hpp>
#include <tenon/random/uniform.hpp>

/// Initialisation by the number of inputs and outputs of each tensor, of a tensor or of a model, as
/// by `init::normal`: `init::xavier_uniform<Model>(key)`. A matrix is "in out", as the weight of
/// `Linear`; a tensor of higher rank is the kernel of a convolution, "out in height width", with as
/// many more inputs and outputs as its window has elements, as in PyTorch. Vectors and scalars that
/// neither a default nor a layer initialises are zero.
namespace tenon::internal::init {

/// The function after a layer, for its gain.
enum class Nonlinearity { linear, sigmoid, tanh, relu, leaky_relu, selu };

/// The factor of the standard deviation that keeps the variance through a nonlinearity; `slope` is
/// that of `leaky_relu` below 0. PyTorch: `nn.init.calculate_gain`.
inline double gain(Nonlinearity function, double slope = 0.01) {
  if (function == Nonlinearity::tanh) return 5.0 / 3;
  if (function == Nonlinearity::selu) return 0.75;
  if (function == Nonlinearity::relu) return std::sqrt(2.0);
  if (function == Nonlinearity::leaky_relu) return std::sqrt(2 / (1 + slope * slope));
  return 1;
}

/// Which number the variance is divided by: that of inputs, of outputs, or the mean of both.
enum class Fan { in, out, mean };

template <TensorType R>
double fan_of(R const& tensor, Fan fan) {
  auto const size = [&](std::size_t axis) { return static_cast<double>(tensor.sizes()[axis]); };
  constexpr bool is_matrix = R::rank == 2;
  double window = 1;
  for (std::size_t axis = 2; axis < R::rank; ++axis) window *= size(axis);
  double const in = window * size(is_matrix ? 0 : 1), out = window * size(is_matrix ? 1 : 0);
  return fan == Fan::in ? in : fan == Fan::out ? out : (in + out) / 2;
}

/// Mean 0 and standard deviation gain / sqrt(fan): normal, or uniform.
struct DrawByFan {
  double gain;
  Fan fan;
  bool is_uniform;

  template <TensorType R>
  R operator()(R const& like, Key const& key) const {
    if constexpr (R::rank < 2) return filled(like, 0);
    else if (like.size() == 0) return like;
    else return draw(like, key, gain / std::sqrt(fan_of(like, fan)));
  }
  DrawByFan scaled(double scale) const { return {gain * scale, fan, is_uniform}; }

 private:
  template <TensorType R>
  R draw(R const& like, Key const& key, double deviation) const {
    if (!is_uniform) return DrawNormal{deviation}(like, key);
    double const bound = std::sqrt(3.0) * deviation;
    return drawn(like, [&]<class Wide>(auto... sizes) {
      using T = typename Wide::value_type;
      return tenon::uniform<Wide>(key, static_cast<T>(-bound), static_cast<T>(bound), sizes...);
    });
  }
};

/// Normal, with variance gain² · 2 / (inputs + outputs) (Glorot and Bengio, 2010). PyTorch:
/// `nn.init.xavier_normal_`. JAX: `glorot_normal`, without truncation.
template <class Model>
Model xavier_normal(Key const& key, double gain = 1, Model const& like = Model()) {
  return InitializerBy<DrawByFan>(key, {gain, Fan::mean, false})(like);
}

/// Uniform, with variance gain² · 2 / (inputs + outputs). PyTorch: `nn.init.xavier_uniform_`. JAX:
/// `glorot_uniform`.
template <class Model>
Model xavier_uniform(Key const& key, double gain = 1, Model const& like = Model()) {
  return InitializerBy<DrawByFan>(key, {gain, Fan::mean, true})(like);
}

/// Normal, with variance gain² / inputs, or / outputs; the default gain is that of `relu` (He et
/// al., arXiv:1502.01852). PyTorch: `nn.init.kaiming_normal_`. JAX: `he_normal`, without truncation.
template <class Model>
Model kaiming_normal(Key const& key, double gain = std::sqrt(2.0), Fan fan = Fan::in,
                     Model const& like = Model()) {
  return InitializerBy<DrawByFan>(key, {gain, fan, false})(like);
}

/// Uniform, with variance gain² / inputs, or / outputs. PyTorch: `nn.init.kaiming_uniform_`. JAX:
/// `he_uniform`.
template <class Model>
Model kaiming_uniform(Key const& key, double gain = std::sqrt(2.0), Fan fan = Fan::in,
                      Model const& like = Model()) {
  return InitializerBy<DrawByFan>(key, {gain, fan, true})(like);
}

}  // namespace tenon::internal::init

namespace tenon::init {

using internal::init::Fan;
using internal::init::gain;
using internal::init::kaiming_normal;
using internal::init::kaiming_uniform;
using internal::init::Nonlinearity;
using internal::init::xavier_normal;
using internal::init::xavier_uniform;

}  // namespace tenon::init
