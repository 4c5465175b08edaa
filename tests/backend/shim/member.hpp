// The work item that runs a kernel. This file includes nothing: the texts of kernels are compiled
// with it, one by one.

#pragma once

namespace shim {

struct Index {
  unsigned x = 0, y = 0, z = 0;
};

/// A work item ("thread") in its work group ("block", "threadgroup"), and its functions.
struct Member {
  Index member, group, members, groups;
  void (*barrier)();  ///< Returns when all work items of the group have called it.
};

/// The function that a library has for each of its kernels: it runs one work item. The meaning of
/// `arguments` depends on the language.
using Entry = void (*)(Member const* own, void* const* arguments);

}  // namespace shim
