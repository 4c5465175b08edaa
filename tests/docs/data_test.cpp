// The code of docs/data.md.

#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>
#include <tenon/train/data.hpp>

#include "../io/folder.hpp"

namespace data_test {

using namespace tenon;

namespace {

struct Digit {
  Float32<"28 28"> image;
  std::int32_t label = 0;
};

struct Batch {
  Float32<"batch 28 28"> image;
  Int32<"batch"> label;
};

enum class Species { setosa, versicolor, virginica };

struct Flower {
  float length = 0, width = 0;
  std::optional<float> weight{};
  Species species = Species::setosa;
};

}  // namespace

TEST_CASE("a struct of batches, two epochs") {
  std::vector<Digit> const digits(100);
  std::int64_t images_seen = 0, labels_seen = 0;
  auto const learn = [&](auto const& images, auto const& labels) {
    images_seen += images.sizes()[0];
    labels_seen += labels.size();
  };
  auto loader = training::data_loader<"batch", Batch>(
      digits, {.batch_size = 64, .shuffle = true, .key = Key(1), .prefetch = 2});
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (Batch const& batch : loader) learn(batch.image, batch.label);
  }
  CHECK(images_seen == 200);
  CHECK(labels_seen == 200);
}

TEST_CASE("resuming in the middle of an epoch") {
  std::vector<int> const numbers{1, 2, 3, 4, 5, 6};
  training::DataLoaderOptions const options{.batch_size = 2, .shuffle = true, .key = Key(1)};
  auto loader = training::data_loader<"batch">(numbers, options);
  (void)loader.next();
  training::DataState const state = loader.state();  // in the middle of an epoch

  auto resumed = training::data_loader<"batch">(numbers, options);
  resumed.restore(state);
  CHECK(resumed.next()(0) == loader.next()(0));
}

TEST_CASE("the parts of ranks") {
  std::vector<int> const numbers{1, 2, 3, 4, 5, 6};
  auto const part = [&](std::int64_t rank) {
    return training::data_loader<"batch">(numbers, {.batch_size = 4, .rank = rank, .ranks = 2});
  };
  CHECK(part(0).next().sizes()[0] == 2);
  CHECK(part(1).next()(0) == numbers[2]);
}

TEST_CASE("a CSV file, and its mistakes") {
  Folder const folder;
  write_bytes(folder / "flowers.csv",
              "species,width,length,weight\nvirginica,2.5,6.5,\nsetosa,3.5,5,0.25\n");
  std::vector<Flower> const flowers = csv::load<Flower>(folder / "flowers.csv");
  CHECK(flowers.size() == 2);
  CHECK(flowers[0].length == 6.5f);
  CHECK_FALSE(flowers[0].weight.has_value());
  CHECK(flowers[1].species == Species::setosa);

  auto const words = [&](std::string const& text) {
    write_bytes(folder / "flowers.csv", text);
    return words_of<Error>([&] { csv::load<Flower>(folder / "flowers.csv", {.separator = ';'}); });
  };
  CHECK(words("species;length;width;weight\nsetosa;5;3;\nsetosa;5;3,5;\n") ==
        "tenon::csv::load: 'width': expected float32, got '3,5' (flowers.csv:3)");
  CHECK(words("species;lenght;width;weight\n") ==
        "tenon::csv::load: 'lenght': expected the name of a field, got none of that name; did you "
        "mean 'length'? (flowers.csv:1)");
}

TEST_CASE("the files of MNIST") {
  Folder const folder;
  std::string const sizes("\0\0\x08\3\0\0\0\2\0\0\0\x1c\0\0\0\x1c", 16);
  write_bytes(folder / "train-images-idx3-ubyte", sizes + std::string(2 * 784, '\x33'));
  write_bytes(folder / "train-labels-idx1-ubyte", std::string("\0\0\x08\1\0\0\0\2\5\7", 10));
  auto const images = idx::load<UInt8<"image 28 28">>(folder / "train-images-idx3-ubyte");
  auto const labels = idx::load<UInt8<"image">>(folder / "train-labels-idx1-ubyte");
  auto const rows = training::tensor_dataset(images, labels);
  auto const pixels = training::map_dataset(rows, [](auto const& row) {
    auto const& [image, label] = row;
    return std::pair(to<float>(image) / 255.0f, to<std::int32_t>(label));
  });
  auto mnist = training::data_loader<"batch", Batch>(pixels, {.batch_size = 64});
  Batch const batch = mnist.next();
  CHECK(batch.image(1, 27, 27) == doctest::Approx(0.2));
  CHECK(batch.label(1) == 7);

  std::filesystem::path const mnist_folder = folder / "";
  training::MNIST const digits = training::load_mnist(mnist_folder, "train");
  CHECK(digits.image(1, 0, 27, 27) == doctest::Approx(0.2));
  CHECK(digits.label(1) == 7);
  write_bytes(folder / "train-labels-idx1-ubyte", std::string("\0\0\x08\1\0\0\0\1\5", 9));
  CHECK(words_of<ShapeError>([&] { (void)training::load_mnist(mnist_folder, "train"); }) ==
        "tenon::load_mnist: expected 2 labels, one of each image, got 1");
}

TEST_CASE("sequences of a text") {
  Folder const folder;
  write_bytes(folder / "book.txt", "The first sentence.");
  training::TextFile const book(folder / "book.txt");
  auto sequences = training::data_loader<"batch">(book.byte_windows<9>(8), {.batch_size = 2});
  UInt8<"batch 9"> const batch = sequences.next();
  auto const inputs = slice<-1, 0, 8>(batch);
  CHECK(inputs(0, 7) == 's');
  CHECK(batch(1, 0) == 't');
}

}  // namespace data_test
