#pragma once

#include <string>
#include <string_view>

#include <tenon/backend/opencl/api.hpp>

/// The driver's compiler.
namespace tenon::internal::opencl {

/// The compile target and options.
struct Target {
  DeviceId device;
  Context context;
  std::string options;
};

inline std::string log_of(Target const& target, Program program) {
  Api const& api = Api::instance();
  std::size_t length = 0;
  api.build_info(program, target.device, program_log, 0, nullptr, &length);
  std::string log(length, ' ');
  api.build_info(program, target.device, program_log, length, log.data(), nullptr);
  return log;
}

/// Builds a program. Throws `DeviceError` with the build log; `text` is its source.
inline Program built(Target const& target, Program program, std::string_view name,
                     std::string_view text) {
  Api const& api = Api::instance();
  if (api.build(program, 1, &target.device, target.options.c_str(), nullptr, nullptr) == 0)
    return program;
  fail<DeviceError>({.who = "opencl",
                     .what = name,
                     .expected = "a kernel that compiles",
                     .got = log_of(target, program),
                     .where = std::string(text)});
}

inline Program compiled(Target const& target, std::string const& name, std::string const& text) {
  char const* source = text.c_str();
  Code code = 0;
  Program const program =
      Api::instance().create_program(target.context, 1, &source, nullptr, &code);
  check(code, name);
  return built(target, program, name, text);
}

inline Kernel kernel_of(Program program, std::string const& name) {
  Code code = 0;
  Kernel const kernel = Api::instance().create_kernel(program, name.c_str(), &code);
  check(code, name);
  return kernel;
}

/// The binary of a program, which another process loads without compiling.
inline std::string image_of(Program program) {
  Api const& api = Api::instance();
  std::size_t size = 0;
  check(api.program_info(program, program_binary_sizes, sizeof size, &size, nullptr),
        "asking for a compiled kernel");
  std::string image(size, '\0');
  char* bytes = image.data();
  check(api.program_info(program, program_binaries, sizeof bytes, &bytes, nullptr),
        "asking for a compiled kernel");
  return image;
}

inline Program loaded(Target const& target, std::string const& name, std::string const& image) {
  auto const* bytes = reinterpret_cast<unsigned char const*>(image.data());
  std::size_t const size = image.size();
  Code each = 0, code = 0;
  Program const program = Api::instance().create_program_of_binary(
      target.context, 1, &target.device, &size, &bytes, &each, &code);
  check(code, name);
  return built(target, program, name, {});
}

}  // namespace tenon::internal::opencl
