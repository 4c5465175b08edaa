// The printed plan of an expression: what is computed in which kernel.

#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>

#include <tenon/tenon.hpp>

#include <tenon/eval/print_graph.hpp>

namespace print_graph_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

Float32<"batch pixel=784"> const image = zeros<Float32<"batch pixel=784">>(2);
Float32<"pixel=784 hidden=128"> const w;
Float32<"hidden=128"> const b;

std::int64_t count(std::string const& text, std::string const& part) {
  std::int64_t number = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++number;
  return number;
}

}  // namespace

TEST_CASE("softmax is one kernel; its reductions and its exponential are computed once") {
  CHECK(graph_text(softmax<"pixel">(image)) ==
        R"(x0 = tensor                         float32 "batch pixel=784"
kernel 0: rows
  v0 = max(x0)                      float32 "batch pixel=1"
  v1 = stop_gradient(v0)            float32 "batch pixel=1"
  v2 = sub(x0, v1)                  float32 "batch pixel=784"
  v3 = exp(v2)                      float32 "batch pixel=784"
  v4 = sum(v3)                      float32 "batch pixel=1"
  v5 = div(v3, v4)                  float32 "batch pixel=784"
)");
}

TEST_CASE("bias and activation are fused into a matmul") {
  CHECK(graph_text(relu(matmul(image, w) + b)) ==
        R"(x0 = tensor                         float32 "batch pixel=784"
x1 = tensor                         float32 "pixel=784 hidden=128"
x2 = tensor                         float32 "hidden=128"
kernel 0: product with epilogue
  v0 = matmul(x0, x1)               float32 "batch hidden=128"
  v1 = add(v0, x2)                  float32 "batch hidden=128"
  v2 = relu(v1)                     float32 "batch hidden=128"
)");
}

TEST_CASE("a reduction over columns ends its kernel") {
  CHECK(graph_text(sum<"batch">(2 * image) * 0.5f) ==
        R"(x0 = tensor                         float32 "batch pixel=784"
kernel 0: columns
  v0 = mul(2.0, x0)                 float32 "batch pixel=784"
  v1 = sum(v0)                      float32 "pixel=784"
kernel 1: map
  v2 = mul(v1, 0.5)                 float32 "pixel=784"
)");
}

TEST_CASE("the Graphviz output has balanced braces and each node is in one cluster") {
  std::string const dot = graph_dot(sum<"batch">(softmax<"pixel">(image)));
  CHECK(count(dot, "{") == count(dot, "}"));
  CHECK(count(dot, "[") == count(dot, "]"));
  CHECK(count(dot, "subgraph cluster_") == 3);
  std::regex const edge(R"re(  (\w+) -> (\w+);\n)re");
  auto const end = std::sregex_iterator();
  for (auto at = std::sregex_iterator(dot.begin(), dot.end(), edge); at != end; ++at) {
    CHECK(count(dot, "    " + (*at)[1].str() + " [label=") == 1);
    CHECK(count(dot, "    " + (*at)[2].str() + " [label=") == 1);
  }
}

TEST_CASE("printing a plan computes nothing, and the evaluation runs the printed kernels") {
  Int32<"batch pixel=9"> const grey = zeros<Int32<"batch pixel=9">>(2);
  auto const expression = sum<"batch">(grey - max<"pixel">(grey, keep)) + 1;
  std::int64_t const before = kernels_run;
  auto const kernels = static_cast<std::int64_t>(plan_graph(expression).kernels.size());
  CHECK(kernels_run == before);
  (void)eval(expression);
  CHECK(kernels_run == before + kernels);
}

}  // namespace print_graph_test
