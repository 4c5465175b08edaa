// Tests whether boxes cover a tensor, with each element in exactly one box.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <tenon/distributed/checkpoint/index_text.hpp>
#include <tenon/distributed/communication/session.hpp>

using namespace tenon::internal::checkpoints;

namespace {

/// The number of boxes that contain each element of a tensor, counted one by one.
std::vector<int> counts(Numbers const& sizes, std::vector<Box> const& boxes) {
  std::vector<int> found(static_cast<std::size_t>(volume(sizes)));
  for (Box const& box : boxes)
    Runs(box, whole_box(sizes), 1).for_each([&](Run const& run) {
      for (std::size_t i = 0; i < run.bytes; ++i) ++found[run.to + i];
    });
  return found;
}

bool covers_by_count(Numbers const& sizes, std::vector<Box> const& boxes) {
  return std::ranges::all_of(counts(sizes, boxes), [](int count) { return count == 1; });
}

struct Random {
  std::mt19937_64 bits{42};
  /// A random number from `first` to `last`, inclusive.
  std::int64_t operator()(std::int64_t first, std::int64_t last) {
    return first + static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(last - first + 1));
  }
};

/// Splits boxes repeatedly at random positions: the tensor stays covered.
std::vector<Box> cut(Numbers const& sizes, int times, Random& random) {
  std::vector<Box> boxes{whole_box(sizes)};
  for (; times > 0 && !sizes.empty(); --times) {
    Box& box = boxes[static_cast<std::size_t>(random(0, std::ssize(boxes) - 1))];
    auto const axis = static_cast<std::size_t>(random(0, std::ssize(sizes) - 1));
    Box rest = box;
    box.extent[axis] = random(0, box.extent[axis]);
    rest.begin[axis] = box.end(axis);
    rest.extent[axis] -= box.extent[axis];
    boxes.push_back(rest);
  }
  std::ranges::shuffle(boxes, random.bits);
  return boxes;
}

/// Moves or resizes a box, and sometimes adds the original again.
void spoil(Numbers const& sizes, std::vector<Box>& boxes, Random& random) {
  auto& box = boxes[static_cast<std::size_t>(random(0, std::ssize(boxes) - 1))];
  Box const before = box;
  bool const resized = random(0, 1) == 0;
  for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
    box.begin[axis] = random(0, sizes[axis] - (resized ? 0 : box.extent[axis]));
    if (resized) box.extent[axis] = random(0, sizes[axis] - box.begin[axis]);
  }
  if (random(0, 3) == 0) boxes.push_back(before);
}

/// A grid of boxes.
std::vector<Box> grid(std::int64_t rows, std::int64_t columns) {
  std::vector<Box> boxes;
  for (std::int64_t i = 0; i < rows; ++i)
    for (std::int64_t k = 0; k < columns; ++k) boxes.push_back({{2 * i, 3 * k}, {2, 3}});
  return boxes;
}

/// Columns split at different rows: along either axis most boxes overlap most others.
std::vector<Box> columns_cut_elsewhere(std::int64_t columns) {
  std::vector<Box> boxes;
  for (std::int64_t k = 0; k < columns; ++k) {
    boxes.push_back({{0, k}, {k + 1, 1}});
    boxes.push_back({{k + 1, k}, {columns - k, 1}});
  }
  return boxes;
}

/// The error message for an index of such a tensor.
std::string reading(Numbers const& sizes, std::vector<Box> const& boxes) {
  Index index;
  index.whole.entries["w"] = {tenon::internal::safetensors::file_dtype_named("F32"), sizes};
  for (Box const& box : boxes) index.boxes["w"].push_back({box, "file", {}});
  try {
    (void)IndexReader(text_of(index), "index.json").read_whole();
  } catch (tenon::FileError const& error) {
    return error.what();
  }
  return "covered";
}

}  // namespace

TEST_CASE("boxes cover a tensor if each element is in exactly one of them") {
  if (tenon::internal::mpi::session().size > 1) return;  // nothing is communicated
  Random random;
  int covered = 0, same_volume = 0;
  for (int trial = 0; trial < 2000; ++trial) {
    Numbers sizes(static_cast<std::size_t>(random(0, 3)));
    for (auto& size : sizes) size = random(trial % 10 == 0 ? 0 : 1, 4);
    auto boxes = cut(sizes, static_cast<int>(random(0, 5)), random);
    CHECK(cover(sizes, boxes));
    spoil(sizes, boxes, random);
    bool const right = covers_by_count(sizes, boxes);
    CHECK(cover(sizes, boxes) == right);
    auto const found = counts(sizes, boxes);
    covered += right;
    same_volume += !right && std::accumulate(found.begin(), found.end(), 0) == volume(sizes);
  }
  CHECK(covered > 100);
  CHECK(same_volume > 50);  // which a comparison of volumes would accept
}

TEST_CASE("tensors without axes and without elements") {
  CHECK(cover({}, std::vector<Box>{{{}, {}}}));
  CHECK(!cover({}, std::vector<Box>{}));
  CHECK(!cover({}, std::vector<Box>{{{}, {}}, {{}, {}}}));
  CHECK(cover({3, 0}, std::vector<Box>{}));
  CHECK(cover({3, 0}, std::vector<Box>{{{0, 0}, {3, 0}}, {{1, 0}, {1, 0}}}));
  std::int64_t const large = std::int64_t{1} << 52;
  CHECK(cover({large}, std::vector<Box>{{{0}, {large - 1}}, {{large - 1}, {1}}}));
  CHECK(!cover({large}, std::vector<Box>{{{0}, {large - 1}}, {{large - 2}, {1}}}));
}

TEST_CASE("an index of 100000 boxes is checked, in any arrangement") {
  if (tenon::internal::mpi::session().size > 1) return;  // nothing is communicated
  auto boxes = grid(250, 400);
  CHECK(cover({500, 1200}, boxes));
  boxes[70001].begin[1] -= 1;
  CHECK(!cover({500, 1200}, boxes));
  std::int64_t const columns = 50000;
  boxes = columns_cut_elsewhere(columns);
  CHECK(cover({columns + 1, columns}, boxes));
  boxes[70000].begin[1] -= 1;
  std::string const words = "tenon::load: 'w': expected boxes that cover \"50001 50000\", got ";
  CHECK(reading({columns + 1, columns}, boxes).starts_with(words + "[0:1,0:1] [1:50001,0:1] "));
}
