#pragma once

#include <atomic>
#include <mutex>
#include <optional>
#include <type_traits>

namespace tenon {

/// What a recipe over a product remembers: its value, once it was asked for through a name.
/// Empty, and free, until then; copies share it; thread-safe; absent in constant evaluation, where
/// g++ 12 would refuse to look at a mutable member.
class Memo {
 public:
  constexpr Memo() = default;
  constexpr Memo(Memo const& other) {
    if (!std::is_constant_evaluated()) adopt(other.state_);
  }
  constexpr Memo& operator=(Memo const& other) {
    if (!std::is_constant_evaluated() && state_ != other.state_) {
      drop();
      adopt(other.state_);
    }
    return *this;
  }
  constexpr ~Memo() {
    if (!std::is_constant_evaluated()) drop();
  }

  template <class Value, class Make>
  Value const& get(Make const& make) const {
    auto& state = static_cast<State<Value>&>(shared<Value>());
    std::scoped_lock const lock(state.mutex);
    if (!state.value) state.value.emplace(make());
    return *state.value;
  }

 private:
  struct AnyState {
    virtual ~AnyState() = default;
    std::atomic<int> owners{1};
    std::mutex mutex;
  };
  template <class Value>
  struct State : AnyState {
    std::optional<Value> value;
  };

  static std::mutex& creation() {
    static std::mutex mutex;
    return mutex;
  }

  template <class Value>
  AnyState& shared() const {
    std::scoped_lock const lock(creation());
    if (state_ == nullptr) state_ = new State<Value>;
    return *state_;
  }

  void adopt(AnyState* state) {
    if (state != nullptr) ++state->owners;
    state_ = state;
  }
  void drop() {
    if (state_ != nullptr && --state_->owners == 0) delete state_;
    state_ = nullptr;
  }

  mutable AnyState* state_ = nullptr;
};

/// Stands where nothing has to be remembered.
struct NoMemo {};

}  // namespace tenon
