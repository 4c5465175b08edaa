#pragma once

// Data of a training: `training::Dataset` and what is made from one, `training::Sampler`,
// `training::DataState`.

#include <tenon/train/data/dataset.hpp>
#include <tenon/train/data/sampler.hpp>
