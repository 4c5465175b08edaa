// The code that docs/interchange.md and docs/functions/ show of memory of others.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

namespace docs_interchange {
namespace {

using namespace tenon;

TEST_CASE("a vector, an array, a span and a pointer are tensors where they are") {
  std::vector<float> numbers{1, 2, 3, 4, 5, 6};
  auto const x = view<"row column">(numbers, 2, 3);
  Float32<"row"> const sums = sum<"column">(x);
  CHECK(sums(1) == 15);
  assign(x, 2 * x);  // writes to numbers
  CHECK(numbers[5] == 12);

  CHECK(mean(view<"n">(numbers)).item() == 7);      // n is numbers.size()
  CHECK(view<"row column=3">(numbers)(1, 0) == 8);  // row is numbers.size() / 3
  CHECK(view<"n">(std::span(numbers).subspan(4))(1) == 12);
  std::array<std::int32_t, 4> const four{1, 2, 3, 4};
  CHECK(view<"2 2">(four)(1, 0) == 3);
  CHECK(view<"n">(numbers.data(), 3)(2) == 6);  // a pointer: the size is not known
}

TEST_CASE("an image with padded rows is a view") {
  struct Image {  // of OpenCV: cv::Mat
    std::vector<std::uint8_t> memory = std::vector<std::uint8_t>(2 * 16, 7);
    std::uint8_t* data = memory.data();
    int rows = 2, cols = 5;
    std::size_t step = 16;  // bytes of a row: 5 pixels of 3 channels, and 1 byte of padding
  } image;
  auto const pixels =
      view<"height width channel=3">(image.data, image.rows, image.cols, RowPitch(image.step));
  assign(pixels, zeros<UInt8<"height width channel=3">>(2, 5));
  CHECK(image.memory[14] == 0);
  CHECK(image.memory[15] == 7);  // the padding
  Float32<"channel height width"> const planes =
      rearrange<"height width channel -> channel height width">(to<float>(pixels)) / 255;
  CHECK(planes.sizes()[2] == 5);
}

TEST_CASE("the elements of a tensor as a span and as a vector") {
  Float32<"row=2 column=2"> const x{{1, 2}, {3, 4}};
  std::span<float const> const elements = as_span(x);  // no copy
  CHECK(elements[2] == 3);
  std::vector<float> const copied = to_vector(2 * x);
  CHECK(copied == std::vector<float>{2, 4, 6, 8});
}

/// What another library does with a DLPack tensor: it reads or writes it, and then deletes it.
void consume(dlpack::DLManagedTensorVersioned* managed) { managed->deleter(managed); }

TEST_CASE("tensors are given to other libraries by DLPack") {
  auto x = iota<Float32<"row column">>(100, 10);
  consume(to_dlpack(x));             // shared, read-only: a later write to x copies first
  consume(to_dlpack(2 * x));         // evaluated; its consumer may write
  consume(to_mutable_dlpack(x));     // both see what the other writes
  consume(to_dlpack(std::move(x)));  // the consumer may write, as nobody else has the elements
}

TEST_CASE("tensors of other libraries are views") {
  auto* const managed = to_dlpack(iota<Float32<"n m">>(100, 10));  // of PyTorch, JAX, NumPy, CuPy
  auto const x = from_dlpack<Float32<"row column=10">>(managed);
  Float32<"row"> const sums = sum<"column">(x);
  CHECK(sums(1) == 145);
}

}  // namespace
}  // namespace docs_interchange
