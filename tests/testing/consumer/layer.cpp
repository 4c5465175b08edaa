#include "layer.hpp"
