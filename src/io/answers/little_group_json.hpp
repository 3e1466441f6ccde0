// The JSON of representations at a wave vector, for answers that have it among others.
#pragma once
#include "intertwine/io/little_group_text.hpp"
#include "intertwine/physics/little_group.hpp"
#include "intertwine/physics/magnetic_structure.hpp"
#include "io/answers/json_values.hpp"

namespace intertwine {

/// `coordinates`, `star`, `co_group`, `spin`, `operations`, `antiunitary`, `irreps` and `levels`; numbers of irreps are
/// from 0.
OrderedJson little_group_json(const LittleGroup& little);
/// This document with `line` and `kp`, where they were asked for.
OrderedJson wave_vector_json(const WaveVectorReport& report);

/// "Pn'm'a (BNS 62.446), OG Pn'm'a 62.6.507, UNI 507".
std::string magnetic_kind_text(const MagneticKind& kind);
/// The keys `bns`, `og` and `uni`.
void add_magnetic_kind(OrderedJson& json, const MagneticKind& kind);

}  // namespace intertwine
