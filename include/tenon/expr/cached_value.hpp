#pragma once

#include <optional>
#include <type_traits>

#include <tenon/core/atomic.hpp>
#include <tenon/core/mutex.hpp>
#include <tenon/tensor/block.hpp>

namespace tenon::internal {

/// The cache of an expression over a contraction: its value, once it was computed through a name.
/// Empty until then; shared by copies; thread-safe; absent in constant evaluation, where g++ 12
/// rejects reading a mutable member.
class CachedValue {
 public:
  constexpr CachedValue() = default;
  constexpr CachedValue(CachedValue const& other) noexcept {
    if (!__builtin_is_constant_evaluated()) share(other.state_.load());
  }
  constexpr CachedValue& operator=(CachedValue const& other) {
    if (__builtin_is_constant_evaluated()) return *this;
    AnyState* const state = other.state_.load();
    if (state_.load() != state) {
      drop();
      adopt(state);
    }
    return *this;
  }
  constexpr ~CachedValue() {
    if (!__builtin_is_constant_evaluated()) leave();
  }

  /// Whether a value is cached; waits while another thread computes it.
  template <class Value>
  bool has() const {
    auto* const state = static_cast<State<Value>*>(state_.load());
    if (state == nullptr) return false;
    MutexLock const lock(state->mutex);
    return state->value.has_value();
  }

  template <class Value, class Make>
  Value const& get(Make const& make) const {
    auto& state = static_cast<State<Value>&>(shared<Value>());
    MutexLock const lock(state.mutex);
    if (!state.value) state.value.emplace(make());
    return *state.value;
  }

 private:
  struct AnyState {
    virtual ~AnyState() = default;
    OwnerCount owners;
    Mutex mutex;
  };
  template <class Value>
  struct State : AnyState {
    std::optional<Value> value;
  };

  /// Other threads may evaluate or copy at the same time: the first to store a state wins.
  template <class Value>
  AnyState& shared() const {
    AnyState* state = state_.load();
    if (state == nullptr) {
      auto* const made = new State<Value>;
      if (state_.compare_exchange(state, made)) return *made;
      delete made;
    }
    return *state;
  }

  /// Usually empty; checked by every copy of an expression.
  void share(AnyState* state) {
    if (state != nullptr) adopt(state);
  }
  void leave() {
    if (state_.load() != nullptr) drop();
  }
  [[gnu::noinline]] void adopt(AnyState* state) {
    if (state != nullptr) state->owners.add();
    state_.store(state);
  }
  [[gnu::noinline]] void drop() {
    AnyState* const state = state_.exchange(nullptr);
    if (state != nullptr && state->owners.remove()) delete state;
  }

  mutable Atomic<AnyState*> state_{nullptr};
};

/// Used where nothing is cached.
struct NoCachedValue {};

}  // namespace tenon::internal
