// Tenon before <windows.h>: its functions that Tenon declares are declared as there.

#include <doctest/doctest.h>

#include <tenon/tenon.hpp>

#include <tenon/backend/cuda.hpp>
#include <tenon/backend/metal.hpp>
#include <tenon/backend/opencl.hpp>
#include <tenon/io/safetensors.hpp>

#include <windows.h>

namespace windows_last_test {

using namespace tenon;

TEST_CASE("<windows.h> may be included after Tenon") {
  Float32<"n"> const x{1, -2, 3};
  CHECK(max<"n">(x).item() == 3);
  ::SetLastError(5);
  CHECK(::GetLastError() == 5);
}

TEST_CASE("a library is opened, and its functions are found") {
  tenon::internal::codegen::Library const library{"none.dll", "kernel32.dll"};
  unsigned long (*error)() = library.find("GetLastError");
  REQUIRE((error != nullptr));
  ::SetLastError(6);
  CHECK(error() == 6);
  void (*none)() = library.find("no_such_function");
  CHECK((none == nullptr));
}

}  // namespace windows_last_test
