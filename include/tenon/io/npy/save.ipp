#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/atomic_file.hpp>
#include <tenon/io/npy/header.hpp>
#include <tenon/io/npy/save.hpp>

namespace tenon::internal::npy {

TENON_RUNTIME void write_array(std::filesystem::path const& path, safetensors::Item const& array) {
  AtomicFile file(path, "npy::save");
  file.write(head_of(*array.dtype, array.sizes));
  safetensors::HostElements const elements(array);
  file.write(elements.data(), elements.bytes());
  file.commit();
}

}  // namespace tenon::internal::npy
