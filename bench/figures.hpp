#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>

/// Measurements of a run, read by `bench/figures`.
namespace bench {

/// Appends a line `work <tab> beside <tab> value` to the file named by TENON_FIGURES, if it is set:
/// a ratio to a peer (above 1: ours is better), or a number in the unit given by `beside`.
inline void figure(std::string const& work, std::string const& beside, double value) {
  char const* const name = std::getenv("TENON_FIGURES");
  std::FILE* const file = name != nullptr ? std::fopen(name, "a") : nullptr;
  if (file == nullptr) return;
  std::fprintf(file, "%s\t%s\t%.4g\n", work.c_str(), beside.c_str(), value);
  std::fclose(file);
}

}  // namespace bench
