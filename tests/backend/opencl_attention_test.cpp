// Attention as one kernel, by single work items (on a processor) and by work groups: values,
// adjoints, dtypes, and the conversion of formulas to the kernel.

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/tenon.hpp>

#include <tenon/eval/capture.hpp>

#include "attention_cases.hpp"
#include "opencl_device.hpp"

namespace opencl_attention_test {

using namespace tenon;
using namespace tenon::internal;
using namespace attention_cases;

namespace {

/// The same device, with kernels emitted as for a device that is not a processor.
struct Crowd : OpenCl {
  static constexpr std::string_view name = "crowd";
  static bool loops_along_axis() { return false; }
};

/// That many elements in the device's memory.
template <class T>
struct Elements {
  SharedBuffer buffer;
  std::size_t count;

  explicit Elements(std::vector<T> const& from)
      : buffer(DeviceBlocks<OpenCl>::instance().take(from.size() * sizeof(T))), count(from.size()) {
    OpenCl::copy_from_host(buffer.data(), from.data(), count * sizeof(T));
  }
  T* data() const { return buffer.as<T>(); }
  Doubles taken() const {
    std::vector<T> all(count);
    OpenCl::copy_to_host(all.data(), data(), count * sizeof(T));
    return as_doubles(all);
  }
};

/// The results of a device's kernels; with `before`, adjoints are added to ones.
template <class D, class T>
Result on_device(Case const& c, bool before = false) {
  using R = Computed<T>;
  using Kernels = tenon::internal::codegen::Attention<D, tenon::dialect::OpenClC, T>;
  auto const ones_of = [](Doubles const& like) {
    return Elements<R>(std::vector<R>(like.size(), 1));
  };
  Elements<T> const q(as<T>(c.q)), k(as<T>(c.k)), v(as<T>(c.v)), out(as<T>(c.q));
  Elements<R> const log_sums(std::vector<R>(c.q.size())), adjoint(as<R>(c.adjoint));
  Elements<R> const of_q = ones_of(c.q), of_k = ones_of(c.k), of_v = ones_of(c.v);
  AttentionMemory<T> const memory{q.data(), k.data(), v.data(), out.data(), log_sums.data()};
  Kernels::compute(c.numbers, memory);
  Kernels::backward(
      c.numbers, memory,
      {adjoint.data(), {of_q.data(), !before}, {of_k.data(), !before}, {of_v.data(), !before}});
  return {out.taken(), of_q.taken(), of_k.taken(), of_v.taken()};
}

template <class D, class T>
void expect_as_loops(Numbers const& numbers) {
  INFO(numbers.queries << " queries, " << numbers.keys << " keys, width " << numbers.width);
  Case const c = case_of(numbers);
  expect_near(on_device<D, T>(c), by_loops(c), error_of<T>());
}

}  // namespace

TEST_CASE("attention in tiles: lengths and widths with remainders, causal and not") {
  if (!has_device()) return;
  expect_as_loops<OpenCl, float>(numbers_of(1, 2, 65, 65, 16, true));
  expect_as_loops<OpenCl, float>(numbers_of(2, 3, 3, 70, 300, false));
  expect_as_loops<Crowd, float>(numbers_of(1, 2, 65, 65, 16, true));
}

TEST_CASE("attention accumulates adjoints; without keys or queries the result is empty or zero") {
  if (!has_device()) return;
  Case const c = case_of(numbers_of(1, 2, 64, 64, 16, true));
  Result expected = by_loops(c);
  for (Doubles* const sums : {&expected.q, &expected.k, &expected.v})
    for (double& sum : *sums) sum += 1;
  expect_near(on_device<OpenCl, float>(c, true), expected, 2e-5);
  expect_as_loops<OpenCl, float>(numbers_of(1, 2, 3, 0, 16, false));
  expect_as_loops<OpenCl, float>(numbers_of(1, 2, 0, 3, 16, false));
}

TEST_CASE("scores of any magnitude neither overflow nor lose a NaN") {
  if (!has_device()) return;
  Case c = case_of(numbers_of(1, 1, 40, 40, 16, true));
  for (double& number : c.q) number *= 1e4;
  for (double const x : on_device<OpenCl, float>(c).out) REQUIRE(std::abs(x) <= 2.0);
  c.q[5 * 16] = std::nan("");
  Doubles const out = on_device<OpenCl, float>(c).out;
  for (std::size_t i = 0; i < out.size(); ++i) CHECK(std::isnan(out[i]) == (i / 16 == 5));
}

TEST_CASE_TEMPLATE("masked positions influence neither the result nor the gradient of a query", D,
                   OpenCl, Crowd) {
  if (!has_device()) return;
  Numbers const n = numbers_of(1, 2, 70, 70, 16, true);
  Result const expected = before_last(n, by_loops(with_last(case_of(n), 1, 1)));
  for (auto const& [key, value] : hidden_numbers) {
    Result const got = on_device<D, float>(with_last(case_of(n), key, value));
    expect_near(before_last(n, got), expected, 2e-5);
    if (std::isnan(value)) CHECK(std::isnan(got.out.back()));
  }
}

namespace {

using Inputs = std::tuple<Float64<"batch query head feature", OpenCl>,
                          Float64<"batch key head feature", OpenCl>,
                          Float64<"batch key head feature", OpenCl>>;

/// Elements as a tensor on the device.
template <class E>
E there(Doubles const& numbers) {
  return to<OpenCl>(Tensor<double, E::spec>(std::span<double const>(numbers), 2, 9, 3, 5));
}
template <class E>
Doubles here(E const& tensor) {
  auto const elements = to<Cpu>(tensor);
  return Doubles(elements.data(), elements.data() + elements.size());
}
Inputs inputs_of(Case const& c) {
  using Q = std::tuple_element_t<0, Inputs>;
  using K = std::tuple_element_t<1, Inputs>;
  return {there<Q>(c.q), there<K>(c.k), there<K>(c.v)};
}
Result result_of(Inputs const& all) {
  return {{}, here(std::get<0>(all)), here(std::get<1>(all)), here(std::get<2>(all))};
}

/// A loss that weights the result of each query by its adjoint.
struct Loss {
  std::tuple_element_t<0, Inputs> adjoint;

