#pragma once

// The layers of the library: which file may include which. docs/house.md has the reasons.

#include <map>
#include <optional>
#include <regex>
#include <set>

#include "source.hpp"

namespace structure {

struct Floor {
  std::string folder;
  int number;
};

inline std::vector<Floor> const floors{
    {"core", 0}, {"op", 1},     {"tensor", 2},  {"expr", 3},        {"tree", 3},  {"random", 3},
    {"ir", 4},   {"eval", 4},   {"backend", 5}, {"autodiff", 6},    {"nn", 7},    {"optim", 7},
    {"io", 7},   {"losses", 7}, {"numeric", 7}, {"distributed", 8}, {"train", 9}, {"testing", 10},
};

/// The floor whose folders never include each other.
inline int const floor_of_siblings = 7;

/// A third-party or system header that only these files may include.
struct ThirdParty {
  std::string header;  // a prefix of the name between < and >
  std::string files;   // a regular expression of paths below include/tenon
};

inline std::vector<ThirdParty> const third_party{
    {"xsimd/", "backend/cpu/simd/lanes_xsimd\\.hpp"},
    {"immintrin.h", "backend/cpu/simd/intrinsics\\.hpp"},
    {"emmintrin.h", "backend/cpu/simd/intrinsics\\.hpp"},
    {"smmintrin.h", "backend/cpu/simd/intrinsics\\.hpp"},
    {"amx", "backend/cpu/simd/intrinsics\\.hpp"},
    {"avx", "backend/cpu/simd/intrinsics\\.hpp"},
    {"f16cintrin.h", "backend/cpu/simd/intrinsics\\.hpp"},
    {"fmaintrin.h", "backend/cpu/simd/intrinsics\\.hpp"},
    {"__fwd/complex.h", "core/complex_declaration\\.hpp"},
    {"pthread.h", "backend/cpu/thread\\.hpp"},
    {"sanitizer/asan_interface.h", "tensor/block_cache\\.hpp"},
    {"dlfcn.h", "backend/codegen/launch/library\\.hpp|train/inspect/source_line\\.hpp"},
    {"execinfo.h", "train/inspect/source_line\\.hpp"},
    {"link.h", "train/inspect/source_line\\.hpp"},
    {"sys/auxv.h", "train/inspect/source_line\\.hpp"},
    {"fcntl.h", "io/system_file\\.hpp"},
    {"io.h", "io/system_file\\.hpp|train/run/terminal\\.hpp"},
    {"process.h", "io/system_file\\.hpp"},
    {"sys/file.h", "io/system_file\\.hpp"},
    {"sys/mman.h", "io/system_file\\.hpp|tensor/block_cache\\.hpp"},
    {"sys/single_threaded.h", "tensor/memory\\.hpp"},
    {"sys/stat.h", "io/system_file\\.hpp"},
    {"sys/ioctl.h", "train/run/terminal\\.hpp"},
    {"sys/utsname.h", "train/run/system_state\\.hpp"},
    {"unistd.h",
     "backend/cpu/thread\\.hpp|io/system_file\\.hpp|distributed/communication/session\\.hpp|"
     "train/run/terminal\\.hpp"},
    {"Eigen/", "io/eigen\\.hpp|numeric/eigenvalues\\.hpp"},
    {"unsupported/Eigen/", "numeric/eigenvalues\\.hpp"},
    {"mdspan/", "io/mdspan\\.hpp"},
    {"experimental/", "io/mdspan\\.hpp"},
    {"nanobind/", "io/nanobind\\.hpp"},
    {"zlib.h", "io/npz/zlib\\.hpp"},
    {"doctest/", "testing/mpi\\.hpp"},
    {"toml++/", "train/config/toml[a-z_]*\\.hpp"},
    {"yaml-cpp/", "train/config/yaml[a-z_]*\\.hpp"},
    {"spdlog/", "train/run/spdlog[a-z_]*\\.hpp"},
    {"boost/mpi/", "distributed/communication/(mpi|boost)\\.hpp"},
};

struct Include {
  std::string file;
  int line;
  bool quoted;
};

inline std::vector<Include> includes_of(std::string const& text) {
  static std::regex const pattern(R"re(^\s*#\s*include\s*([<"])([^>"]+)[>"].*)re");
  std::vector<Include> includes;
  int number = 0;
  for (auto const& line : lines_of(text)) {
    ++number;
    std::smatch match;
    if (std::regex_match(line, match, pattern)) {
      includes.push_back({match[2].str(), number, match[1].str() == "\""});
    }
  }
  return includes;
}

/// "include/tenon/nn/linear.hpp" and "tenon/nn/linear.hpp" both map to "nn/linear.hpp", as do
/// "nn/linear.ipp" and "nn/linear.backward.ipp", which define it.
inline std::string house_path(std::string path) {
  for (std::string const prefix : {"include/", "tenon/"}) {
    if (path.starts_with(prefix)) path.erase(0, prefix.size());
  }
  if (path.ends_with(".ipp")) path.replace(path.find('.'), std::string::npos, ".hpp");
  return path;
}

