// Any bytes as a model of ONNX: an error, or a model that is the same after it is written and read
// again.

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <tenon/io/onnx.hpp>
#include <tenon/io/onnx/decode.hpp>
#include <tenon/tenon.hpp>

using namespace tenon;
using namespace tenon::internal::onnx;

namespace {

/// A folder with a file of external data, `d`.
class Outside {
 public:
  Outside() : path_(std::filesystem::temp_directory_path() / ("fuzz-" + std::to_string(getpid()))) {
    std::filesystem::create_directory(path_);
    std::ofstream(path_ / "d") << std::string(64, '\1');
  }
  ~Outside() { std::filesystem::remove_all(path_); }

  std::filesystem::path const& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Model decoded(std::string const& bytes) {
  static Outside const outside;
  Source source(bytes, "x", bytes.size() + (std::uint64_t{1} << 26));
  ExternalFiles files(outside.path() / "model");
  return decode(source, files, nullptr);
}

std::string encoded(Model const& model) {
  MessageWriter writer;
  encode(writer, model, "x");
  auto const size = writer.size();
  std::string bytes;
  writer.produce([&](void const* data, std::size_t count) {
    bytes.append(static_cast<char const*>(data), count);
  });
  encode(writer, model, "x");
  if (bytes.size() != size) std::abort();
  return bytes;
}

/// The model as it is written, or none: errors of the library are results, anything else ends the
/// program.
std::optional<std::string> rewritten(std::string const& bytes) {
  try {
    Model const model = decoded(bytes);
    try {
      check(model);
    } catch (ValueError const&) {
    }
    return encoded(model);
  } catch (Error const&) {
    return {};
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  auto const once = rewritten(std::string(reinterpret_cast<char const*>(data), bytes));
  if (once && encoded(decoded(*once)) != *once) std::abort();
  return 0;
}
