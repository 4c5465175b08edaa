#pragma once

#include <cmath>
#include <cstdint>

#include <tenon/eval/linalg/qr.hpp>
#include <tenon/expr/linalg/decompose.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/random/uniform.hpp>

/// Initialisation by the number of inputs and outputs of each tensor, of a tensor or of a model, as
/// by `init::normal`: `init::xavier_uniform<Model>(key)`. A matrix is "in out", as the weight of
/// `Linear`; a tensor of higher rank is the kernel of a convolution, "out in height width", with as
/// many more inputs and outputs as its window has elements, as in PyTorch. Vectors and scalars that
/// neither a default nor a layer initialises are zero.
namespace tenon::internal::init {

/// The function after a layer, for its gain: `init::gain(Nonlinearity::relu)`.
enum class Nonlinearity { linear, sigmoid, tanh, relu, leaky_relu, selu };

/// The factor of the standard deviation by which the variance of a layer's results stays the same
/// through a nonlinearity: 1 for linear and sigmoid, 5/3 for tanh, sqrt(2) for relu, sqrt(2 / (1 +
/// s²)) for leaky_relu with the slope s of negative inputs, 3/4 for selu. It is the `gain` of
/// `xavier_uniform` and others. PyTorch: `nn.init.calculate_gain`.
inline double gain(Nonlinearity nonlinearity, double negative_slope = 0.01) {
  if (nonlinearity == Nonlinearity::tanh) return 5.0 / 3;
  if (nonlinearity == Nonlinearity::selu) return 0.75;
  if (nonlinearity == Nonlinearity::relu) return std::sqrt(2.0);
  if (nonlinearity == Nonlinearity::leaky_relu)
    return std::sqrt(2 / (1 + negative_slope * negative_slope));
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
    if constexpr (R::rank < 2) return zeros_like(like);
    else if (like.size() == 0) return like;
    else return draw(like, key, gain / std::sqrt(fan_of(like, fan)));
  }
  DrawByFan scaled(double scale) const { return {gain * scale, fan, is_uniform}; }

 private:
  template <TensorType R>
  R draw(R const& like, Key const& key, double deviation) const {
    if (!is_uniform) return DrawNormal{deviation}(like, key);
    return draw_uniform(like, key, std::sqrt(3.0) * deviation);
  }
};

/// PyTorch's initial values: uniform between ±1 / sqrt(inputs), biases too.
struct DrawOfLayers {
  using OfLayers = DrawOfLayers;

  template <TensorType R>
  R operator()(R const& like, Key const& key) const {
    return DrawByFan{1 / std::sqrt(3.0), Fan::in, true}(like, key);
  }
  template <TensorType R>
  R of_layer(R const& like, std::int64_t inputs, Key const& key) const {
    return inputs == 0 ? like : draw_uniform(like, key, 1 / std::sqrt(double(inputs)));
  }
  DrawOfLayers scaled(double) const { return *this; }
};

/// The number below which a standard normal number is with probability p.
double normal_quantile(double p);

/// The normal distribution with mean 0 between two bounds, in standard deviations.
struct DrawTruncated {
  double deviation, low, high;

  template <TensorType R>
  R operator()(R const& like, Key const& key) const {
    return drawn(like, [&]<class Wide>(auto... sizes) {
      using T = typename Wide::value_type;
      auto const below = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
      double const first = below(low), length = below(high) - first;
      Wide result = tenon::uniform<Wide>(key, sizes...);
      T* const x = result.mutable_data();
      for (std::int64_t i = 0; i < result.size(); ++i) {
        double const z = normal_quantile(first + length * static_cast<double>(x[i]));
        x[i] = static_cast<T>(deviation * (z < low ? low : z > high ? high : z));
      }
      return result;
    });
  }
  DrawTruncated scaled(double scale) const { return {deviation * scale, low, high}; }
};

/// gain times a matrix with orthonormal rows or columns, whichever are fewer: the first axis, and
/// all others as one.
struct DrawOrthogonal {
  double gain;

