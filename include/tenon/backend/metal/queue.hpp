#pragma once

#include <array>
#include <deque>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/launch/launch.hpp>
#include <tenon/backend/metal/objects.hpp>

namespace tenon::internal::metal {

/// A pipeline state, with its largest group size.
struct Pipeline {
  Object state;
  Natural most_members;
  std::string name;
};

/// An in-order queue. Several kernels are batched in a command buffer before it is committed: a
/// commit takes longer than the encoding of a kernel. Thread-safe.
class Queue {
 public:
  Queue(Object device, Buffers& buffers)
      : queue_(ask<"newCommandQueue", Object>(device)), buffers_(&buffers) {}

  bool is_there() const { return static_cast<bool>(queue_); }

  /// Whether all commands have completed.
  bool is_idle() {
    std::lock_guard const lock(mutex_);
    return !open_ && running_.empty();
  }

  /// Encodes a kernel after all earlier commands.
  void start(Pipeline const& kernel, std::vector<codegen::LaunchArgument> const& arguments,
             std::array<Natural, 2> const& groups_of) {
    Pool const pool;
    std::lock_guard const lock(mutex_);
    std::vector<Spot> const spots = spots_of(arguments);
    open_encoder();
    ask<"setComputePipelineState:">(encoder_.get(), kernel.state);
    for (std::size_t i = 0; i < arguments.size(); ++i) set(arguments[i], spots[i], Natural{i});
    ask<"dispatchThreadgroups:threadsPerThreadgroup:">(encoder_.get(), Extent{groups_of[0], 1, 1},
                                                       Extent{groups_of[1], 1, 1});
    note(kernel.name);
  }

  /// The same for commands with their own encoder: `encode(commands)` gets the command buffer.
  template <class Encode>
  void start_by(std::string const& name, Encode const& encode) {
    Pool const pool;
    std::lock_guard const lock(mutex_);
    open();
    end_encoder();
    encode(open_.get());
    note(name);
  }

  /// Waits for all commands. Throws `DeviceError` if one has failed.
  void wait() {
    Pool const pool;
    std::lock_guard const lock(mutex_);
    hand_over();
    while (!running_.empty()) wait_for_first();
  }

 private:
  static constexpr int most_encoded = 32;          ///< Kernels of a command buffer.
  static constexpr std::size_t most_running = 16;  ///< Fewer than a queue takes (64).

  std::vector<Spot> spots_of(std::vector<codegen::LaunchArgument> const& arguments) {
    std::vector<Spot> spots;
    spots.reserve(arguments.size());
    for (codegen::LaunchArgument const& argument : arguments) {
      bool const is_place = argument.bytes == 0 && argument.memory != nullptr;
      spots.push_back(is_place ? buffers_->find(argument.memory) : Spot{nullptr, 0});
    }
    return spots;
  }

  void set(codegen::LaunchArgument const& argument, Spot spot, Natural place) {
    if (argument.bytes == 0)
      ask<"setBuffer:offset:atIndex:">(encoder_.get(), spot.buffer, spot.offset, place);
    else
      ask<"setBytes:length:atIndex:">(encoder_.get(),
                                      static_cast<void const*>(argument.number.data()),
                                      Natural{argument.bytes}, place);
  }

  void open() {
    if (open_) return;
    open_ = Owned::shared(ask<"commandBuffer", Object>(queue_.get()));
    if (!open_) refuse("starting a kernel", "a command buffer", "none");
  }
  /// Opens an encoder with a memory barrier between kernels.
  void open_encoder() {
    open();
    if (encoder_) return;
    encoder_ = Owned::shared(ask<"computeCommandEncoder", Object>(open_.get()));
    if (!encoder_) refuse("starting a kernel", "a command encoder", "none");
  }
  void end_encoder() {
    if (encoder_) ask<"endEncoding">(encoder_.get());
    encoder_ = Owned();
  }

  void note(std::string const& name) {
    names_ += names_.empty() ? name : ", " + name;
    if (++encoded_ == most_encoded) hand_over();
  }
  void hand_over() {
    if (!open_) return;
    end_encoder();
    ask<"commit">(open_.get());
    encoded_ = 0;
    running_.push_back({std::move(open_), std::exchange(names_, {})});
    open_ = Owned();
    if (running_.size() > most_running) wait_for_first();
  }

  void wait_for_first() {
    Running const first = std::move(running_.front());
    running_.pop_front();
    ask<"waitUntilCompleted">(first.commands.get());
    if (ask<"status", Natural>(first.commands.get()) != failed) return;
    refuse("running kernels", "success",
           reason(ask<"error", Object>(first.commands.get())) + " in one of " + first.names);
  }

  /// A committed command buffer, and the names of its kernels.
  struct Running {
    Owned commands;
    std::string names;
  };

  std::mutex mutex_;
  Owned queue_;
  Buffers* buffers_;
  Owned open_{}, encoder_{};
  int encoded_ = 0;
  std::string names_{};  ///< Of the encoded kernels.
  std::deque<Running> running_{};
};

/// Compiler options without fast math: no reordering or contraction.
inline Owned safe_options() {
  Owned options(ask<"new", Object>(Api::instance().class_of("MTLCompileOptions")));
  static Selector const set_mode = Api::instance().selector("setMathMode:");  // macOS 15
  if (ask<"respondsToSelector:", bool>(options.get(), set_mode)) {
    ask<"setMathMode:">(options.get(), safe_mathematics);
    ask<"setMathFloatingPointFunctions:">(options.get(), precise_functions);
  } else {
    ask<"setFastMathEnabled:">(options.get(), false);
  }
  return options;
}

/// Compiles a kernel. Throws `DeviceError` with the compiler log and the text.
inline Pipeline compiled(Object device, std::string const& name, std::string const& text) {
  Pool const pool;
  Object error = nullptr;
  auto const check = [&](Owned const& made) {
    if (!made) refuse(name, "a kernel that compiles", reason(error), text);
  };
  Owned const options = safe_options();
  Owned const library(ask<"newLibraryWithSource:options:error:", Object>(device, string_of(text),
                                                                         options.get(), &error));
  check(library);
  Owned const function(ask<"newFunctionWithName:", Object>(library.get(), string_of(name)));
  check(function);
  Owned state(
      ask<"newComputePipelineStateWithFunction:error:", Object>(device, function.get(), &error));
  check(state);
  auto const most = ask<"maxTotalThreadsPerThreadgroup", Natural>(state.get());
  return {state.kept(), most, name};
}

}  // namespace tenon::internal::metal
