// Elementwise maps, softmax, sums and transposes on the CUDA device.
#include "timing.hpp"

using namespace gpu;

using Vector = Float32<"n", Cuda>;
using Matrix = Float32<"n m", Cuda>;

template <class R>
R random(std::uint64_t key, auto... sizes) {
  return tenon::normal<R>(Key{key}, sizes...);
}

void elementwise() {
  std::int64_t const n = size_of(1 << 26, 1000);
  auto const a = random<Vector>(1, n), b = random<Vector>(2, n), c = random<Vector>(3, n);
  double const each = 4.0 * double(n);
  time("relu(a*b+c)", 4 * each, 0, [&] { eval(relu(a * b + c)); });
  time("gelu", 2 * each, 0, [&] { eval(gelu(a)); });
  auto const x = eval(to<bfloat16>(a)), y = eval(to<bfloat16>(b));
  time("a*b+a,bfloat16", 1.5 * each, 0, [&] { eval(x * y + x); });
}

/// The time to launch a kernel: 1024 elements.
void small() {
  auto const a = random<Vector>(1, 1024), b = random<Vector>(2, 1024), c = random<Vector>(3, 1024);
  time("relu(a*b+c),1024", 0, 0, [&] { eval(relu(a * b + c)); });
}

void rows() {
  std::int64_t const n = size_of(8192, 8), m = size_of(4096, 100);
  auto const a = random<Matrix>(4, n, m);
  double const bytes = 4.0 * double(n) * double(m);
  time("softmax", 2 * bytes, 0, [&] { eval(softmax<"m">(a)); });
  time("sum_of_rows", bytes, 0, [&] { eval(sum<"m">(a)); });
  time("sum_of_columns", bytes, 0, [&] { eval(sum<"n">(a)); });
  time("sum_of_all", bytes, 0, [&] { eval(sum(a)); });
  time("transpose", 2 * bytes, 0, [&] { eval(transpose<"m n">(a)); });
}

int main() {
  return attempt("elementwise", elementwise) + attempt("small", small) + attempt("rows", rows);
}
