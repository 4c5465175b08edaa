// Tenon 0.1.0. Made by scripts/single_include from include/: to be changed there.
// MIT License
//
// Copyright (c) 2025 The Tenon authors
//
// Permission is hereby granted, free of charge, to any person obtaining a copy
// of this software and associated documentation files (the "Software"), to deal
// in the Software without restriction, including without limitation the rights
// to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
// copies of the Software, and to permit persons to whom the Software is
// furnished to do so, subject to the following conditions:
//
// The above copyright notice and this permission notice shall be included in all
// copies or substantial portions of the Software.
//
// THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
// IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
// FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
// AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
// LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
// OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
// SOFTWARE.

#pragma once

#include <tenon/tenon.hpp>

// ---- tenon/eval/plan/plan.hpp

#ifndef TENON_EVAL_PLAN_PLAN_HPP
#define TENON_EVAL_PLAN_PLAN_HPP

/// The kernels that evaluating a recipe would run, in order, without running any.
namespace tenon {

/// The value of an earlier kernel where a later one reads it.
template <class T, Spec S, class D>
struct Earlier : ExpressionNode<Earlier<T, S, D>> {
  using value_type = T;
  using device = D;
  static constexpr auto spec = S;
  static constexpr Shape const& shape = ShapeOf<S>::shape;

  int number;  ///< Of the kernel.
  Sizes extents;

  constexpr Earlier(int kernel, Sizes const& sizes) : number(kernel), extents(sizes) {}
  constexpr Sizes sizes() const { return extents; }
};

template <class E>
inline constexpr bool is_earlier = false;
template <class T, Spec S, class D>
inline constexpr bool is_earlier<Earlier<T, S, D>> = true;

/// Stands for the product that a kernel computes itself, before its epilogue.
inline constexpr int own_product = -1;

template <class E>
constexpr auto earlier(E const& e, int number) {
  return Earlier<typename E::value_type, spec_of<E>, typename E::device>(number, e.sizes());
}

/// Settles recipes as evaluation does; where a kernel would run, tells `Visitor` of it, and puts an
/// `Earlier` in its place. A visitor has `kernel(recipe)`, `product(contract)` and
/// `epilogue(contract, recipe)`, where the recipe reads the product as `own_product`; each gives
/// the kernel's number.
template <class Visitor>
class Planned {
 public:
  explicit Planned(Visitor& visitor) : visitor_(&visitor) {}

  template <class E>
  auto operator()(E const& e) const {
    if constexpr (TensorType<E> || is_earlier<E>) return e;
    else return earlier(e, number_of(e));
  }

  template <class R, class E>
  static auto reshaped_to(E const& value, Sizes const& sizes) {
    return Earlier<typename R::value_type, R::spec, typename R::device>(value.number, sizes);
  }

 private:
  template <class E>
  int number_of(E const& e) const {
    if constexpr (is_contract<E>) {
      return visitor_->product(e);
    } else if constexpr (FusesEpilogue<E>) {
      auto const& product = host_of(e);
      auto const rest = settled(with_host(e, earlier(product, own_product)), *this);
      return visitor_->epilogue(product, rest);
    } else {
      auto const recipe = settled(e, *this);
      if constexpr (is_earlier<Unqualified<decltype(recipe)>>) return recipe.number;
      else return visitor_->kernel(recipe);
    }
  }

  Visitor* visitor_;
};

/// Tells `visitor` of every kernel that evaluating `e` would run, in order. A tensor needs none.
template <class Visitor, class E>
void plan(E const& e, Visitor& visitor) {
  (void)Planned<Visitor>(visitor)(e);
}

}  // namespace tenon
#endif

// ---- tenon/eval/plan/leaf.hpp

#ifndef TENON_EVAL_PLAN_LEAF_HPP
#define TENON_EVAL_PLAN_LEAF_HPP

#include <cstring>
#include <memory>
#include <string>

