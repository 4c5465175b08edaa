#pragma once

#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include <tenon/backend/devices.hpp>
#include <tenon/core/error.hpp>

namespace tenon::internal::training {

inline void say_on_stderr(std::string const& line) {
  (void)std::fputs((line + "\n").c_str(), stderr);
}

}  // namespace tenon::internal::training

namespace tenon::training {

/// The device that a program prefers.
struct DeviceWish {
  std::string_view preferred{};  ///< "cuda"; empty: the first of the list that is available.
  bool fallback = false;         ///< Whether another one may be used.
  /// Receives the line that says which device was chosen, each text once in a process.
  void (*say)(std::string const& line) = internal::training::say_on_stderr;
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// Whether a text is new in this process.
inline bool is_said_first(std::string const& line) {
  static std::mutex mutex;
  static std::set<std::string> said;
  std::lock_guard const lock(mutex);
  return said.insert(line).second;
}

template <class List>
DeviceChoice<List> chosen_device(std::string_view preferred, bool fallback) {
  auto const is_preferred = [&](std::string_view name) { return name == preferred; };
  if (auto const found = List::first(is_preferred)) return *found;
  if (!preferred.empty() && !fallback)
    fail<DeviceError>({.who = "get_device",
                       .what = preferred,
                       .expected = "one of these: " + List::available_names(),
                       .got = List::has(preferred) ? "one that is not on this machine"
                                                   : "one that this program does not know"});
  return default_device<List>();
}

/// The preferred device of a list; with `fallback`, the first available one where it is not on this
/// machine. Says once which one it is. Throws `DeviceError` with the available ones. PyTorch:
/// `torch.device("cuda" if torch.cuda.is_available() else "cpu")`.
template <class List>
DeviceChoice<List> get_device(tenon::training::DeviceWish const& wish = {}) {
  auto const chosen = chosen_device<List>(wish.preferred, wish.fallback);
  std::string const name(visit_device(chosen, [](auto d) { return std::string_view(d.name); }));
  std::string line = "tenon::get_device: " + name;
  if (!wish.preferred.empty() && name != wish.preferred)
    line += " instead of '" + escaped(wish.preferred) + "', which is not available";
  if (wish.say != nullptr && is_said_first(line)) wish.say(line);
  return chosen;
}

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::get_device;

}  // namespace tenon::training
