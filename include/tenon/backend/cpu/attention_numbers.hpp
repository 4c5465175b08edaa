#pragma once

#include <cstdint>

#include <tenon/eval/attention.hpp>

namespace tenon::internal {

/// The numbers and options of attention on the CPU.
struct CpuAttentionNumbers : AttentionNumbers {
  AttentionMask mask;
  std::int64_t key_heads;
  AttentionDropout dropout;

  CpuAttentionNumbers(AttentionNumbers const& numbers, AttentionOptions const& options)
      : AttentionNumbers(numbers),
        mask(options.mask),
        key_heads(options.key_heads == 0 ? heads : options.key_heads),
        dropout(options.dropout) {}

  bool drops() const { return dropout.bound >> 32 == 0; }

  /// How many heads of queries a head of keys serves.
  std::int64_t group() const { return heads / key_heads; }
  /// By how many positions a causal query sees further than its own.
  std::int64_t ahead() const { return keys - queries; }
};

}  // namespace tenon::internal
