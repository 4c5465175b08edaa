#pragma once

#include <utility>

#include <tenon/core/error.hpp>
#include <tenon/io/dlpack/structs.hpp>

namespace tenon::internal {

/// The owner of a struct of DLPack: calls its deleter once.
template <ManagedTensor M, class D>
class DlpackOwner {
 public:
  explicit DlpackOwner(M* managed) : managed_(managed) {}
  DlpackOwner(DlpackOwner&& other) noexcept : managed_(std::exchange(other.managed_, nullptr)) {}
  DlpackOwner& operator=(DlpackOwner&&) = delete;
  ~DlpackOwner() {
    if (managed_ == nullptr || managed_->deleter == nullptr) return;
    if constexpr (requires { D::synchronise(); }) wait();
    managed_->deleter(managed_);
  }

  M const* operator->() const { return managed_; }
  explicit operator bool() const { return managed_ != nullptr; }

 private:
  /// Kernels that read the memory may still run. (A device that fails here runs none.)
  static void wait() noexcept {
    try {
      D::synchronise();
    } catch (Error const&) {
    }
  }

  M* managed_;
};

}  // namespace tenon::internal
