#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/expr/contract/matmul.hpp>
#include <tenon/expr/view/views.hpp>
#include <tenon/optim/adamw.hpp>
#include <tenon/optim/clip.hpp>
#include <tenon/optim/path_pattern.hpp>

namespace tenon {

/// The state of Muon between steps: that of AdamW. The velocity of a matrix is its `mean`, with
/// which `mean_square` shares memory. PyTorch: `optimizer.state`.
template <class Tree>
using MuonState = AdamWState<Tree>;

/// Muon (Jordan et al., 2024, kellerjordan.github.io/posts/muon): momentum, orthogonalised by
/// iterations of Newton and Schulz, for matrices "in out"; all else, and matrices whose paths match
/// `adamw_paths` (embeddings, the last layer), are changed by `adamw`. The rate of a matrix is rate
/// sqrt(max(1, out / in)), or 0.2 rate sqrt(max(in, out)) with `match_rms_adamw`. PyTorch:
/// `torch.optim.Muon`, with the same defaults; it computes in bfloat16, this in the dtype of the
/// matrix.
struct Muon {
  double rate = 1e-3;
  double weight_decay = 0.1;
  double momentum = 0.95;
  bool nesterov = true;
  double epsilon = 1e-7;
  int iterations = 5;
  bool match_rms_adamw = false;
  AdamW adamw{};                           ///< Its rate changes in proportion to that of Muon.
  std::vector<std::string> adamw_paths{};  ///< Patterns: `embedding.*`.

  /// Throws `ValueError` where a pattern matches no parameter.
  template <class Tree>
  MuonState<Tree> init(Tree const& model) const {
    for (auto const& pattern : adamw_paths)
      internal::optim::check_matches(pattern, internal::tree::paths(model));
    Tree const zeros = internal::optim::zeros_of(model);
    return {zeros, zeros};
  }

  /// The model and the state after one step. A pure function: lvalue arguments are unchanged.
  /// `rate_now` is a rate from a schedule.
  /// Throws `ShapeError` where the sizes of model and gradients differ.
  template <class Tree>
  std::pair<Tree, MuonState<Tree>> step(Tree model, Tree const& gradients, MuonState<Tree> state,
                                        std::optional<double> rate_now = {}) const {
    return internal::optim::Step::take(*this, model, gradients, state, rate_now.value_or(rate));
  }

 private:
  friend internal::optim::Step;

  template <class OfAdamW>
  struct Scalars {
    double rate;
    OfAdamW adamw;
  };

  static auto slots(auto& state) { return std::tie(state.mean, state.mean_square); }
  auto scalars(auto const& state, double rate_now) const {
    double const adamw_rate = internal::optim::in_proportion(adamw.rate, rate_now, rate);
    auto const of_adamw = internal::optim::Step::scalars_of(adamw, state, adamw_rate);
    return Scalars<decltype(of_adamw)>{rate_now, of_adamw};
  }

  template <class Now, TensorType Leaf>
  void update_leaf(Now const& now, internal::optim::LeafOptions const& leaf, Leaf& parameter,
                   Leaf const& gradient, Leaf& mean, Leaf& mean_square) const {
    using internal::optim::Step;
    internal::optim::check_real_leaf<Leaf>();
    if constexpr (Leaf::rank == 2) {
      if (!is_adamw(leaf.path)) {
        update_matrix(now.rate, leaf.decays, parameter, gradient, mean);
        mean_square = mean;  // shared, not copied
        return;
      }
    }
    Step::update(adamw, now.adamw, leaf, parameter, gradient, mean, mean_square, mean_square);
  }

  bool is_adamw(internal::tree::Path const& path) const {
    return std::any_of(adamw_paths.begin(), adamw_paths.end(), [&](std::string const& pattern) {
      return internal::optim::matches(pattern, path.text());
    });
  }

  template <TensorType Leaf>
  void update_matrix(double rate_now, bool decays, Leaf& parameter, Leaf const& gradient,
                     Leaf& velocity) const {
    using namespace internal::optim;
    accumulate(velocity, momentum, 1 - momentum, gradient);
    Leaf direction = velocity;
    if (nesterov) accumulate(direction, momentum, 1 - momentum, gradient);
    using Matrix = Tensor<typename Leaf::value_type, "_ _", typename Leaf::device>;
    auto const orthogonal = orthogonalise(internal::reshaped<Matrix>(direction, direction.sizes()));
    direction = internal::reshaped<Leaf>(orthogonal, direction.sizes());
    double const kept = decays ? 1 - rate_now * weight_decay : 1;
    set_row(parameter, kept * row_of(parameter) - rate_of(rate_now, parameter) * row_of(direction));
  }

  double rate_of(double rate_now, TensorType auto const& matrix) const {
    auto const in = static_cast<double>(matrix.sizes()[0]);
    auto const out = static_cast<double>(matrix.sizes()[1]);
    if (match_rms_adamw) return 0.2 * rate_now * std::sqrt((std::max)(in, out));
    return rate_now * std::sqrt((std::max)(1.0, out / in));
  }

  /// Singular values near 1, by the polynomial 3.4445 x - 4.775 x³ + 2.0315 x⁵ of them.
  template <TensorType Matrix>
  Matrix orthogonalise(Matrix const& direction) const {
    double const norm = std::sqrt(internal::sum_of_squares(direction));
    Matrix x = direction / (std::max)(norm, epsilon);
    bool const is_wide = x.sizes()[0] <= x.sizes()[1];
    for (int i = 0; i < iterations; ++i) {
      Matrix const gram =
          is_wide ? Matrix(matmul(x, transpose(x))) : Matrix(matmul(transpose(x), x));
      Matrix const factor = 2.0315 * matmul(gram, gram) - 4.775 * gram;
      x = 3.4445 * x + (is_wide ? Matrix(matmul(factor, x)) : Matrix(matmul(x, factor)));
    }
    return x;
  }
};

}  // namespace tenon
