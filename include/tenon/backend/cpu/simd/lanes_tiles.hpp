#pragma once

#include <cstdint>

#include <tenon/backend/cpu/matmul/bf16_dot_place.hpp>
#include <tenon/backend/cpu/simd/lanes_machine.hpp>

/// Tile registers (AMX): eight, each a square of 1 KB, and an instruction that adds the product of
/// two to a third. Used if the program is compiled for them, and Linux grants them. Subnormal
/// floats (below 1.2e-38) are treated as zero, as operands and as sums.
namespace tenon::internal::simd {

#if defined(__AMX_TILE__) && defined(__AMX_BF16__) && defined(__AVX512F__) && defined(__linux__)

/// RAII guard of this thread's tile registers, if granted: released on destruction, so that context
/// switches need not save 8 KB.
class Tiles {
 public:
  static constexpr bool is_compiled = true;

  /// Requests the registers from Linux, once: `arch_prctl(ARCH_REQ_XCOMP_PERM,
  /// XFEATURE_XTILEDATA)`, for all threads of the process. (By the instruction itself: <unistd.h>
  /// declares many other names.)
  static bool are_granted() {
    static bool const granted = [] {
      long result = 158;
      asm volatile("syscall" : "+a"(result) : "D"(0x1023L), "S"(18L) : "rcx", "r11", "memory");
      return result == 0;
    }();
    return granted;
  }

  Tiles() {
    Shape shape;
    for (int i = 0; i < 8; ++i) shape.bytes[i] = 64, shape.rows[i] = Pairs::lines;
    asm volatile("" : : "r"(&shape) : "memory");  // g++ 12 assumes a read of eight bytes
    _tile_loadconfig(&shape);
  }
  Tiles(Tiles const&) = delete;
  Tiles& operator=(Tiles const&) = delete;
  ~Tiles() { _tile_release(); }

  /// Two by two squares if a panel is `tall`, or `wide`: each is loaded once for two products.
  /// (Packed data must be in memory: the intrinsics of g++ 12 do not declare that they read it.)
  template <bool tall, bool wide>
  [[gnu::noinline]] static void multiply(PairPlace const& at) {
    asm volatile("" : : : "memory");
    begin<tall, wide>(at);
    bfloat16 const *a = at.a, *lower = a + Pairs::lines * at.a_row, *b = at.b;
    auto const row = static_cast<long>(sizeof(bfloat16)) * at.a_row;
    for (std::int64_t p = 0; p < at.squares; ++p) {
      _tile_loadd(6, b, 64);
      _tile_loadd(4, a, row);
      _tile_dpbf16ps(0, 4, 6);
      if constexpr (wide) {
        _tile_loadd(7, b + Pairs::square, 64);
        _tile_dpbf16ps(1, 4, 7);
      }
      if constexpr (tall) {
        _tile_loadd(5, lower, row);
        _tile_dpbf16ps(2, 5, 6);
      }
      if constexpr (tall && wide) _tile_dpbf16ps(3, 5, 7);
      a += at.a_square, lower += at.a_square, b += (wide ? 2 : 1) * Pairs::square;
    }
    end<tall, wide>(at);
  }

 private:
  struct alignas(64) Shape {
    std::uint8_t palette = 1, start_row = 0, reserved[14] = {};
    std::uint16_t bytes[16] = {};  ///< Of a row.
    std::uint8_t rows[16] = {};
  };

  template <bool tall, bool wide>
  TENON_INLINE static void begin(PairPlace const& at) {
    if (!at.accumulate) {
      _tile_zero(0);
      _tile_zero(1);
      _tile_zero(2);
      _tile_zero(3);
      return;
    }
    float const *c = at.c, *lower = c + Pairs::lines * at.c_row;
    auto const row = static_cast<long>(sizeof(float)) * at.c_row;
    _tile_loadd(0, c, row);
    if constexpr (wide) _tile_loadd(1, c + Pairs::lines, row);
    if constexpr (tall) _tile_loadd(2, lower, row);
    if constexpr (tall && wide) _tile_loadd(3, lower + Pairs::lines, row);
  }

  template <bool tall, bool wide>
  TENON_INLINE static void end(PairPlace const& at) {
    float *const c = at.c, *const lower = c + Pairs::lines * at.c_row;
    auto const row = static_cast<long>(sizeof(float)) * at.c_row;
    _tile_stored(0, c, row);
    if constexpr (wide) _tile_stored(1, c + Pairs::lines, row);
    if constexpr (tall) _tile_stored(2, lower, row);
    if constexpr (tall && wide) _tile_stored(3, lower + Pairs::lines, row);
  }
};

#else

/// Without AMX.
struct Tiles {
  Tiles() {}  // else g++ warns of an unused variable
  static constexpr bool is_compiled = false;
  static constexpr bool are_granted() { return false; }
  template <bool tall, bool wide>
  static void multiply(PairPlace const&) {}
};

#endif

}  // namespace tenon::internal::simd
