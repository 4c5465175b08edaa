// The methods of the fake of Metal, within its unnamed namespace.

Thing* new_options(Thing*, Selector) { return make<Options>(); }

bool responds(Thing* thing, Selector, Selector name) {
  if (name->rfind("setMath", 0) == 0 && orders.is_old) return false;
  return World::instance().methods.count({thing->type, *name}) > 0;
}

Thing* new_buffer(Thing*, Selector, Natural bytes, Natural options) {
  if (options != 0) mistake("a buffer that is not shared");
  return orders.no_memory || bytes == 0 ? nullptr : make<Buffer>(bytes);
}

Thing* new_library(Thing*, Selector, String* text, Options* options, Error** error) {
  if (options == nullptr || !options->is_safe || !options->is_precise)
    mistake("compiled without safe mathematics");
  if (std::exchange(orders.rejects, false)) {
    tell(error, "the stand-in was told to reject");
    return nullptr;
  }
  auto const made = shim::made_of_metal(text->text);
  void* const handle =
      made.library.empty() ? nullptr : dlopen(made.library.c_str(), RTLD_NOW | RTLD_LOCAL);
  bool const has_barriers = text->text.find("threadgroup_barrier(") != std::string::npos;
  if (handle != nullptr) return make<Library>(handle, has_barriers);
  tell(error, made.log);
  return nullptr;
}

Thing* new_function(Library* library, Selector, String* name) {
  void* const entry = dlsym(library->handle, ("call_" + name->text).c_str());
  void* const kinds = dlsym(library->handle, ("kinds_" + name->text).c_str());
  if (entry == nullptr || kinds == nullptr) return nullptr;
  return make<Function>(reinterpret_cast<shim::Entry>(entry),
                        reinterpret_cast<char const* (*)()>(kinds)(), library->has_barriers);
}

Thing* new_pipeline(Thing*, Selector, Function* function, Error**) {
  return make<Pipeline>(function);
}

Thing* commands_of(Queue* queue, Selector) { return autoreleased(make<Commands>(queue)); }

Thing* encoder_of(Commands* commands, Selector) {
  if (commands->is_encoding) mistake("a second encoder before endEncoding");
  if (commands->status != 0) mistake("an encoder after commit");
  commands->is_encoding = commands->has_encoder = true;
  return autoreleased(make<Encoder>(commands));
}

void set_pipeline(Encoder* encoder, Selector, Pipeline* pipeline) {
  if (!encoder->is_open()) return;
  encoder->next.pipeline = pipeline;
  encoder->commands->keep(pipeline);
}

void set_buffer(Encoder* encoder, Selector, Buffer* buffer, Natural offset, Natural place) {
  if (!encoder->is_open() || place > 30) return mistake("setBuffer out of place");
  if (buffer != nullptr && offset > buffer->length) mistake("setBuffer behind its end");
  encoder->next.bound[place] = {buffer, offset, {}, true};
  if (buffer != nullptr) encoder->commands->keep(buffer);
}

void set_bytes(Encoder* encoder, Selector, void const* bytes, Natural length, Natural place) {
  if (!encoder->is_open() || place > 30 || length == 0 || length > 4096)
    return mistake("setBytes out of place");
  auto const* const begin = static_cast<unsigned char const*>(bytes);
  encoder->next.bound[place] = {nullptr, 0, {begin, begin + length}, true};
}

/// True if the bindings fit the parameters of the kernel.
bool fits(Command const& command) {
  if (command.pipeline == nullptr) return false;
  std::string const& kinds = command.pipeline->function->kinds_of_arguments;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    Bound const& bound = command.bound[i];
    bool const is_number = bound.bytes.size() == Natural(kinds[i] - '0');
    if (!bound.is_set || !(kinds[i] == 'p' ? bound.bytes.empty() : is_number)) return false;
  }
  return true;
}

