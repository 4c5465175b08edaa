#pragma once

#include <tenon/core/config.hpp>
#include <tenon/io/safetensors/item.hpp>

namespace tenon::internal::safetensors {

TENON_RUNTIME HostElements::HostElements(Item const& item) : data_(item.data), bytes_(item.bytes) {
  if (item.bring == nullptr || item.bytes == 0) return;
  copy_.resize(item.bytes);
  item.bring(copy_.data(), item.data, item.bytes);
  data_ = copy_.data();
}

}  // namespace tenon::internal::safetensors
