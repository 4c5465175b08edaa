#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/core/call.hpp>
#include <tenon/eval/evaluate.hpp>
#include <tenon/tensor/recorded_memory.hpp>
#include <tenon/tree/tree.hpp>

/// Captures a function of tensors on a device as one list of kernels.
namespace tenon::internal {

/// The address identifies a type.
template <class E>
inline char type_mark = 0;  // not a constant: constants of equal value may be merged

/// The key of a recording: the sizes of the tensors on the device, and all other state of the
/// arguments, which is constant in the recording.
template <class D>
class CaptureKey {
 public:
  template <class Tree>
  static CaptureKey of(Tree const& arguments) {
    CaptureKey key;
    tree::for_each<tree::Stored>([&](auto const& leaf) { key.add(leaf); }, arguments);
    return key;
  }
  friend bool operator==(CaptureKey const&, CaptureKey const&) = default;

 private:
  template <class Leaf>
  void add(Leaf const& leaf) {
    if constexpr (!TensorType<Leaf>) {
      add_bytes(&leaf, sizeof leaf);
    } else {
      add_bytes(leaf.sizes().data(), sizeof(Sizes));
      if constexpr (!std::same_as<typename Leaf::device, D>)
        add_bytes(stored_elements(leaf),
                  sizeof(typename Leaf::value_type) * std::size_t(leaf.size()));
    }
  }
  void add_bytes(void const* from, std::size_t count) {
    auto const* const bytes = static_cast<std::byte const*>(from);
    all_.insert(all_.end(), bytes, bytes + count);
  }

  std::vector<std::byte> all_;
};

/// The kernels of one call of a function; its arguments and its result have separate memory.
template <RecordingDevice D, class F, class... Arguments>
class CapturedCall {
 public:
  using Tree = std::tuple<Arguments...>;
  using Result = Unqualified<CallResult<F const&, Arguments const&...>>;

  static CapturedCall of(F const& f, Tree const& arguments) {
    CapturedCall call(copied(arguments));
    RecordingScope<D> scope(*call.memory_);
    call.result_ = std::make_unique<Result const>(std::apply(f, call.arguments_));
    call.recording_ = scope.end();
    return call;
  }

  Result operator()(Tree const& arguments) const {
    tree::zip<tree::Stored>([](auto const& own, auto const& given) { copy(own, given); },
                            arguments_, arguments);
    D::replay(recording_);
    return copied(*result_);
  }

 private:
  explicit CapturedCall(Tree arguments) : arguments_(std::move(arguments)) {}

  template <class T>
  static T copied(T const& tree) {
    return tree::map<tree::Stored>([](auto const& leaf) { return copied_leaf(leaf); }, tree);
  }
  template <class Leaf>
  static Leaf copied_leaf(Leaf const& leaf) {
    if constexpr (is_there<Leaf>) {
      SharedBuffer const& from = leaf.storage().buffer;
      return Leaf::adopt(DeviceBlocks<D>::instance().copied(from.data(), from.bytes()),
                         leaf.sizes());
    } else {
      return leaf;
    }
  }
  template <class Leaf>
  static void copy(Leaf const& own, Leaf const& given) {
    if constexpr (is_there<Leaf>) {
      SharedBuffer const &to = own.storage().buffer, &from = given.storage().buffer;
      if (from.bytes() > 0) D::copy_on_device(to.data(), from.data(), from.bytes());
    }
  }
  template <class Leaf>
  static constexpr bool is_there = requires { requires std::same_as<typename Leaf::device, D>; };

  std::shared_ptr<RecordedMemory<D>> memory_ = std::make_shared<RecordedMemory<D>>();
  Tree arguments_;
  std::unique_ptr<Result const> result_;
  typename D::Recording recording_;
};

/// A function whose kernels are recorded on the first call and replayed on later ones. Not
/// thread-safe.
template <Device D, class F>
class Captured {
 public:
  explicit Captured(F f) : f_(std::move(f)) {}

  template <class... Arguments>
  auto operator()(Arguments const&... arguments) {
    if constexpr (RecordingDevice<D>) {
      if (DeviceLender<D>::current == nullptr) return replayed<Arguments...>({arguments...});
    }
    return f_(arguments...);
  }

  /// How often the function itself was called to record its kernels.
  std::int64_t recordings() const { return recordings_; }

 private:
  template <class... Arguments>
  auto replayed(std::tuple<Arguments...> const& arguments) {
    using Call = CapturedCall<D, F, Arguments...>;
    Known& known = calls_[&type_mark<Call>];
    auto key = CaptureKey<D>::of(arguments);
    if (known.call == nullptr || known.key != key) {
      known = {nullptr, {}};  // first: the new recording may need the memory of the old one
      known = {std::make_shared<Call>(Call::of(f_, arguments)), std::move(key)};
      ++recordings_;
    }
    return (*static_cast<Call const*>(known.call.get()))(arguments);
  }

  /// The last recording for arguments of the same types.
  struct Known {
    std::shared_ptr<void const> call;
    CaptureKey<D> key;
  };

  F f_;
  std::map<void const*, Known> calls_;
  std::int64_t recordings_ = 0;
};

/// A function of trees of tensors on the device `D`, such as a training step, as one list of
/// kernels: the first call records them, later calls only launch them again, without host work
/// between two kernels. The result equals that of `f` if `f` depends only on its arguments:
/// captured variables are part of the recording, as are sizes, numbers and host tensors among the
/// arguments (if one of these changes, a new recording replaces the last). `f` must not read device
/// values on the host: throws `DeviceError`. On a device that cannot record, `f` is called each
/// time. PyTorch: `torch.cuda.graph`; JAX: `jit`.
template <Device D, class F>
Captured<D, F> capture(F f) {
  return Captured<D, F>(std::move(f));
}

}  // namespace tenon::internal

namespace tenon {

using internal::capture;

}  // namespace tenon
