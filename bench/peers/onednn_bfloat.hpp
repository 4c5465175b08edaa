#pragma once

#include <cstdint>

#include <tenon/core/half.hpp>

#ifdef TENON_BENCH_ONEDNN
#include <omp.h>
#include <dnnl.hpp>
#endif

namespace bench {

/// oneDNN's matmul of contiguous row-major bfloat16 matrices, on one thread: c = a b.
struct BFloatProduct {
#ifdef TENON_BENCH_ONEDNN
  static constexpr bool is_there = true;

  BFloatProduct(std::int64_t m, std::int64_t n, std::int64_t k)
      : left(matrix(m, k)), right(matrix(k, n)), result(matrix(m, n)) {
    omp_set_num_threads(1);
    product = dnnl::matmul(description());
  }

  void multiply(tenon::bfloat16 const* a, tenon::bfloat16 const* b, tenon::bfloat16* c) const {
    dnnl::memory const x(left, engine, const_cast<tenon::bfloat16*>(a));
    dnnl::memory const y(right, engine, const_cast<tenon::bfloat16*>(b));
    dnnl::memory const z(result, engine, c);
    product.execute(stream, {{DNNL_ARG_SRC, x}, {DNNL_ARG_WEIGHTS, y}, {DNNL_ARG_DST, z}});
    stream.wait();
  }

 private:
  static dnnl::memory::desc matrix(std::int64_t rows, std::int64_t columns) {
    return {{rows, columns}, dnnl::memory::data_type::bf16, dnnl::memory::format_tag::ab};
  }
  dnnl::matmul::primitive_desc description() const {
#if DNNL_VERSION_MAJOR >= 3
    return {engine, left, right, result};
#else
    return {dnnl::matmul::desc(left, right, result), engine};
#endif
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  mutable dnnl::stream stream{engine};
  dnnl::memory::desc left, right, result;
  dnnl::matmul product;
#else
  static constexpr bool is_there = false;

  BFloatProduct(std::int64_t, std::int64_t, std::int64_t) {}
  void multiply(tenon::bfloat16 const*, tenon::bfloat16 const*, tenon::bfloat16*) const {}
#endif
};

}  // namespace bench
