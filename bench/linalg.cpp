// Decompositions and solutions of square matrices compared with Eigen's: Tenon's are loops over its
// own matmul kernel. One thread.
#include <tenon/tenon.hpp>

#include <Eigen/Dense>

#include "compare.hpp"

using namespace tenon;

using Square = Float64<"n n">;
using Peer = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Peer in_eigen(Square const& a) {
  auto const n = size<0>(a);
  return Eigen::Map<Peer const>(a.data(), n, n);
}

/// The vectors are computed, too.
Peer singular_values(Peer const& x) {
  constexpr int vectors = Eigen::ComputeThinU | Eigen::ComputeThinV;
  return Eigen::BDCSVD<Peer>(x, vectors).singularValues();
}

template <class Ours, class Theirs>
void compare(char const* work, std::int64_t n, Ours const& ours, Theirs const& theirs) {
  auto const a = ours();
  Peer const b = theirs();
  char line[64];
  std::snprintf(line, sizeof line, "%s, %d x %d", work, int(n), int(n));
  bench::line(line, "Eigen, run-time sizes", bench::speedup(ours, theirs),
              bench::difference(a.data(), b.data(), b.size()));
}

void compare(std::int64_t n) {
  Square const a = normal<Square>(Key{1}, n, n), b = normal<Square>(Key{2}, n, n);
  Square const definite = matmul(a, transpose(a)) + double(n) * eye<Square>(n);
  Peer const x = in_eigen(a), y = in_eigen(b), z = in_eigen(definite);
  compare(
      "solve", n, [&] { return eval(linalg::solve(definite, b)); },
      [&] { return Peer(z.partialPivLu().solve(y)); });
  compare(
      "cholesky", n, [&] { return eval(linalg::cholesky(definite)); },
      [&] { return Peer(z.llt().matrixL()); });
  compare(
      "qr", n, [&] { return linalg::qr(a).q; },
      [&] { return Peer(Eigen::HouseholderQR<Peer>(x).householderQ() * Peer::Identity(n, n)); });
  compare(
      "svd", n, [&] { return linalg::svd(a).s; }, [&] { return singular_values(x); });
  compare(
      "eigh", n, [&] { return linalg::eigh(definite).values; },
      [&] { return Peer(Eigen::SelfAdjointEigenSolver<Peer>(z).eigenvalues()); });
}

int main() {
  set_threads(1);
  bench::header();
  for (std::int64_t n : {4, 16, 64, 256, 512}) compare(n);
}