namespace tenon {

/// What a kernel reads: a tensor, a view, or the result of an earlier kernel.
template <class E>
concept Leaf = TensorType<E> || is_view<E> || is_earlier<E>;

/// Does a leaf stand for the product that its kernel computes itself?
template <Leaf E>
bool is_own_product(E const& leaf) {
  if constexpr (is_earlier<E>) return leaf.number == own_product;
  else return false;
}

/// The memory behind a leaf.
struct LeafMemory {
  std::string_view dtype;
  std::string spec;
  Sizes extents = ones();
  void const* data = nullptr;
  int earlier = own_product;  ///< The kernel that computes it, where one does.
  bool is_view = false;
  std::size_t held_bytes = 0;         ///< Of a tensor that holds its elements itself.
  std::shared_ptr<void const> owner;  ///< Keeps the elements.

  /// Are both the same elements? What tensors hold themselves is compared; views never are.
  bool same(LeafMemory const& other) const {
    if (dtype != other.dtype || spec != other.spec || earlier != other.earlier) return false;
    if (extents != other.extents) return false;  // two tensors may share a buffer
    if (is_view || other.is_view) return false;
    return held_bytes == 0 ? data == other.data : std::memcmp(data, other.data, held_bytes) == 0;
  }
};

template <Leaf E>
LeafMemory memory_of_leaf(E const& leaf) {
  LeafMemory memory;
  memory.dtype = dtype_name<typename E::value_type>;
  memory.spec = std::string(spec_of<E>.view());
  memory.extents = leaf.sizes();
  memory.is_view = is_view<E>;
  if constexpr (is_earlier<E>) {
    memory.earlier = leaf.number;
  } else {
    auto const copy = std::make_shared<E const>(leaf);
    memory.data = copy->data();
    memory.owner = copy;
  }
  if constexpr (TensorType<E>) {
    if constexpr (E::holds_elements)
      memory.held_bytes = sizeof(typename E::value_type) * static_cast<std::size_t>(leaf.size());
  }
  return memory;
}

/// Equal types have equal marks.
template <class E>
inline char type_mark = 0;  // not a constant: those of equal value may be merged

}  // namespace tenon
#endif

// ---- tenon/tensor/recorded_memory.hpp

#ifndef TENON_TENSOR_RECORDED_MEMORY_HPP
#define TENON_TENSOR_RECORDED_MEMORY_HPP

#include <array>
#include <cstddef>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace tenon {

/// The memory of work that is recorded on a device to be done again: what it writes to belongs to
/// the recording as long as anybody has of it, and is handed out again within it alone. Thread-safe
/// but for who lends: one thread records.
template <DistantDevice D>
class RecordedMemory final : public DeviceLender<D>,
                             public std::enable_shared_from_this<RecordedMemory<D>> {
 public:
  SharedBuffer lend(std::size_t bytes) override {
    SizeClass const size = SizeClass::of(bytes);
    void* const data = spare_or_new(size);
    return SharedBuffer::adopt(data, bytes, Lent{this->shared_from_this(), data, size.index});
  }
  void hold(SharedBuffer const& buffer) override {
    if (!blocks_.contains(buffer.data())) read_.emplace(buffer.data(), buffer);
  }

 private:
  /// The owner of what is lent: its end makes it spare.
  class Lent {
   public:
    Lent(std::shared_ptr<RecordedMemory> from, void* data, std::size_t index)
        : from_(std::move(from)), data_(data), index_(index) {}
    Lent(Lent&&) noexcept = default;
    Lent& operator=(Lent&&) = delete;
    ~Lent() {
      if (from_ != nullptr) from_->give_back(data_, index_);
    }

   private:
    std::shared_ptr<RecordedMemory> from_;
    void* data_;
    std::size_t index_;
  };

  void* spare_or_new(SizeClass size) {
    std::lock_guard const lock(mutex_);
    auto& spare = spare_[size.index];
    if (spare.empty()) {
      SharedBuffer const fresh = DeviceBlocks<D>::instance().take_own(size.capacity);
      return blocks_.emplace(fresh.data(), fresh).first->first;
    }
    void* const data = spare.back();
    spare.pop_back();
    return data;
  }
  void give_back(void* data, std::size_t index) {
    std::lock_guard const lock(mutex_);
    spare_[index].push_back(data);
  }

  std::mutex mutex_;
  std::map<void*, SharedBuffer> blocks_;  ///< That belong to the recording,
  std::map<void*, SharedBuffer> read_;    ///< and that were there before. (Of its own it has none
                                          ///< here: they would keep each other.)
  std::array<std::vector<void*>, SizeClass::count> spare_{};
};