inline std::string folder_of(std::string const& path) {
  auto const slash = path.find('/');
  return slash == std::string::npos ? std::string{} : path.substr(0, slash);
}

inline std::optional<int> floor_of(std::string const& path) {
  auto const found = std::ranges::find(floors, folder_of(path), &Floor::folder);
  return found == floors.end() ? std::nullopt : std::optional(found->number);
}

/// The backend of a file: its folder below backend/, or its own name; "" if it is common to all.
inline std::string backend_of(std::string const& path) {
  static std::set<std::string> const of_all{"contract", "devices"};
  if (folder_of(path) != "backend") return {};
  auto const name = path.substr(8, path.find_first_of("/.", 8) - 8);
  return of_all.contains(name) ? std::string{} : name;
}

/// The reason why `from` may not include `to`, both below include/tenon; "" if it may.
inline std::string objection(std::string const& from, std::string const& to) {
  auto const own = floor_of(from), other = floor_of(to);
  if (folder_of(from).empty()) return {};  // the umbrella
  if (!own) return "stands on no floor";
  if (!other) return "includes " + to + ", which stands on no floor";
  if (*own < *other) return "includes " + to + ", a higher floor";
  if (*own == floor_of_siblings && *other == *own && folder_of(from) != folder_of(to)) {
    return "includes its sibling " + to;
  }
  auto const backend = backend_of(from), included = backend_of(to);
  if (!backend.empty() && !included.empty() && backend != included && included != "codegen") {
    return "includes another backend, " + to;
  }
  return {};
}

inline bool is_standard(std::string const& header) {
  return header.find_first_of("./") == std::string::npos;
}

inline std::string objection_to_third_party(std::string const& from, std::string const& header) {
  for (auto const& known : third_party) {
    if (!header.starts_with(known.header)) continue;
    return std::regex_match(from, std::regex(known.files))
               ? std::string{}
               : "includes <" + header + ">, which only " + known.files + " may";
  }
  return "includes <" + header + ">, which nothing here may";
}

inline Findings check_floors(std::vector<Source> const& headers) {
  Findings findings;
  for (auto const& header : headers) {
    auto const from = house_path(header.path);
    for (auto const& include : includes_of(header.text)) {
      std::string problem;
      if (include.quoted) problem = "includes \"" + include.file + "\" in quotes";
      else if (include.file.starts_with("tenon/"))
        problem = objection(from, house_path(include.file));
      else if (!is_standard(include.file)) problem = objection_to_third_party(from, include.file);
      if (!problem.empty()) {
        findings.push_back(header.path + ":" + std::to_string(include.line) + " " + problem);
      }
    }
  }
  return findings;
}

using Graph = std::map<std::string, std::vector<std::string>>;

inline bool reaches(Graph const& graph, std::string const& from, std::string const& goal,
                    std::set<std::string>& seen) {
  auto const edges = graph.find(from);
  if (edges == graph.end()) return false;
  return std::ranges::any_of(edges->second, [&](auto const& next) {
    return next == goal || (seen.insert(next).second && reaches(graph, next, goal, seen));
  });
}

/// The includes of each file, mapped by `name_of` to paths below or outside of include/.
template <class Name>
Graph graph_of(std::vector<Source> const& headers, Name const& name_of) {
  Graph graph;
  for (auto const& header : headers) {
    for (auto const& include : includes_of(header.text)) {
      auto const from = name_of(header.path), to = name_of(include.file);
      if (from != to) graph[from].push_back(to);
    }
  }
  return graph;
}

inline Findings check_cycles(std::vector<Source> const& headers) {
  Graph const graph = graph_of(headers, house_path);
  Findings findings;
  for (auto const& [file, includes] : graph) {
    std::set<std::string> seen;
    if (reaches(graph, file, file, seen)) findings.push_back(file + " includes itself in the end");
  }
  return findings;
}

/// Folders whose rooms must not include each other in a cycle.
inline std::vector<std::string> const folders_of_rooms{"distributed/", "backend/codegen/"};

/// "distributed/zero" for "distributed/zero/norm.hpp", and the same for all other files.
inline std::string room_of(std::string const& path) {
  std::string const own = house_path(path);
  for (auto const& folder : folders_of_rooms)
    if (own.starts_with(folder)) return own.substr(0, own.rfind('/'));
  return "elsewhere";
}

inline Findings check_rooms(std::vector<Source> const& headers) {
  Graph graph = graph_of(headers, room_of);
  graph.erase("elsewhere");
  Findings findings;
  for (auto const& [room, includes] : graph) {
    std::set<std::string> seen;
    if (reaches(graph, room, room, seen)) findings.push_back(room + " includes itself in the end");
  }
  return findings;
}

}  // namespace structure
