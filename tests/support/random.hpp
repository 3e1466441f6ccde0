// Random numbers for tests: the seed is printed, INTERTWINE_TEST_SEED replays it, and
// INTERTWINE_TEST_MULTIPLIER scales the number of trials.
#pragma once
#include "intertwine/random.hpp"

intertwine::Rng test_rng();
int test_multiplier();
