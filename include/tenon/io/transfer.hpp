#pragma once

#include <cerrno>
#include <cstddef>

namespace tenon::internal {

/// The largest number of bytes of one call: macOS rejects more than 2^31 - 1.
inline constexpr std::size_t most_bytes_a_call = std::size_t{1} << 30;

/// Calls transfer(bytes done, bytes to do now) until all is done; returns 0 or the error number. (A
/// call that transfers nothing means end of file: EIO.)
template <class F>
int transfer_all(std::size_t bytes, F&& transfer) {
  for (std::size_t done = 0; done < bytes;) {
    std::size_t const left = bytes - done;
    auto const now = transfer(done, left < most_bytes_a_call ? left : most_bytes_a_call);
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return now < 0 ? errno : EIO;
    done += static_cast<std::size_t>(now);
  }
  return 0;
}

}  // namespace tenon::internal
