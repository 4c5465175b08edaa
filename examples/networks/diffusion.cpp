// Denoising diffusion: points are drawn from noise, step by step, by a network that learned to
// predict the noise in points of a spiral (Ho et al., arXiv:2006.11239).
// test-long

#include <cmath>
#include <cstdio>
#include <tuple>

#include <tenon/nn.hpp>

using namespace tenon;

using Points = Float32<"batch coordinate=2">;
constexpr std::int64_t noise_steps = 40;

/// The noise in points after a number of steps.
struct Denoiser {
  Linear<"coordinate=2", "hidden=64"> from_point;
  Embedding<"step=40", "hidden=64"> from_step;
  Linear<"hidden=64", "hidden=64"> fc1, fc2;
  Linear<"hidden=64", "coordinate=2"> last;

  Points operator()(Points const& x, Int32<"batch"> const& step) const {
    auto const h1 = eval(silu(from_point(x) + from_step(step)));
    auto const h2 = eval(silu(fc1(h1) + from_step(step)));
    return last(silu(fc2(h2)));
  }
};

/// The variance of the noise that each step adds, and the share of the points that is left.
struct Schedule {
  Float32<"step=40"> beta = linspace<Float32<"step=40">>(1e-3, 0.25);
  Float32<"step=40"> share = cumprod<"step">(1 - beta);
};

Points spiral(Key const& key, std::int64_t count) {
  auto const angle = eval(1.5f + 4.5f * uniform<Float32<"batch">>(key, count));
  auto const point = stack<"coordinate">(angle * cos(angle), angle * sin(angle));
  return rearrange<"coordinate batch -> batch coordinate">(point) / 4;
}

Points sample(Denoiser const& model, Schedule const& schedule, std::int64_t count) {
  auto x = normal<Points>(Key{5}, count);
  for (std::int64_t step = noise_steps - 1; step >= 0; --step) {
    float const beta = schedule.beta(step), share = schedule.share(step);
    auto const noise = model(x, full<Int32<"batch">>(static_cast<std::int32_t>(step), count));
    x = (x - beta / std::sqrt(1 - share) * noise) / std::sqrt(1 - beta);
    if (step > 0) x = x + std::sqrt(beta) * normal<Points>(fold_in(Key{6}, step), count);
  }
  return x;
}

/// The mean distance of points to the nearest one of the spiral.
float distance(Points const& points) {
  auto const curve = rename<"batch -> sample">(spiral(Key{7}, 400));
  auto const apart = rearrange<"batch coordinate -> batch 1 coordinate">(points) - curve;
  return mean(sqrt(min<"sample">(sum<"coordinate">(square(apart))))).item();
}

/// The loss of the noise in points after random steps.
auto loss_of(Denoiser const& model, Schedule const& schedule, Key const& key) {
  auto const [of_point, of_step, of_noise] = split<3>(key);
  auto const x = spiral(of_point, 128), noise = normal<Points>(of_noise, 128);
  auto const step = uniform<Int32<"batch">>(of_step, 0, noise_steps, 128);
  auto const share = eval(unsqueeze<-1>(take<"step">(schedule.share, step)));
  return mse_loss(model(sqrt(share) * x + sqrt(1 - share) * noise, step), noise);
}

int main() {
  Schedule const schedule;
  auto model = init::kaiming_uniform<Denoiser>(Key{1}, 1);
  AdamW const adam{.rate = 3e-3};
  auto state = adam.init(model);
  for (int i = 0; i < 800; ++i) {
    auto const [loss, gradients] = value_and_grad(
        [&](Denoiser const& m) { return loss_of(m, schedule, fold_in(Key{2}, i)); })(model);
    std::tie(model, state) = adam.step(model, gradients, state);
    if (i % 200 == 199) std::printf("step %d: loss %.4f\n", i + 1, double(loss.item()));
  }
  float const of_noise = distance(normal<Points>(Key{8}, 400));
  float const drawn = distance(sample(model, schedule, 400));
  std::printf("distance to the spiral: %.3f of noise, %.3f of what is drawn\n", double(of_noise),
              double(drawn));
  return drawn < 0.4f * of_noise ? 0 : 1;
}