void dispatch(Encoder* encoder, Selector, Extent groups, Extent members) {
  if (!encoder->is_open()) return;
  if (!fits(encoder->next)) return mistake("a kernel with other arguments than it takes");
  Natural const most = members.width * members.height * members.depth;
  if (most == 0 || most > 512 || groups.width * groups.height * groups.depth == 0)
    return mistake("groups of a size that is not taken");
  encoder->next.groups = groups;
  encoder->next.members = members;
  encoder->commands->all.push_back([command = encoder->next] { command.run(); });
}

void end_encoding(Encoder* encoder, Selector) {
  if (encoder->is_open()) encoder->commands->is_encoding = false;
}

void commit(Commands* commands, Selector) {
  if (commands->is_encoding) mistake("commit before endEncoding");
  if (commands->status != 0) return mistake("commit twice");
  commands->status = 2;
  static_cast<Queue*>(commands->queue)->committed.push_back(commands);
  retain(commands);
}

void wait_until_completed(Commands* commands, Selector) {
  if (commands->status == 0) return mistake("waiting for what was not committed");
  static_cast<Queue*>(commands->queue)->run_to(commands);
}

void add_methods_of_commands() {
  Methods{"MTLCommandQueue"}.add("commandBuffer", commands_of);
  Methods{"MTLCommandBuffer"}
      .add("computeCommandEncoder", encoder_of)
      .add("commit", commit)
      .add("waitUntilCompleted", wait_until_completed)
      .add(
          "status", +[](Commands* own, Selector) { return own->status; })
      .add(
          "error", +[](Commands* own, Selector) -> Thing* { return own->error; });
  Methods{"MTLComputeCommandEncoder"}
      .add("setComputePipelineState:", set_pipeline)
      .add("setBuffer:offset:atIndex:", set_buffer)
      .add("setBytes:length:atIndex:", set_bytes)
      .add("dispatchThreadgroups:threadsPerThreadgroup:", dispatch)
      .add("endEncoding", end_encoding);
}

void add_methods_of_texts() {
  Methods{"+NSString"}.add(
      "stringWithUTF8String:", +[](Thing*, Selector, char const* text) -> Thing* {
        return string_of(text);
      });
  Methods{"NSString"}.add(
      "UTF8String", +[](String* own, Selector) { return own->text.c_str(); });
  Methods{"NSError"}.add(
      "localizedDescription", +[](Error* own, Selector) -> Thing* { return string_of(own->text); });
  Methods{"+MTLCompileOptions"}.add("new", new_options);
  Methods{"MTLCompileOptions"}
      .add("respondsToSelector:", responds)
      .add(
          "setMathMode:",
          +[](Options* own, Selector, long mode) {
            own->is_safe = mode == 0;
            own->is_precise = false;
          })
      .add(
          "setMathFloatingPointFunctions:",
          +[](Options* own, Selector, long which) { own->is_precise = which == 1; })
      .add(
          "setFastMathEnabled:", +[](Options* own, Selector, bool is) { own->is_safe = !is; });
}

void add_methods() {
  add_methods_of_texts();
  add_methods_of_commands();
  add_methods_of_products();
  Methods{"MTLDevice"}
      .add(
          "name", +[](Thing*, Selector) -> Thing* { return string_of("a stand-in for Metal"); })
      .add(
          "newCommandQueue",
          +[](Thing*, Selector) -> Thing* { return orders.no_queue ? nullptr : make<Queue>(); })
      .add(
          "maxBufferLength", +[](Thing*, Selector) { return Natural{1} << 34; })
      .add("newBufferWithLength:options:", new_buffer)
      .add("newLibraryWithSource:options:error:", new_library)
      .add("newComputePipelineStateWithFunction:error:", new_pipeline);
  Methods{"MTLBuffer"}.add(
      "contents", +[](Buffer* own, Selector) -> void* { return own->memory.get(); });
  Methods{"MTLLibrary"}.add("newFunctionWithName:", new_function);
  Methods{"MTLComputePipelineState"}.add(
      "maxTotalThreadsPerThreadgroup", +[](Pipeline*, Selector) { return Natural{512}; });
}
