#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <tenon/core/error.hpp>

/// A persistent cache of compiled kernels.
namespace tenon::internal::codegen {

/// A folder with one file per compiled kernel. A file starts with the full key (everything that the
/// kernel was compiled from), which has to match on lookup. I/O errors count as misses: a kernel
/// can always be recompiled.
class KernelFolder {
 public:
  explicit KernelFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  std::optional<std::string> find(std::string const& origin) const {
    std::ifstream file(path_of(origin), std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    std::string const head = head_of(origin);
    if (!text.starts_with(head)) return std::nullopt;
    return text.substr(head.size());
  }

  /// Writes a temporary file and renames it: concurrent readers see a complete file or none.
  void keep(std::string const& origin, std::string const& image) const {
    std::error_code ignored;
    std::filesystem::create_directories(folder_, ignored);
    auto const path = path_of(origin);
    auto part = path;
    part += "." + std::to_string(std::random_device()());  // unique to this process
    {
      std::ofstream file(part, std::ios::binary);
      file << head_of(origin) << image;
      if (!file.flush()) return (void)std::filesystem::remove(part, ignored);
    }
    std::filesystem::rename(part, path, ignored);
  }

 private:
  static std::string head_of(std::string const& origin) {
    return "tenon kernel 1\n" + std::to_string(origin.size()) + "\n" + origin + "\n";
  }
  /// FNV-1a, 64 bits (G. Fowler, L. Noll, K.-P. Vo, 1991): for the file name only, not
  /// verification.
  static std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (char const c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    return hash;
  }
  std::filesystem::path path_of(std::string const& origin) const {
    return folder_ / (std::to_string(hash_of(origin)) + ".kernel");
  }

  std::filesystem::path folder_;
};

/// The selected folder; none initially.
class KernelFolderChoice {
 public:
  static KernelFolderChoice& instance() {
    static KernelFolderChoice& choice = *new KernelFolderChoice;
    return choice;
  }
  std::optional<KernelFolder> get() {
    std::lock_guard const lock(mutex_);
    return folder_;
  }
  void set(std::optional<KernelFolder> folder) {
    std::lock_guard const lock(mutex_);
    folder_ = std::move(folder);
  }

 private:
  std::mutex mutex_;
  std::optional<KernelFolder> folder_;
};

}  // namespace tenon::internal::codegen

namespace tenon::internal {

/// Caches kernels compiled from now on in a folder, and loads those cached there, so that later
/// programs start without compiling them. The key is the text, the device and the versions of
/// driver and compiler. An empty path disables it. PyTorch: `TORCHINDUCTOR_CACHE_DIR`.
inline void keep_kernels_in(std::filesystem::path const& folder) {
  std::optional<codegen::KernelFolder> choice;
  if (!folder.empty()) choice.emplace(folder);
  codegen::KernelFolderChoice::instance().set(std::move(choice));
}

}  // namespace tenon::internal

namespace tenon {

using internal::keep_kernels_in;

}  // namespace tenon

namespace tenon::internal::codegen {

/// A device whose compiled kernels can be cached: `image` compiles a text to bytes, `load` makes a
/// function of them (or throws `DeviceError`), `compiler` identifies everything else on which an
/// image depends.
template <class D>
concept ImagingDevice = requires(std::string const& text) {
  { D::image(text, text) } -> std::same_as<std::string>;
  { D::load(text, text) } -> std::same_as<typename D::Function>;
  { D::compiler() } -> std::same_as<std::string>;
};

/// The compiled kernels of a device, cached by text. Thread-safe.
template <class D>
class Compiled {
 public:
  using Function = typename D::Function;

  static Function function(std::string const& name, std::string const& text) {
    static Compiled& all = *new Compiled;
    std::lock_guard const lock(all.mutex_);
    auto const known = all.functions_.find(text);
    if (known != all.functions_.end()) return known->second;
    return all.functions_[text] = made(name, text);
  }

 private:
  static Function made(std::string const& name, std::string const& text) {
    if constexpr (ImagingDevice<D>) {
      if (auto const folder = KernelFolderChoice::instance().get())
        return kept(*folder, name, text);
    }
    return D::compile(name, text);
  }
  static Function kept(KernelFolder const& folder, std::string const& name,
                       std::string const& text) {
    std::string const origin = D::compiler() + "\n" + text;
    if (auto const known = folder.find(origin)) {
      try {
        return D::load(name, *known);
      } catch (DeviceError const&) {  // a damaged file: the kernel is compiled again
      }
    }
    std::string const image = D::image(name, text);
    folder.keep(origin, image);
    return D::load(name, image);
  }

  std::mutex mutex_;
  std::map<std::string, Function> functions_;
};

}  // namespace tenon::internal::codegen
