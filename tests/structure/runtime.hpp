#pragma once

// tenon::compiled contains the whole runtime: the files that it compiles include every *.ipp file
// and every header that defines a part of the runtime itself, directly or not. The runtime
// of a component that needs a third-party library is a separate file, which CMake compiles into
// tenon::compiled.

#include <regex>
#include <set>

#include "floors.hpp"

namespace structure {

/// What tenon::compiled compiles: the second where zlib is found, the third where Eigen is.
inline std::vector<std::string> const umbrellas_of_runtime{"tenon/compiled.hpp", "tenon/io/npz.hpp",
                                                           "tenon/numeric/eigenvalues.hpp"};

/// "include/tenon/nn/linear.hpp" as written in an include: "tenon/nn/linear.hpp".
inline std::string included_path(std::string path) {
  if (path.starts_with("include/")) path.erase(0, std::string_view("include/").size());
  return path;
}

/// A file *.ipp, or a header with more than includes of those between its #if and its #endif.
inline bool defines_runtime(Source const& header) {
  if (header.path.ends_with(".ipp")) return true;
  bool is_runtime = false;
  for (auto const& line : lines_of(header.text)) {
    if (is_runtime && !line.empty() && !line.ends_with(".ipp>")) return line != "#endif";
    is_runtime = is_runtime || line == "#if TENON_DEFINES_RUNTIME";
  }
  return false;
}

inline std::regex const with_library(
    "tenon/train/(config/(load|toml|yaml)|run/spdlog_sink)\\.[hi]pp");

inline Findings check_runtime(std::vector<Source> const& headers) {
  Graph const graph = graph_of(headers, included_path);
  Findings findings;
  for (auto const& header : headers) {
    auto const is_in = [&](std::string const& umbrella) {
      std::set<std::string> seen;
      return reaches(graph, umbrella, included_path(header.path), seen);
    };
    std::string const path = included_path(header.path);
    if (defines_runtime(header) && std::ranges::none_of(umbrellas_of_runtime, is_in) &&
        !std::ranges::count(umbrellas_of_runtime, path) && !std::regex_match(path, with_library))
      findings.push_back(header.path + " is not in tenon::compiled");
  }
  return findings;
}

}  // namespace structure
