#pragma once

#include <tenon/tenon.hpp>

/// The kinetic energy of bodies.
inline auto kinetic_energy(tenon::Float64<"mass=3"> const& mass,
                           tenon::Float64<"mass=3 xyz=3"> const& velocity) {
  return tenon::eval(0.5 * tenon::sum(mass * tenon::sum<"xyz">(velocity * velocity)));
}
