#pragma once

#include <tenon/backend/cpu/attention_numbers.hpp>
#include <tenon/core/config.hpp>

namespace tenon::internal {

/// Attention on the CPU, some queries and keys at a time: their scores stay in cache, and backward
/// computes them anew, so that memory is linear in the number of positions. The softmax over blocks
/// of keys is that of M. Milakov and N. Gimelshein, "Online normalizer calculation for softmax",
/// 2018; forward and backward are those of T. Dao, "FlashAttention-2", 2023. 16-bit dtypes
/// are computed as float: the operands are copied.
template <class T>
struct CpuAttention {
  static void attend(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory);
  static void backward(CpuAttentionNumbers const& numbers, AttentionMemory<T> const& memory,
                       AttentionAdjoints<T> const& adjoints);
};

}  // namespace tenon::internal

#if TENON_DEFINES_RUNTIME
#include <tenon/backend/cpu/attention.ipp>
#endif
