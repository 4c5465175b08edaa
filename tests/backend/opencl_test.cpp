// The same formulas on a device of OpenCL: kernels compiled and run by its driver (PoCL's, on a
// machine without another).

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "recipes.hpp"
#include "source_cases.hpp"

using namespace tenon;

namespace {

bool has_device() {
  if (OpenCl::is_available()) return true;
  MESSAGE("skipped: there is no device of OpenCL");
  return false;
}

/// The values of recipes, one after the other, and how far others of them may be from these.
struct Values {
  struct Value {
    std::string claim;
    double tolerance;
    std::vector<double> elements;
    bool is_float;
  };
  std::vector<Value> all{};

  template <class E>
  void add(std::string claim, double tolerance, E const& recipe) {
    auto const value = to<Cpu>(evaluate(recipe));
    std::vector<double> elements;
    for (std::int64_t i = 0; i < value.size(); ++i)
      elements.push_back(static_cast<double>(value.data()[i]));
    all.push_back({std::move(claim), tolerance, std::move(elements),
                   std::same_as<typename E::value_type, float>});
  }
};

bool agrees(Values::Value const& expected, double got, double wanted) {
  if (!expected.is_float) return source_cases::agrees(got, wanted, expected.tolerance);
  return source_cases::agrees(static_cast<float>(got), static_cast<float>(wanted),
                              expected.tolerance);
}

/// Ops of each word of a dialect: how they are made of these is one text for all dialects.
template <class D>
Values all_values() {
  Values values;
  recipes::add_all(values, recipes::Inputs<D>());
  recipes::add_ops<float, D>(
      values,
      op::List<op::Exp, op::Log, op::Sin, op::Sqrt, op::Floor, op::Round, op::Pow, op::IsNan>{});
  recipes::add_ops<double, D>(values, op::List<op::Gelu, op::Sin, op::Pow, op::Floor>{});
  return values;
}

}  // namespace

TEST_CASE("a device of OpenCL gives what reference gives") {
  if (!has_device()) return;
  Values const device = all_values<OpenCl>(), judge = all_values<Reference>();
  REQUIRE(device.all.size() == judge.all.size());
  for (std::size_t k = 0; k < judge.all.size(); ++k) {
    INFO(judge.all[k].claim);
    REQUIRE(device.all[k].elements.size() == judge.all[k].elements.size());
    for (std::size_t i = 0; i < judge.all[k].elements.size(); ++i) {
      INFO("at " << i << ": " << device.all[k].elements[i] << ", " << judge.all[k].elements[i]);
      CHECK(agrees(judge.all[k], device.all[k].elements[i], judge.all[k].elements[i]));
    }
  }
}

TEST_CASE("a map over many lines is walked line by line where that is faster") {
  if (!has_device()) return;
  auto const formula = [](auto const& x, auto const& bias) {
    return Float32<"n k">(to<Cpu>(relu(x * x + bias)));
  };
  for (auto const& [n, k] : {std::pair(100, 40), std::pair(3, 1000), std::pair(1000, 3)}) {
    auto const x = normal<Float32<"n k">>(Key(1), n, k);
    auto const bias = normal<Float32<"k">>(Key(2), k);
    CHECK(all(abs(formula(to<OpenCl>(x), to<OpenCl>(bias)) - formula(x, bias)) < 1e-6f).item());
  }
}

TEST_CASE("tensors are put together on the device") {
  if (!has_device()) return;
  auto const a = iota<Float32<"n m=3">>(2);
  Float32<"k m=3"> const b = iota<Float32<"k m=3">>(4) * 2.0f;
  auto const x = to<OpenCl>(a);
  auto const y = to<OpenCl>(b);
  auto const joined = to<Cpu>(concat<0>(x, y));
  auto const framed = to<Cpu>(pad<"m", 1, 2>(x, 7.0f));
  CHECK(to_string(joined) == to_string(concat<0>(a, b)));
  CHECK(to_string(framed) == to_string(pad<"m", 1, 2>(a, 7.0f)));
}

TEST_CASE("a tensor that is there already is not copied") {
  if (!has_device()) return;
  auto const x = ones<Float32<"n", OpenCl>>(1000);
  CHECK(to<OpenCl>(x).data() == x.data());
  auto y = x;
  CHECK(y.data() == x.data());
  y.set_elements([](float* to) { std::fill_n(to, 1000, 2.0f); });
  CHECK(x(7) == 1);
  CHECK(y(7) == 2);
}

TEST_CASE("an element is brought to the host; a scalar tells its number") {
  if (!has_device()) return;
  Float32<"2 3", OpenCl> const x{{1, 2, 3}, {4, 5, 6}};
  CHECK(x(1, 2) == 6);
  Float32<"", OpenCl> const total = sum(x);
  CHECK(total.item() == 21);
  CHECK(Float32<"", OpenCl>(2.5f).item() == 2.5f);
}

TEST_CASE("random numbers are the same bits on the device") {
  if (!has_device()) return;
  auto const here = uniform<Float32<"n">>(Key(3), 1000);
  auto const there = to<Cpu>(uniform<Float32<"n", OpenCl>>(Key(3), 1000));
  CHECK(std::equal(here.data(), here.data() + 1000, there.data()));
}

template <class D = Cpu>
struct Layers {
  std::array<Linear<"in=3", "in=3", D>, 2> hidden;
  std::vector<Float32<"in=3", D>> biases;
  Float32<"in=3 out=2", D> last;

