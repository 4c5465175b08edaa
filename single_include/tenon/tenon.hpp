#pragma once

#include "../tenon.hpp"
