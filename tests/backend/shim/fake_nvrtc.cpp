// A compiler of CUDA C for machines without a device: the C++ compiler, with the shim. Its machine
// code is the name of a library. The environment variable TENON_KERNEL_TEXTS names a folder where
// it keeps each text that compiles, for NVIDIA's own compiler.

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <regex>

#include "library.hpp"

namespace {

struct Program {
  std::string text;
  std::string log{};
  std::string image{};
};

std::string const& image_of(void* program) { return static_cast<Program*>(program)->image; }

bool is_option(std::string const& option) {
  return option == "--fmad=false" || option == "--std=c++17" ||
         option == "--gpu-architecture=sm_80" || option == "--gpu-architecture=sm_90" ||
         option == "--gpu-architecture=compute_90";
}

int size_of(std::string const& text, std::size_t* size) {
  *size = text.size() + 1;
  return 0;
}
int copy(std::string const& text, char* to) {
  std::memcpy(to, text.c_str(), text.size() + 1);
  return 0;
}

void keep(std::string const& text) {
  char const* const folder = std::getenv("TENON_KERNEL_TEXTS");
  if (folder == nullptr) return;
  std::string const name = std::to_string(std::hash<std::string>()(text)) + ".cu";
  std::ofstream(std::filesystem::path(folder) / name) << text;
}

}  // namespace

extern "C" {

int nvrtcCreateProgram(void** made, char const* text, char const*, int, char const* const*,
                       char const* const*) {
  *made = new Program{text};
  return 0;
}
int nvrtcDestroyProgram(void** program) {
  delete static_cast<Program*>(*program);
  *program = nullptr;
  return 0;
}
int nvrtcCompileProgram(void* program, int count, char const* const* options) {
  auto& own = *static_cast<Program*>(program);
  if (!std::all_of(options, options + count, is_option)) return 5;  // an invalid option
  std::string const bare =
      std::regex_replace(own.text, std::regex("__launch_bounds__\\([0-9]*\\)"), "");
  auto const made = shim::made_of("cuda.hpp", bare, shim::names_after("__global__ void", bare));
  own.log = made.log;
  bool const has_barriers = bare.find("__syncthreads") != bare.npos;
  own.image = "shim " + made.library.string() + (has_barriers ? " 1" : " 0");
  if (made.library.empty()) return 6;  // it does not compile
  keep(own.text);
  return 0;
}
int nvrtcGetProgramLogSize(void* program, std::size_t* size) {
  return size_of(static_cast<Program*>(program)->log, size);
}
int nvrtcGetProgramLog(void* program, char* log) {
  return copy(static_cast<Program*>(program)->log, log);
}
int nvrtcGetCUBINSize(void* program, std::size_t* size) { return size_of(image_of(program), size); }
int nvrtcGetCUBIN(void* program, char* image) { return copy(image_of(program), image); }
int nvrtcGetPTXSize(void* program, std::size_t* size) { return size_of(image_of(program), size); }
int nvrtcGetPTX(void* program, char* image) { return copy(image_of(program), image); }
int nvrtcGetNumSupportedArchs(int* count) {
  *count = 2;
  return 0;
}
int nvrtcGetSupportedArchs(int* architectures) {
  architectures[0] = 80;
  architectures[1] = 90;
  return 0;
}
}
