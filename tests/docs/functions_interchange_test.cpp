// Examples of docs/functions/: DLPack.

#include <doctest/doctest.h>

#include <utility>

#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>

namespace functions_interchange_test {

using namespace tenon;

using Matrix = Float32<"row column=10">;

TEST_CASE("tensors of other libraries and for them") {
  auto x = iota<Matrix>(100);

  dlpack::DLManagedTensorVersioned* const shared = to_dlpack(x);  // read-only
  auto const read = from_dlpack<Matrix>(shared);
  CHECK(read.data() == std::as_const(x).data());

  dlpack::DLManagedTensorVersioned* const both = to_mutable_dlpack(x);
  auto const written = mutable_from_dlpack<Matrix>(both);
  assign(written, 2 * written);
  CHECK(x(1, 0) == 20);

  auto* const old = to_dlpack<dlpack::DLManagedTensor>(std::move(x));
  old->deleter(old);  // by its consumer
}

}  // namespace functions_interchange_test
