#pragma once

// The mesh of a GPT that is trained by many ranks.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/distributed/collectives/collectives.hpp>
#include <tenon/distributed/communication/mesh.hpp>
#include <tenon/tenon.hpp>

#include "lesson.hpp"
#include "loss_curve.hpp"
#include "options.hpp"

namespace gpt {

/// The number of ranks for each kind of parallelism; each is an axis of the mesh, the last varies
/// fastest.
struct Shares {
  std::int64_t dp = 0;       // lessons; 0: all remaining ranks
  std::int64_t tp = 1;       // the heads, hidden units and words of each layer
  std::int64_t pp = 1;       // the layers
  std::int64_t cp = 1;       // the positions of each text
  std::int64_t ep = 1;       // the experts, and the lessons
  std::int64_t experts = 0;  // in each layer; none: a feed-forward layer
  std::int64_t pieces = 4;   // of each lesson, which ranks of dp divide among them
  std::int64_t ranks = 0;    // the ranks of mpirun, passed by scripts/demo
};

struct ShareOption {
  std::string_view name;
  std::int64_t Shares::*value;
};

inline constexpr std::array<ShareOption, 8> share_options{{
    {"--dp", &Shares::dp},
    {"--tp", &Shares::tp},
    {"--pp", &Shares::pp},
    {"--cp", &Shares::cp},
    {"--ep", &Shares::ep},
    {"--experts", &Shares::experts},
    {"--pieces", &Shares::pieces},
    {"--ranks", &Shares::ranks},
}};

inline constexpr char const* shares_help =
    "Trained by many ranks: mpirun -n RANKS, where RANKS is the product of\n"
    "  --dp N             ranks that learn other lessons (all that are left)\n"
    "  --tp N             ranks that share the heads, hidden units and words of layers (1)\n"
    "  --pp N             ranks that share the layers (1)\n"
    "  --cp N             ranks that share the positions of a text (1)\n"
    "  --ep N             ranks that share experts and lessons (1)\n"
    "  --experts N        experts in each layer, two for each token (none)\n"
    "  --pieces N         micro-batches of a lesson; with --pp 1 the bits depend on it, not on "
    "--dp (4)\n"
    "Only sums are supported, on the processor.\n\n";

/// Removes its options from the arguments. Throws `Refusal`.
inline Shares take_shares(std::vector<char*>& arguments) {
  Shares shares;
  for (std::string_view const argument : arguments) {
    if (argument == "--help" || argument == "-h") std::fputs(shares_help, stdout);
    if (argument == "--text" || argument == "--device" || argument == "--lesson")
      refuse(std::string(argument), "a program of one rank, 12_gpt, for that");
  }
  for (auto const& [name, value] : share_options) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (arguments[i] != name) continue;
      char const* number = i + 1 < arguments.size() ? arguments[i + 1] : nullptr;
      shares.*value = read_number<std::int64_t>(name, number, 1, 4096);
      auto const at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
      arguments.erase(at, at + 2);
      break;
    }
  }
  return shares;
}

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
inline void check_pieces(Shares const& shares, Settings const& settings, GptMesh const& mesh) {
  if (settings.batch % shares.pieces != 0)
    refuse("--batch", "a multiple of the " + std::to_string(shares.pieces) + " pieces, got " +
                          std::to_string(settings.batch));
  if (shares.pieces % mesh.size<"dp">() != 0)
    refuse("--pieces", "a multiple of dp " + std::to_string(mesh.size<"dp">()) + ", got " +
                           std::to_string(shares.pieces));
}

/// True if it is true on any rank.
inline bool on_any_rank(bool here, Topology const& mesh) {
  return all_reduce<op::any>(Tensor<bool, "">(here), mesh.group()).item();
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
