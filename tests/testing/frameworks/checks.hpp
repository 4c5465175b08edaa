// The failing and passing checks of the programs of this folder; `frameworks_test.sh` has the
// expected output. The header of the framework is included before.
#include <tenon/tenon.hpp>
#include <tenon/testing.hpp>

inline void run_checks() {
  tenon::Float32<"row=1 column=2"> const x{{1, 2}};
  CHECK_SHAPE(x, "row column=2");
  CHECK_CLOSE(x, x + 1e-9f);
  CHECK_CLOSE(x, x + 1.0f, 0.25);
  CHECK_FINITE(x);
  CHECK_FINITE(x / 0.0f);
  CHECK_GRADIENT([](auto const& y) { return sum(y * y); }, tenon::Float64<"n=2">{1, 2});
}
