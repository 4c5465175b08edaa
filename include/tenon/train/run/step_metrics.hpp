#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tenon/core/config.hpp>

namespace tenon::training {

/// Usual metrics of a step or an epoch; absent ones are left out. PyTorch Lightning: what
/// `self.log` is given.
struct StepMetrics {
  std::optional<std::int64_t> epoch{};
  std::optional<std::int64_t> step{};
  std::optional<double> loss{};
  std::optional<double> accuracy{};
  std::optional<double> rate{};  ///< The learning rate.
  std::optional<double> gradient_norm{};
  std::optional<double> items_per_second{};
  std::optional<double> seconds{};
};

}  // namespace tenon::training

namespace tenon::internal::training {

/// A number for people: six digits.
std::string short_number(double value);

/// "epoch 2, step 100, loss 0.5, rate 0.001, gradient norm 0.7, 1200 items/s"
std::string text_of(tenon::training::StepMetrics const& metrics);

}  // namespace tenon::internal::training

#if TENON_DEFINES_RUNTIME

#include <array>
#include <charconv>

namespace tenon::internal::training {

TENON_RUNTIME std::string short_number(double value) {
  std::array<char, 64> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), value,
                                     std::chars_format::general, 6)
                           .ptr};
}

TENON_RUNTIME std::string text_of(tenon::training::StepMetrics const& metrics) {
  std::string text;
  auto const add = [&](char const* name, auto const& value, char const* unit = "") {
    if (!value) return;
    if (!text.empty()) text += ", ";
    text.append(name).append(short_number(static_cast<double>(*value))).append(unit);
  };
  auto const count = [&](char const* name, std::optional<std::int64_t> const& value) {
    if (value) text.append(text.empty() ? "" : ", ").append(name) += std::to_string(*value);
  };
  count("epoch ", metrics.epoch), count("step ", metrics.step);
  add("loss ", metrics.loss), add("accuracy ", metrics.accuracy), add("rate ", metrics.rate);
  add("gradient norm ", metrics.gradient_norm), add("", metrics.items_per_second, " items/s");
  add("", metrics.seconds, " s");
  return text;
}

}  // namespace tenon::internal::training

#endif
