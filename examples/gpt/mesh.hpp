#pragma once

// The mesh of a GPT that is trained by many ranks.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/tenon.hpp>

#include "config.hpp"
#include "lesson.hpp"

namespace gpt {

/// The number of ranks for each kind of parallelism; each is an axis of the mesh, the last varies
/// fastest.
struct Shares {
  std::int64_t dp = 0;
  std::int64_t tp = 1;
  std::int64_t pp = 1;
  std::int64_t cp = 1;
  std::int64_t ep = 1;
  std::int64_t experts = 0;
  std::int64_t pieces = 4;
  std::int64_t ranks = 0;

  /// A number of ranks, with its option here and in Megatron.
  template <auto member>
  static constexpr auto share(std::string_view text, std::string_view here,
                              std::string_view megatron) {
    return field<member>(text).range(1, 4096).short_name(here).long_name(megatron);
  }
  static constexpr auto describe_experts() {
    return field<&Shares::experts>("in each layer, two for each token; 0: none")
        .range(0, 4096)
        .short_name("experts")
        .long_name("num-experts");
  }

  static constexpr auto describe() {
    return fields(
        field<&Shares::dp>("ranks that learn other lessons; 0: all that are left")
            .range(0, 4096)
            .short_name("dp"),
        share<&Shares::tp>("ranks that share the heads, hidden units and words of layers", "tp",
                           "tensor-model-parallel-size"),
        share<&Shares::pp>("ranks that share the layers", "pp", "pipeline-model-parallel-size"),
        share<&Shares::cp>("ranks that share the positions of a text", "cp",
                           "context-parallel-size"),
        share<&Shares::ep>("ranks that share experts and lessons", "ep",
                           "expert-model-parallel-size"),
        describe_experts(),
        field<&Shares::pieces>(
            "micro-batches of a lesson; with pp 1 the bits depend on it, not on dp")
            .range(1, 4096)
            .short_name("pieces"),
        field<&Shares::ranks>("those of mpirun, of scripts/demo").short_name("ranks"));
  }
};

/// The configuration of a run over ranks: sums, on the processor.
struct ConfigOverRanks {
  std::int64_t seed = 1;
  std::int64_t threads = 0;
  std::string tag = "gpt";
  std::string runs = "runs";
  std::string resume;
  TrainingConfig training;
  Shares mesh;

  static constexpr auto describe() {
    return fields(
        field<&ConfigOverRanks::seed>("of the random numbers").range(0, 1'000'000'000),
        field<&ConfigOverRanks::threads>("of each rank; 0: its share of the cores").range(0, 1024),
        field<&ConfigOverRanks::tag>("the end of the name of the run's folder"),
        field<&ConfigOverRanks::runs>("the folder of all runs"),
        field<&ConfigOverRanks::resume>(
            "a run's folder: continue from its last checkpoint, with any number of ranks"));
  }
};

/// Megatron's order: the ranks of `tp` are adjacent.
using GptMesh = tenon::Mesh<"pp dp ep cp tp">;

inline GptMesh mesh_of(World const& world, Shares const& shares) {
  std::int64_t const others = shares.tp * shares.pp * shares.cp * shares.ep;
  std::int64_t const dp =
      shares.dp > 0 ? shares.dp : std::max<std::int64_t>(1, world.size() / others);
  auto const size = [](std::int64_t n) { return static_cast<int>(n); };
  return GptMesh(world, size(shares.pp), size(dp), size(shares.ep), size(shares.cp),
                 size(shares.tp));
}

/// A lesson divided into micro-batches of equal size.
struct Pieces {
  Lesson<> lesson;
  int count;

  Lesson<> operator[](int i) const {
    std::int64_t const size = lesson.text.sizes()[0] / count;
    return {slice<"batch">(lesson.text, i * size, (i + 1) * size),
            slice<"batch">(lesson.answer, i * size, (i + 1) * size)};
  }
};

/// Throws `Refusal` if micro-batches would differ in size, or ranks in their number of
/// micro-batches.
inline void check_pieces(Shares const& shares, std::int64_t batch, GptMesh const& mesh) {
  if (batch % shares.pieces != 0)
    refuse("--batch", "a multiple of the " + std::to_string(shares.pieces) + " pieces, got " +
                          std::to_string(batch));
  if (shares.pieces % mesh.size<"dp">() != 0)
    refuse("--pieces", "a multiple of dp " + std::to_string(mesh.size<"dp">()) + ", got " +
                           std::to_string(shares.pieces));
}

/// The loss of each step, one per line, for comparisons of runs.
inline void write_losses(std::filesystem::path const& path, Float64<"step"> const& losses,
                         std::int64_t steps) {
  std::ofstream file(path);
  for (std::int64_t i = 0; i < steps; ++i) file << number(losses(i), "%.9g") << "\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + path.string() + "'");
}

/// Only the first rank prints; each rank computes with its share of the cores.
inline void share_machine(World const& world, std::int64_t threads) {
  if (world.rank() > 0 && std::freopen("/dev/null", "w", stdout) == nullptr) return;
  auto const own = std::max(1, tenon::threads() / world.size());
  set_threads(threads > 0 ? static_cast<int>(threads) : own);
}

}  // namespace gpt
