#pragma once

// Data of a training: `training::Dataset` and what is made from one, `training::data_loader`,
// `training::DataState`, and the readers `csv::load`, `idx::load`, `training::load_mnist` and
// `training::TextFile`.

#include <tenon/train/data/csv.hpp>
#include <tenon/train/data/data_loader.hpp>
#include <tenon/train/data/dataset.hpp>
#include <tenon/train/data/idx.hpp>
#include <tenon/train/data/mnist.hpp>
#include <tenon/train/data/sampler.hpp>
#include <tenon/train/data/tensor_dataset.hpp>
#include <tenon/train/data/text_file.hpp>
