// Any bytes as an IDX file: an error or a tensor, for several types.

#include <cstdint>
#include <cstdlib>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/train/data/idx.hpp>

#include "file.hpp"

using namespace tenon;

namespace {

/// The elements are as many as the file has bytes for.
template <class X>
void read_as(std::string const& path, std::size_t bytes) {
  X const x = idx::load<X>(path);
  auto const rank = static_cast<std::size_t>(X::rank);
  auto const elements = static_cast<std::size_t>(x.size()) * sizeof(typename X::value_type);
  if (elements + 4 + 4 * rank != bytes) std::abort();
}

void read(std::string const& path, std::size_t bytes) {
  std::string const contents = idx::load_contents(path);
  if (contents.starts_with("uint8")) return read_as<UInt8<"image row=1..4 column">>(path, bytes);
  if (contents.starts_with("int8")) return read_as<Int8<"n n">>(path, bytes);
  if (contents.starts_with("int16")) return read_as<Int16<"n">>(path, bytes);
  if (contents.starts_with("int32")) return read_as<Int32<"">>(path, bytes);
  if (contents.starts_with("float32")) return read_as<Float32<"a 2">>(path, bytes);
  read_as<Float64<"a b c d e f g h">>(path, bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  static InputInMemory input;
  input.set(data, bytes);
  ignore_errors([&] { read(input.path(), bytes); });
  return 0;
}
