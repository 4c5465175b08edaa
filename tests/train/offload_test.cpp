// What a recording stores of `checkpoint` on another device than that which computes.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "../backend/toy_device.hpp"

#include <tenon/autodiff/higher_order.hpp>
#include <tenon/train/inspect.hpp>

namespace offload_test {

using namespace tenon;
using namespace tenon::training;

namespace {

template <class D>
struct Block {
  Float32<"d=64", D> scale;

  auto operator()(Float32<"n d=64", D> const& x) const -> Float32<"n d=64", D> {
    return tanh(x * scale);
  }
};

template <class D>
struct Model {
  std::array<Block<D>, 8> blocks;
};

template <class D>
Model<D> model() {
  return to<D>(tenon::init::normal<Model<Cpu>>(Key{1}, 1.0f));
}

template <class D>
Float32<"n d=64", D> batch() {
  return to<D>(tenon::normal<Float32<"n d=64">>(Key{2}, 1024));
}

auto const run = [](auto const& block, auto const& x) { return block(x); };

/// The gradient with respect to model and batch of blocks that are called by `call(run)`.
template <class D, class Call>
auto gradients(Call const& call) {
  auto const loss = [&](std::pair<Model<D>, Float32<"n d=64", D>> const& at) {
    Float32<"n d=64", D> x = at.second;
    for (auto const& block : at.first.blocks) x = call(run)(block, x);
    return sum(square(x));
  };
  return grad(loss)(std::pair(model<D>(), batch<D>()));
}

auto const plain = [](auto const& f) { return f; };
auto const recomputed = [](auto const& f) { return checkpoint(f); };
auto const offloaded = [](auto const& f) { return checkpoint(f, offload<Cpu>); };

/// Frees the idle memory of the toy device at the end: LeakSanitizer does not know its pointers.
struct Freed {
  ~Freed() { tenon::memory::empty_cache<Toy>(); }
};

/// The most bytes of the toy device that `f` has in use.
template <class F>
std::int64_t peak_of(F const& f) {
  std::int64_t const before = memory_statistics<Toy>().bytes_in_use;
  reset_peak_memory<Toy>();
  f();
  return memory_statistics<Toy>().peak_bytes_in_use - before;
}

}  // namespace

TEST_CASE("gradients of offloaded arguments are those of arguments that stay") {
  Freed const freed;
  auto const expected = gradients<Cpu>(plain);
  auto const [blocks, x] = gradients<Toy>(offloaded);
  for (std::size_t i = 0; i < 8; ++i)
    CHECK(all(to<Cpu>(blocks.blocks[i].scale) == expected.first.blocks[i].scale).item());
  CHECK(all(to<Cpu>(x) == expected.second).item());
}

TEST_CASE("offloaded arguments take no memory of the device until the backward") {
  Freed const freed;
  constexpr std::int64_t activation = 1024 * 64 * 4;
  auto const stored = peak_of([] { gradients<Toy>(recomputed); });
  auto const elsewhere = peak_of([] { gradients<Toy>(offloaded); });
  CHECK(stored - elsewhere >= 6 * activation);  // of 8 arguments
}

TEST_CASE("each tensor is copied once to the host and once back; parameters are not") {
  Freed const freed;
  auto const before = memory_statistics<Toy>();
  gradients<Toy>(recomputed);
  auto const between = memory_statistics<Toy>();
  gradients<Toy>(offloaded);
  auto const after = memory_statistics<Toy>();
  constexpr std::int64_t activation = 1024 * 64 * 4;
  auto const more = [&](auto member) {
    return after.*member - between.*member - (between.*member - before.*member);
  };
  CHECK(more(&MemoryStatistics::bytes_to_host) == 8 * activation);
  CHECK(more(&MemoryStatistics::bytes_to_device) == 8 * activation);
}

TEST_CASE("an argument that is on the named device already is stored as it is") {
  auto const expected = gradients<Cpu>(recomputed);
  auto const same = gradients<Cpu>(offloaded);
  CHECK(all(same.second == expected.second).item());
}

TEST_CASE("tensors in containers are offloaded, structs and constants are not") {
  Freed const freed;
  using X = Float32<"n d=64", Toy>;
  using Pair = std::pair<X, std::vector<X>>;
  constexpr std::int64_t bytes = 1024 * 64 * 4;
  auto const mask = batch<Toy>();
  auto const masked = [](auto const& block, Pair const& pair, X const& m) -> X {
    return pair.first * pair.second[0] * m * block.scale;
  };
  auto const copied = [&](auto const& f) {
    auto const before = memory_statistics<Toy>().bytes_to_host;
    auto const loss = [&](Pair const& pair) {
      Block<Toy> const block{to<Toy>(ones<Float32<"d=64">>())};
      return sum(f(block, pair, mask));
    };
    auto const gradient = grad(loss)(Pair(batch<Toy>(), {batch<Toy>()}));
    CHECK(all(to<Cpu>(gradient.second[0]) == square(batch<Cpu>())).item());
    return memory_statistics<Toy>().bytes_to_host - before;
  };
  CHECK(copied(checkpoint(masked, offload<Cpu>)) - copied(checkpoint(masked)) == 2 * bytes);
}

TEST_CASE("a gradient of a gradient takes offloaded arguments") {
  auto const cube = checkpoint([](auto const& x) { return eval(x * x * x); }, offload<Reference>);
  auto const slope = [&](Float64<"n"> const& x) { return sum(cube(x)); };
  auto const curve = grad([&](Float64<"n"> const& x) { return sum(grad(slope)(x)); });
  CHECK(all(curve(Float64<"n">{1, 2}) == Float64<"n">{6, 12}).item());
}

}  // namespace offload_test
