// The standard headers and xsimd, as a file that uses Tenon's ideas without Tenon would include
// them: the goals of compile time are told in what these take.

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

#include <xsimd/xsimd.hpp>
