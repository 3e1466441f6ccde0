// The 75 rod groups and the 80 layer groups: short international names, and Hall's symbols of the space groups that they make together with
// translations across: those of a rod are along c, those of a layer along a and b.
#pragma once
#include "groups/named/space_symbols.hpp"

namespace intertwine::named {

/// Number k is entry k - 1. From 23 on the name, with P, is that of a space group, and the symbol its own. [Kopsky 2010]
inline constexpr SpaceSymbol rod_symbols[75] = {
    // clang-format off
    {"p1", "P 1"}, {"p-1", "-P 1"}, {"p211", "P 2x"}, {"pm11", "P -2x"}, {"pc11", "P -2xc"},
    {"p2/m11", "-P 2x"}, {"p2/c11", "-P 2xc"}, {"p112", "P 2"}, {"p112_1", "P 2c"}, {"p11m", "P -2"},
    {"p112/m", "-P 2"}, {"p112_1/m", "-P 2c"}, {"p222", "P 2 2"}, {"p222_1", "P 2c 2"}, {"pmm2", "P 2 -2"},
    {"pcc2", "P 2 -2c"}, {"pmc2_1", "P 2c -2"}, {"p2mm", "P -2 2"}, {"p2cm", "P -2 2c"}, {"pmmm", "-P 2 2"},
    {"pccm", "-P 2 2c"}, {"pmcm", "-P 2c 2"}, {"p4", "P 4"}, {"p4_1", "P 4w"}, {"p4_2", "P 4c"},
    {"p4_3", "P 4cw"}, {"p-4", "P -4"}, {"p4/m", "-P 4"}, {"p4_2/m", "-P 4c"}, {"p422", "P 4 2"},
    {"p4_122", "P 4w 2c"}, {"p4_222", "P 4c 2"}, {"p4_322", "P 4cw 2c"}, {"p4mm", "P 4 -2"},
    {"p4_2cm", "P 4c -2c"}, {"p4cc", "P 4 -2c"}, {"p-42m", "P -4 2"}, {"p-42c", "P -4 2c"},
    {"p4/mmm", "-P 4 2"}, {"p4/mcc", "-P 4 2c"}, {"p4_2/mmc", "-P 4c 2"}, {"p3", "P 3"}, {"p3_1", "P 31"},
    {"p3_2", "P 32"}, {"p-3", "-P 3"}, {"p312", "P 3 2"}, {"p3_112", "P 31 2 (0 0 4)"},
    {"p3_212", "P 32 2 (0 0 2)"}, {"p3m1", "P 3 -2\""}, {"p3c1", "P 3 -2\"c"}, {"p-31m", "-P 3 2"},
    {"p-31c", "-P 3 2c"}, {"p6", "P 6"}, {"p6_1", "P 61"}, {"p6_2", "P 62"}, {"p6_3", "P 6c"},
    {"p6_4", "P 64"}, {"p6_5", "P 65"}, {"p-6", "P -6"}, {"p6/m", "-P 6"}, {"p6_3/m", "-P 6c"},
    {"p622", "P 6 2"}, {"p6_122", "P 61 2 (0 0 5)"}, {"p6_222", "P 62 2 (0 0 4)"}, {"p6_322", "P 6c 2c"},
    {"p6_422", "P 64 2 (0 0 2)"}, {"p6_522", "P 65 2 (0 0 1)"}, {"p6mm", "P 6 -2"}, {"p6cc", "P 6 -2c"},
    {"p6_3mc", "P 6c -2c"}, {"p-6m2", "P -6 2"}, {"p-6c2", "P -6c 2"}, {"p6/mmm", "-P 6 2"},
    {"p6/mcc", "-P 6 2c"}, {"p6_3/mmc", "-P 6c 2c"},
    // clang-format on
};

/// Number k is entry k - 1. [Kopsky 2010]
inline constexpr SpaceSymbol layer_symbols[80] = {
    // clang-format off
    {"p1", "P 1"}, {"p-1", "-P 1"}, {"p112", "P 2"}, {"p11m", "P -2"}, {"p11a", "P -2a"}, {"p112/m", "-P 2"},
    {"p112/a", "-P 2a"}, {"p211", "P 2x"}, {"p2_111", "P 2xa"}, {"c211", "C 2x"}, {"pm11", "P -2x"},
    {"pb11", "P -2xb"}, {"cm11", "C -2x"}, {"p2/m11", "-P 2x"}, {"p2_1/m11", "-P 2xa"}, {"p2/b11", "-P 2xb"},
    {"p2_1/b11", "-P 2xab"}, {"c2/m11", "-C 2x"}, {"p222", "P 2 2"}, {"p2_122", "P 2 2a"},
    {"p2_12_12", "P 2 2ab"}, {"c222", "C 2 2"}, {"pmm2", "P 2 -2"}, {"pma2", "P 2 -2a"}, {"pba2", "P 2 -2ab"},
    {"cmm2", "C 2 -2"}, {"pm2m", "P -2 -2"}, {"pm2_1b", "P -2b -2"}, {"pb2_1m", "P -2 -2b"},
    {"pb2b", "P -2b -2b"}, {"pm2a", "P -2a -2"}, {"pm2_1n", "P -2ab -2"}, {"pb2_1a", "P -2a -2b"},
    {"pb2n", "P -2ab -2b"}, {"cm2m", "C -2 -2"}, {"cm2e", "C -2a -2"}, {"pmmm", "-P 2 2"},
    {"pmaa", "-P 2a 2"}, {"pban", "-P 2ab 2b"}, {"pmam", "-P 2 2a"}, {"pmma", "-P 2a 2a"},
    {"pman", "-P 2ab 2"}, {"pbaa", "-P 2a 2b"}, {"pbam", "-P 2 2ab"}, {"pbma", "-P 2a 2ab"},
    {"pmmn", "-P 2ab 2a"}, {"cmmm", "-C 2 2"}, {"cmme", "-C 2a 2"}, {"p4", "P 4"}, {"p-4", "P -4"},
    {"p4/m", "-P 4"}, {"p4/n", "-P 4a"}, {"p422", "P 4 2"}, {"p42_12", "P 4ab 2ab"}, {"p4mm", "P 4 -2"},
    {"p4bm", "P 4 -2ab"}, {"p-42m", "P -4 2"}, {"p-42_1m", "P -4 2ab"}, {"p-4m2", "P -4 -2"},
    {"p-4b2", "P -4 -2ab"}, {"p4/mmm", "-P 4 2"}, {"p4/nbm", "-P 4a 2b"}, {"p4/mbm", "-P 4 2ab"},
    {"p4/nmm", "-P 4a 2a"}, {"p3", "P 3"}, {"p-3", "-P 3"}, {"p312", "P 3 2"}, {"p321", "P 3 2\""},
    {"p3m1", "P 3 -2\""}, {"p31m", "P 3 -2"}, {"p-31m", "-P 3 2"}, {"p-3m1", "-P 3 2\""}, {"p6", "P 6"},
    {"p-6", "P -6"}, {"p6/m", "-P 6"}, {"p622", "P 6 2"}, {"p6mm", "P 6 -2"}, {"p-6m2", "P -6 2"},
    {"p-62m", "P -6 -2"}, {"p6/mmm", "-P 6 2"},
    // clang-format on
};

}  // namespace intertwine::named
