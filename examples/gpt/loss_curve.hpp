#pragma once

// A plot of the loss over the steps, SVG, with a logarithmic scale.

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpt {

inline constexpr double smallest_loss = 1e-5;  // smaller losses are drawn at this value

/// The coordinates of losses in the plot: x from 60 to 620, y from 24 to 340, in pixels.
struct Scale {
  double steps;
  double lowest;  // powers of ten
  double highest;

  double x(double step) const { return 60 + 560 * step / std::max(steps - 1, 1.0); }
  double y(double power) const { return 340 - 316 * (power - lowest) / (highest - lowest); }
};

inline std::string number(double value, char const* format = "%.1f") {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

inline std::string label(double x, double y, char const* anchor, std::string const& text) {
  return "<text x='" + number(x) + "' y='" + number(y) + "' text-anchor='" + anchor + "'>" + text +
         "</text>\n";
}

/// A distance between marks of 1, 2 or 5 times a power of ten: at most five marks up to `last`.
inline double mark_distance(double last) {
  double const power = std::pow(10, std::floor(std::log10(std::max(last, 1.0))) - 1);
  for (double const factor : {2, 5, 10, 20})
    if (last / (factor * power) <= 5.5) return factor * power;
  return 50 * power;
}

/// A grid line and its label for every power of ten of the loss; where these are few, also for its
/// double and its fivefold.
inline std::string loss_marks(Scale const& scale) {
  std::string text;
  bool const few = scale.highest - scale.lowest <= 3;
  for (double power = scale.lowest; power <= scale.highest; ++power) {
    for (double const factor : {1, 2, 5}) {
      double const at = power + std::log10(factor);
      if (at > scale.highest || (factor > 1 && !few)) continue;
      text += "<path d='M60 " + number(scale.y(at)) + "H620' stroke='#ddd'/>\n" +
              label(54, scale.y(at) + 4, "end", number(factor * std::pow(10, power), "%g"));
    }
  }
  return text;
}

/// A mark and its label for round numbers of steps.
inline std::string step_marks(Scale const& scale) {
  std::string text = "<path d='M60 340H620' stroke='#888'/>\n";
  double const distance = mark_distance(scale.steps);
  for (double step = 0; step < scale.steps; step += distance) {
    std::string const x = number(scale.x(step));
    text += "<path d='M" + x + " 340v5' stroke='#888'/>\n" +
            label(scale.x(step), 358, "middle", number(step, "%.0f"));
  }
  return text;
}

inline std::string grid(Scale const& scale) {
  return loss_marks(scale) + step_marks(scale) + label(340, 380, "middle", "step") +
         label(60, 16, "start", "loss (logarithmic)");
}

/// The losses, averaged to at most 280 points.
inline std::string curve(std::vector<double> const& powers, Scale const& scale) {
  std::string text = "<polyline fill='none' stroke='#1f6feb' stroke-width='1.5' points='";
  std::size_t const width = (powers.size() + 279) / 280;
  for (std::size_t i = 0; i < powers.size(); i += width) {
    std::size_t const end = std::min(i + width, powers.size());
    double sum = 0;
    for (std::size_t k = i; k < end; ++k) sum += powers[k];
    double const middle = static_cast<double>(i + end - 1) / 2;
    text +=
        number(scale.x(middle)) + "," + number(scale.y(sum / static_cast<double>(end - i))) + " ";
  }
  return text + "'/>\n";
}

/// Draws the losses of all steps into a file. Throws `std::runtime_error`.
inline void draw_loss_curve(std::filesystem::path const& path, std::vector<double> const& losses) {
  std::vector<double> powers;
  for (double const loss : losses) powers.push_back(std::log10(std::max(loss, smallest_loss)));
  auto const [least, most] = std::ranges::minmax(powers);
  Scale const scale{static_cast<double>(losses.size()), std::floor(least),
                    std::max(std::ceil(most), std::floor(least) + 1)};
  std::ofstream file(path);
  file << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 390' font-family='sans-serif' "
          "font-size='13'>\n<rect width='640' height='390' fill='white'/>\n"
       << grid(scale) << curve(powers, scale) << "</svg>\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + path.string() + "'");
}

}  // namespace gpt
