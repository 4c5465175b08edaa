// Small tensors of static size: matmuls, elementwise maps, reductions and a gradient, compared with
// Eigen's fixed-size matrices and with handwritten loops. One thread.
#include <tenon/tenon.hpp>

#include <Eigen/Dense>

#include "small.hpp"

using namespace tenon;
using small::opaque, small::seen, small::compare;

template <class T, int m, int n>
using Fixed = Eigen::Matrix<T, m, n, n == 1 ? Eigen::ColMajor : Eigen::RowMajor>;

template <class X>
X filled(double shift) {
  X x{};
  auto* const to = x.own_memory();
  for (std::int64_t i = 0; i < x.size(); ++i)
    to[i] = static_cast<typename X::value_type>(std::sin(1.7 * double(i) + shift));
  return x;
}

template <class T, int n>
void by_hand(T const* a, T const* b, T* __restrict c) {
  for (int i = 0; i < n; ++i) {
    T row[std::size_t{n}]{};
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) row[j] += a[i * n + k] * b[k * n + j];
    for (int j = 0; j < n; ++j) c[i * n + j] = row[j];
  }
}

template <class X, int n>
void product(char const* name) {
  using T = typename X::value_type;
  X a = filled<X>(0), b = filled<X>(1), c{}, d{};
  Fixed<T, n, n> x(a.data()), y(b.data()), z;
  compare(
      name, [&] { opaque(a, b), c = matmul(a, b), seen(c); },
      [&] { opaque(x, y), z.noalias() = x * y, seen(z); },
      [&] { opaque(a, b), by_hand<T, n>(a.data(), b.data(), d.own_memory()), seen(d); },
      small::Results<T>{c.data(), z.data(), n * n});
}

template <class X, int n>
void transposed_product(char const* name) {
  using T = typename X::value_type;
  X a = filled<X>(0), b = filled<X>(1), c{};
  Fixed<T, n, n> x(a.data()), y(b.data()), z;
  compare(
      name, [&] { opaque(a, b), c = matmul(a, transpose(b)), seen(c); },
      [&] { opaque(x, y), z.noalias() = x * y.transpose(), seen(z); },
      small::Results<T>{c.data(), z.data(), n * n});
}

using Vector16 = Float32<"16">;
using Array = Eigen::Array<float, 16, 1>;

/// The same inputs for all.
struct Numbers {
  Vector16 a = filled<Vector16>(0), b = filled<Vector16>(1), c = filled<Vector16>(2), r{}, s{};
  Array x{Eigen::Map<Array>(a.own_memory())}, y{Eigen::Map<Array>(b.own_memory())},
      z{Eigen::Map<Array>(c.own_memory())}, w{};

  void known() { opaque(a, b), opaque(c, x), opaque(y, z); }
  /// Compares Tenon, Eigen and the loop.
  template <class Ours, class Peer, class Hand>
  void compare_with(char const* work, Ours const& ours, Peer const& peer, Hand const& hand) {
    auto const loop = [&] {
      opaque(a, b), opaque(c, s);
      float* const to = s.own_memory();
      for (int i = 0; i < 16; ++i) to[i] = hand(a.data()[i], b.data()[i], c.data()[i]);
      seen(s);
    };
    compare(
        work, [&] { opaque(a, b), opaque(c, r), r = ours(a, b, c), seen(r); },
        [&] { opaque(x, y), opaque(z, w), w = peer(x, y, z), seen(w); }, loop,
        small::Results<float>{r.data(), w.data(), 16});
  }
};

void maps() {
  Numbers n;
  n.compare_with(
      "a + b, 16 floats", [](auto& a, auto& b, auto&) { return a + b; },
      [](auto& x, auto& y, auto&) { return x + y; }, [](float a, float b, float) { return a + b; });
  n.compare_with(
      "relu(a * b + c), 16 floats", [](auto& a, auto& b, auto& c) { return relu(a * b + c); },
      [](auto& x, auto& y, auto& z) -> Array { return (x * y + z).max(0); },
      [](float a, float b, float c) { return a * b + c <= 0 ? 0 : a * b + c; });
}

void functions() {
  Numbers n;
  compare(
      "exp(a), 16 floats", [&] { n.known(), n.r = exp(n.a), seen(n.r); },
      [&] { n.known(), n.w = n.x.exp(), seen(n.w); },
      small::Results<float>{n.r.data(), n.w.data(), 16});
  compare(
      "softmax(a), 16 floats", [&] { n.known(), n.r = softmax<0>(n.a), seen(n.r); },
      [&] { n.known(), n.w = (n.x - n.x.maxCoeff()).exp(), n.w /= n.w.sum(), seen(n.w); },
      small::Results<float>{n.r.data(), n.w.data(), 16});
}

