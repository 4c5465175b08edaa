// Examples of docs/functions/: evaluation and views.

#include <doctest/doctest.h>

#include <span>
#include <vector>

#include <tenon/eval/capture.hpp>
#include <tenon/eval/print_graph.hpp>
#include <tenon/tenon.hpp>

namespace functions_evaluation_test {

using namespace tenon;

Float32<"n=3"> const x{1, 2, 3};

TEST_CASE("evaluation") {
  auto const once = eval(exp(x) + 1);  // a tensor; without eval an expression
  CHECK(once(0) == doctest::Approx(3.718282));
  auto const [half, rest] = eval(x / 2, [](auto const& h) { return x - h; });  // one pass
  CHECK((half(2) == 1.5f && rest(2) == 1.5f));

  auto const total = sum(ones<Float32<"n">>(1000));
  CHECK((is_lazy(total) && !is_lazy(once)));

  // Computed once: later uses of the name read the value.
  CHECK((!is_evaluated(total) && total.item() == 1000 && is_evaluated(total)));

  auto step = capture<Cpu>([](Float32<"n=3"> const& v) { return eval(2 * v); });
  CHECK(step(x)(2) == 6);

  auto const before = kernels_run;
  auto const y = eval(sum(sqrt(reshape<"p q">(ones<Float32<"n">>(10000), 100, 100)) + 1));
  CHECK((kernels_run > before && y.item() == 20000));

  CHECK(graph_dot(exp(x) + 1).starts_with("digraph"));
}

TEST_CASE("views of memory with another owner") {
  std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  auto const rows = view<Float32<"n 3">>(numbers.data(), 2);
  assign(rows, 2 * rows);
  CHECK(numbers[5] == 12);

  View<float, "n 3"> const constant = view<Float32<"n 3">>(numbers.data(), 2);
  CHECK(constant(1, 2) == 12);

  MutableView<float, "n 3"> const writable = view<Float32<"n 3">>(numbers.data(), 2);
  assign(writable, 0);
  CHECK(numbers[5] == 0);

  auto tensor = zeros<Float32<"n">>(3);
  assign(mutable_view(tensor), x);
  CHECK(tensor(2) == 3);

  auto const padded = view<"row column">(numbers.data(), 2, 2, RowPitch(3 * sizeof(float)));
  CHECK(padded(1, 0) == numbers[3]);

  std::span<float const> const elements = as_span(tensor);
  CHECK(elements[2] == 3);

  std::vector<float> const copied = to_vector(2 * x);
  CHECK(copied[2] == 6);
}

}  // namespace functions_evaluation_test
