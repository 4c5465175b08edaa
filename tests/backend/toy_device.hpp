#pragma once

// A device as a user would write it, with public names only: memory that the host cannot read, and
// a backend that counts calls and delegates to reference.

#include <cstdint>
#include <cstdlib>
#include <cstring>

#include <tenon/tenon.hpp>

struct Toy {
  static constexpr std::string_view name = "toy";
  static constexpr bool is_host = false;

  static inline std::size_t room = std::size_t{1} << 30;  ///< The largest possible allocation.

  static inline int blocks = 0;  ///< The number of allocations.

  static void* allocate(std::size_t bytes) {
    if (bytes > room) return nullptr;
    ++blocks;
    return moved(std::calloc(bytes + 1, 1));
  }
  static void deallocate(void* memory) {
    --blocks;
    std::free(moved(memory));
  }
  static void copy_from_host(void* to, void const* from, std::size_t bytes) {
    std::memcpy(moved(to), from, bytes);
  }
  static void copy_to_host(void* to, void const* from, std::size_t bytes) {
    std::memcpy(to, moved(from), bytes);
  }
  static void copy_on_device(void* to, void const* from, std::size_t bytes) {
    std::memcpy(moved(to), moved(from), bytes);
  }
  static void clear(void* to, std::size_t bytes) { std::memset(moved(to), 0, bytes); }

 private:
  /// Converts to an address that is not mapped, and back: a host access by mistake crashes.
  static void* moved(void const* memory) {
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory) ^ std::uintptr_t{1}
                                                                                  << 50);
  }
};

static_assert(tenon::DeviceWithMemory<Toy>);

/// The number of calls of each verb of a backend.
struct Verbs {
  int fill = 0, contract = 0, backward = 0, backward_contract = 0;
};

struct ToyBackend : tenon::BackendDefaults<Toy> {
  using Defaults = tenon::BackendDefaults<Toy>;
  using host = tenon::Reference;
  static inline Verbs asked{};

  template <class E>
  static void fill(E const& e, tenon::MemoryAccess const& out) {
    ++asked.fill;
    Defaults::fill(e, out);
  }
  template <class E>
  static void contract(E const& product, typename E::value_type* to) {
    ++asked.contract;
    Defaults::contract(product, to);
  }
  template <class E>
  static void backward(E const& e, tenon::MemoryAccess const& adjoint, tenon::Tape& tape) {
    ++asked.backward;
    Defaults::backward(e, adjoint, tape);
  }
  template <class E>
  static void backward_contract(E const& product, typename E::value_type const* from,
                                tenon::Tape& tape) {
    ++asked.backward_contract;
    Defaults::backward_contract(product, from, tape);
  }
};

template <>
struct tenon::BackendFor<Toy> {
  using type = ToyBackend;
};

static_assert(tenon::Backend<ToyBackend>);
