// sanitize: thread
// Batches made ahead by a thread: the same batches, states and exceptions as without.

#include <doctest/doctest.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>

namespace data_prefetch_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Indices = std::vector<std::int32_t>;

/// Elements 0 to `count` - 1; one of them throws. Counts the elements that were read.
struct Source {
  std::size_t count = 0;
  std::size_t throws_at = static_cast<std::size_t>(-1);
  std::shared_ptr<std::atomic<int>> reads = std::make_shared<std::atomic<int>>(0);

  std::size_t size() const { return count; }
  std::int32_t operator[](std::size_t index) const {
    if (index == throws_at) throw FileError("element " + std::to_string(index));
    ++*reads;
    return static_cast<std::int32_t>(index);
  }
};

DataLoaderOptions options(std::int64_t prefetch) {
  return {.batch_size = 3, .shuffle = true, .key = Key(8), .prefetch = prefetch};
}

/// What a loop of some batches sees: elements, states, and the text of an exception.
struct Seen {
  std::vector<Indices> batches{};
  std::vector<std::pair<std::int64_t, std::int64_t>> states{};
  std::string error{};

  friend bool operator==(Seen const&, Seen const&) = default;
};

template <class Loader>
Seen look(Loader& loader, int count) {
  Seen seen;
  seen.batches.reserve(static_cast<std::size_t>(count));
  seen.states.reserve(static_cast<std::size_t>(count));
  try {
    for (int i = 0; i < count; ++i) {
      Int32<"batch"> const batch = loader.next();
      seen.batches.emplace_back(batch.data(), batch.data() + batch.size());
      seen.states.emplace_back(loader.state().epoch, loader.state().batch);
    }
  } catch (Error const& error) {
    seen.error = error.what();
  }
  return seen;
}

void wait_for(std::atomic<int> const& reads, int least) {
  while (reads < least) std::this_thread::yield();
}

}  // namespace

TEST_CASE("batches and states are the same for any number of prefetched batches") {
  auto plain = data_loader<"batch">(Source{20}, options(0));
  Seen const expected = look(plain, 23);
  CHECK(expected.states.back() == std::pair<std::int64_t, std::int64_t>(3, 2));
  for (std::int64_t const prefetch : {1, 2, 7, 100}) {
    auto loader = data_loader<"batch">(Source{20}, options(prefetch));
    CHECK(look(loader, 23) == expected);
  }
}

TEST_CASE("an exception of the dataset comes at its batch, after the batches before it") {
  auto plain = data_loader<"batch">(Source{20, 11}, options(0));
  Seen const expected = look(plain, 7);
  CHECK(expected.error == "element 11");
  CHECK(expected.batches.size() < 7);
  for (std::int64_t const prefetch : {1, 3, 50}) {
    auto loader = data_loader<"batch">(Source{20, 11}, options(prefetch));
    CHECK(look(loader, 7) == expected);
    CHECK(look(loader, 7).error == "element 11");
    CHECK(loader.state().batch == plain.state().batch);
  }
}

TEST_CASE("a batch is made before it is asked for, and not more than are wanted") {
  Source const source{30};
  auto loader = data_loader<"batch">(source, {.batch_size = 1, .prefetch = 4});
  (void)loader.next();
  wait_for(*source.reads, 5);
  for (int i = 0; i < 100; ++i) std::this_thread::yield();
  CHECK(*source.reads == 5);
  CHECK(loader.state().batch == 1);
}

TEST_CASE("a loader that is left, restored or destroyed in an epoch ends its thread") {
  for (int left_after = 0; left_after < 8; ++left_after) {
    auto loader = data_loader<"batch">(Source{20}, options(3));
    auto plain = data_loader<"batch">(Source{20}, options(0));
    DataState const start = loader.state();
    int count = 0;
    for (auto const& batch : loader) {
      (void)batch;
      if (++count > left_after) break;
    }
    for (int i = 0; i < count; ++i) (void)plain.next();
    CHECK(look(loader, 2) == look(plain, 2));
    loader.restore(start);
    plain.restore(start);
    CHECK(look(loader, 2) == look(plain, 2));
  }
}

TEST_CASE("the end of a loader does not wait for the other elements of a batch") {
  using namespace tenon::internal::training;
  Source const source{1000};
  BatchMaker<Source, Int32<"batch">> const maker(std::make_shared<Source const>(source),
                                                 Sampler(1000, {.batch_size = 1000}), 0);
  CHECK_THROWS_AS(maker(0, true), NotWanted);
  CHECK(*source.reads == 1);
  std::atomic<int> begun = 0;
  {
    Prefetcher<int> const endless(
        [&](std::int64_t, Cancelled const& cancelled) {
          ++begun;
          while (!cancelled) std::this_thread::yield();
          return 0;
        },
        0, 5, 2);
    wait_for(begun, 1);
  }
  CHECK(begun == 1);
}

TEST_CASE("a loader is moved while a thread works for it") {
  auto first = data_loader<"batch">(Source{20}, options(2));
  auto plain = data_loader<"batch">(Source{20}, options(0));
  (void)first.next();
  (void)plain.next();
  auto second = std::move(first);
  CHECK(look(second, 10) == look(plain, 10));
}

TEST_CASE("elements that are expressions are evaluated by the thread") {
  Float32<"row 64"> const table = zeros<Float32<"row 64">>(32) + 1.0f;
  std::vector<int> const rows(32, 3);
  auto const scaled = map_dataset(rows, [table](int row) { return sum<"row">(table) * row; });
  auto loader = data_loader<"batch">(scaled, {.batch_size = 8, .prefetch = 2});
  float total = 0;
  for (Float32<"batch 64"> const& batch : loader) {
    Float32<""> const part = sum(batch * table(0, 0));
    total += part.item();
  }
  CHECK(total == 32 * 64 * 32 * 3);
}

TEST_CASE("batches are constants of gradients, whichever thread makes them") {
  std::vector<Float32<"100">> const source(6, full<Float32<"100">>(2.0f));
  auto loader = data_loader<"batch">(source, {.batch_size = 3, .prefetch = 2});
  Float32<""> const factor{3.0f};
  auto const gradient = grad([&](Float32<""> const& x) {
    Float32<""> loss{0.0f};
    for (auto const& batch : loader) loss = loss + mean(batch) * x;
    return loss;
  })(factor);
  CHECK(gradient.item() == 4);
}

}  // namespace data_prefetch_test
