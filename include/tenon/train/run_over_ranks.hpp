#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <tenon/distributed/collectives/rooted.hpp>
#include <tenon/distributed/communication/world.hpp>

#include <tenon/train/run.hpp>

namespace tenon::internal::training {

/// A text of rank 0, on all ranks.
inline std::string broadcast_text(std::string const& text, World const& world) {
  auto bytes = zeros<Tensor<std::uint8_t, "byte">>(text.size());
  bytes.set_elements([&](std::uint8_t* to) { std::memcpy(to, text.data(), text.size()); });
  auto const all = broadcast(bytes, 0, world.group());
  std::string received(static_cast<std::size_t>(all.size()), '\0');
  for (std::size_t i = 0; i < received.size(); ++i) {
    received[i] = static_cast<char>(all(static_cast<std::int64_t>(i)));
  }
  return received;
}

/// The options of a run that all ranks of a world share: rank 0 creates its folder, whose name the
/// others get. Collective. `RunManager run(config, "tag", over_ranks(world, "tag"));`
inline RunOptions over_ranks(World const& world, std::string_view tag, RunOptions options = {}) {
  options.rank = world.rank();
  options.ranks = world.size();
  if (world.rank() == 0) {
    options.folder = create_run_folder(options.parent, tag, options.time);
  }
  options.folder = broadcast_text(options.folder.string(), world);
  return options;
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::over_ranks;

}  // namespace tenon::training
