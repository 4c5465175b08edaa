// The standard headers and xsimd, as a program would include them without Tenon: the unit of
// compile times.

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <complex>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <unordered_map>
#include <variant>
#include <vector>

#if __has_include(<xsimd/xsimd.hpp>)
#include <xsimd/xsimd.hpp>
#endif
