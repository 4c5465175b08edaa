#pragma once

// Trees of tensors in the npz files of NumPy: `npz::save`, `npz::load`, `npz::File`. Needs zlib.

#include <tenon/io/npz/load.hpp>
#include <tenon/io/npz/save.hpp>
