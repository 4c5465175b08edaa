// Tensors for other libraries by DLPack: shared, read-only unless nobody else has the elements.
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <memory>
#include <utility>

#include "dlpack.hpp"

#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace io_to_dlpack {
namespace {

using namespace dlpack_tensors;

using Matrix = Float32<"row column">;

/// The consumer of a tensor: it calls the deleter.
template <class M>
auto consume(M* managed) {
  return std::unique_ptr<M, void (*)(M*)>(managed, [](M* m) { m->deleter(m); });
}
template <class M>
float* elements(M const& managed) {
  return static_cast<float*>(managed->dl_tensor.data);
}

TEST_CASE("a named tensor is shared and read-only, and its later writes copy") {
  auto x = iota<Matrix>(20, 10);
  auto const given = consume(to_dlpack(x));
  CHECK(elements(given) == std::as_const(x).data());
  CHECK(given->flags == 1);
  CHECK(given->version.major == 1);
  CHECK(given->dl_tensor.ndim == 2);
  CHECK(given->dl_tensor.shape[1] == 10);
  CHECK(given->dl_tensor.strides[0] == 10);
  x(0, 0) = 7;
  CHECK(elements(given)[0] == 0);
  CHECK(x(0, 0) == 7);
}

TEST_CASE("a tensor that is moved may be written, unless others share it") {
  auto x = iota<Matrix>(20, 10);
  float const* const place = std::as_const(x).data();
  auto const given = consume(to_dlpack(std::move(x)));
  CHECK(elements(given) == place);
  CHECK(given->flags == 0);
  auto y = iota<Matrix>(20, 10);
  auto const other = y;
  auto const shared = consume(to_dlpack(std::move(y)));
  CHECK(elements(shared) == other.data());
  CHECK(shared->flags == 1);
}

TEST_CASE("the elements outlive the tensor") {
  auto const given = [] {
    auto const x = iota<Matrix>(20, 10);
    return consume(to_dlpack(x));
  }();
  CHECK(elements(given)[199] == 199);
}

TEST_CASE("an expression is evaluated, a view is copied") {
  auto const x = iota<Matrix>(20, 10);
  auto const doubled = consume(to_dlpack(2 * x));
  CHECK(elements(doubled)[3] == 6);
  CHECK(doubled->flags == 0);
  auto const copied = consume(to_dlpack(view(x)));
  CHECK(elements(copied) != x.data());
  CHECK(elements(copied)[3] == 3);
}

TEST_CASE("a small tensor is copied") {
  Float32<"n=3"> const x{1, 2, 3};
  auto const given = consume(to_dlpack(x));
  CHECK(elements(given) != x.data());
  CHECK(elements(given)[2] == 3);
  CHECK(given->flags == 2);
}

TEST_CASE("memory that a view may write is copied, memory filled through a pointer is not") {
  auto x = iota<Matrix>(20, 10);
  float* const pointer = x.mutable_data();
  CHECK(elements(consume(to_dlpack(x))) == pointer);
  {
    auto const writer = mutable_view(x);
    CHECK(elements(consume(to_dlpack(x))) != pointer);
  }
  auto const moved = consume(to_dlpack(std::move(x)));
  CHECK(elements(moved) == pointer);
  CHECK(moved->flags == 0);
}

TEST_CASE("the struct without flags has elements of its own") {
  auto x = iota<Matrix>(20, 10);
  auto const given = consume(to_dlpack<dlpack::DLManagedTensor>(x));
  CHECK(elements(given) != std::as_const(x).data());
  elements(given)[0] = 9;
  CHECK(x(0, 0) == 0);
  float const* const place = std::as_const(x).data();
  auto const moved = consume(to_dlpack<dlpack::DLManagedTensor>(std::move(x)));
  CHECK(elements(moved) == place);
}

TEST_CASE_TEMPLATE("a tensor is shared with a writer", M, dlpack::DLManagedTensorVersioned,
                   dlpack::DLManagedTensor) {
  auto x = iota<Matrix>(20, 10);
  auto const before = x;
  {
    auto const given = consume(to_mutable_dlpack<M>(x));
    CHECK(elements(given) == std::as_const(x).data());
    elements(given)[0] = 5;
    CHECK(x(0, 0) == 5);
    CHECK(before(0, 0) == 0);
    x(0, 1) = 6;
    CHECK(elements(given)[1] == 6);
    auto const after = x;
    elements(given)[0] = 8;
    CHECK(after(0, 0) == 5);
    x = 2 * after;  // in other memory
    CHECK(elements(given)[0] == 8);
  }
  auto const shared = x;
  CHECK(shared.data() == std::as_const(x).data());
}

TEST_CASE("an empty tensor has no address, a scalar no axes") {
  auto const none = consume(to_dlpack(zeros<Matrix>(0, 3)));
  CHECK(none->dl_tensor.data == nullptr);
  CHECK(none->dl_tensor.shape[1] == 3);
  auto const one = consume(to_dlpack(Float32<"">(4)));
  CHECK(one->dl_tensor.ndim == 0);
  CHECK(elements(one)[0] == 4);
}

TEST_CASE_TEMPLATE("every dtype, there and back", T, float, double, float16, bfloat16, bool,
                   std::int8_t, std::int64_t, std::uint8_t, std::uint64_t, std::complex<float>,
                   std::complex<double>) {
  Tensor<T, "n"> const x{T(0), T(1), T(1)};
  auto const back = from_dlpack<Tensor<T, "n">>(to_dlpack(x));
  CHECK(back.data() == x.data());
  CHECK(back(2) == T(1));
}

TEST_CASE("a read-only tensor is not written, one that was moved is") {
  auto x = iota<Float32<"n">>(100);
  CHECK_THROWS_AS(mutable_from_dlpack<Float32<"n">>(to_dlpack(x)), ValueError);
  auto const y = mutable_from_dlpack<Float32<"n">>(to_dlpack(std::move(x)));
  assign(y, 2 * y);
  CHECK(y(99) == 198);
}

TEST_CASE("a recorded tensor is refused") {
  auto const f = [](Float32<"n=2"> const& x) {
    return consume(to_dlpack(x))->dl_tensor.ndim * sum(x);
  };
  CHECK_THROWS_WITH_AS(grad(f)(Float32<"n=2">{1, 2}),
                       doctest::Contains("tenon::to_dlpack: expected a constant"), Error);
}

}  // namespace
}  // namespace io_to_dlpack
