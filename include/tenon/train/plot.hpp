#pragma once

// Curves as a picture, SVG: of losses over steps, or of any numbers.

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/core/config.hpp>

namespace tenon::training {

/// The points of a curve, in ascending order of x; those that are not finite are left out. Many
/// points are averaged to at most 280.
struct Curve {
  std::string name{};  ///< For the legend, which there is for several curves.
  std::vector<double> x{};
  std::vector<double> y{};
};

/// The titles of the axes, and which are logarithmic: those show numbers above 0.
struct PlotOptions {
  std::string_view x_title = "step";
  std::string_view y_title = "loss";
  bool is_x_logarithmic = false;
  bool is_y_logarithmic = true;
  double least = 1e-5;  ///< Smaller numbers of a logarithmic axis are drawn at this one.
};

}  // namespace tenon::training

namespace tenon::internal::training {

using tenon::training::Curve;
using tenon::training::PlotOptions;

/// The text of an SVG with curves. Throws `ValueError` if the numbers of x and y differ.
/// Matplotlib: `plot`, `semilogy`, `loglog`.
std::string svg_of_curves(std::span<Curve const> curves, PlotOptions const& options = {});

/// Writes it to a file. Throws `FileError` as well.
void draw_curves(std::filesystem::path const& path, std::span<Curve const> curves,
                 PlotOptions const& options = {});

/// The losses of steps 1, 2, …, on a logarithmic scale.
void draw_loss_curve(std::filesystem::path const& path, std::span<double const> losses);

}  // namespace tenon::internal::training

namespace tenon::training {

using internal::training::draw_curves;
using internal::training::draw_loss_curve;
using internal::training::svg_of_curves;

}  // namespace tenon::training

#if TENON_DEFINES_RUNTIME

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include <tenon/core/error.hpp>
#include <tenon/io/atomic_file.hpp>

namespace tenon::internal::training::plot {

// The area of the curves in the picture of 640 by 390 pixels.
inline constexpr double left = 60, right = 620, top = 24, bottom = 340;

inline std::string number(double value, char const* format = "%.1f") {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), format, value);
  return text.data();
}

/// A text with the characters of XML escaped.
inline std::string xml(std::string_view text) {
  std::string all;
  for (char const c : text) all += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return all;
}

inline std::string label(double x, double y, char const* anchor, std::string_view text) {
  return "<text x='" + number(x) + "' y='" + number(y) + "' text-anchor='" + anchor + "'>" +
         xml(text) + "</text>\n";
}

/// An axis: its ends, as powers of ten where it is logarithmic, and their pixels.
struct Scale {
  bool is_logarithmic;
  double least;
  double from, to;  // pixels
  double low = std::numeric_limits<double>::infinity(), high = -low;

  double of(double value) const {
    return is_logarithmic ? std::log10((std::max)(value, least)) : value;
  }
  double pixel(double scaled) const { return from + (to - from) * (scaled - low) / (high - low); }

  void include(double scaled) { low = (std::min)(low, scaled), high = (std::max)(high, scaled); }

  /// Whole powers of ten; an axis without a length gets one.
  void finish() {
    if (!(low <= high)) low = high = 0;
    if (is_logarithmic) low = std::floor(low), high = std::ceil(high);
    if (high == low) high = low + 1;
  }
};

/// A distance between marks of 1, 2 or 5 times a power of ten: at most six marks in a length.
inline double mark_distance(double length) {
  double const power = std::pow(10, std::floor(std::log10(length)) - 1);
  for (double const factor : {1, 2, 5, 10, 20})
    if (length / (factor * power) <= 5.5) return factor * power;
  return 50 * power;
}

/// Where an axis has marks: round numbers; of a logarithmic one the powers of ten, and where these
/// are few, also their doubles and fivefolds.
inline std::vector<double> marks(Scale const& scale) {
  std::vector<double> all;
  if (!scale.is_logarithmic) {
    double const distance = mark_distance(scale.high - scale.low);
    double const first = std::ceil(scale.low / distance);
    for (double i = 0; (first + i) * distance <= scale.high; ++i)
      all.push_back((first + i) * distance);
    return all;
  }
  bool const few = scale.high - scale.low <= 3;
  double const step = std::ceil((scale.high - scale.low) / 12);
  for (double power = scale.low; power <= scale.high; power += step)
    for (double const factor : {1, 2, 5})
      if ((factor == 1 || few) && power + std::log10(factor) <= scale.high)
        all.push_back(power + std::log10(factor));
  return all;
}

inline std::string mark_text(Scale const& scale, double mark) {
  return number(scale.is_logarithmic ? std::pow(10, mark) : mark, "%.6g");
}

