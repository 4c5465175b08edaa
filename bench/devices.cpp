// Expressions and matmuls on an OpenCL device, compared with the CPU on all its cores.
#include <tenon/random/random.hpp>
#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include <string>

#include "compare.hpp"

using namespace tenon;

using Here = Float32<"n">;
using There = Float32<"n", OpenCl>;
using MatrixHere = Float32<"n m">;
using MatrixThere = Float32<"n m", OpenCl>;

/// The time on the CPU divided by the time on the device: above 1 the device is faster.
template <class Ours, class Peer>
void line(std::string const& work, Ours const& there, Peer const& here) {
  auto const done = [&] {
    there();
    OpenCl::synchronise();
  };
  bench::Pair const pair = bench::compared(done, here);
  std::printf("%-34s %10.1f us on the device   %5.2f of the CPU's rate\n", work.c_str(),
              1e6 * pair.seconds, pair.ratio);
}

void maps(std::int64_t n) {
  Here const a = normal<Here>(Key{1}, n), b = normal<Here>(Key{2}, n), c = normal<Here>(Key{3}, n);
  auto const x = to<OpenCl>(a), y = to<OpenCl>(b), z = to<OpenCl>(c);
  Here here;
  There there;
  std::string const size = ", " + std::to_string(n);
  line(
      "relu(a * b + c)" + size, [&] { there = relu(x * y + z); }, [&] { here = relu(a * b + c); });
  line(
      "tanh(a)" + size, [&] { there = tanh(x); }, [&] { here = tanh(a); });
  line(
      "gelu(a)" + size, [&] { there = gelu(x); }, [&] { here = gelu(a); });
}

void softmax_of_rows(std::int64_t rows, std::int64_t columns) {
  MatrixHere const a = normal<MatrixHere>(Key{4}, rows, columns);
  auto const x = to<OpenCl>(a);
  MatrixHere here;
  MatrixThere there;
  std::string const size = ", " + std::to_string(rows) + " x " + std::to_string(columns);
  line(
      "softmax" + size, [&] { there = softmax<"m">(x); }, [&] { here = softmax<"m">(a); });
}

void products(std::int64_t n) {
  auto const a = normal<Float32<"n k">>(Key{5}, n, n);
  auto const b = normal<Float32<"k m">>(Key{6}, n, n);
  auto const bias = normal<Float32<"m">>(Key{7}, n);
  auto const x = to<OpenCl>(a);
  auto const y = to<OpenCl>(b);
  auto const z = to<OpenCl>(bias);
  MatrixHere here;
  MatrixThere there;
  std::string const size = ", " + std::to_string(n);
  line(
      "matmul(a, b)" + size, [&] { there = matmul(x, y); }, [&] { here = matmul(a, b); });
  line(
      "relu(matmul(a, b) + c)" + size, [&] { there = relu(matmul(x, y) + z); },
      [&] { here = relu(matmul(a, b) + bias); });
}

int main() {
  if (!OpenCl::is_available()) {
    std::printf("skipped: there is no OpenCL device\n");
    return 0;
  }
  std::printf("%s\n", OpenCl::model().c_str());
  for (std::int64_t const n : {1000000, 10000000}) maps(n);
  softmax_of_rows(1024, 1024);
  for (std::int64_t const n : {128, 512, 1024}) products(n);
}
