#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

/// What a run measured, for `bench/figures` to read.
namespace bench {

/// Appends a line `work <tab> beside <tab> value` to the file that TENON_FIGURES names, if it names
/// one: a ratio to a peer (above 1: ours is better), or a number of what `beside` says.
inline void figure(std::string const& work, std::string const& beside, double value) {
  char const* const name = std::getenv("TENON_FIGURES");
  std::FILE* const file = name != nullptr ? std::fopen(name, "a") : nullptr;
  if (file == nullptr) return;
  std::fprintf(file, "%s\t%s\t%.4g\n", work.c_str(), beside.c_str(), value);
  std::fclose(file);
}

}  // namespace bench
