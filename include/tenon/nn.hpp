#pragma once

/// The core with all activations, losses and layers.
#include <tenon/losses/ctc.hpp>
#include <tenon/losses/distance.hpp>
#include <tenon/losses/likelihood.hpp>
#include <tenon/losses/margin.hpp>
#include <tenon/nn/activations.hpp>
#include <tenon/nn/adaptive_pooling.hpp>
#include <tenon/nn/bilinear.hpp>
#include <tenon/nn/conv.hpp>
#include <tenon/nn/conv_transpose.hpp>
#include <tenon/nn/fold.hpp>
#include <tenon/nn/gated_activations.hpp>
#include <tenon/nn/grid_sample.hpp>
#include <tenon/nn/group_norm.hpp>
#include <tenon/nn/initialisers.hpp>
#include <tenon/nn/interpolate.hpp>
#include <tenon/nn/normalize.hpp>
#include <tenon/nn/pixel_shuffle.hpp>
#include <tenon/nn/pooling.hpp>
#include <tenon/nn/recurrent.hpp>
#include <tenon/nn/recurrent_layers.hpp>
#include <tenon/nn/resnet.hpp>
#include <tenon/nn/scaled_dot_product_attention.hpp>
#include <tenon/nn/sequential.hpp>
#include <tenon/nn/transformer.hpp>
#include <tenon/tenon.hpp>
