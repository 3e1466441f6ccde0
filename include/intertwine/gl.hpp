// Representations of general linear groups, coordinate rings, ideals of minors.
#pragma once
#include "intertwine/gl/bitableau.hpp"
#include "intertwine/gl/branching.hpp"
#include "intertwine/gl/cauchy.hpp"
#include "intertwine/gl/coordinate_ring.hpp"
#include "intertwine/gl/determinantal.hpp"
#include "intertwine/gl/minor_products.hpp"
#include "intertwine/gl/schur_functor.hpp"
#include "intertwine/gl/schur_representation.hpp"
