#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <tenon/backend/source/kernel.hpp>
#include <tenon/backend/source/launch.hpp>

/// Kernels by what they compute, without their text: to print one takes longer than to start it.
namespace tenon::source {

/// What a recipe is beside its type: its sizes, and which of its leaves and numbers are equal. All
/// that a kernel's text and its run-time sizes depend on, in the order of the nodes; and what is
/// handed to a kernel anew each time.
struct Occurrence {
  using Number = std::array<std::byte, 8>;

  std::vector<std::int64_t> key{};
  std::vector<void const*> memories{};
  std::vector<Number> scalars{};

  template <class E>
  void note(E const& e) {
    if constexpr (is_constant<E>) key.push_back(place_in(scalars, bytes_of(e.value)));
    if constexpr (Leaf<E>) {
      key.push_back(place_in(memories, static_cast<void const*>(e.data())));
      Sizes const sizes = e.sizes();
      key.insert(key.end(), sizes.begin(), sizes.begin() + E::shape.rank);
    }
    if constexpr (is_view<E>) key.insert(key.end(), e.strides().begin(), e.strides().end());
    each_number(e, [&](std::int64_t number) { key.push_back(number); });
    each_operand(e, [&](auto const& operand) { note(operand); });
  }

  template <class T>
  static Number bytes_of(T value) {
    Number bytes{};
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
  }

 protected:
  /// The place of a thing among those seen before, which it joins if it is new.
  template <class T>
  static std::int64_t place_in(std::vector<T>& seen, T const& thing) {
    auto const known = std::ranges::find(seen, thing);
    auto const place = known - seen.begin();
    if (known == seen.end()) seen.push_back(thing);
    return place;
  }
};

/// A compiled kernel, and which of its arguments are of which memory and number of a recipe.
template <class Function>
struct Recalled {
  Function function{};
  std::int64_t rows = 0;
  std::vector<LaunchArgument> arguments{};
  std::vector<std::pair<std::size_t, std::size_t>> memories{}, scalars{};

  /// The arguments for another occurrence.
  std::vector<LaunchArgument> arguments_for(Occurrence const& own, void const* result) const {
    std::vector<LaunchArgument> all = arguments;
    all[0] = LaunchArgument::of_memory(result);
    for (auto const& [at, from] : memories) all[at].memory = own.memories[from];
    for (auto const& [at, from] : scalars) all[at].number = own.scalars[from];
    return all;
  }
};

/// What is to be known of a kernel to start it for recipes like the one it was printed for.
template <class Function>
Recalled<Function> recalled(Function function, Kernel const& kernel, Occurrence const& own) {
  Recalled<Function> known{function, kernel.rows, launch_arguments(kernel, nullptr), {}, {}};
  auto const place = [](auto const& all, auto const& thing) {
    return static_cast<std::size_t>(std::ranges::find(all, thing) - all.begin());
  };
  std::size_t at = 1;
  for (Memory const& memory : kernel.memories)
    known.memories.emplace_back(at++, place(own.memories, memory.data));
  at += kernel.numbers.size();
  for (auto const& scalar : kernel.scalars)
    known.scalars.emplace_back(at++, place(own.scalars, scalar.value));
  return known;
}

/// The kernels of recipes of type `E`. Thread-safe.
template <class D, class E, class Kernels = Recalled<typename D::Function>>
class Recall {
 public:
  using Known = Kernels;

  /// The kernel of a recipe; `make()` makes it where it is new.
  template <class Make>
  static Known const& kernel(std::vector<std::int64_t> const& key, Make const& make) {
    static Recall& all = *new Recall;
    std::lock_guard const lock(all.mutex_);
    auto const found = all.known_.find(key);
    if (found != all.known_.end()) return found->second;
    return all.known_.emplace(key, make()).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<std::int64_t>, Known> known_;
};

}  // namespace tenon::source
