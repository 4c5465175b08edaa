// Runs a kernel on the host over a grid of work groups, one work item after the other, always in
// the same order. Work items with barriers have their own stacks and take turns.

#pragma once

#include <sys/mman.h>
#include <ucontext.h>

#include <cstddef>
#include <memory>
#include <new>
#include <stdexcept>
#include <vector>

#include "member.hpp"

namespace shim {

/// The work groups of one launch of a kernel.
class Groups {
 public:
  Groups(Entry entry, void* const* arguments) : entry_(entry), arguments_(arguments) {}

  /// Runs all work groups. `has_barriers` is true if the text contains barriers. Throws if only
  /// some work items of a group reach one.
  void run(Index groups, Index members, bool has_barriers) {
    own_.groups = groups;
    own_.members = members;
    own_.barrier = [] { current->wait(); };
    for (Index& i = own_.group; i.z < groups.z; ++i.z)
      for (i.y = 0; i.y < groups.y; ++i.y)
        for (i.x = 0; i.x < groups.x; ++i.x) run_group(has_barriers);
  }

 private:
  static constexpr std::size_t stack_bytes = 128 * 1024;

  /// A work item with its stack, which is unmapped at the end.
  struct Fiber {
    ucontext_t context{};
    void* stack = mmap(nullptr, stack_bytes, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    Member member{};
    bool is_done = false;

    Fiber() {
      if (stack == MAP_FAILED) throw std::bad_alloc();
    }
    Fiber(Fiber const&) = delete;
    Fiber& operator=(Fiber const&) = delete;
    ~Fiber() { munmap(stack, stack_bytes); }
  };

  template <class F>
  void for_each_member(F const& f) {
    Index at{};
    for (at.z = 0; at.z < own_.members.z; ++at.z)
      for (at.y = 0; at.y < own_.members.y; ++at.y)
        for (at.x = 0; at.x < own_.members.x; ++at.x) {
          own_.member = at;
          f(own_);
        }
  }

  void run_group(bool has_barriers) {
    if (has_barriers) return run_together();
    for_each_member([&](Member const& member) { entry_(&member, arguments_); });
  }

  /// Runs from barrier to barrier until all work items have ended.
  void run_together() {
    std::size_t count = 0;
    for_each_member([&](Member const& member) { prepare(fiber(count++), member); });
    for (std::size_t left = count; left > 0;) {
      std::size_t const before = left;
      for (std::size_t i = 0; i < count; ++i)
        if (!fibers_[i]->is_done) left -= is_done_after_turn(*fibers_[i]) ? 1u : 0u;
      if (left != 0 && left != before)
        throw std::runtime_error("a barrier that only some of a group meet");
    }
  }

  Fiber& fiber(std::size_t i) {
    while (fibers_.size() <= i) fibers_.push_back(std::make_unique<Fiber>());
    return *fibers_[i];
  }
  void prepare(Fiber& fiber, Member const& member) {
    fiber.member = member;
    fiber.is_done = false;
    getcontext(&fiber.context);
    fiber.context.uc_stack = {fiber.stack, 0, stack_bytes};
    fiber.context.uc_link = &outside_;
    makecontext(
        &fiber.context, [] { current->run_member(); }, 0);
  }
  bool is_done_after_turn(Fiber& fiber) {
    current = this;
    running_ = &fiber;
    swapcontext(&outside_, &fiber.context);
    return fiber.is_done;
  }
  void run_member() {
    Fiber& own = *running_;
    entry_(&own.member, arguments_);
    own.is_done = true;
  }
  void wait() { swapcontext(&running_->context, &outside_); }

  static inline Groups* current = nullptr;

  Entry entry_;
  void* const* arguments_;
  Member own_{};
  ucontext_t outside_{};
  Fiber* running_ = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers_{};  ///< Reused for the next group.
};

}  // namespace shim
