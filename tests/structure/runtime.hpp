#pragma once

// tenon::compiled contains the whole runtime: <tenon/compiled.hpp> includes every *.ipp file,
// directly or not.

#include <set>

#include "floors.hpp"

namespace structure {

inline std::string const umbrella_of_runtime = "tenon/compiled.hpp";

/// "include/tenon/nn/linear.hpp" as written in an include: "tenon/nn/linear.hpp".
inline std::string included_path(std::string path) {
  if (path.starts_with("include/")) path.erase(0, std::string_view("include/").size());
  return path;
}

inline Findings check_runtime(std::vector<Source> const& headers) {
  Graph const graph = graph_of(headers, included_path);
  Findings findings;
  for (auto const& header : headers) {
    std::set<std::string> seen;
    if (header.path.ends_with(".ipp") &&
        !reaches(graph, umbrella_of_runtime, included_path(header.path), seen))
      findings.push_back(header.path + " is not in " + umbrella_of_runtime);
  }
  return findings;
}

}  // namespace structure