  auto operator()(Inputs const& all) const {
    return std::apply(
        [&](auto const&... x) {
          return sum(attention_of<MultiheadAttentionName, true>(x...) * adjoint);
        },
        all);
  }
};

Numbers const small = numbers_of(2, 3, 9, 9, 5, true);
Loss loss_of(Case const& c) { return {there<std::tuple_element_t<0, Inputs>>(c.adjoint)}; }

}  // namespace

TEST_CASE("formulas with attention on a device use one kernel, and its backward") {
  if (!has_device()) return;
  Case const c = case_of(small);
  auto const before = kernels_run;
  Inputs const derivatives = grad(loss_of(c))(inputs_of(c));
  CHECK(kernels_run - before == 2);  // attention and sum
  expect_near(result_of(derivatives), without_values(by_loops(c)), 1e-13);
}

TEST_CASE("attention has second derivatives, computed by the host") {
  if (!has_device()) return;
  Case const c = case_of(small);
  Case tangent = c;
  tangent.k = some(static_cast<std::int64_t>(c.k.size()), 9);
  Fallback const rule = set_fallback(Fallback::silent);
  auto const second = hvp(loss_of(c), inputs_of(c), inputs_of(tangent));
  set_fallback(rule);
  expect_near(result_of(second), without_values(change_by_loops(c, tangent)), 1e-7);
}

TEST_CASE("a captured step with attention is run again with other values") {
  if (!has_device()) return;
  Case c = case_of(small);
  auto step = capture<OpenCl>([loss = loss_of(c)](Inputs const& all) { return grad(loss)(all); });
  for (unsigned const seed : {2u, 7u, 8u}) {
    c.k = some(static_cast<std::int64_t>(c.k.size()), seed);
    expect_near(result_of(step(inputs_of(c))), without_values(by_loops(c)), 1e-13);
  }
  CHECK(step.recordings() == 1);
}

}  // namespace opencl_attention_test