/// Lets this thread's memory of a device be that of a recording, and the device note down what it
/// is asked for, until `end`; ends also where an exception goes by.
template <RecordingDevice D>
class RecordingScope {
 public:
  explicit RecordingScope(RecordedMemory<D>& memory)
      : before_(std::exchange(DeviceLender<D>::current, &memory)) {
    D::begin_recording();
  }
  RecordingScope(RecordingScope const&) = delete;
  RecordingScope& operator=(RecordingScope const&) = delete;
  ~RecordingScope() {
    if (!is_open_) return;
    stop();
    D::drop_recording();
  }

  typename D::Recording end() {
    stop();
    return D::end_recording();
  }

 private:
  void stop() {
    is_open_ = false;
    DeviceLender<D>::current = before_;
  }

  DeviceLender<D>* before_;
  bool is_open_ = true;
};

}  // namespace tenon
#endif

// ---- tenon/eval/capture.hpp

#include <tuple>

/// A function of tensors on a device, as one list of kernels.
namespace tenon {

/// What a recording was made for: the sizes of the tensors on the device, and all of what else the
/// arguments hold, which the recording has in it.
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
        add_bytes(leaf.data(), sizeof(typename Leaf::value_type) * std::size_t(leaf.size()));
    }
  }
  void add_bytes(void const* from, std::size_t count) {
    auto const* const bytes = static_cast<std::byte const*>(from);
    all_.insert(all_.end(), bytes, bytes + count);
  }

  std::vector<std::byte> all_;
};

/// The kernels of one call of a function, its arguments and its result in memory of their own.
template <RecordingDevice D, class F, class... Arguments>
class CapturedCall {
 public:
  using Tree = std::tuple<Arguments...>;
  using Result = Unqualified<std::invoke_result_t<F const&, Arguments const&...>>;

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
      if (from.bytes() > 0) D::copy_within(to.data(), from.data(), from.bytes());
    }
  }
  template <class Leaf>
  static constexpr bool is_there = requires { requires std::same_as<typename Leaf::device, D>; };

  std::shared_ptr<RecordedMemory<D>> memory_ = std::make_shared<RecordedMemory<D>>();
  Tree arguments_;
  std::unique_ptr<Result const> result_;
  typename D::Recording recording_;
};

/// A function whose kernels are recorded when it is first called, and done again when it is called
/// later. For one thread at a time.
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

  /// How often the function itself was called, to record its kernels.
  std::int64_t recordings() const { return recordings_; }

 private:
  template <class... Arguments>
  auto replayed(std::tuple<Arguments...> const& arguments) {
    using Call = CapturedCall<D, F, Arguments...>;
    Known& known = calls_[&type_mark<Call>];
    auto key = CaptureKey<D>::of(arguments);
    if (known.call == nullptr || known.key != key) {
      known = {nullptr, {}};  // first: what the last one holds may be needed now
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

/// A function of trees of tensors on the device `D`, such as a step of training, as one list of
/// kernels: the first call records them, later calls only start them again, without the work of the
/// host between two kernels. The result is what `f` would give, as long as `f` depends on nothing
/// but its arguments: what it captures is part of the recording, as are sizes, numbers and tensors
/// of the host among the arguments (where one of these changes, a new recording takes the place of
/// the last). Within `f` nothing is read on the host: throws `DeviceError`. On a device that cannot
/// record, `f` is called each time. PyTorch: `torch.cuda.graph`; JAX: `jit`.
template <Device D, class F>
Captured<D, F> capture(F f) {
  return Captured<D, F>(std::move(f));
}

}  // namespace tenon
