#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <utility>

#include <tenon/eval/move_to.hpp>
#include <tenon/expr/create/like.hpp>
#include <tenon/expr/map/functions.hpp>
#include <tenon/nn/defaults.hpp>
#include <tenon/nn/sizes_of.hpp>
#include <tenon/random/key.hpp>
#include <tenon/random/normal.hpp>
#include <tenon/random/uniform.hpp>
#include <tenon/tree/tree.hpp>

/// Initialisation of models. Every parameter is drawn from a normal distribution, each with a
/// separate key, unless the struct gives it a default (`Row weight = ones<Row>();` is kept) or its
/// layer has the member `template <class Initializer> Layer init_parameters(Initializer&
/// initializer) const`, which returns the layer with its initial values. For its parts the
/// initializer has: `initializer(part)`, by the rule above; `initializer.residual(part)` for
/// outputs that are added to a residual stream; `initializer.zeros(part)` and
/// `initializer.ones(part)`; `initializer.bias(part, inputs)` for a bias. A tensor without a
/// default is zeros, so a default of zeros has no effect: use `init_parameters` for parameters that
/// begin with zeros. Rates of dropout and other numbers of a model are not parameters: they are
/// those of the argument `like`, or of its default `Model()`.
namespace tenon::internal::init {

/// A tensor like another with the values of make<Wide>(sizes...), where `Wide` is the type on the
/// host: 16-bit numbers are drawn as `float`. Tensors of a device with separate memory are drawn on
/// the CPU: a model begins with the same bits on every device.
template <TensorType R, class Make>
R drawn(R const& like, Make const& make) {
  using T = typename R::value_type;
  using D = typename R::device;
  static_assert(FloatType<T>,
                "tenon::init: complex tensors are drawn normal or uniform only; set them yourself");
  using Wide = Tensor<std::conditional_t<HalfType<T>, float, T>, R::spec, HostOf<D>>;
  Wide const wide = with_sizes_of(
      like, [&](auto... sizes) -> Wide { return make.template operator()<Wide>(sizes...); });
  if constexpr (HalfType<T>) return to<D>(to<T>(wide));
  else return to<D>(wide);
}

/// Complex numbers from make<Parts>(n), the n parts of all elements.
template <TensorType R, class Make>
R drawn_in_parts(R const& like, Make const& make) {
  using D = typename R::device;
  using T = typename R::value_type;
  using Parts = Tensor<typename T::value_type, "n", HostOf<D>>;
  using Host = Tensor<T, R::spec, HostOf<D>>;
  Parts const parts = make.template operator()<Parts>(2 * like.size());
  Host result = Host::uninitialised(like.sizes());
  if (like.size() > 0)
    std::memcpy(static_cast<void*>(result.own_memory()), parts.data(),
                static_cast<std::size_t>(like.size()) * sizeof(T));
  return to<D>(result);
}

/// The elements of a tensor, or the parts of complex ones, each with half of the variance: their
/// absolute values have the Rayleigh distribution of C. Trabelsi et al., 2018, where the parts are
/// normal. make<Wide>(scale, sizes...) draws with deviations that are multiplied by the scale.
template <TensorType R, class Make>
R draw_elements(R const& like, Make const& make) {
  if constexpr (ComplexType<typename R::value_type>)
    return drawn_in_parts(like, [&]<class Wide>(std::int64_t n) {
      return make.template operator()<Wide>(std::sqrt(0.5), n);
    });
  else
    return drawn(like, [&]<class Wide>(auto... sizes) {
      return make.template operator()<Wide>(1.0, sizes...);
    });
}

/// Uniform numbers between two bounds.
template <TensorType R>
R draw_uniform(R const& like, Key const& key, double bound) {
  return draw_elements(like, [&]<class Wide>(double scale, auto... sizes) {
    auto const high = static_cast<typename Wide::value_type>(scale * bound);
    return tenon::uniform<Wide>(key, -high, high, sizes...);
  });
}

/// The normal distribution with mean 0.
struct DrawNormal {
  double deviation;

  template <TensorType R>
  R operator()(R const& like, Key const& key) const {
    return draw_elements(like, [&]<class Wide>(double scale, auto... sizes) {
      return tenon::normal<Wide>(key, 0, scale * deviation, sizes...);
    });
  }
  DrawNormal scaled(double scale) const { return {deviation * scale}; }
};

template <class Draw>
class InitializerBy;
using Initializer = InitializerBy<DrawNormal>;

/// A layer with its own initialisation.
template <class Layer>
concept InitializesParameters = requires(Layer const& layer, Initializer& initializer) {
  { layer.init_parameters(initializer) } -> std::same_as<Layer>;
};

/// A traversal that stops at parameters and at layers with their own initialisation.
struct LayersWithInitializers {
  template <class T>
  static constexpr bool visits = tree::is_differentiable<T>::value || InitializesParameters<T>;
  static constexpr bool opens_frozen = false;
};

/// Traverses a model and initialises it: `draw(tensor, key)` is a drawn tensor like another.
template <class Draw>
class InitializerBy {
 public:
  InitializerBy(Key const& key, Draw const& draw, double residual_scale = 1)
      : key_(key), draw_(draw), residual_scale_(residual_scale) {}

