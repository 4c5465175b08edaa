// Clusters of points without labels, by k-means; the score is the share of points that are in a
// cluster with the others of their group.

#include <cstdio>

#include <tenon/tenon.hpp>

using namespace tenon;

using Points = Float64<"point space=2">;
using Centres = Float64<"cluster=3 space=2">;
using Numbers = Int32<"point">;  // of the cluster, or of the group, of each point

struct Clusters {
  Centres centres;
  Numbers nearest;
  double inertia;  // the sum of squared distances between points and their centres
  int steps;
};

// The squared distance of each point to each centre: "point cluster=3".
auto squared_distances(Points const& points, Centres const& centres) {
  auto const way = rearrange<"point space -> point 1 space">(points) - centres;
  return eval(sum<"space">(square(way)));
}

// The first centre is a point; each next one is the point farthest from those before (Gonzalez
// 1985). Until they are chosen, the others equal the last one that was.
Centres initial_centres(Points const& points) {
  Centres centres = zeros<Centres>() + eval(points[0]);
  for (int next = 1; next < 3; ++next) {
    auto const far = argmax<"point">(min<"cluster">(squared_distances(points, centres)));
    auto const chosen = eval(take<"point">(points, eval(far)));
    for (int same = next; same < 3; ++same) centres = set<"cluster">(centres, same, chosen);
  }
  return centres;
}

// Each centre moves to the mean of the points that are nearest to it; one without points stays.
Centres update_centres(Points const& points, Centres const& centres, Numbers const& nearest) {
  auto const member = eval(one_hot<"cluster=3", double>(nearest));  // "point cluster=3"
  auto const count = eval(sum<"point">(member));
  auto const total = einsum<"point cluster, point space -> cluster space">(member, points);
  auto const count_of_mean = rearrange<"cluster -> cluster 1">(maximum(count, 1.0));
  return where(rearrange<"cluster -> cluster 1">(count) > 0.0, total / count_of_mean, centres);
}

// Lloyd's algorithm (1982), until no point changes its cluster.
Clusters k_means(Points const& points) {
  Clusters now{initial_centres(points), {}, 0, 0};
  while (true) {
    auto const distances = squared_distances(points, now.centres);
    Numbers const nearest = argmin<"cluster">(distances);
    now.inertia = eval(sum(min<"cluster">(distances))).item();
    if (now.steps > 0 && all(nearest == now.nearest).item()) return now;
    now.nearest = nearest;
    now.centres = update_centres(points, now.centres, nearest);
    ++now.steps;
  }
}

// The purity of the clusters: each counts as the group of which it has the most points.
double purity(Numbers const& cluster, Numbers const& group) {
  auto const in_cluster = eval(one_hot<"cluster=3", double>(cluster));
  auto const in_group = eval(one_hot<"group=3", double>(group));
  auto const counts =
      eval(einsum<"point cluster, point group -> cluster group">(in_cluster, in_group));
  return eval(sum(max<"group">(counts))).item() / static_cast<double>(cluster.size());
}

int main() {
  constexpr std::int64_t points_of_all = 600;
  Float64<"group=3 space=2"> const middles{{0, 0}, {4, 1}, {1, 5}};
  Numbers const group = remainder(iota<Numbers>(points_of_all), 3);
  Points const noise = normal<Points>(Key{1}, points_of_all);
  Points const points = take<"group">(middles, group) + noise;

  auto const found = k_means(points);
  for (int k = 0; k < 3; ++k)
    std::printf("centre %6.3f %6.3f\n", found.centres(k, 0), found.centres(k, 1));
  double const score = purity(found.nearest, group);
  std::printf("%d steps, inertia %.1f, purity %.3f\n", found.steps, found.inertia, score);
  // The noise has variance 1 in each of two directions, and every centre is a mean of points.
  bool const is_least = found.inertia < 2.0 * points_of_all;
  return score > 0.95 && is_least && found.steps < 50 ? 0 : 1;
}
