#pragma once

// tenon::compiled holds all of the runtime: <tenon/compiled.hpp> leads to every file *.ipp.

#include <map>
#include <set>

#include "floors.hpp"

namespace structure {

inline std::string const umbrella_of_runtime = "include/tenon/compiled.hpp";

/// Adds a file, and all that it leads to.
inline void follow(std::map<std::string, std::string> const& texts, std::string const& file,
                   std::set<std::string>& seen) {
  auto const text = texts.find(file);
  if (text == texts.end() || !seen.insert(file).second) return;
  for (auto const& include : includes_of(text->second))
    follow(texts, "include/" + include.file, seen);
}

inline Findings check_runtime(std::vector<Source> const& headers) {
  std::map<std::string, std::string> texts;
  for (auto const& header : headers) texts[header.path] = header.text;
  std::set<std::string> seen;
  follow(texts, umbrella_of_runtime, seen);
  Findings findings;
  for (auto const& header : headers) {
    if (header.path.ends_with(".ipp") && !seen.contains(header.path))
      findings.push_back(header.path + " is not in " + umbrella_of_runtime);
  }
  return findings;
}

}  // namespace structure
