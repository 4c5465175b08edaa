#include <energy.hpp>

auto const wrong = tenon::Float64<"mass=3">{} + tenon::Float64<"mass=2">{};
