// Curves as pictures.

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/train/plot.hpp>

#include "../io/folder.hpp"

namespace plot_test {

using namespace tenon;

TEST_CASE("curves are drawn on scales with round marks") {
  std::vector<training::Curve> curves{{.name = "a<b", .x = {0, 1, 2, 3}, .y = {1, 10, 100, 1000}},
                                      {.name = "c", .x = {0, 3}, .y = {0, 1000}}};
  auto const svg = training::svg_of_curves(curves, {.least = 1});
  CHECK(svg.find("points='60.0,340.0 246.7,234.7 433.3,129.3 620.0,24.0 '") != svg.npos);
  CHECK(svg.find("points='60.0,340.0 620.0,24.0 '") != svg.npos);
  CHECK(svg.find(">a&lt;b</text>") != svg.npos);
  CHECK(svg.find("loss (logarithmic)") != svg.npos);
  for (char const* const mark : {">1<", ">5<", ">20<", ">1000<", ">0<", ">2<", ">3<"})
    CHECK_MESSAGE(svg.find(mark) != svg.npos, mark);
  curves[0] = {.x = {1e-3, 1e-2, 1e-1}, .y = {0, std::numeric_limits<double>::quiet_NaN(), 4}};
  curves.pop_back();
  auto const rates =
      training::svg_of_curves(curves, {.is_x_logarithmic = true, .is_y_logarithmic = false});
  CHECK(rates.find("points='60.0,340.0 620.0,24.0 '") != rates.npos);
  CHECK(rates.find(">0.002<") != rates.npos);
}

TEST_CASE("many points are averaged, and no points are a picture without a curve") {
  Folder const folder;
  std::vector<double> const losses(1000, 0.5);
  training::draw_loss_curve(folder / "loss.svg", losses);
  auto const svg = read_bytes(folder / "loss.svg");
  auto const begin = svg.find("points='"), end = svg.find("'/>", begin);
  CHECK(std::count(svg.begin() + static_cast<std::ptrdiff_t>(begin),
                   svg.begin() + static_cast<std::ptrdiff_t>(end), ',') == 250);
  CHECK(training::svg_of_curves({}).ends_with("</svg>\n"));
  std::vector<training::Curve> const torn{{.name = "c", .x = {1, 2}, .y = {1}}};
  CHECK(words_of<ValueError>([&] { training::svg_of_curves(torn); }) ==
        "tenon::svg_of_curves: 'c': expected 2 numbers y, as many as x, got 1");
}

}  // namespace plot_test
