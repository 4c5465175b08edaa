#pragma once

/// Layers and their initialisation.
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/embedding.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/nn/layer_norm.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/mixture_of_experts.hpp>
#include <tenon/nn/multihead_attention.hpp>
