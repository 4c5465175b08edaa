// Axis names are like units: axes with different names do not fit, even if their sizes are equal.

#include <iostream>

#include <tenon/tenon.hpp>

using namespace tenon;

// A concept over axes: satisfied if `a + b` is well-formed.
template <class A, class B>
concept Adds = requires(A a, B b) { a + b; };

// A function declares its argument in its parameter: any floating tensor or expression that fits.
auto brightness(Float<"height width"> auto const& image) { return mean(image); }

int main() {
  auto const image = full<Float32<"height=4 width=6 color=3">>(0.5f);
  Float32<"color=3"> const tint{1.0f, 0.5f, 0.25f};

  // Broadcasting: "color" is found by its name, "height" and "width" are added on its left.
  auto const tinted = eval(image * tint);
  static_assert(shape_of<decltype(tinted)> == "height=4 width=6 color=3");
  std::cout << "tinted(0, 0) is " << tinted(0, 0, 0) << " " << tinted(0, 0, 1) << " "
            << tinted(0, 0, 2) << "\n";

  // A name finds its axis at any position; a size of 1 broadcasts.
  auto const by_row = iota<Float32<"height 1">>(4);  // one number per row
  auto const gradient = eval(mean<"color">(tinted) + by_row);
  std::cout << "the last row is brighter: " << gradient(3, 0) << " against " << gradient(0, 0)
            << ", on average " << brightness(gradient).item() << "\n";

  // Operands that do not fit are a compile error. Uncomment the line and read the first line of the
  // message:
  // auto const wrong = zeros<Float32<"height=28">>() + zeros<Float32<"width=28">>();
  static_assert(!Adds<Float32<"height=28">, Float32<"width=28">>);
  static_assert(!Adds<Float32<"height=28">, Float32<"height=27">>);
  static_assert(Adds<Float32<"height=28">, Float32<"28">>);      // no name: any name agrees
  static_assert(Adds<Float32<"height=28">, Float32<"height">>);  // checked at run time

  // Axes are permuted, split and merged by name, as in einops.
  auto const patches =
      eval(rearrange<"(row=2 h) (column=3 w) color -> (row column) (h w color)">(image));
  static_assert(shape_of<decltype(patches)> == "6 12");
  std::cout << "patches: \"" << patches.spec.view() << "\"\n";
  return tinted(0, 0, 1) == 0.25f && patches.size() == image.size() ? 0 : 1;
}
