// Collectives of tensors compared with MPI's on plain memory: mpirun -n 2 bench_dist. Out of place
// with out of place, in place with in place. The ranks share one machine.
#include "ranks.hpp"

using namespace tenon;

namespace {

using Numbers = Float32<"n">;

/// Zeros, which sums do not change.
Numbers zeros_of(std::int64_t count) { return zeros<Numbers>(count); }

/// The operands of one collective.
struct Work {
  Group group;
  std::int64_t bytes = 0;
  Numbers x, y;  ///< In memory allocated by MPI.

  Work(Group const& all, std::int64_t size)
      : group(all), bytes(size), x(zeros_of(size / 4)), y(zeros_of(size / 4)) {}

  int count() const { return static_cast<int>(bytes / 4); }
  int part() const { return count() / group.size(); }
  int calls() const {
    return static_cast<int>(std::clamp<std::int64_t>(4'000'000 / bytes, 2, 400));
  }
  MPI_Comm all() const { return group.handle(); }
};

template <class Ours, class Peer>
void line(char const* name, Work const& work, Ours const& ours, Peer const& peer) {
  auto const checked = bench::compared_together(ours, peer, work.calls(), work.group);
  check_collectives(false);
  auto const bare = bench::compared_together(ours, peer, work.calls(), work.group);
  check_collectives(true);
  if (work.group.rank() != 0) return;
  std::string const text = std::string(name) + ", " + bench::text_of_bytes(work.bytes);
  std::printf("%-28s %10.2f us %8.2f %8.2f\n", text.c_str(), checked.seconds * 1e6, checked.ratio,
              bare.ratio);
  bench::figure(text, "MPI", checked.ratio);
  bench::figure(text, "MPI, not compared", bare.ratio);
}

void reductions(Work& work) {
  float* const to = work.y.own_memory();
  line(
      "all_reduce", work, [&] { (void)all_reduce(work.x, work.group); },
      [&] { MPI_Allreduce(work.x.data(), to, work.count(), MPI_FLOAT, MPI_SUM, work.all()); });
  Numbers own = zeros_of(work.count());
  line(
      "all_reduce in place", work, [&] { own = all_reduce(std::move(own), work.group); },
      [&] { MPI_Allreduce(MPI_IN_PLACE, to, work.count(), MPI_FLOAT, MPI_SUM, work.all()); });
  std::vector<int> const parts(static_cast<std::size_t>(work.group.size()), work.part());
  line(
      "reduce_scatter", work, [&] { (void)reduce_scatter<"n">(work.x, work.group); },
      [&] { MPI_Reduce_scatter(work.x.data(), to, parts.data(), MPI_FLOAT, MPI_SUM, work.all()); });
}

void moves(Work& work) {
  float* const to = work.y.own_memory();
  auto const own = zeros_of(work.part());
  int const n = work.part();
  line(
      "all_gather", work, [&] { (void)all_gather<"n">(own, work.group); },
      [&] { MPI_Allgather(own.data(), n, MPI_FLOAT, to, n, MPI_FLOAT, work.all()); });
  line(
      "broadcast", work, [&] { (void)broadcast(work.x, 0, work.group); },
      [&] { MPI_Bcast(to, work.count(), MPI_FLOAT, 0, work.all()); });
  line(
      "all_to_all", work, [&] { (void)all_to_all<"n", "n">(work.x, work.group); },
      [&] { MPI_Alltoall(work.x.data(), n, MPI_FLOAT, to, n, MPI_FLOAT, work.all()); });
}

}  // namespace

int main() {
  return run([](World& world) {
    if (world.rank() == 0)
      std::printf("%-28s %13s %8s %8s   (time of MPI divided by ours; ranks: %d)\n", "collective",
                  "ours takes", "compared", "not", world.size());
    for (int const kilobytes : {1, 64, 1024, 16 * 1024}) {
      Work work(world.group(), std::int64_t{kilobytes} << 10);
      reductions(work);
      moves(work);
    }
  });
}
