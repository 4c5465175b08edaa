#pragma once

#include <tenon/backend/source/backward.hpp>
#include <tenon/backend/source/recall.hpp>

/// How backward kernels are started: for the adjoints of a recording.
namespace tenon::source {

/// What a recipe is for its backward kernels: also which leaves are recorded, and which are one.
struct PulledOccurrence : Occurrence {
  std::vector<TapeMark> marks{};

  template <class E>
  void note_marks(Tape const& tape, E const& e) {
    if constexpr (TensorType<E>)
      key.push_back(tape.records(e.mark()) ? place_in(marks, e.mark()) : -1);
    each_operand(e, [&](auto const& operand) { note_marks(tape, operand); });
  }
};

template <class D>
struct CompiledPull {
  typename D::Function function;
  Kernel kernel;
};

/// The backward kernels of a recipe, and what they were printed for.
template <class D>
struct RecalledPull {
  std::vector<CompiledPull<D>> kernels;
  PulledOccurrence of;
};

/// A kernel that is kept for long keeps no memory.
inline Kernel unowned(Kernel kernel) {
  kernel.text.clear();
  for (Memory& memory : kernel.memories) memory.owner = nullptr;
  for (LeafAdjoint& adjoint : kernel.adjoints) adjoint.leaf.owner = nullptr;
  return kernel;
}

/// Starts kernels that were printed for an occurrence like this one.
template <class D>
class PullOnDevice {
 public:
  PullOnDevice(Tape& tape, void const* adjoint, PulledOccurrence const& then,
               PulledOccurrence const& now)
      : tape_(&tape), adjoint_(adjoint), then_(&then), now_(&now) {}

  void run(std::vector<CompiledPull<D>> const& kernels) {
    for (CompiledPull<D> const& one : kernels) {
      std::vector<LaunchArgument> arguments;
      for (Argument const argument : one.kernel.arguments)
        arguments.push_back(of(one.kernel, argument));
      if (one.kernel.rows > 0) D::launch(one.function, arguments, one.kernel.rows);
    }
  }

 private:
  template <class T>
  static T const& same(std::vector<T> const& then, std::vector<T> const& now, T const& thing) {
    return now[static_cast<std::size_t>(std::ranges::find(then, thing) - then.begin())];
  }

  LaunchArgument of(Kernel const& kernel, Argument argument) {
    using Is = Argument::Is;
    std::size_t const at = argument.at;
    if (argument.is == Is::number)
      return LaunchArgument::of_number(&kernel.numbers[at].value, sizeof(std::int64_t));
    if (argument.is == Is::scalar) {
      Scalars::Argument const& scalar = kernel.scalars[at];
      return LaunchArgument::of_number(same(then_->scalars, now_->scalars, scalar.value).data(),
                                       scalar.bytes);
    }
    return LaunchArgument::of_memory(memory_of(kernel, argument));
  }

  void const* memory_of(Kernel const& kernel, Argument argument) {
    using Is = Argument::Is;
    std::size_t const at = argument.at;
    if (argument.is == Is::adjoint) return adjoint_;
    if (argument.is == Is::memory)
      return same(then_->memories, now_->memories, kernel.memories[at].data);
    LeafAdjoint const& own = kernel.adjoints[at];
    if (argument.is == Is::parts) return new_parts(own);
    if (argument.is == Is::summed_parts) return parts_[own.name].data();
    return tape_->template gradient_of<D>(same(then_->marks, now_->marks, own.mark), own.elements,
                                          static_cast<std::size_t>(own.element_bytes));
  }

  /// Zeros for the parts of an adjoint.
  void const* new_parts(LeafAdjoint const& own) {
    auto const bytes = static_cast<std::size_t>(own.parts * own.elements * own.element_bytes);
    SharedBuffer& parts = parts_[own.name] = DeviceBlocks<D>::instance().take(bytes);
    D::clear(parts.data(), bytes);
    return parts.data();
  }

  Tape* tape_;
  void const* adjoint_;
  PulledOccurrence const* then_;
  PulledOccurrence const* now_;
  std::map<std::string, SharedBuffer> parts_;
};

}  // namespace tenon::source
