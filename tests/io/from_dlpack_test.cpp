// Tensors of other libraries by DLPack: checked, not copied, freed once.
#include <doctest/doctest.h>

#include <complex>
#include <cstdint>
#include <utility>

#include "dlpack.hpp"

#include <tenon/io/dlpack.hpp>
#include <tenon/tenon.hpp>
#include <tenon/tensor/complex.hpp>

namespace io_from_dlpack {
namespace {

using namespace dlpack_tensors;

using Matrix = Float32<"row column=3">;

TEST_CASE_TEMPLATE("a DLPack tensor is a view of its memory, and freed once", P, Versioned, Old) {
  P producer;
  {
    auto const x = from_dlpack<Matrix>(producer.give());
    CHECK(x.data() == producer.numbers.data());
    CHECK(x(1, 0) == 4);
    auto const copy = x;
    auto const doubled = 2 * copy;  // the expression owns a share
    CHECK(sum(doubled).item() == 42);
    CHECK(producer.deleted == 0);
  }
  CHECK(producer.deleted == 1);
}

TEST_CASE("an expression keeps the memory of a view that is gone") {
  Versioned producer;
  {
    auto const doubled = [&] { return 2 * from_dlpack<Matrix>(producer.give()); }();
    CHECK(producer.deleted == 0);
    CHECK(doubled(1, 2) == 12);
    Matrix const w = matmul(rename<"column -> inner">(doubled), Float32<"inner=3 column=3">());
    CHECK(w(1, 2) == 0);
  }
  CHECK(producer.deleted == 1);
}

TEST_CASE_TEMPLATE("a mutable view writes the memory", P, Versioned, Old) {
  P producer;
  {
    auto const x = mutable_from_dlpack<Matrix>(producer.give());
    assign(x, 2 * x);
    CHECK(producer.numbers[5] == 12);
  }
  CHECK(producer.deleted == 1);
}

TEST_CASE("a tensor with the read-only flag is read, and not written") {
  Versioned producer;
  producer.managed.flags = 1;
  CHECK(from_dlpack<Matrix>(producer.give())(0, 1) == 2);
  CHECK(producer.deleted == 1);
  CHECK_THROWS_WITH_AS(mutable_from_dlpack<Matrix>(producer.give()),
                       "tenon::from_dlpack: 'row column=3': expected memory that may be written, "
                       "got a read-only tensor",
                       ValueError);
  CHECK(producer.deleted == 2);
}

TEST_CASE("strides, null strides and an offset") {
  Versioned producer;
  producer.sizes = {3, 2}, producer.strides = {1, 3};
  CHECK(from_dlpack<Float32<"column row">>(producer.give())(0, 1) == 4);
  producer.sizes = {2, 3}, producer.strides = {};
  CHECK(from_dlpack<Matrix>(producer.give())(1, 0) == 4);
  producer.managed.dl_tensor.byte_offset = 12;
  producer.sizes = {3};
  CHECK(from_dlpack<Float32<"n">>(producer.give())(0) == 4);
  producer.managed.dl_tensor.byte_offset = 20;
  producer.sizes = {6}, producer.strides = {-1};
  CHECK(from_dlpack<Float32<"n">>(producer.give())(5) == 1);
  producer.managed.dl_tensor.byte_offset = 0;
  producer.sizes = {2, 6}, producer.strides = {0, 1};
  CHECK(from_dlpack<Float32<"m n">>(producer.give())(1, 5) == 6);
}

TEST_CASE("a scalar and an empty tensor") {
  Versioned producer;
  producer.sizes = {}, producer.strides = {};
  CHECK(from_dlpack<Float32<"">>(producer.give()).item() == 1);
  producer.sizes = {0, 3};
  producer.managed.dl_tensor.data = nullptr;
  CHECK(from_dlpack<Matrix>(producer.give()).size() == 0);
  producer.sizes = {2, 3};
  CHECK_THROWS_WITH_AS(from_dlpack<Matrix>(producer.give()),
                       "tenon::from_dlpack: 'row column=3': expected an address, got null",
                       ValueError);
  CHECK(producer.deleted == 3);
}

TEST_CASE_TEMPLATE("every dtype", T, float, double, float16, bfloat16, bool, std::int8_t,
                   std::int16_t, std::int32_t, std::int64_t, std::uint8_t, std::uint16_t,
                   std::uint32_t, std::uint64_t, std::complex<float>, std::complex<double>) {
  std::array<T, 2> numbers{T(0), T(1)};
  Versioned producer;
  producer.managed.dl_tensor.data = numbers.data();
  producer.managed.dl_tensor.dtype = internal::interchange::dtype_of<T>;
  producer.sizes = {2}, producer.strides = {1};
  CHECK(from_dlpack<Tensor<T, "n">>(producer.give())(1) == T(1));
  CHECK_THROWS_AS(from_dlpack<Matrix>(producer.give()), Error);
}

TEST_CASE("another dtype, device, rank or size throws, and the tensor is freed") {
  Versioned producer;
  auto const refused = [&](auto const& change, char const* words) {
    Versioned wrong;
    change(wrong.managed.dl_tensor, wrong);
    std::string const text = std::string("tenon::from_dlpack: ") + words;
    CHECK_THROWS_WITH(from_dlpack<Matrix>(wrong.give()), text.c_str());
    CHECK(wrong.deleted == 1);
  };
  auto const type = [&](int code, int bits, char const* words) {
    refused(
        [&](auto& t, auto&) {
          t.dtype.code = static_cast<std::uint8_t>(code),
          t.dtype.bits = static_cast<std::uint8_t>(bits);
        },
        words);
  };
  type(2, 64, "'row column=3': expected float32, got float64");
  type(4, 16, "'row column=3': expected float32, got bfloat16");
  type(6, 8, "'row column=3': expected float32, got bool");
  type(17, 4, "'row column=3': expected float32, got type 17 of 4 bits");
  refused([](auto& t, auto&) { t.dtype.lanes = 4; },
          "'row column=3': expected float32, got float32 in 4 lanes");
  refused(
      [](auto& t, auto&) {
        t.device = {2, 1};
      },
      "'row column=3': expected memory of cpu, got cuda:1");
  refused(
      [](auto& t, auto&) {
        t.device = {99, 0};
      },
      "'row column=3': expected memory of cpu, got device type 99:0");
  refused([](auto&, auto& p) { p.sizes = {6}, p.strides = {1}; },
          "'row column=3': expected 2 axes, got 1");
  refused(
      [](auto&, auto& p) {
        p.sizes = {3, 2};
      },
      "'column': expected 3, got 2 (\"row column=3\")");
  refused([](auto& t, auto&) { t.data = static_cast<char*>(t.data) + 1; },
          "'row column=3': expected an address that is a multiple of 4, got one that is 1 beyond");
  refused(
      [](auto&, auto& p) {
        p.managed.version = {2, 0};
      },
      "expected version 1 of DLPack, got 2.0");
}

TEST_CASE("a negative size and too many elements throw") {
  Versioned producer;
  producer.sizes = {-1, 3};
  CHECK_THROWS_AS(from_dlpack<Matrix>(producer.give()), ShapeError);
  producer.sizes = {std::int64_t{1} << 62, 3};
  CHECK_THROWS_AS(from_dlpack<Matrix>(producer.give()), ShapeError);
  CHECK(producer.deleted == 2);
  CHECK_THROWS_AS(from_dlpack<Float32<"n=2..3 n">>(producer.give()), ShapeError);
}

TEST_CASE("no tensor, and a tensor without a deleter") {
  dlpack::DLManagedTensor* const none = nullptr;
  CHECK_THROWS_WITH_AS(from_dlpack<Matrix>(none), "tenon::from_dlpack: expected a tensor, got null",
                       ValueError);
  Old producer;
  producer.managed.deleter = nullptr;
  CHECK(from_dlpack<Matrix>(producer.give())(0, 0) == 1);
}

TEST_CASE("pinned memory is memory of the host") {
  Versioned producer;
  for (int const type : {3, 11}) {
    producer.managed.dl_tensor.device.device_type = type;
    CHECK(from_dlpack<Matrix>(producer.give())(0, 0) == 1);
  }
}

}  // namespace
}  // namespace io_from_dlpack
