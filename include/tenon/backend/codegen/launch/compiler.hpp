#pragma once

#include <concepts>
#include <map>
#include <mutex>
#include <string>

#include <tenon/backend/codegen/launch/kernel_folder.hpp>
#include <tenon/core/error.hpp>

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
