// Files of trees with tensors on a device. The device here has memory and no kernels, which files
// do not need.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "folder.hpp"

#include <tenon/io/npy.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace devices_test {

using namespace tenon;
using namespace tenon::internal;

namespace {

/// A device whose addresses are not mapped on the host: reading one crashes.
struct Island {
  static constexpr std::string_view name = "island";
  static constexpr bool is_host = false;

  static void* allocate(std::size_t bytes) {
    asked().push_back(std::calloc(bytes + 1, 1));
    return shifted(asked().back());
  }
  static void deallocate(void* memory) { std::free(shifted(memory)); }
  static void copy_from_host(void* to, void const* from, std::size_t bytes) {
    std::memcpy(shifted(to), from, bytes);
  }
  static void copy_to_host(void* to, void const* from, std::size_t bytes) {
    std::memcpy(to, shifted(from), bytes);
    ++copies_out;
  }
  static void copy_on_device(void* to, void const* from, std::size_t bytes) {
    std::memcpy(shifted(to), shifted(from), bytes);
  }
  static void clear(void* to, std::size_t bytes) { std::memset(shifted(to), 0, bytes); }

  static inline int copies_out = 0;

 private:
  /// All allocations by their true addresses: leak checkers do not recognise shifted ones.
  static std::vector<void*>& asked() {
    static std::vector<void*>& all = *new std::vector<void*>;
    return all;
  }
  static void* shifted(void const* address) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(address) ^ std::uintptr_t{1}
                                                                                   << 62);
  }
};
static_assert(DeviceWithMemory<Island>);

template <class D = Cpu>
struct Model {
  Float32<"row column=3", D> weight;
  std::array<Linear<"in=2", "out=3", D>, 2> layers;
  std::vector<Float64<"n", D>> more;
  Frozen<Int32<"n", D>> ids;
  Mask<"_", D> seen;
  BFloat16<"_", D> half;
  Complex128<"_", D> wave;
  Float32<"_", D> nothing;
  Float32<"_"> here;
  Key key;
  std::int64_t step = 0;
};

Model<> model_of_all() {
  Model<> model;
  model.weight = normal<Float32<"row column=3">>(Key(1), 4);
  for (auto& layer : model.layers) layer.weight = normal<Float32<"in=2 out=3">>(Key(3));
  model.more = {iota<Float64<"n">>(5), iota<Float64<"n">>(2)};
  model.ids.value = iota<Int32<"n">>(6);
  model.seen = bernoulli<Mask<"n">>(Key(2), 0.5, 9);
  model.half = iota<BFloat16<"n">>(7);
  model.wave = iota<Complex128<"n">>(3);
  model.here = iota<Float32<"n">>(4);
  model.key = Key(99);
  model.step = 12;
  return model;
}

}  // namespace

TEST_CASE("a file does not depend on the device of the tree") {
  Folder const folder;
  auto const model = model_of_all();
  save(folder / "here", model);
  save(folder / "there", to<Island>(model));
  CHECK(read_bytes(folder / "here") == read_bytes(folder / "there"));
}

TEST_CASE("a tensor of a device is saved to npy and loaded onto the device") {
  Folder const folder;
  Float32<"n"> const x{1, 2, 3};
  tenon::npy::save(folder / "here", x);
  tenon::npy::save(folder / "there", to<Island>(x));
  CHECK(read_bytes(folder / "here") == read_bytes(folder / "there"));
  auto const there = tenon::npy::load<Float32<"n", Island>>(folder / "here");
  CHECK(host_elements(there)[2] == 3);
}

TEST_CASE("a tree is loaded onto the device of its type") {
  Folder const folder;
  save(folder / "here", model_of_all());
  auto const there = load<Model<Island>>(folder / "here");
  static_assert(std::same_as<Model<Island> const, decltype(there)>);
  CHECK(there.more.size() == 2);
  CHECK(there.weight.sizes()[0] == 4);
  save(folder / "again", there);
  CHECK(read_bytes(folder / "here") == read_bytes(folder / "again"));
  CHECK(host_elements(there.ids.value)[5] == 5);
  CHECK(there.here(3) == 3);
  CHECK(there.key == Key(99));
  CHECK(there.step == 12);
}

TEST_CASE("a tensor that the file lacks stays on the device unchanged") {
  Folder const folder;
  struct Part {
    Float32<"row column=3"> weight;
  };
  save(folder / "part", Part{zeros<Float32<"row column=3">>(1)});
  auto const before = to<Island>(model_of_all());
  auto const after = load(folder / "part", before, {.keep_missing = true});
  CHECK(after.weight.sizes()[0] == 1);
  CHECK(after.more[0].data() == before.more[0].data());
}

TEST_CASE("a file that does not fit throws before anything is copied to the device") {
  Folder const folder;
  save(folder / "x", Float32<"column=2">{1, 2});
  using There = Float32<"column=3", Island>;
  CHECK_THROWS_AS((load<There>(folder / "x")), ShapeError);
}

TEST_CASE("each tensor with elements is copied from the device once") {
  Folder const folder;
  auto const there = to<Island>(model_of_all());
  int const before = Island::copies_out;
  save(folder / "there", there);
  CHECK(Island::copies_out - before == 11);
}

}  // namespace devices_test
