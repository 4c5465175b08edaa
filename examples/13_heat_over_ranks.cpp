// The heat equation of a plate that is sharded over ranks: each computes its shard, and receives
// the edges of its neighbours before every step. `mpirun -n 4 13_heat_over_ranks`; one rank needs
// no mpirun.
// test-ranks: 4

#include <cmath>
#include <cstdio>
#include <numbers>

#include <tenon/distributed/collectives/shift.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/distributed/sharding/local_map.hpp>
#include <tenon/distributed/sharding/reduce_shards.hpp>
#include <tenon/distributed/sharding/sharded.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;

using Plate = Sharded<double, "x@row y@column">;
using Part = Float64<"x y">;

constexpr int points = 48, steps = 200;
constexpr double conductivity = 0.2;

/// A shard with the adjacent rows of the neighbours above and below; outside of the plate it is 0.
auto with_rows(Part const& u, LocalGroup const& rows) {
  auto const above = shift(slice<0, -1, to_end>(u), 1, rows, Ends::boundary);
  auto const below = shift(slice<0, 0, 1>(u), -1, rows, Ends::boundary);
  return eval(concat<0>(concat<0>(above, u), below));
}
auto with_columns(Part const& u, LocalGroup const& columns) {
  auto const left = shift(slice<1, -1, to_end>(u), 1, columns, Ends::boundary);
  auto const right = shift(slice<1, 0, 1>(u), -1, columns, Ends::boundary);
  return eval(concat<1>(concat<1>(left, u), right));
}

/// One step in time of this rank's shard.
Part next_part(Part const& u, LocalMesh const& mesh) {
  auto const tall = with_rows(u, mesh.group("row"));
  auto const wide = with_columns(u, mesh.group("column"));
  auto const upper = slice<0, 0, -2>(tall), lower = slice<0, 2, to_end>(tall);
  auto const left = slice<1, 0, -2>(wide), right = slice<1, 2, to_end>(wide);
  return u + conductivity * (upper + lower + left + right - 4 * u);
}

/// A product of sines remains one: this is its amplitude after all steps.
Float64<"x y"> start() {
  auto const wave = sin(std::numbers::pi / (points + 1) * (iota<Float64<"x">>(points) + 1));
  auto const other = rename<"x -> y">(wave);
  return einsum<"x, y -> x y">(wave, other);
}
double left_after() {
  double const decay = 4 * std::pow(std::sin(std::numbers::pi / (points + 1) / 2), 2);
  return std::pow(1 - 2 * decay * conductivity, steps);
}

int main() {
  return run([](World& world) {
    int const columns = world.size() % 2 == 0 ? 2 : 1;
    Mesh<"row column"> const mesh(world, world.size() / columns, columns);
    print(mesh);

    Plate plate = shard<"x@row y@column">(mesh, start());
    auto const advance = local_map<"x@row y@column">(next_part);
    for (int i = 0; i < steps; ++i) plate = advance(plate, mesh);

    Plate const expected = shard<"x@row y@column">(mesh, left_after() * start());
    double const error = unshard(all_reduce(max(abs(plate - expected)))).item();
    double const mean_left = unshard(all_reduce(mean(plate))).item();
    if (world.rank() == 0)
      std::printf("after %d steps the mean is %.6f, off the formula by %.0e at most\n", steps,
                  mean_left, error);
    return error < 1e-12 ? 0 : 1;
  });
}