void folds() {
  Numbers n;
  Float32<""> sum_of_ours{};
  float of_peer{};
  compare(
      "sum(a * b), 16 floats", [&] { n.known(), sum_of_ours = sum(n.a * n.b), seen(sum_of_ours); },
      [&] { n.known(), of_peer = (n.x * n.y).sum(), seen(of_peer); },
      small::Results<float>{sum_of_ours.data(), &of_peer, 1});
}

/// A formula of a matrix and a row; Eigen's is of a matrix and an array that is replicated along
/// it.
template <class X, class Row, class Ours, class Peer>
void moved(char const* work, Ours const& ours, Peer const& peer) {
  using T = typename X::value_type;
  constexpr int n = static_cast<int>(Row::static_count);
  X m = filled<X>(0), r{};
  Row row = filled<Row>(1);
  Fixed<T, n, n> e(m.data()), f;
  Eigen::Matrix<T, 1, n> line(row.data());
  compare(
      work, [&] { opaque(m, row), opaque(r, r), r = ours(m, row), seen(r); },
      [&] { opaque(e, line), opaque(f, f), f = peer(e, line), seen(f); },
      small::Results<T>{r.data(), f.data(), n * n});
}

void moves() {
  auto const turned = [](auto& m, auto&) { return m + transpose(m); };
  auto const peer = [](auto& e, auto&) { return e + e.transpose(); };
  moved<Float32<"4 4">, Float32<"4">>("m + transpose(m), 4 x 4", turned, peer);
  moved<Float32<"3 3">, Float32<"3">>("m + transpose(m), 3 x 3", turned, peer);
  moved<Float64<"4 4">, Float64<"4">>("m + transpose(m), 4 x 4 doubles", turned, peer);
  moved<Float32<"8 8">, Float32<"8">>("m + transpose(m), 8 x 8", turned, peer);
  moved<Float32<"4 4">, Float32<"4">>(
      "m + row, 4 x 4", [](auto& m, auto& row) { return m + row; },
      [](auto& e, auto& row) { return e.rowwise() + row; });
  moved<Float32<"3 3">, Float32<"3">>(
      "m + row, 3 x 3", [](auto& m, auto& row) { return m + row; },
      [](auto& e, auto& row) { return e.rowwise() + row; });
}

/// With respect to 16 floats; the peer is the gradient written by hand. The difference is the cost
/// of a recording.
template <class F, class Peer>
void gradient(char const* work, F const& f, Peer const& peer) {
  Numbers n;
  auto const gradient = grad([&](Vector16 const& x) { return f(n.a, x); });
  compare(
      work, [&] { n.known(), n.r = gradient(n.b), seen(n.r); },
      [&] { n.known(), n.w = peer(n.x, n.y), seen(n.w); },
      small::Results<float>{n.r.data(), n.w.data(), 16});
}

void gradients() {
  gradient(
      "grad of sum(x * x), 16", [](auto&, auto& x) { return sum(x * x); },
      [](auto&, auto& x) -> Array { return 2 * x; });
  gradient(
      "grad of sum(square(a * x - 1)), 16",
      [](auto& a, auto& x) { return sum(square(a * x - 1.0f)); },
      [](auto& a, auto& x) -> Array { return 2 * (a * x - 1) * a; });
  gradient(
      "the same in three values",
      [](auto& a, auto& x) {
        Vector16 const y = a * x, z = y - 1.0f;
        return sum(z * z);
      },
      [](auto& a, auto& x) -> Array { return 2 * (a * x - 1) * a; });
}

int main() {
  set_threads(1);
  small::header();
  product<Float32<"3 3">, 3>("product, 3 x 3 floats");
  product<Float32<"4 4">, 4>("product, 4 x 4 floats");
  product<Float32<"8 8">, 8>("product, 8 x 8 floats");
  product<Float64<"3 3">, 3>("product, 3 x 3 doubles");
  product<Float64<"4 4">, 4>("product, 4 x 4 doubles");
  transposed_product<Float64<"4 4">, 4>("a bᵀ, 4 x 4 doubles");
  maps();
  functions();
  folds();
  moves();
  gradients();
}
