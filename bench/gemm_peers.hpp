#pragma once

#include <cstdint>
#include <vector>

#include <Eigen/Core>

#ifdef TENON_BENCH_OPENBLAS
#include <cblas.h>
#endif
#ifdef TENON_BENCH_ONEDNN
#include <dnnl.h>
#include <omp.h>
#endif

/// Libraries that multiply contiguous row-major matrices of floats: c = a b.
namespace bench {

using Gemm = void (*)(std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
                      float const* b, float* c);

struct GemmPeer {
  char const* name;
  Gemm multiply;
};

inline void eigen_gemm(std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
                       float const* b, float* c) {
  using Rows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<Rows>(c, m, n).noalias() =
      Eigen::Map<Rows const>(a, m, k) * Eigen::Map<Rows const>(b, k, n);
}

#ifdef TENON_BENCH_OPENBLAS
inline void openblas_gemm(std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
                          float const* b, float* c) {
  auto const rows = static_cast<blasint>(m), columns = static_cast<blasint>(n);
  auto const depth = static_cast<blasint>(k);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, columns, depth, 1, a, depth, b,
              columns, 0, c, columns);
}
#endif

#ifdef TENON_BENCH_ONEDNN
inline void onednn_gemm(std::int64_t m, std::int64_t n, std::int64_t k, float const* a,
                        float const* b, float* c) {
  dnnl_sgemm('N', 'N', m, n, k, 1, a, k, b, n, 0, c, n);
}
#endif

/// The available ones, with one thread each.
inline std::vector<GemmPeer> gemm_peers() {
  Eigen::setNbThreads(1);
  std::vector<GemmPeer> peers{{"Eigen", eigen_gemm}};
#ifdef TENON_BENCH_OPENBLAS
  openblas_set_num_threads(1);
  peers.push_back({"OpenBLAS", openblas_gemm});
#endif
#ifdef TENON_BENCH_ONEDNN
  omp_set_num_threads(1);
  peers.push_back({"oneDNN", onednn_gemm});
#endif
  return peers;
}

}  // namespace bench
