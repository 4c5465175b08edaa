#pragma once

#include <tenon/core/config.hpp>
#include <tenon/eval/attention.hpp>

namespace tenon::internal {

/// The numbers and options of attention on the CPU.
struct CpuAttentionNumbers : AttentionNumbers {
  AttentionMask mask;
  std::int64_t key_heads;

  CpuAttentionNumbers(AttentionNumbers const& numbers, AttentionOptions const& options)
      : AttentionNumbers(numbers),
        mask(options.mask),
        key_heads(options.key_heads == 0 ? heads : options.key_heads) {}

  /// How many heads of queries a head of keys serves.
  std::int64_t group() const { return heads / key_heads; }
  /// By how many positions a causal query sees further than its own.
  std::int64_t ahead() const { return keys - queries; }
};

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
