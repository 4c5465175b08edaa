#pragma once

// Both translation units instantiate the same templates; their results must agree.

#include <string>

#include <tenon/tenon.hpp>

using namespace tenon::internal;

using Model = tenon::Float32<"pixel=6 digit=3">;

struct Result {
  float value;
  Model gradient;
  std::string shape;
};

template <class Images>
Result train_once(Model const& model, Images const& images) {
  auto const loss = [&](Model const& m) {
    return tenon::sum(tenon::tanh(tenon::matmul(images, m)));
  };
  auto const [value, gradient] = tenon::value_and_grad(loss)(model);
  return {value(), gradient, std::string(tenon::internal::spec_of<Model>.view())};
}

Result first(Model const& model, tenon::Float32<"batch pixel=6"> const& images);
Result second(Model const& model, tenon::Float32<"batch pixel=6"> const& images);

/// The second derivative of x^3: 6 x. Only one of the two files includes the header for it.
inline tenon::Float32<"n"> curvature(tenon::Float32<"n"> const& x) {
  auto const derivatives = [](auto const& v) {
    return tenon::sum(tenon::grad([](auto const& w) { return tenon::sum(w * w * w); })(v));
  };
  return tenon::grad(derivatives)(x);
}
tenon::Float32<"n"> curvature_of_first(tenon::Float32<"n"> const& x);
