#pragma once

#include <tenon/core/config.hpp>

/// Files that are compiled with TENON_COMPILED link only to a runtime of the same version.
#if defined(TENON_COMPILED) || defined(TENON_IMPLEMENTATION)
namespace tenon::internal {

template <int version>
struct RuntimeOfVersion {
  static char const is_linked;
};
template <>
char const RuntimeOfVersion<TENON_VERSION>::is_linked;

[[gnu::used]] inline char const* const runtime_of_version =
    &RuntimeOfVersion<TENON_VERSION>::is_linked;

}  // namespace tenon::internal
#endif

#if defined(TENON_IMPLEMENTATION)
template <>
char const tenon::internal::RuntimeOfVersion<TENON_VERSION>::is_linked = 0;
#endif
