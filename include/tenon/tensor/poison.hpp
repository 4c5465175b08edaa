#pragma once

#include <cstddef>

#if __has_include(<sanitizer/asan_interface.h>)
#include <sanitizer/asan_interface.h>
#endif

namespace tenon::internal {

// Marks idle memory in a cache as inaccessible for AddressSanitizer. Its macros do nothing when it
// is off.
#if defined(ASAN_POISON_MEMORY_REGION)
inline void poison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  ASAN_POISON_MEMORY_REGION(data, bytes);
}
inline void unpoison([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
  ASAN_UNPOISON_MEMORY_REGION(data, bytes);
}
#else
inline void poison(void*, std::size_t) {}
inline void unpoison(void*, std::size_t) {}
#endif

}  // namespace tenon::internal