inline std::string grid(Scale const& x, Scale const& y, PlotOptions const& options) {
  std::string text;
  for (double const mark : marks(y)) {
    double const at = y.pixel(mark);
    text += "<path d='M60 " + number(at) + "H620' stroke='#ddd'/>\n" +
            label(left - 6, at + 4, "end", mark_text(y, mark));
  }
  text += "<path d='M60 340H620' stroke='#888'/>\n";
  for (double const mark : marks(x)) {
    double const at = x.pixel(mark);
    text += "<path d='M" + number(at) + " 340v5' stroke='#888'/>\n" +
            label(at, 358, "middle", mark_text(x, mark));
  }
  std::string const kind = options.is_y_logarithmic ? " (logarithmic)" : "";
  return text + label(340, 380, "middle", options.x_title) +
         label(left, 16, "start", std::string(options.y_title) + kind);
}

struct Point {
  double x, y;
};

/// The finite points of a curve on the scales of the axes, averaged to at most 280.
inline std::vector<Point> points_of(Curve const& curve, Scale const& x, Scale const& y) {
  if (curve.x.size() != curve.y.size())
    fail<ValueError>({.who = "svg_of_curves",
                      .what = curve.name,
                      .expected = std::to_string(curve.x.size()) + " numbers y, as many as x",
                      .got = std::to_string(curve.y.size())});
  std::vector<Point> all, points;
  for (std::size_t i = 0; i < curve.x.size(); ++i)
    if (std::isfinite(curve.x[i]) && std::isfinite(curve.y[i]))
      all.push_back({x.of(curve.x[i]), y.of(curve.y[i])});
  std::size_t const width = (all.size() + 279) / 280;
  for (std::size_t i = 0; i < all.size(); i += width) {
    std::size_t const end = (std::min)(i + width, all.size());
    Point sum{0, 0};
    for (std::size_t k = i; k < end; ++k) sum.x += all[k].x, sum.y += all[k].y;
    auto const count = static_cast<double>(end - i);
    points.push_back({sum.x / count, sum.y / count});
  }
  return points;
}

inline constexpr std::array<char const*, 6> colours{"#1f6feb", "#d1242f", "#1a7f37",
                                                    "#8250df", "#bc4c00", "#57606a"};

inline std::string line(std::vector<Point> const& points, Scale const& x, Scale const& y,
                        char const* colour) {
  std::string text = "<polyline fill='none' stroke='";
  text.append(colour).append("' stroke-width='1.5' points='");
  for (auto const& [at, value] : points)
    text += number(x.pixel(at)) + "," + number(y.pixel(value)) + " ";
  return text + "'/>\n";
}

/// The names of the curves, in their colours, from the right.
inline std::string legend(std::span<Curve const> curves) {
  std::string text;
  for (std::size_t i = 0; i < curves.size() && curves.size() > 1; ++i)
    text += "<g fill='" + std::string(colours[i % colours.size()]) + "'>" +
            label(right, 16 + 16 * static_cast<double>(i), "end", curves[i].name) + "</g>\n";
  return text;
}

}  // namespace tenon::internal::training::plot

namespace tenon::internal::training {

TENON_RUNTIME std::string svg_of_curves(std::span<Curve const> curves, PlotOptions const& options) {
  using namespace plot;
  Scale x{options.is_x_logarithmic, options.least, left, right};
  Scale y{options.is_y_logarithmic, options.least, bottom, top};
  std::vector<std::vector<Point>> all;
  for (Curve const& curve : curves) {
    all.push_back(points_of(curve, x, y));
    for (auto const& point : all.back()) x.include(point.x), y.include(point.y);
  }
  x.finish(), y.finish();
  std::string text =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 640 390' font-family='sans-serif' "
      "font-size='13'>\n<rect width='640' height='390' fill='white'/>\n" +
      grid(x, y, options);
  for (std::size_t i = 0; i < all.size(); ++i)
    text += line(all[i], x, y, colours[i % colours.size()]);
  return text + legend(curves) + "</svg>\n";
}

TENON_RUNTIME void draw_curves(std::filesystem::path const& path, std::span<Curve const> curves,
                               PlotOptions const& options) {
  std::string const text = svg_of_curves(curves, options);
  AtomicFile file(path, "draw_curves");
  file.write(text);
  file.commit();
}

TENON_RUNTIME void draw_loss_curve(std::filesystem::path const& path,
                                   std::span<double const> losses) {
  Curve curve{.y = {losses.begin(), losses.end()}};
  for (std::size_t i = 1; i <= losses.size(); ++i) curve.x.push_back(static_cast<double>(i));
  draw_curves(path, std::span(&curve, 1));
}

}  // namespace tenon::internal::training

#endif
