// A folder as kernel cache: `keep_kernels_in`.

#include <doctest/doctest.h>

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/backend/opencl.hpp>

#include "opencl_device.hpp"

namespace opencl_folder_test {

using namespace tenon;
namespace fs = std::filesystem;

namespace {

std::string const text =
    "__kernel void doubled(__global float* out) {\n"
    "  out[get_global_id(0)] *= 2.0f;\n}\n";

/// A folder for one test that is set as the kernel cache and removed afterwards.
struct Folder {
  fs::path path =
      fs::temp_directory_path() / ("tenon_kernels_" + std::to_string(std::random_device()()));

  Folder() { keep_kernels_in(path); }
  ~Folder() {
    keep_kernels_in({});
    fs::remove_all(path);
  }
  std::vector<fs::path> files() const {
    return {fs::directory_iterator(path), fs::directory_iterator()};
  }
};

/// True if the kernel, compiled or read from the folder, doubles a number.
bool doubles(std::string const& source) {
  auto const kernel = tenon::internal::codegen::Compiled<OpenCl>::function("doubled", source);
  auto x = to<OpenCl>(Float32<"n">(ones<Float32<"n">>(1) * 21.0f));
  OpenCl::launch(kernel, {{x.data(), 0, {}}}, {.rows = 1, .groups = 1, .members = 1});
  return x(0) == 42;
}

/// The text with a comment that makes its key in the memory cache unique.
std::string numbered(int number) { return text + "// " + std::to_string(number) + "\n"; }

}  // namespace

TEST_CASE("a compiled kernel is stored and reused for the same text") {
  if (!has_device()) return;
  Folder const folder;
  CHECK(doubles(numbered(1)));
  REQUIRE(folder.files().size() == 1);
  tenon::internal::codegen::KernelFolder const kept(folder.path);
  std::string const origin = OpenCl::compiler() + "\n" + numbered(1);
  auto const image = kept.find(origin);
  REQUIRE(image.has_value());
  CHECK_FALSE(kept.find(origin + " ").has_value());
  std::string const nonsense = "nothing that compiles";
  kept.keep(OpenCl::compiler() + "\n" + nonsense, *image);
  CHECK(doubles(nonsense));
}

TEST_CASE("a damaged file is replaced, and a folder that cannot be created is no error") {
  if (!has_device()) return;
  {
    Folder const folder;
    tenon::internal::codegen::KernelFolder const kept(folder.path);
    kept.keep(OpenCl::compiler() + "\n" + numbered(3), "nothing of use");
    CHECK(doubles(numbered(3)));
    CHECK(kept.find(OpenCl::compiler() + "\n" + numbered(3)) != "nothing of use");
  }
  keep_kernels_in("/dev/null/no/folder");
  CHECK(doubles(numbered(4)));
  keep_kernels_in({});
}

}  // namespace opencl_folder_test
