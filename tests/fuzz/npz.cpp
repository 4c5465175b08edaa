// Any bytes as an npz file, or as the data of a member of one: an error or a tree.

#include <cstdint>
#include <string>

#include <tenon/io/npz.hpp>
#include <tenon/tenon.hpp>

#include "../io/npz_builder.hpp"
#include "file.hpp"

using namespace tenon;

namespace {

struct Tree {
  UInt8<"n"> a;
  std::vector<Float32<"row column">> layers;
  std::optional<Mask<"m">> mask;
};

/// By the first byte: the file itself, or one with these bytes as an array, or as compressed data
/// whose size the second and third byte say.
std::string file_of(std::string bytes) {
  if (bytes.size() < 4 || static_cast<unsigned char>(bytes[0]) > 2) return bytes;
  std::uint64_t const size =
      static_cast<unsigned char>(bytes[1]) * 256u + static_cast<unsigned char>(bytes[2]);
  char const kind = bytes[0];
  std::string const data = bytes.substr(3);
  npz_builder::Zip zip;
  zip.members.push_back(npz_builder::member("a.npy", data, kind == 1));
  if (kind == 2) {
    zip.members[0] = npz_builder::member("a.npy", data);
    zip.members[0].both(
        [&](npz_builder::MemberFields& fields) { fields.method = 8, fields.bytes = size; });
  }
  return zip.text();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  static InputInMemory input;
  std::string const file = file_of({reinterpret_cast<char const*>(data), bytes});
  input.set(file.data(), file.size());
  ignore_errors([&] {
    if (bytes % 2 == 0) npz::load<Tree>(input.path(), {.ignore_extra = true});
    else npz::File(input.path()).load<UInt8<"n">>("a");
  });
  return 0;
}
