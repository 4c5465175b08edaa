#pragma once

#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <tenon/backend/codegen/cache/kernel_instance.hpp>

/// A cache of kernels keyed by what they compute: a hit needs no text, which takes longer to print
/// than a kernel takes to launch.
namespace tenon::internal::codegen {

/// A compiled kernel with its argument layout: which arguments are memories, scalars and adjoints
/// of an expression. The others are the same at each launch.
template <class Function>
struct CachedKernel {
  /// An argument that is the adjoint of a leaf, or its partial sums.
  struct Adjoint {
    std::size_t at;
    Argument::Is is;
    std::size_t mark;
    std::int64_t elements, element_bytes, parts;
  };

  /// An intermediate buffer between the kernels of an expression.
  struct Between {
    std::size_t at, place;
    std::int64_t bytes;
  };

  Function function{};
  Work work{};
  std::vector<LaunchArgument> arguments{};
  std::vector<std::size_t> whole{};  ///< Indices of the result, or of its adjoint.
  std::vector<std::pair<std::size_t, std::size_t>> memories{}, scalars{};
  std::vector<Adjoint> adjoints{};
  std::vector<Between> between{};

  /// The arguments for another kernel instance; `memory_of(adjoint)` is the memory of an adjoint,
  /// `between_of(one)` that of an intermediate buffer.
  template <class MemoryOf, class BetweenOf>
  std::vector<LaunchArgument> arguments_for(KernelInstance const& own, void const* result,
                                            MemoryOf const& memory_of,
                                            BetweenOf& between_of) const {
    std::vector<LaunchArgument> all = arguments;
    for (std::size_t const at : whole) all[at].memory = result;
    for (auto const& [at, from] : memories) all[at].memory = own.memories[from];
    for (auto const& [at, from] : scalars) all[at].number = own.scalars[from];
    for (Adjoint const& adjoint : adjoints) all[adjoint.at].memory = memory_of(adjoint);
    for (Between const& one : between) all[one.at].memory = between_of(one);
    return all;
  }

  /// The cache entry of a kernel printed for a kernel instance.
  static CachedKernel of(Function function, Kernel const& kernel, KernelInstance const& own) {
    CachedKernel known;
    known.function = function;
    known.work = kernel.work;
    for (Argument const& argument : kernel.arguments) known.add(kernel, argument, own);
    return known;
  }

 private:
  void add(Kernel const& kernel, Argument const& argument, KernelInstance const& own) {
    using Is = Argument::Is;
    std::size_t const at = arguments.size(), from = argument.at;
    LaunchArgument value;
    if (argument.is == Is::number) value = LaunchArgument::of(kernel.numbers[from].value);
    else if (argument.is == Is::scalar) value = add_scalar(kernel.scalars[from], own);
    else if (argument.is == Is::memory)
      memories.emplace_back(at, place_of(own.memories, kernel.memories[from].data));
    else if (argument.is == Is::product)
      memories.emplace_back(at, place_of(own.memories, kernel.product));
    else if (argument.is == Is::result || argument.is == Is::adjoint) whole.push_back(at);
    else if (argument.is == Is::reduced) add_between(kernel.reductions[from]);
    else add_adjoint(kernel.adjoints[from], argument.is, own);
    arguments.push_back(value);
  }
  LaunchArgument add_scalar(Scalars::Argument const& scalar, KernelInstance const& own) {
    scalars.emplace_back(arguments.size(), place_of(own.scalars, scalar.value));
    return {nullptr, scalar.bytes, scalar.value};
  }
  void add_between(ReducedParts const& parts) {
    between.push_back({arguments.size(), parts.place, parts.elements * parts.element_bytes});
  }
  void add_adjoint(LeafAdjoint const& adjoint, Argument::Is is, KernelInstance const& own) {
    adjoints.push_back({arguments.size(), is, place_of(own.marks, adjoint.mark), adjoint.elements,
                        adjoint.element_bytes, adjoint.parts});
  }
};

/// A cache of expressions by key. Thread-safe.
template <class Owner, class Known>
class KernelCache {
 public:
  /// The entry for a key; computed by `make()` on a miss.
  static Known const& find(std::vector<std::int64_t> const& key, Callback<Known()> const& make) {
    static KernelCache& all = *new KernelCache;
    if (Known const* const known = all.known(key)) return *known;
    return all.keep(key, make());
  }

 private:
  Known const* known(std::vector<std::int64_t> const& key) {
    std::lock_guard const lock(mutex_);
    auto const found = known_.find(key);
    return found == known_.end() ? nullptr : &found->second;
  }
  /// An entry that another thread has inserted meanwhile is kept.
  Known const& keep(std::vector<std::int64_t> const& key, Known known) {
    std::lock_guard const lock(mutex_);
    return known_.emplace(key, std::move(known)).first->second;
  }

  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, Known> known_;
};

}  // namespace tenon::internal::codegen
