#pragma once

// Arrays in the npy files of NumPy: `npy::save`, `npy::load`, `npy::load_contents`, `npy::Mapped`.

#include <tenon/core/config.hpp>

#include <tenon/io/npy/load.hpp>
#include <tenon/io/npy/mapped.hpp>
#include <tenon/io/npy/save.hpp>
