#pragma once

// The version of the library stands in the build, the header, the citation and the changelog.

#include <regex>

#include "source.hpp"

namespace structure {

/// The first match of the only group of a pattern; "" if there is none.
inline std::string first_match(std::string const& text, char const* pattern) {
  std::smatch found;
  return std::regex_search(text, found, std::regex(pattern)) ? found[1].str() : "";
}

/// "1.2.3" as 10203, as in `TENON_VERSION`.
inline std::string version_number(std::string const& version) {
  int part[3]{};
  std::sscanf(version.c_str(), "%d.%d.%d", part, part + 1, part + 2);
  return std::to_string(part[0] * 10000 + part[1] * 100 + part[2]);
}

inline Findings check_versions(std::string const& build, std::string const& header,
                               std::string const& citation, std::string const& changelog) {
  std::string const version = first_match(build, "VERSION ([0-9]+\\.[0-9]+\\.[0-9]+)");
  Findings findings;
  if (version.empty()) findings.push_back("CMakeLists.txt names no version");
  if (first_match(header, "#define TENON_VERSION ([0-9]+)") != version_number(version))
    findings.push_back("TENON_VERSION is not " + version_number(version));
  if (first_match(citation, "\nversion: ([0-9.]+)") != version)
    findings.push_back("CITATION.cff does not cite " + version);
  if (changelog.find(version) == std::string::npos)
    findings.push_back("CHANGELOG.md does not name " + version);
  return findings;
}

}  // namespace structure
