#pragma once

// Data of a training: `training::Sampler`, `training::DataState`.

#include <tenon/train/data/sampler.hpp>
