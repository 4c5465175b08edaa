// Text compiled at run time: the C++ compiler builds a library from it, which is loaded.

#pragma once

#include <dlfcn.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace shim {

/// The names that follow a string in a text: `names_after("__global__ void ", text)`.
inline std::vector<std::string> names_after(std::string_view word, std::string_view text) {
  std::vector<std::string> names;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    std::size_t begin = at + word.size();
    while (begin < text.size() && text[begin] == ' ') ++begin;
    std::size_t end = begin;
    while (end < text.size() && (std::isalnum(text[end]) || text[end] == '_')) ++end;
    if (end > begin) names.emplace_back(text.substr(begin, end - begin));
  }
  return names;
}

inline std::string read_all(std::filesystem::path const& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder for this process, removed at its end.
struct Workshop {
  std::filesystem::path path = made();
  int count = 0;

  static Workshop& instance() {
    static Workshop one;
    return one;
  }
  Workshop() = default;
  Workshop(Workshop const&) = delete;
  Workshop& operator=(Workshop const&) = delete;
  ~Workshop() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }

 private:
  static std::filesystem::path made() {
    auto pattern = (std::filesystem::temp_directory_path() / "tenon_shim_XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) std::perror("mkdtemp");
    return pattern;
  }
};

/// A library that was built, or the messages of the compiler.
struct Made {
  std::filesystem::path library{};  ///< Empty if it was not built.
  std::string log{};
};

/// The compiler of this machine: the environment variable CXX, or c++.
inline std::string compiler() {
  char const* const own = std::getenv("CXX");
  return own != nullptr && *own != '\0' ? own : "c++";
}

/// The folder of this file. (__FILE__ may be relative to the directory of the compiler.)
inline std::filesystem::path folder() {
#ifdef TENON_SHIM
  return TENON_SHIM;
#else
  return std::filesystem::absolute(__FILE__).parent_path();
#endif
}

/// Builds a library from a language's shim (the name of a header in this folder), a text and an
/// entry for each of its kernels.
inline Made made_of(std::string_view language, std::string_view text,
                    std::vector<std::string> const& kernels) {
  Workshop& workshop = Workshop::instance();
  auto const stem = workshop.path / ("kernels_" + std::to_string(workshop.count++));
  std::string const source = stem.string() + ".cpp", log = stem.string() + ".log";
  std::string const library = stem.string() + ".so";
  {
    std::ofstream out(source);
    out << "#include \"" << (folder() / language).string() << "\"\n#line 1 \"kernels\"\n"
        << text << "\n";
    for (std::string const& kernel : kernels) out << "SHIM_KERNEL(" << kernel << ")\n";
  }
  std::string const command = compiler() +
                              " -std=c++20 -O0 -w -ffp-contract=off -march=native -shared -fPIC "
                              "-o " +
                              library + " " + source + " > " + log + " 2>&1";
  bool const is_made = std::system(command.c_str()) == 0;
  return {is_made ? library : "", read_all(log)};
}

}  // namespace shim
