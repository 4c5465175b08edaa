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

/// The coordinates of losses in the plot: x from 60 to 620, y from 20 to 340, in pixels.
struct Scale {
  double steps;
  double lowest;  // powers of ten
  double highest;

  double x(double step) const { return 60 + 560 * step / std::max(steps - 1, 1.0); }
  double y(double power) const { return 340 - 320 * (power - lowest) / (highest - lowest); }
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

/// A grid line and its label for every power of ten.
inline std::string grid(Scale const& scale) {
  std::string text;
  for (double power = scale.lowest; power <= scale.highest; ++power) {
    std::string const y = number(scale.y(power));
    text += "<path d='M60 " + y + "H620' stroke='#ddd'/>\n" +
            label(52, scale.y(power) + 4, "end", number(std::pow(10, power), "%g"));
  }
  return text + label(60, 360, "middle", "1") +
         label(620, 360, "middle", number(scale.steps, "%.0f")) +
         label(340, 360, "middle", "step") + label(340, 14, "middle", "loss");
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
  file << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 370' font-family='sans-serif' "
          "font-size='11'>\n<rect width='640' height='370' fill='white'/>\n"
       << grid(scale) << curve(powers, scale) << "</svg>\n";
  if (!file.flush()) throw std::runtime_error("cannot write '" + path.string() + "'");
}

}  // namespace gpt
