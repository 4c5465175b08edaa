#pragma once

// Who does what, where a GPT is trained by many ranks.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <tenon/dist/mesh.hpp>

#include "options.hpp"

namespace gpt {

/// How many ranks share what; each group of them is an axis of the mesh, the last the fastest.
struct Shares {
  std::int64_t dp = 0;  // other lessons; 0: all ranks that are left
  std::int64_t tp = 1;  // the heads, hidden units and words of each layer
  std::int64_t pp = 1;  // the layers
  std::int64_t cp = 1;  // the positions of each text
  std::int64_t pieces = 4;
};

struct ShareOption {
  std::string_view name;
  std::int64_t Shares::*value;
};

inline constexpr std::array<ShareOption, 5> share_options{{
    {"--dp", &Shares::dp},
    {"--tp", &Shares::tp},
    {"--pp", &Shares::pp},
    {"--cp", &Shares::cp},
    {"--pieces", &Shares::pieces},
}};

/// Takes what it knows out of the arguments.
inline Shares take_shares(std::vector<char*>& arguments) {
  Shares shares;
  for (auto const& [name, value] : share_options) {
    for (std::size_t i = 1; i < arguments.size(); ++i) {
      if (arguments[i] != name) continue;
      char const* number = i + 1 < arguments.size() ? arguments[i + 1] : nullptr;
      shares.*value = read_number<std::int64_t>(name, number, 1, 1 << 20);
      auto const at = arguments.begin() + static_cast<std::ptrdiff_t>(i);
      arguments.erase(at, at + 2);
      break;
    }
  }
  return shares;
}

/// Megatron's order, the ranks of `tp` next to each other.
using Ranks = tenon::Mesh<"pp dp cp tp">;

inline Ranks mesh_of(tenon::World const& world, Shares const& shares) {
  auto const [dp, tp, pp, cp, pieces] = shares;
  std::int64_t const left = dp > 0 ? dp : std::max<std::int64_t>(1, world.size() / (tp * pp * cp));
  return Ranks(world, static_cast<int>(pp), static_cast<int>(left), static_cast<int>(cp),
               static_cast<int>(tp));
}

}  // namespace gpt
