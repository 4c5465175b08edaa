// The code on npy files that docs/numpy.md shows, and its messages.

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>

#include "../io/folder.hpp"

namespace docs_npy {
namespace {

using namespace tenon;

TEST_CASE("a tensor is saved and loaded by its type") {
  Folder const folder;
  Float32<"batch pixel=4"> const x{{1, 2, 3, 4}, {5, 6, 7, 8}};
  npy::save(folder / "x.npy", x);
  auto const back = npy::load<Float32<"batch pixel=4">>(folder / "x.npy");
  CHECK(size<"batch">(back) == 2);
  CHECK(back(1, 3) == 8);
  CHECK(npy::load_contents(folder / "x.npy") == "float32 \"2 4\"");
}

TEST_CASE("a number is an array without axes, an expression is evaluated first") {
  Folder const folder;
  Float32<"n"> const x{1, 2};
  npy::save(folder / "sum.npy", eval(sum(x)));
  CHECK(npy::load<float>(folder / "sum.npy") == 3);
  npy::save(folder / "epoch.npy", 12);
  CHECK(npy::load<Int32<"">>(folder / "epoch.npy").item() == 12);
}

TEST_CASE("a mapped file is a view of its elements") {
  Folder const folder;
  npy::save(folder / "images.npy", Float32<"image pixel=2">{{1, 2}, {3, 4}, {5, 6}});
  npy::Mapped<Float32<"image pixel=2">> const images(folder / "images.npy");
  Float32<"pixel=2"> const brightest = max<"image">(images.view());
  CHECK(brightest(1) == 6);
}

/// What loading `Wanted` says of a file that holds `saved`.
template <class Wanted, class Saved>
std::string message_of(Saved const& saved) {
  Folder const folder;
  npy::save(folder / "x.npy", saved);
  return words_of<Error>([&] { npy::load<Wanted>(folder / "x.npy"); });
}

TEST_CASE("an array that does not fit says what is expected and what it is") {
  CHECK(message_of<Float32<"in=784 out=10">>(zeros<Float32<"512 10">>()) ==
        "tenon::npy::load: expected float32 \"in=784 out=10\", got float32 \"512 10\" (x.npy)");
  CHECK(message_of<Float32<"n=4..">>(Float32<"2">{1, 2}) ==
        "tenon::npy::load: expected float32 \"n=4..\", got float32 \"2\" (x.npy)");
  CHECK(message_of<Float32<"n">>(Float64<"n">{1, 2}) ==
        "tenon::npy::load: expected float32 \"n\", got float64 \"2\" (x.npy)");
}

}  // namespace
}  // namespace docs_npy
