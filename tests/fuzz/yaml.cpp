// Any bytes as a document of YAML: an error, or a configuration that is the same after it is
// written and read again.

#include <cstdint>
#include <string>

#include <tenon/train/yaml.hpp>

#include "config.hpp"

namespace {

fuzzed::Config read_document(std::string const& text) {
  return tenon::training::config_from_yaml<fuzzed::Config>(text, "x");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t bytes) {
  std::string const input(reinterpret_cast<char const*>(data), bytes);
  fuzzed::check_round_trip(fuzzed::result_of([&] { return read_document(input); }),
                           tenon::training::to_yaml<fuzzed::Config>, read_document);
  return 0;
}
