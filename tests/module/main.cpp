// Imports the module: trains, saves and loads a model, and defines an op.
#include <cmath>
#include <filesystem>
#include <iostream>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

import tenon;

using namespace tenon;

struct Model {
  Float32<"in=3 hidden=5"> weight;
  Float32<"hidden=5"> bias;
  std::optional<Float32<"hidden=5">> scale;

  auto operator()(Float<"batch in=3"> auto const& x) const {
    return eval(tanh(matmul(x, weight) + bias) * *scale);  // "batch hidden=5"
  }
};

struct Twice {
  static constexpr std::string_view name = "twice";
  template <op::FloatingValue V>
  static constexpr V f(V x) {
    return x + x;
  }
  template <op::FloatingValue V>
  static constexpr auto d(V, V) {
    return op::partials(V(2));
  }
};

template <class X, WellFormed R = MapOf<Twice, X>>
constexpr auto twice(X&& x) -> R {
  return map<Twice>(std::forward<X>(x));
}

static_assert(shape_of<decltype(std::declval<Model>().weight)> == "in=3 hidden=5");
constexpr auto matrix = Float32<"2 2">{{1, 2}, {3, 4}};
static_assert(matmul(matrix, matrix)(1, 1) == 22);

// From another file of the program, which includes the headers.
Float32<"batch"> row_sums(Float32<"batch in=3"> const& x);

bool trains() {
  auto const x = normal<Float32<"batch in=3">>(Key{1}, 8);
  auto model = init::normal<Model>(Key{42}, 0.1f);
  model.scale = ones<Float32<"hidden=5">>();
  auto const loss = [&](Model const& m) { return mean(square(twice(m(x)) - 1.0f)); };
  auto const adam = AdamW{.rate = 0.05f};
  auto state = adam.init(model);
  float const before = loss(model).item();
  for (int i = 0; i < 20; ++i) {
    auto const [value, gradient] = value_and_grad(loss)(model);
    std::tie(model, state) = adam.step(model, gradient, state);
  }
  return loss(model).item() < 0.5f * before;
}

bool saves() {
  auto const path = std::filesystem::temp_directory_path() / "tenon_module_test.safetensors";
  auto const model = init::normal<Model>(Key{3}, 0.1f);
  save(path, model);
  auto const stored = load<Model>(path);
  std::filesystem::remove(path);
  return all(stored.weight == model.weight).item();
}

bool has_second_derivatives() {
  auto const slope = [](auto const& x) {
    return sum(grad([](auto const& y) { return sum(y * y * y); })(x));
  };
  return all(grad(slope)(Float32<"n">{1, 2}) == Float32<"n">{6, 12}).item();
}

bool is_refused_by_name() {
  try {
    as<"batch=4 in=3">(ones<Float32<"batch in=3">>(2));
  } catch (ShapeError const& e) {
    return std::string_view(e.what()).find("batch") != std::string_view::npos;
  }
  return false;
}

bool agrees_with_a_file_that_includes() {
  Float32<"batch in=3"> const x{{1, 2, 3}, {4, 5, 6}};
  return all(row_sums(x) == sum<"in">(x)).item() &&
         all(reduce<"b i -> b", op::max>(x) == Float32<"b">{3, 6}).item();
}

int main() {
  bool const passed[] = {trains(), saves(), has_second_derivatives(), is_refused_by_name(),
                         agrees_with_a_file_that_includes()};
  for (bool const each : passed) std::cout << each;
  std::cout << "\n" << matrix << "\n" << kernel_source(sqrt(matrix)).substr(0, 3) << "\n";
  for (bool const each : passed)
    if (!each) return 1;
  return 0;
}
