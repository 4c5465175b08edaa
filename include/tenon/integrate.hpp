#pragma once

// Integration: odeint quad.

#include <tenon/numeric/odeint.hpp>
#include <tenon/numeric/quad.hpp>
#include <tenon/tenon.hpp>
