// A fake of the Objective-C runtime: reference-counted objects, methods found by name, autorelease
// pools. It records misuse. To be included in one source file only: it defines the functions of the
// runtime.

#pragma once

#include <cstdio>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace objects {

/// An object or a class. A released object is kept and marked dead, so that later messages to it
/// are detected.
struct Thing {
  explicit Thing(std::string of) : type(std::move(of)) {}
  Thing(Thing const&) = delete;
  Thing& operator=(Thing const&) = delete;
  virtual ~Thing() = default;

  /// Called at the last release: releases what the object owns.
  virtual void end() {}

  std::string type;
  long owners = 1;
  bool is_class = false;
};

using Selector = std::string const*;
using Method = void (*)();

/// All objects, used by one thread at a time.
struct World {
  std::map<std::string, Thing*> classes{};
  std::map<std::pair<std::string, std::string>, Method> methods{};
  std::set<std::string> selectors{};
  std::vector<Thing*> things{};
  std::vector<std::vector<Thing*>> pools{};
  std::string mistakes{};

  static World& instance() {
    static World& one = *new World;
    return one;
  }

  void mistake(std::string const& words) { mistakes += words + "\n"; }

  long living(std::string const& type) const {
    long count = 0;
    for (Thing const* const thing : things) count += thing->owners > 0 && thing->type == type;
    return count;
  }
};

/// A new object, owned by the caller.
template <class T, class... A>
T* make(A&&... with) {
  T* const thing = new T(std::forward<A>(with)...);
  World::instance().things.push_back(thing);
  return thing;
}

inline Thing* retain(Thing* thing) {
  if (thing->owners <= 0) World::instance().mistake("retained after its end: " + thing->type);
  ++thing->owners;
  return thing;
}

inline void release(Thing* thing) {
  if (thing == nullptr || thing->is_class) return;
  if (thing->owners <= 0) return World::instance().mistake("released too often: " + thing->type);
  if (--thing->owners == 0) thing->end();
}

/// Transfers a new object to the pool.
template <class T>
T* autoreleased(T* thing) {
  auto& pools = World::instance().pools;
  if (pools.empty()) World::instance().mistake("without a pool: " + thing->type);
  else pools.back().push_back(thing);
  return thing;
}

/// Methods of a class; a `+` before a name denotes a class method.
struct Methods {
  std::string type;

  template <class F>
  Methods& add(std::string const& name, F* method) {
    World::instance().methods[{type, name}] = reinterpret_cast<Method>(method);
    return *this;
  }
};

inline Method nothing() {
  return reinterpret_cast<Method>(+[](Thing*, Selector) -> void* { return nullptr; });
}

/// The function that a message to an object calls.
inline Method method_of(Thing* thing, Selector name) {
  World& world = World::instance();
  if (thing == nullptr) return nothing();
  std::string const type = (thing->is_class ? "+" : "") + thing->type;
  if (thing->owners <= 0) world.mistake(*name + " after the end of a " + type);
  auto const found = world.methods.find({type, *name});
  if (found != world.methods.end()) return found->second;
  world.mistake("no method " + *name + " of " + type);
  return nothing();
}

}  // namespace objects

extern "C" {

objects::Thing* objc_getClass(char const* name) {
  auto& known = objects::World::instance().classes[name];
  if (known == nullptr) {
    known = new objects::Thing(name);
    known->is_class = true;
  }
  return known;
}
objects::Selector sel_registerName(char const* name) {
  return &*objects::World::instance().selectors.insert(name).first;
}
objects::Thing* objc_retain(objects::Thing* thing) { return objects::retain(thing); }
void objc_release(objects::Thing* thing) { objects::release(thing); }

void* objc_autoreleasePoolPush() {
  auto& pools = objects::World::instance().pools;
  pools.emplace_back();
  return reinterpret_cast<void*>(pools.size());
}
void objc_autoreleasePoolPop(void* pool) {
  auto& world = objects::World::instance();
  if (reinterpret_cast<std::size_t>(pool) != world.pools.size())
    return world.mistake("pools end in another order than they began");
  for (objects::Thing* const thing : world.pools.back()) objects::release(thing);
  world.pools.pop_back();
}

}  // extern "C"
