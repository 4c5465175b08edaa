// Statistics of a file that is too large for one rank: each reads its own part in chunks, twice.
// The results have the same bits for any number of ranks, because sums over ranks are exact:
//
//   mpirun -n 4 15_statistics_over_ranks --folder /scratch --gigabytes 8
//
// Without --gigabytes the file is small, and each rank compares with its own result for the whole.
// test-ranks: 4

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <tenon/distributed/collectives/all_reduce.hpp>
#include <tenon/distributed/collectives/exact_reduction.hpp>
#include <tenon/distributed/communication/in_order.hpp>
#include <tenon/distributed/communication/world.hpp>
#include <tenon/io/file.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

using Numbers = Float32<"n">;
using Counts = Int64<"bin=1000">;
constexpr std::int64_t at_once = 1 << 18;  // numbers in memory

/// Writes the file: that many floats, the same for any number of ranks.
void write_numbers(std::string const& path, std::int64_t count) {
  std::ofstream out(path, std::ios::binary);
  for (std::int64_t first = 0; first < count; first += at_once) {
    Numbers const x = 3 + normal<Numbers>(fold_in(Key(1), first), std::min(at_once, count - first));
    out.write(reinterpret_cast<char const*>(x.data()), x.size() * std::int64_t{sizeof(float)});
  }
  if (!out.flush()) throw Error("cannot write '" + path + "'");
}

/// The ranks of a group read a file, each its own part.
struct Reader {
  InputFile const& file;
  Group group;
  std::int64_t total = static_cast<std::int64_t>(file.size() / sizeof(float));

  /// Calls `use(numbers)` for each chunk.
  void for_each_piece(auto const& use) const {
    std::int64_t const end = total * (group.rank() + 1) / group.size();
    for (std::int64_t at = total * group.rank() / group.size(); at < end; at += at_once) {
      Numbers x = zeros<Numbers>(std::min(at_once, end - at));
      x.set_elements([&](float* to) {
        file.read(static_cast<std::uint64_t>(at) * sizeof(float), to,
                  static_cast<std::size_t>(x.size()) * sizeof(float));
      });
      use(x);
    }
  }
};

struct Statistics {
  double mean = 0, least = 0, most = 0, variance = 0, median = 0;
  friend bool operator==(Statistics const&, Statistics const&) = default;
};

/// First pass: the mean and the extremes. A rank sums its numbers exactly, and the sums of ranks
/// are added exactly: neither the order of additions nor the number of ranks changes the result.
Statistics symbolic_extent(Reader const& reader) {
  ExactSum<double> sum;
  Float32<""> least = HUGE_VALF, most = -HUGE_VALF;  // the values for an empty part
  reader.for_each_piece([&](Numbers const& x) {
    sum.add(x);
    least = minimum(least, min(x));
    most = maximum(most, max(x));
  });
  return {.mean = all_reduce(sum, reader.group).mean(reader.total),
          .least = all_reduce<op::min>(least, reader.group).item(),
          .most = all_reduce<op::max>(most, reader.group).item()};
}

/// Second pass: the distances from the mean, which is now known, so that there is no cancellation,
/// and a histogram: integers, whose sums are exact.
Statistics statistics_of(Reader const& reader) {
  Statistics all = symbolic_extent(reader);
  int const bins = static_cast<int>(size<"bin">(Counts()));
  ExactSum<double> squares;
  Counts counts = zeros<Counts>();
  double const width = (all.most - all.least) / bins;
  reader.for_each_piece([&](Numbers const& x) {
    squares.add(eval(square(to<double>(x) - all.mean)));
    for (std::int64_t i = 0; i < x.size(); ++i)
      ++counts(std::min(static_cast<int>((x.data()[i] - all.least) / width), bins - 1));
  });
  all.variance = all_reduce(squares, reader.group).mean(reader.total);
  counts = all_reduce(counts, reader.group);
  std::int64_t before = 0;
  for (int bin = 0; bin < bins && 2 * before < reader.total; before += counts(bin++))
    all.median = all.least + (bin + 0.5) * width;  // to half a bin
  return all;
}

int main(int argc, char** argv) {
  return run([&](World& world) {
    bool const is_large = argc > 4;
    std::string const path = std::string(argc > 2 ? argv[2] : ".") + "/statistics.f32";
    double const count = is_large ? std::stod(argv[4]) * 0x1p28 : 1'000'003;
    if (world.rank() == 0) write_numbers(path, static_cast<std::int64_t>(count));
    barrier(world.group());
    InputFile const file(path);
    Statistics const found = statistics_of({file, world.group()});
    bool const is_same = is_large || found == statistics_of({file, Group()});
    if (!is_large) print_in_order(is_same ? "the same as alone" : "not as alone", world.group());
    if (world.rank() == 0) {
      std::printf("mean %.17g, variance %.17g\n", found.mean, found.variance);
      std::printf("from %.9g to %.9g, median %.4f\n", found.least, found.most, found.median);
      std::filesystem::remove(path);
    }
    return is_same ? 0 : 1;
  });
}
