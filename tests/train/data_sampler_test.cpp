// The order of elements: by epoch, by rank, and after a state is loaded.

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/data.hpp>

namespace data_sampler_test {

using namespace tenon;
using namespace tenon::training;

namespace {

using Indices = std::vector<std::int64_t>;

/// Batch `number` of epoch 3, joined over the ranks in their order.
Indices joined(std::int64_t size, SamplerOptions options, std::int64_t number) {
  Indices all;
  for (options.rank = 0; options.rank < options.ranks; ++options.rank) {
    Sampler const sampler(size, options);
    for (std::int64_t const i : sampler.batch(sampler.order(3), number)) all.push_back(i);
  }
  return all;
}

}  // namespace

TEST_CASE("a batch is the same for every number of ranks") {
  for (std::int64_t const size : {1, 7, 23, 64}) {
    for (std::int64_t const batch_size : {1, 3, 8, 100}) {
      SamplerOptions const one{.batch_size = batch_size, .shuffle = true, .key = Key(5)};
      for (std::int64_t const ranks : {2, 4, 5}) {
        SamplerOptions several = one;
        several.ranks = ranks;
        for (std::int64_t b = 0; b < Sampler(size, one).batches(); ++b)
          CHECK(joined(size, one, b) == joined(size, several, b));
      }
    }
  }
}

TEST_CASE("an epoch has each element exactly once over all ranks") {
  std::multiset<std::int64_t> seen;
  SamplerOptions const options{.batch_size = 8, .shuffle = true, .key = Key(1), .ranks = 3};
  for (std::int64_t b = 0; b < 3; ++b)
    for (std::int64_t const i : joined(23, options, b)) seen.insert(i);
  CHECK(seen.size() == 23);
  CHECK(std::set<std::int64_t>(seen.begin(), seen.end()).size() == 23);
}

TEST_CASE("epochs have different orders, an epoch always the same") {
  Sampler const sampler(50, {.shuffle = true, .key = Key(2)});
  CHECK(sampler.order(0) != sampler.order(1));
  CHECK(sampler.order(1) == Sampler(50, {.shuffle = true, .key = Key(2)}).order(1));
  CHECK(Sampler(3).order(7) == Indices{0, 1, 2});
}

TEST_CASE("the last batch is shorter or left out; no elements give no batches") {
  CHECK(Sampler(10, {.batch_size = 4}).batches() == 3);
  CHECK(Sampler(10, {.batch_size = 4, .drop_last = true}).batches() == 2);
  CHECK(joined(10, {.batch_size = 4}, 2) == Indices{8, 9});
  CHECK(Sampler(0, {.batch_size = 4, .shuffle = true}).batches() == 0);
  CHECK(Sampler(0, {.shuffle = true}).order(0).empty());
  CHECK(Sampler(3, {.batch_size = 4}).batches() == 1);
  CHECK(Sampler(3, {.batch_size = 4, .drop_last = true}).batches() == 0);
}

TEST_CASE("a state is refused by other data") {
  SamplerOptions const options{.batch_size = 4, .shuffle = true, .key = Key(1)};
  DataState const state = Sampler(10, options).state(2, 1);
  Sampler(10, options).check(state);
  SamplerOptions on_ranks = options;
  on_ranks.ranks = 4;
  Sampler(10, on_ranks).check(state);
  CHECK_THROWS_WITH_AS(Sampler(11, options).check(state),
                       "tenon::Sampler: 'size': expected 11 as in the options, got 10 in the state",
                       ValueError);
  CHECK_THROWS_WITH_AS(Sampler(10, {.batch_size = 4, .shuffle = true, .key = Key(2)}).check(state),
                       "tenon::Sampler: 'key': expected the key of the data, got another key",
                       ValueError);
}

TEST_CASE("a state beyond the epoch, or of other options, is refused") {
  Sampler const sampler(10, {.batch_size = 4});
  sampler.check(sampler.state(0, 3));
  CHECK_THROWS_WITH_AS(sampler.check(sampler.state(0, 4)),
                       "tenon::Sampler: 'batch': expected a number up to 3, got 4", ValueError);
  CHECK_THROWS_WITH_AS(sampler.check(sampler.state(-1, 0)),
                       "tenon::Sampler: 'epoch': expected at least 0, got -1", ValueError);
  CHECK_THROWS_WITH_AS(
      sampler.check(Sampler(10, {.batch_size = 5}).state(0, 0)),
      "tenon::Sampler: 'batch_size': expected 4 as in the options, got 5 in the state", ValueError);
}

TEST_CASE("the position is a tree that checkpoints save") {
  static_assert(internal::tree::is_well_formed<internal::tree::Stored, DataState>());
  int leaves = 0;
  DataState const state;
  tree::for_each<internal::tree::Stored>([&](auto const&) { ++leaves; }, state);
  CHECK(leaves == 7);
}

TEST_CASE("options out of range are refused") {
  CHECK_THROWS_WITH_AS(Sampler(5, {.batch_size = 0}),
                       "tenon::Sampler: 'batch_size': expected at least 1, got 0", ValueError);
  CHECK_THROWS_WITH_AS(Sampler(5, {.rank = 2, .ranks = 2}),
                       "tenon::Sampler: 'rank': expected a number less than 2, got 2", ValueError);
  CHECK_THROWS_WITH_AS(Sampler(5).batch(Sampler(5).order(0), 5),
                       "tenon::Sampler: 'batch': expected a number from 0 to less than 5, got 5",
                       IndexError);
}

}  // namespace data_sampler_test
