#pragma once

// Images of digits in the format of MNIST, drawn where its files are not at hand.

#include <array>
#include <cstdint>
#include <string_view>

#include <tenon/nn.hpp>

namespace networks {

using namespace tenon;

struct Digits {
  Float32<"batch channel=1 height=28 width=28"> image;  // from 0 to 1
  Int32<"batch"> label;
};

/// A font of 5 by 7 pixels.
inline constexpr std::array<std::string_view, 10> font{
    " ### #   ##  #### # ###  ##   # ### ", "  #   ##    #    #    #    #   ### ",
    " ### #   #    #   #   #   #   #####",  "#####   #   #   ##     ##   # ### ",
    "   #   ##  # # #  # #####   #    # ",  "######    ####     #    ##   # ### ",
    "  ##  #   #    #### #   ##   # ### ",  "#####    #   #   #   #    #    #   ",
    " ### #   ##   # ### #   ##   # ### ",  " ### #   ##   # ####    #   #  ##  "};

/// Digits of random places, sizes of pixels and brightness, with noise.
inline Digits draw_digits(Key const& key, std::int64_t count) {
  auto const [of_label, of_place, of_light, of_noise] = split<4>(key);
  Digits digits{.image = abs(0.1f * normal<decltype(Digits::image)>(of_noise, count)),
                .label = uniform<Int32<"batch">>(of_label, 0, 10, count)};
  auto const place = uniform<Int32<"batch 2">>(of_place, 1, 8, count);
  auto const light = uniform<Float32<"batch">>(of_light, 0.5, 0.9, count);
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t y = 0; y < 20; ++y)
      for (std::int64_t x = 0; x < 15; ++x) {
        auto const glyph = font[static_cast<std::size_t>(digits.label(i))];
        auto const pixel = static_cast<std::size_t>(y * 7 / 20 * 5 + x / 3);
        if (pixel < glyph.size() && glyph[pixel] == '#')
          digits.image(i, 0, y + place(i, 0), x + place(i, 1) + 2) += light(i);
      }
  return digits;
}

}  // namespace networks
