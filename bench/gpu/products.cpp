// Matmuls in float and bfloat16, and attention, on the CUDA device.
#include "timing.hpp"

using namespace gpu;

template <class T>
void product(std::string const& name, std::int64_t n) {
  auto const a = eval(to<T>(normal<Float32<"n k", Cuda>>(Key{1}, n, n)));
  auto const b = eval(to<T>(normal<Float32<"k m", Cuda>>(Key{2}, n, n)));
  double const size = double(n);
  time("matmul_" + std::to_string(n) + "," + name, 3 * size * size * double(sizeof(T)),
       2 * size * size * size, [&] { eval(matmul(a, b)); });
}

template <class T>
void products(std::string const& name) {
  for (std::int64_t const n : {size_of(1024, 33), size_of(4096, 65)}) product<T>(name, n);
}

using Queries = Float32<"batch query head feature", Cuda>;
using Keys = Float32<"batch key head feature", Cuda>;

struct Heads {
  Queries query;
  Keys key, value;
};

void attention() {
  std::int64_t const batch = size_of(8, 1), length = size_of(1024, 40), heads = size_of(12, 2);
  std::int64_t const width = size_of(64, 16);
  Heads const at{normal<Queries>(Key{1}, batch, length, heads, width),
                 normal<Keys>(Key{2}, batch, length, heads, width),
                 normal<Keys>(Key{3}, batch, length, heads, width)};
  auto const forward = [](Heads const& h) {
    return internal::attention_of<internal::MultiheadAttentionName, true>(h.query, h.key, h.value);
  };
  double const each = double(batch * length * heads * width), scores = each * double(length);
  time("attention", 16 * each, 2 * scores, [&] { eval(forward(at)); });
  auto const adjoint = normal<Queries>(Key{4}, batch, length, heads, width);
  time("attention_with_gradient", 48 * each, 7 * scores, [&] {
    auto [y, pull] = vjp(forward, at);
    pull(adjoint);
  });
}

int main() {
  return attempt("float", [] { products<float>("float"); }) +
         attempt("bfloat16", [] { products<bfloat16>("bfloat16"); }) +
         attempt("attention", attention);
}
