// What a kernel knows of the work item that runs it. It includes nothing: the texts of kernels are
// compiled with it, one by one.

#pragma once

namespace shim {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// A work item ("thread") in its group ("block", "threadgroup"), and what it can ask for.
struct Member {
  Index member, group, members, groups;
  void (*barrier)();  ///< Returns when all of the group have come here.
};

/// What a library has for each of its kernels: runs one member. `arguments` are addresses, of what
/// depends on the language.
using Entry = void (*)(Member const* own, void* const* arguments);

}  // namespace shim
