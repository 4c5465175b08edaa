#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <tenon/backend/cuda/api.hpp>

/// NVRTC, which compiles CUDA C++ at run time (NVRTC 11.2 or newer, NVIDIA).
namespace tenon::internal::cuda {

struct ProgramObject;
using Program = ProgramObject*;

/// The NVRTC library, opened once; without it every function is null.
struct Compiler {
  Library library{"libnvrtc.so.13",
                  "libnvrtc.so.12",
                  "libnvrtc.so.11.2",
                  "libnvrtc.so",
                  "/usr/local/cuda/lib64/libnvrtc.so",
                  "nvrtc64_130_0.dll",
                  "nvrtc64_120_0.dll",
                  "nvrtc64_112_0.dll"};

  static Compiler const& instance() {
    static Compiler const compiler;
    return compiler;
  }

  Call<Program*, char const*, char const*, int, char const* const*, char const* const*> create =
      library.find("nvrtcCreateProgram");
  Call<Program*> destroy = library.find("nvrtcDestroyProgram");
  Call<Program, int, char const* const*> compile = library.find("nvrtcCompileProgram");
  Call<Program, std::size_t*> log_size = library.find("nvrtcGetProgramLogSize");
  Call<Program, char*> log = library.find("nvrtcGetProgramLog");
  Call<Program, std::size_t*> binary_size = library.find("nvrtcGetCUBINSize");
  Call<Program, char*> binary = library.find("nvrtcGetCUBIN");
  Call<Program, std::size_t*> assembly_size = library.find("nvrtcGetPTXSize");
  Call<Program, char*> assembly = library.find("nvrtcGetPTX");
  Call<int*, int*> version = library.find("nvrtcVersion");
  Call<int*> count_architectures = library.find("nvrtcGetNumSupportedArchs");
  Call<int*> architectures = library.find("nvrtcGetSupportedArchs");

  bool is_there() const { return compile != nullptr && architectures != nullptr; }
};

/// An owned `nvrtcProgram`.
class OwnedProgram {
 public:
  explicit OwnedProgram(std::string const& name, std::string const& text) {
    auto const code =
        compiler().create(&program_, text.c_str(), (name + ".cu").c_str(), 0, nullptr, nullptr);
    if (code != 0) fail<DeviceError>({.who = "cuda", .what = name, .got = "no program of NVRTC"});
  }
  OwnedProgram(OwnedProgram const&) = delete;
  OwnedProgram& operator=(OwnedProgram const&) = delete;
  ~OwnedProgram() { compiler().destroy(&program_); }

  bool compiles(std::vector<char const*> const& options) {
    return compiler().compile(program_, static_cast<int>(options.size()), options.data()) == 0;
  }
  std::string log() const { return text(compiler().log_size, compiler().log); }
  std::string binary() const { return text(compiler().binary_size, compiler().binary); }
  std::string assembly() const { return text(compiler().assembly_size, compiler().assembly); }

 private:
  static Compiler const& compiler() { return Compiler::instance(); }

  std::string text(Call<Program, std::size_t*> size, Call<Program, char*> get) const {
    std::size_t length = 0;
    if (size(program_, &length) != 0 || length == 0) return {};
    std::string all(length, '\0');
    get(program_, all.data());
    return all;
  }

  Program program_ = nullptr;
};

/// "13.0", and the compiler options.
inline std::string compiler_version() {
  int major = 0, minor = 0;
  Compiler::instance().version(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor) + " without contraction";
}

/// The newest architecture (90: compute capability 9.0) supported by the compiler, up to the given
/// one.
inline int known_architecture(int wanted) {
  Compiler const& compiler = Compiler::instance();
  int count = 0;
  compiler.count_architectures(&count);
  std::vector<int> all(static_cast<std::size_t>(count));
  compiler.architectures(all.data());
  int best = 0;
  for (int const one : all)
    if (one <= wanted) best = (std::max)(best, one);
  return best == 0 ? wanted : best;
}

/// Compiles a program for a target: `sm_90` is machine code, `compute_90` PTX that the driver
/// compiles. Contraction is off: fused multiply-adds are explicit. Throws `DeviceError` with the
/// compiler log.
inline void compile(OwnedProgram& program, std::string const& name, std::string const& text,
                    std::string const& target) {
  std::string const option = "--gpu-architecture=" + target;
  if (!program.compiles({option.c_str(), "--fmad=false", "--std=c++17"}))
    fail<DeviceError>({.who = "cuda",
                       .what = name,
                       .expected = "a kernel that compiles",
                       .got = program.log(),
                       .where = text});
}

/// Kernels for an architecture: machine code, or PTX if the compiler does not support it yet.
/// Throws `DeviceError` if there is no compiler, or on a compile error.
inline std::string compiled(std::string const& name, std::string const& text, int architecture) {
  if (!Compiler::instance().is_there())
    fail<DeviceError>({.who = "cuda",
                       .what = name,
                       .expected = "the compiler NVRTC, 11.2 or newer",
                       .got = "no library libnvrtc.so"});
  int const known = known_architecture(architecture);
  bool const is_known = known == architecture;
  OwnedProgram program(name, text);
  compile(program, name, text, (is_known ? "sm_" : "compute_") + std::to_string(known));
  return is_known ? program.binary() : program.assembly();
}

}  // namespace tenon::internal::cuda
