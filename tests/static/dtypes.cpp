#include <complex>

#include <tenon/core/dtype.hpp>

using namespace tenon;
using namespace tenon::internal;

static_assert(dtype_name<float> == "float32" && dtype_name<double> == "float64");
static_assert(dtype_name<float16> == "float16" && dtype_name<bfloat16> == "bfloat16");
static_assert(dtype_name<std::int8_t> == "int8" && dtype_name<std::int64_t> == "int64");
static_assert(dtype_name<std::uint8_t> == "uint8" && dtype_name<std::uint64_t> == "uint64");
static_assert(dtype_name<bool> == "bool");
static_assert(dtype_name<std::complex<float>> == "complex64");
static_assert(dtype_name<std::complex<double>> == "complex128");

static_assert(FloatType<float> && FloatType<double> && FloatType<float16> && FloatType<bfloat16>);
static_assert(!FloatType<int> && !FloatType<bool> && !FloatType<std::complex<float>>);
static_assert(ComplexType<std::complex<float>> && !ComplexType<float>);
static_assert(InexactType<float> && InexactType<std::complex<double>> && !InexactType<int>);
static_assert(IntType<std::int8_t> && !IntType<std::uint8_t> && !IntType<bool>);
static_assert(UIntType<std::uint32_t> && !UIntType<std::int32_t> && !UIntType<bool>);
static_assert(IntegerType<std::int16_t> && IntegerType<std::uint16_t> && !IntegerType<float>);
static_assert(NumType<float> && NumType<int> && NumType<std::complex<float>> && !NumType<bool>);
static_assert(RealType<float> && RealType<std::uint8_t> && !RealType<std::complex<float>>);
static_assert(BoolType<bool> && !BoolType<int> && !RealType<bool>);
static_assert(ShapedType<bool> && ShapedType<float16>);
static_assert(!ShapedType<char*> && !ShapedType<void> && !ShapedType<long double>);
static_assert(HalfType<float16> && HalfType<bfloat16> && !HalfType<float>);

// Overload resolution prefers the more constrained concept.
constexpr int narrowest(ShapedType auto) { return 0; }
constexpr int narrowest(NumType auto) { return 1; }
constexpr int narrowest(InexactType auto) { return 2; }
constexpr int narrowest(FloatType auto) { return 3; }
constexpr int narrowest(IntegerType auto) { return 4; }
constexpr int narrowest(UIntType auto) { return 5; }
static_assert(narrowest(true) == 0 && narrowest(std::complex<float>{}) == 2);
static_assert(narrowest(1.f) == 3 && narrowest(1) == 4 && narrowest(1u) == 5);

// 16-bit types round to nearest even.
static_assert(sizeof(float16) == 2 && sizeof(bfloat16) == 2);
static_assert(float16(1.f).bits == 0x3c00 && float16(-2.f).bits == 0xc000);
static_assert(float16(65504.f).bits == 0x7bff && float16(65519.f).bits == 0x7bff);
static_assert(float16(65520.f).bits == 0x7c00);
static_assert(float16(2049.f).bits == float16(2048.f).bits);
static_assert(float16(2051.f).bits == float16(2052.f).bits);
static_assert(float16(0x1p-24f).bits == 1 && float16(0x1p-25f).bits == 0);
static_assert(float16(0x1.8p-25f).bits == 1 && float16(-0.f).bits == 0x8000);
static_assert(static_cast<float>(float16::from_bits(1)) == 0x1p-24f);
static_assert(static_cast<float>(float16::from_bits(0x7bff)) == 65504.f);
static_assert(bfloat16(1.f).bits == 0x3f80 && bfloat16(-1.f).bits == 0xbf80);
static_assert(bfloat16(257.f).bits == bfloat16(256.f).bits);
static_assert(bfloat16(259.f).bits == bfloat16(260.f).bits);
static_assert(bfloat16(0x1.fffffep127f).bits == 0x7f80);
static_assert(static_cast<double>(bfloat16(3)) == 3.0 && static_cast<int>(float16(7.9)) == 7);
static_assert(float16(0.f) == float16(-0.f) && !(float16(1.f) == float16(2.f)));
