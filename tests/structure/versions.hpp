#pragma once

// The version of the library is written in the build, the header, the citation, the changelog and
// the manifest of vcpkg. The recipe of Conan reads it from the build.

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

/// The texts of the files with a version.
struct Versioned {
  std::string build, header, citation, changelog, recipe, manifest;
};

/// conanfile.py must not contain a version number.
inline bool reads_version(std::string const& recipe) {
  return recipe.find("def set_version(") != std::string::npos &&
         first_match(recipe, "\n +version = (\"[^\"]*\")").empty();
}

inline Findings check_versions(Versioned const& files) {
  std::string const version = first_match(files.build, "VERSION ([0-9]+\\.[0-9]+\\.[0-9]+)");
  Findings findings;
  auto const expect = [&](bool holds, std::string const& otherwise) {
    if (!holds) findings.push_back(otherwise);
  };
  expect(!version.empty(), "CMakeLists.txt names no version");
  expect(first_match(files.header, "#define TENON_VERSION ([0-9]+)") == version_number(version),
         "TENON_VERSION is not " + version_number(version));
  expect(first_match(files.citation, "\nversion: ([0-9.]+)") == version,
         "CITATION.cff does not cite " + version);
  expect(files.changelog.find(version) != std::string::npos,
         "CHANGELOG.md does not name " + version);
  expect(reads_version(files.recipe), "conanfile.py does not read the version of CMakeLists.txt");
  expect(first_match(files.manifest, "\"version\": \"([^\"]+)\"") == version,
         "vcpkg.json does not name " + version);
  return findings;
}

}  // namespace structure
