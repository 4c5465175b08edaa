#pragma once

#include <tenon/random/choice.hpp>
#include <tenon/random/key.hpp>
#include <tenon/random/normal.hpp>
#include <tenon/random/uniform.hpp>