  auto operator()(Float<"batch in=3"> auto const& x) const -> Float32<"batch out=2", D> {
    auto const first = eval(relu(hidden[0](x) + biases[0]));
    return matmul(tanh(hidden[1](first)), last);
  }
};

TEST_CASE("a model moves as a tree, and gives the same there") {
  if (!has_device()) return;
  auto model = init::normal<Layers<>>(Key(5), 0.5f);
  model.biases.push_back(uniform<Float32<"in=3">>(Key(6)));
  auto const there = to<OpenCl>(model);
  static_assert(std::same_as<decltype(there), Layers<OpenCl> const>);
  auto const x = normal<Float32<"batch in=3">>(Key(7), 11);
  auto const y = model(x);
  auto const z = to<Cpu>(there(to<OpenCl>(x)));
  CHECK(all(abs(y - z) < 1e-6f).item());
  CHECK(to<Cpu>(there).biases.size() == 1);
}

TEST_CASE("a kernel that is known serves other tensors, numbers and sizes") {
  if (!has_device()) return;
  auto const formula = [](auto const& x, auto const& y, float shift) {
    return Float32<"n">(to<Cpu>(x * y + shift));
  };
  for (std::int64_t const n : {5, 100, 5}) {
    auto const a = normal<Float32<"n">>(Key(n), n), b = normal<Float32<"n">>(Key(n + 1), n);
    auto const x = to<OpenCl>(a), y = to<OpenCl>(b);
    for (float const shift : {0.5f, -3.0f}) {
      CHECK(all(abs(formula(x, y, shift) - formula(a, b, shift)) < 1e-6f).item());
      CHECK(all(abs(formula(x, x, shift) - formula(a, a, shift)) < 1e-6f).item());
      CHECK(all(abs(formula(y, x, shift) - formula(b, a, shift)) < 1e-6f).item());
    }
  }
}

TEST_CASE("a kernel that does not compile is told with the driver's words") {
  if (!has_device()) return;
  try {
    OpenCl::compile("wrong", "__kernel void wrong(__global float* x) { x[0] = nowhere; }");
    FAIL("it compiled");
  } catch (DeviceError const& error) {
    std::string const words = error.what();
    CHECK(words.find("tenon::opencl: 'wrong': expected a kernel that compiles") == 0);
    CHECK(words.find("nowhere") != words.npos);
  }
}

TEST_CASE("gradients on the device are those of reference") {
  if (!has_device()) return;
  auto const gradients = []<class D>(D) {
    recipes::Inputs<D> const t;
    using Leaves = std::tuple<decltype(t.x), decltype(t.bias), decltype(t.w)>;
    auto const loss = [&](Leaves const& leaves) {
      auto const& [x, bias, w] = leaves;
      auto const rows = eval(softmax<"k">(x * t.y + bias) + slice<"k", 0, 150>(x));
      auto const joined = concat<0>(rows, eval(rows * 2.0f));
      return mean(square(matmul(joined, w) + 1.0f)) + mean(max<"k">(take<"n">(x, t.labels)));
    };
    auto const [value, gradient] = value_and_grad(loss)(Leaves(t.x, t.bias, t.w));
    auto const& [x, bias, w] = gradient;
    return std::tuple(to<Cpu>(value), to<Cpu>(x), to<Cpu>(bias), to<Cpu>(w));
  };
  auto const [value, x, bias, w] = gradients(OpenCl());
  auto const [value_, x_, bias_, w_] = gradients(Reference());
  CHECK(value.item() == doctest::Approx(value_.item()));
  CHECK(all(abs(x - x_) <= 1e-5f * (abs(x_) + 1e-3f)).item());
  CHECK(all(abs(bias - bias_) <= 1e-4f * (abs(bias_) + 1e-3f)).item());
  CHECK(all(abs(w - w_) <= 1e-5f * (abs(w_) + 1e-3f)).item());
}

template <class D>
struct Perceptron {
  Linear<"in=4", "hidden=16", D> first;
  Linear<"hidden=16", "class=3", D> last;

  auto operator()(Float<"batch in=4"> auto const& x) const -> Float32<"batch class=3", D> {
    return last(gelu_tanh(first(x)));
  }
};

/// The losses of some steps of AdamW, whose rate changes with every step.
template <class D>
std::vector<float> losses_on(D) {
  auto const x = to<D>(normal<Float32<"batch in=4">>(Key(1), 64));
  auto const labels = to<D>(uniform<Int32<"batch">>(Key(2), 0, 3, 64));
  auto model = to<D>(init::normal<Perceptron<Cpu>>(Key(3), 0.3f));
  AdamW const adam{.rate = 1e-2};
  auto state = adam.init(model);
  std::vector<float> losses;
  for (int step = 0; step < 8; ++step) {
    auto const [loss, gradient] = value_and_grad(
        [&](Perceptron<D> const& m) { return cross_entropy<"class">(m(x), labels); })(model);
    std::tie(model, state) = adam.step(model, gradient, state);
    losses.push_back(loss.item());
  }
  return losses;
}

TEST_CASE("a model is trained on the device as on the processor") {
  if (!has_device()) return;
  auto const there = losses_on(OpenCl()), here = losses_on(Cpu());
  for (std::size_t i = 0; i < here.size(); ++i)
    CHECK(there[i] == doctest::Approx(here[i]).epsilon(1e-4));
  CHECK(here.back() < here.front());
}
