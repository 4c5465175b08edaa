// Any bytes as an npy file: an error or a tensor, for several types.

#include <cstdint>

#include <tenon/io/npy.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

#include "file.hpp"

using namespace tenon;

namespace {

/// A loaded tensor and a mapped one are the same.
template <class X>
void read_both(std::string const& path) {
  X const loaded = npy::load<X>(path);
  npy::Mapped<X> const mapped(path);
  X const copied = mapped.view();
  auto const bytes = static_cast<std::size_t>(loaded.size()) * sizeof(typename X::value_type);
  if (loaded.sizes() != copied.sizes()) std::abort();
  if (bytes > 0 && std::memcmp(loaded.data(), copied.data(), bytes) != 0) std::abort();
}

/// A type of the dtype in the file, for most of them.
void read(std::string const& path) {
  std::string const contents = npy::load_contents(path);
  if (contents.starts_with("float32")) return read_both<Float32<"row column">>(path);
  if (contents.starts_with("uint8")) return read_both<UInt8<"a b c">>(path);
  if (contents.starts_with("bool")) return read_both<Mask<"n=1..9">>(path);
  if (contents.starts_with("complex128")) return read_both<Complex128<"n n">>(path);
  npy::load<std::int16_t>(path);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  static InputInMemory input;
  input.set(data, bytes);
  ignore_errors([&] { read(input.path()); });
  return 0;
}
