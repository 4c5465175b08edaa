// A fake of Metal as a library: its kernels are compiled and run on the host at synchronisation.
// `metal_device.hpp` of the tests builds and opens it.

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <functional>
#include <memory>

#include "groups.hpp"
#include "message.hpp"
#include "metal_text.hpp"

namespace {

using objects::autoreleased;
using objects::make;
using objects::Methods;
using objects::release;
using objects::retain;
using objects::Selector;
using objects::Thing;
using objects::World;

using Natural = unsigned long;
struct Extent {
  Natural width, height, depth;
};

void mistake(std::string const& words) { World::instance().mistake(words); }

/// The operation that fails next, set by the tests.
struct Orders {
  bool no_device = false, no_memory = false, no_queue = false, no_shaders = false;
  bool fails_to_run = false, rejects = false, is_old = false;
};
Orders orders;

struct String : Thing {
  explicit String(std::string words) : Thing("NSString"), text(std::move(words)) {}
  std::string text;
};
String* string_of(std::string text) { return autoreleased(make<String>(std::move(text))); }

struct Error : Thing {
  explicit Error(std::string words) : Thing("NSError"), text(std::move(words)) {}
  std::string text;
};
void tell(Error** error, std::string const& words) {
  if (error != nullptr) *error = autoreleased(make<Error>(words));
}

struct Options : Thing {
  Options() : Thing("MTLCompileOptions") {}
  bool is_safe = false, is_precise = true;
};

struct Buffer : Thing {
  explicit Buffer(Natural bytes)
      : Thing("MTLBuffer"), length(bytes), memory(new unsigned char[bytes]) {
    std::memset(memory.get(), 0xCD, bytes);
  }
  void end() override { memory.reset(); }
  Natural length;
  std::unique_ptr<unsigned char[]> memory;
};

struct Library : Thing {
  Library(void* opened, bool meets) : Thing("MTLLibrary"), handle(opened), has_barriers(meets) {}
  void* handle;
  bool has_barriers;
};

struct Function : Thing {
  Function(shim::Entry run, std::string kinds, bool meets)
      : Thing("MTLFunction"),
        entry(run),
        kinds_of_arguments(std::move(kinds)),
        has_barriers(meets) {}
  shim::Entry entry;
  std::string kinds_of_arguments;
  bool has_barriers;
};

struct Pipeline : Thing {
  explicit Pipeline(Function* of) : Thing("MTLComputePipelineState"), function(of) {
    retain(function);
  }
  void end() override { release(function); }
  Function* function;
};

/// The binding of an index: memory, or bytes.
struct Bound {
  Buffer* buffer = nullptr;
  Natural offset = 0;
  std::vector<unsigned char> bytes{};
  bool is_set = false;

  void* address() const {
    if (!bytes.empty()) return const_cast<unsigned char*>(bytes.data());
    return buffer == nullptr ? nullptr : buffer->memory.get() + offset;
  }
};

/// A kernel with its bindings, to be run later.
struct Command {
  Pipeline* pipeline = nullptr;
  std::array<Bound, 31> bound{};
  Extent groups{}, members{};

  void run() const {
    std::array<void*, 31> addresses{};
    std::transform(bound.begin(), bound.end(), addresses.begin(),
                   [](Bound const& one) { return one.address(); });
    shim::Groups all(pipeline->function->entry, addresses.data());
    auto const index = [](Extent of) {
      return shim::Index{unsigned(of.width), unsigned(of.height), unsigned(of.depth)};
    };
    all.run(index(groups), index(members), pipeline->function->has_barriers);
  }
};

struct Commands : Thing {
  explicit Commands(Thing* of) : Thing("MTLCommandBuffer"), queue(of) { retain(queue); }
  void end() override {
    if (status == 0 && has_encoder) mistake("a command buffer that was never committed");
    forget();
    if (error != nullptr) release(error);
    release(queue);
  }

  void keep(Thing* thing) { kept.push_back(retain(thing)); }
  void forget() {
    for (Thing* const thing : kept) release(thing);
    kept.clear();
  }
  void run() {
    if (std::exchange(orders.fails_to_run, false)) {
      status = 5;
      error = make<Error>("the stand-in was told to fail");
    } else {
      for (auto const& command : all) command();
      status = 4;
    }
    forget();
  }

  Thing* queue;
  std::vector<std::function<void()>> all{};
  std::vector<Thing*> kept{};
  Natural status = 0;
  bool has_encoder = false, is_encoding = false;
  Error* error = nullptr;
};

struct Encoder : Thing {
  explicit Encoder(Commands* of) : Thing("MTLComputeCommandEncoder"), commands(of) {
    retain(commands);
  }
  void end() override {
    if (commands->is_encoding) mistake("an encoder that ends without endEncoding");
    release(commands);
  }
  bool is_open() const {
    if (!commands->is_encoding) mistake("a command after endEncoding");
    return commands->is_encoding;
  }
  Commands* commands;
  Command next{};
};

struct Queue : Thing {
  Queue() : Thing("MTLCommandQueue") {}
  std::deque<Commands*> committed{};

  /// Executes the commands in order, up to this one.
  void run_to(Commands* last) {
    while (last->status == 2) {
      Commands* const first = committed.front();
      committed.pop_front();
      first->run();
      release(first);
    }
  }
};

#include "metal_fake_products.hpp"

#include "metal_fake_methods.hpp"

}  // namespace

extern "C" {

Thing* MTLCreateSystemDefaultDevice() {
  add_methods();
  return orders.no_device ? nullptr : make<Thing>("MTLDevice");
}

/// The interface of the fake for tests.
void fake_order(char const* what) {
  std::string const word = what;
  if (word == "no device") orders.no_device = true;
  if (word == "a device") orders.no_device = false;
  if (word == "no memory") orders.no_memory = true;
  if (word == "memory") orders.no_memory = false;
  if (word == "no queue") orders.no_queue = true;
  if (word == "a queue") orders.no_queue = false;
  if (word == "no shaders") orders.no_shaders = true;
  if (word == "shaders") orders.no_shaders = false;
  if (word == "fail") orders.fails_to_run = true;
  if (word == "reject") orders.rejects = true;
  if (word == "old") orders.is_old = true;
}
/// The number of matmuls computed.
long fake_products() { return products; }
bool MPSSupportsMTLDevice(Thing* device) {
  if (device == nullptr || device->type != "MTLDevice") mistake("shaders for no device");
  return !orders.no_shaders;
}
long fake_living(char const* type) { return World::instance().living(type); }
char const* fake_mistakes() { return World::instance().mistakes.c_str(); }
void fake_forgive() { World::instance().mistakes.clear(); }
long fake_pools() { return long(World::instance().pools.size()); }
}
