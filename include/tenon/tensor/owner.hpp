#pragma once

#include <utility>

#include <tenon/tensor/memory.hpp>

/// `std::unique_ptr` and `std::shared_ptr` of one object: <memory> takes the compiler longer than
/// what Tenon's headers need of it.
namespace tenon::internal {

template <class T>
class Owner {
 public:
  constexpr Owner() = default;
  explicit Owner(T* object) : object_(object) {}
  Owner(Owner&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Owner& operator=(Owner&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Owner() { delete object_; }

  explicit operator bool() const { return object_ != nullptr; }
  T* get() const { return object_; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  T* object_ = nullptr;
};

/// Copies share the object; the last one deletes it, on any thread.
template <class T>
class Shared {
 public:
  constexpr Shared() = default;
  explicit Shared(T* object) : object_(object), owners_(new OwnerCount) {}
  Shared(Shared const& other) noexcept : object_(other.object_), owners_(other.owners_) {
    if (owners_ != nullptr) owners_->add();
  }
  Shared(Shared&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)),
        owners_(std::exchange(other.owners_, nullptr)) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(object_, other.object_);
    std::swap(owners_, other.owners_);
    return *this;
  }
  ~Shared() {
    if (owners_ == nullptr || !owners_->remove()) return;
    delete object_;
    delete owners_;
  }

  explicit operator bool() const { return object_ != nullptr; }
  T& operator*() const { return *object_; }
  T* operator->() const { return object_; }

 private:
  T* object_ = nullptr;
  OwnerCount* owners_ = nullptr;
};

}  // namespace tenon::internal
