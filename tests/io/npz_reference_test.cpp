// The part of numpy_reference.py on npz files in C++, called with a folder in TENON_REFERENCE.

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npz.hpp>
#include <tenon/io/npz/zip_members.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace npz_reference_test {

using namespace tenon;
namespace npy = tenon::npy;  // not those of `internal`, which other tests use
namespace npz = tenon::npz;

namespace {

/// A tensor of every dtype, under the names that the script uses.
struct Saved {
  struct Floats {
    Float32<"row column"> float32;
    Float64<"row column"> float64;
    Float16<"row column"> float16;
    BFloat16<"row column"> bfloat16;
    Complex64<"row column"> complex64;
    Complex128<"row column"> complex128;
  } floats;
  struct Integers {
    Int8<"row column"> int8;
    Int16<"row column"> int16;
    Int32<"row column"> int32;
    Int64<"row column"> int64;
    UInt8<"row column"> uint8;
    UInt16<"row column"> uint16;
    UInt32<"row column"> uint32;
    UInt64<"row column"> uint64;
  } integers;
  std::vector<Mask<"row column">> masks;
  std::optional<Float32<"none column">> empty;
  float rate = 0;
  std::int64_t step = 0;
  bool done = false;
  Key key{0};
};

std::filesystem::path reference_folder() {
  char const* const folder = std::getenv("TENON_REFERENCE");
  REQUIRE(folder != nullptr);
  return folder;
}

void copy_to(std::filesystem::path const& path, npz::File const& from, std::uint64_t zip64_from) {
  using namespace tenon::internal;
  AtomicFile file(path);
  tenon::internal::npz::ZipWriter zip(file, zip64_from);
  for (std::string const name : {"first", "second"}) {
    auto const x = from.load<Float32<"row column">>("floats.float32");
    auto const item = tenon::internal::npy::item_of(name, x);
    std::string const head = tenon::internal::npy::head_of(*item.dtype, item.sizes);
    zip.add(name + ".npy", {head, item.data, item.bytes}, name == "second");
  }
  zip.finish();
  file.commit();
}

}  // namespace

TEST_CASE("for the reference: a tree is loaded and saved as npz" * doctest::skip()) {
  auto const saved = npz::load<Saved>(reference_folder() / "in.npz");
  npz::save(reference_folder() / "stored.npz", saved);
  npz::save(reference_folder() / "compressed.npz", saved, {.compressed = true});
}

TEST_CASE("for the reference: all numbers of a zip file are in zip64 records" * doctest::skip()) {
  npz::File const from(reference_folder() / "in.npz");
  copy_to(reference_folder() / "zip64.npz", from, 0);
  npz::File const back(reference_folder() / "zip64.npz");
  CHECK(back.contents() == std::map<std::string, std::string>{{"first", "float32 \"3 5\""},
                                                              {"second", "float32 \"3 5\""}});
}

TEST_CASE("for the reference: damaged npz files are refused or loaded" * doctest::skip()) {
  for (auto const& file : std::filesystem::directory_iterator(reference_folder() / "in")) {
    try {
      npz::File const opened(file.path());
      auto const x = opened.load<Int16<"row column">>("x");
      npy::save(reference_folder() / "loaded" / file.path().filename(), x);
    } catch (Error const&) {
    }
  }
}

}  // namespace npz_reference_test
