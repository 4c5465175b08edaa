#pragma once

// tenon::compiled contains the whole runtime: <tenon/compiled.hpp> includes every *.ipp file and
// every header that defines a part of the runtime itself, directly or not.

#include <set>

#include "floors.hpp"

namespace structure {

inline std::string const umbrella_of_runtime = "tenon/compiled.hpp";

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

inline Findings check_runtime(std::vector<Source> const& headers) {
  Graph const graph = graph_of(headers, included_path);
  Findings findings;
  for (auto const& header : headers) {
    std::set<std::string> seen;
    if (defines_runtime(header) &&
        !reaches(graph, umbrella_of_runtime, included_path(header.path), seen))
      findings.push_back(header.path + " is not in " + umbrella_of_runtime);
  }
  return findings;
}

}  // namespace structure