  template <TensorType R>
  R operator()(R const& like, Key const& key) const {
    if constexpr (R::rank < 2) return zeros_like(like);
    else if (like.size() == 0) return like;
    else
      return drawn(like, [&]<class Wide>(auto... sizes) {
        auto const normal = tenon::normal<Wide>(key, sizes...);
        return reshaped<Wide>(orthogonal(normal), normal.sizes());
      });
  }
  DrawOrthogonal scaled(double scale) const { return {gain * scale}; }

 private:
  template <TensorType Wide>
  auto orthogonal(Wide const& normal) const {
    using Matrix = Tensor<typename Wide::value_type, "_ _">;
    std::int64_t const rows = normal.sizes()[0], width = normal.size() / rows;
    Matrix const matrix = reshaped<Matrix>(normal, first_sizes(rows, width));
    if (rows < width) return Matrix(transpose(columns(Matrix(transpose(matrix)))));
    return columns(matrix);
  }

  /// Q, with signs by which it is distributed uniformly.
  template <TensorType Matrix>
  Matrix columns(Matrix const& matrix) const {
    auto const factors = linalg::qr(matrix);
    Matrix q = factors.q, r = factors.r;
    std::int64_t const width = q.sizes()[1];
    for (std::int64_t i = 0; i < q.size(); ++i) {
      double const sign = r.data()[(i % width) * (width + 1)] < 0 ? -gain : gain;
      q.mutable_data()[i] = static_cast<typename Matrix::value_type>(q.data()[i] * sign);
    }
    return q;
  }
};

/// Normal with mean 0, without numbers beyond `low` and `high` standard deviations; those that
/// remain are not scaled. PyTorch: `nn.init.trunc_normal_`, whose bounds are absolute. JAX:
/// `truncated_normal`.
template <class Model>
Model truncated_normal(Key const& key, double deviation = 1, double low = -2, double high = 2,
                       Model const& like = Model()) {
  return InitializerBy<DrawTruncated>(key, {deviation, low, high})(like);
}

/// gain times orthonormal rows or columns, whichever are fewer, of each tensor as a matrix: its
/// first axis, and all others as one (Saxe et al., arXiv:1312.6120). PyTorch:
/// `nn.init.orthogonal_`.
template <class Model>
Model orthogonal(Key const& key, double gain = 1, Model const& like = Model()) {
  return InitializerBy<DrawOrthogonal>(key, {gain})(like);
}

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
/// al., arXiv:1502.01852). PyTorch: `nn.init.kaiming_normal_`. JAX: `he_normal`, without
/// truncation.
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

/// The initial values of PyTorch's layers: weights and biases of `Linear`, `Bilinear` and
/// convolutions are uniform between ±1 / sqrt(inputs), those of recurrent layers between ±1 /
/// sqrt(hidden), rows of `Embedding` standard normal, attention as by Xavier. PyTorch:
/// `module.reset_parameters()`.
template <class Model>
Model reset_parameters(Key const& key, Model const& like = Model()) {
  return InitializerBy<DrawOfLayers>(key, {})(like);
}

}  // namespace tenon::internal::init

namespace tenon::init {

using internal::init::Fan;
using internal::init::gain;
using internal::init::kaiming_normal;
using internal::init::kaiming_uniform;
using internal::init::Nonlinearity;
using internal::init::orthogonal;
using internal::init::reset_parameters;
using internal::init::truncated_normal;
using internal::init::xavier_normal;
using internal::init::xavier_uniform;

}  // namespace tenon::init

#if TENON_DEFINES_RUNTIME

#include <limits>
#include <numbers>

namespace tenon::internal::init {

TENON_RUNTIME double normal_quantile(double p) {
  if (p > 0.5) return -normal_quantile(1 - p);
  if (!(p > 0)) return -std::numeric_limits<double>::infinity();
  // Abramowitz and Stegun, 26.2.23, for the start: an error of at most 4.5e-4.
  double const t = std::sqrt(-2 * std::log(p));
  double z = (2.515517 + t * (0.802853 + t * 0.010328)) /
                 (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) -
             t;
  for (int i = 0; i < 2; ++i) {  // Halley's method
    double const error = 0.5 * std::erfc(-z / std::numbers::sqrt2) - p;
    double const u = error * std::sqrt(2 * std::numbers::pi) * std::exp(z * z / 2);
    z -= u / (1 + z * u / 2);
  }
  return z;
}

}  // namespace tenon::internal::init

#endif