  /// Initialises any part of a model: by its own initialisation, by the default of its struct, or
  /// by drawing. For a tensor, or a layer with its own initialisation, the enclosing struct is
  /// unknown here.
  template <class Tree>
  Tree operator()(Tree const& part) {
    if constexpr (LayersWithInitializers::visits<Tree>) return filled_part(part);
    else return filled_tree(part);
  }

  /// A part whose result is added to a residual stream: its standard deviation is scaled down.
  template <class Tree>
  Tree residual(Tree const& part) {
    Draw const whole = std::exchange(draw_, draw_.scaled(residual_scale_));
    Tree result = (*this)(part);
    draw_ = whole;
    return result;
  }

  /// Whether each layer draws as PyTorch's does.
  static constexpr bool resets = requires { typename Draw::OfLayers; };

  /// A weight and a bias of a layer with that number of inputs, from which PyTorch's bounds follow;
  /// a bias is zeros unless layers are reset.
  template <class Part>
  Part weight(Part const& part, std::int64_t inputs) {
    if constexpr (resets) return draw_.of_layer(part, inputs, next_key());
    else return (*this)(part);
  }
  template <class Part>
  Part bias(Part const& part, std::int64_t inputs) {
    if constexpr (resets) return draw_.of_layer(part, inputs, next_key());
    else return zeros(part);
  }
  /// A table of standard normal numbers where layers are reset.
  template <TensorType Part>
  Part table(Part const& part) {
    if constexpr (resets) return DrawNormal{1}(part, next_key());
    else return (*this)(part);
  }

  template <class Part>
  static Part zeros(Part const& part) {
    return all_set(part, 0);
  }
  template <class Part>
  static Part ones(Part const& part) {
    return all_set(part, 1);
  }

  /// For layers with their own initialisation: the key of the next tensor, and its standard
  /// deviation.
  Key next_key() { return fold_in(key_, leaves_++); }
  double deviation() const { return draw_.deviation; }

 private:
  template <class Part>
  static Part all_set(Part const& part, float value) {
    return tree::map([value](auto const& leaf) { return full_like(leaf, value); }, part);
  }

  template <class Tree>
  Tree filled_tree(Tree const& part) {
    static_assert(tree::check_well_formed<LayersWithInitializers, Tree>());
    auto const fill = [this]<class Part>(Part const& found, Part const& fallback) -> Part {
      if constexpr (TensorType<Part>) {
        if (has_default(fallback)) return found;
      }
      return this->filled_part(found);
    };
    return BesideDefaults<LayersWithInitializers, decltype(fill)>{fill}(part, Tree());
  }

  template <class Part>
  Part filled_part(Part const& part) {
    if constexpr (InitializesParameters<Part>) return part.init_parameters(*this);
    else return draw_(part, next_key());
  }

  Key key_;
  Draw draw_;
  double residual_scale_;
  std::int64_t leaves_ = 0;
};

/// A model whose parameters are normal with mean 0, except where a struct gives a default, which is
/// kept as in `like`, or a layer has its own initialisation (biases are zero, weights of norms
/// one). Sizes of run-time axes and numbers, as the rate of a `Dropout`, are those of `like`. The
/// parts of complex numbers each have half of the variance. PyTorch: `nn.init.normal_`.
template <class Model>
Model normal(Key const& key, double deviation, Model const& like = Model()) {
  return Initializer(key, {deviation})(like);
}

/// A model whose parameters are all zero, for example to accumulate gradients. PyTorch:
/// `nn.init.zeros_`.
template <class Model>
Model zeros(Model const& like = Model()) {
  return tree::map([](auto const& leaf) { return zeros_like(leaf); }, like);
}

/// GPT-2's initialisation: normal with standard deviation 0.02, scaled by 1 / sqrt(2·layers) for
/// the outputs of the 2·layers residual sums. A. Radford et al., "Language models are unsupervised
/// multitask learners", 2019, and its code.
template <class Model>
Model gpt2(Key const& key, std::int64_t layers, Model const& like = Model()) {
  double const sums = 2.0 * static_cast<double>(layers < 1 ? 1 : layers);
  return Initializer(key, {0.02}, 1 / std::sqrt(sums))(like);
}

}  // namespace tenon::internal::init

namespace tenon::init {

using internal::init::gpt2;
using internal::init::normal;
using internal::init::zeros;

}  // namespace tenon::init
