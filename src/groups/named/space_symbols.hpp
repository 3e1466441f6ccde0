// The 230 space groups: short international names and Hall's symbols of their usual settings (unique axis b, origin at a centre, hexagonal axes).
#pragma once
#include <string_view>

namespace intertwine::named {

struct SpaceSymbol {
  std::string_view name, hall;
};

/// Number k of the International Tables is entry k - 1. [Hall 1981]; [Hahn 2002]
inline constexpr SpaceSymbol space_symbols[230] = {
    // clang-format off
    {"P1", "P 1"}, {"P-1", "-P 1"}, {"P2", "P 2y"}, {"P2_1", "P 2yb"}, {"C2", "C 2y"}, {"Pm", "P -2y"},
    {"Pc", "P -2yc"}, {"Cm", "C -2y"}, {"Cc", "C -2yc"}, {"P2/m", "-P 2y"}, {"P2_1/m", "-P 2yb"},
    {"C2/m", "-C 2y"}, {"P2/c", "-P 2yc"}, {"P2_1/c", "-P 2ybc"}, {"C2/c", "-C 2yc"}, {"P222", "P 2 2"},
    {"P222_1", "P 2c 2"}, {"P2_12_12", "P 2 2ab"}, {"P2_12_12_1", "P 2ac 2ab"}, {"C222_1", "C 2c 2"},
    {"C222", "C 2 2"}, {"F222", "F 2 2"}, {"I222", "I 2 2"}, {"I2_12_12_1", "I 2b 2c"}, {"Pmm2", "P 2 -2"},
    {"Pmc2_1", "P 2c -2"}, {"Pcc2", "P 2 -2c"}, {"Pma2", "P 2 -2a"}, {"Pca2_1", "P 2c -2ac"},
    {"Pnc2", "P 2 -2bc"}, {"Pmn2_1", "P 2ac -2"}, {"Pba2", "P 2 -2ab"}, {"Pna2_1", "P 2c -2n"},
    {"Pnn2", "P 2 -2n"}, {"Cmm2", "C 2 -2"}, {"Cmc2_1", "C 2c -2"}, {"Ccc2", "C 2 -2c"},
    {"Amm2", "A 2 -2"}, {"Aem2", "A 2 -2b"}, {"Ama2", "A 2 -2a"}, {"Aea2", "A 2 -2ab"}, {"Fmm2", "F 2 -2"},
    {"Fdd2", "F 2 -2d"}, {"Imm2", "I 2 -2"}, {"Iba2", "I 2 -2c"}, {"Ima2", "I 2 -2a"}, {"Pmmm", "-P 2 2"},
    {"Pnnn", "-P 2ab 2bc"}, {"Pccm", "-P 2 2c"}, {"Pban", "-P 2ab 2b"}, {"Pmma", "-P 2a 2a"},
    {"Pnna", "-P 2a 2bc"}, {"Pmna", "-P 2ac 2"}, {"Pcca", "-P 2a 2ac"}, {"Pbam", "-P 2 2ab"},
    {"Pccn", "-P 2ab 2ac"}, {"Pbcm", "-P 2c 2b"}, {"Pnnm", "-P 2 2n"}, {"Pmmn", "-P 2ab 2a"},
    {"Pbcn", "-P 2n 2ab"}, {"Pbca", "-P 2ac 2ab"}, {"Pnma", "-P 2ac 2n"}, {"Cmcm", "-C 2c 2"},
    {"Cmce", "-C 2ac 2"}, {"Cmmm", "-C 2 2"}, {"Cccm", "-C 2 2c"}, {"Cmme", "-C 2a 2"},
    {"Ccce", "-C 2a 2ac"}, {"Fmmm", "-F 2 2"}, {"Fddd", "-F 2uv 2vw"}, {"Immm", "-I 2 2"},
    {"Ibam", "-I 2 2c"}, {"Ibca", "-I 2b 2c"}, {"Imma", "-I 2b 2"}, {"P4", "P 4"}, {"P4_1", "P 4w"},
    {"P4_2", "P 4c"}, {"P4_3", "P 4cw"}, {"I4", "I 4"}, {"I4_1", "I 4bw"}, {"P-4", "P -4"},
    {"I-4", "I -4"}, {"P4/m", "-P 4"}, {"P4_2/m", "-P 4c"}, {"P4/n", "-P 4a"}, {"P4_2/n", "-P 4bc"},
    {"I4/m", "-I 4"}, {"I4_1/a", "-I 4ad"}, {"P422", "P 4 2"}, {"P42_12", "P 4ab 2ab"},
    {"P4_122", "P 4w 2c"}, {"P4_12_12", "P 4abw 2nw"}, {"P4_222", "P 4c 2"}, {"P4_22_12", "P 4n 2n"},
    {"P4_322", "P 4cw 2c"}, {"P4_32_12", "P 4nw 2abw"}, {"I422", "I 4 2"}, {"I4_122", "I 4bw 2bw"},
    {"P4mm", "P 4 -2"}, {"P4bm", "P 4 -2ab"}, {"P4_2cm", "P 4c -2c"}, {"P4_2nm", "P 4n -2n"},
    {"P4cc", "P 4 -2c"}, {"P4nc", "P 4 -2n"}, {"P4_2mc", "P 4c -2"}, {"P4_2bc", "P 4c -2ab"},
    {"I4mm", "I 4 -2"}, {"I4cm", "I 4 -2c"}, {"I4_1md", "I 4bw -2"}, {"I4_1cd", "I 4bw -2c"},
    {"P-42m", "P -4 2"}, {"P-42c", "P -4 2c"}, {"P-42_1m", "P -4 2ab"}, {"P-42_1c", "P -4 2n"},
    {"P-4m2", "P -4 -2"}, {"P-4c2", "P -4 -2c"}, {"P-4b2", "P -4 -2ab"}, {"P-4n2", "P -4 -2n"},
    {"I-4m2", "I -4 -2"}, {"I-4c2", "I -4 -2c"}, {"I-42m", "I -4 2"}, {"I-42d", "I -4 2bw"},
    {"P4/mmm", "-P 4 2"}, {"P4/mcc", "-P 4 2c"}, {"P4/nbm", "-P 4a 2b"}, {"P4/nnc", "-P 4a 2bc"},
    {"P4/mbm", "-P 4 2ab"}, {"P4/mnc", "-P 4 2n"}, {"P4/nmm", "-P 4a 2a"}, {"P4/ncc", "-P 4a 2ac"},
    {"P4_2/mmc", "-P 4c 2"}, {"P4_2/mcm", "-P 4c 2c"}, {"P4_2/nbc", "-P 4ac 2b"},
    {"P4_2/nnm", "-P 4ac 2bc"}, {"P4_2/mbc", "-P 4c 2ab"}, {"P4_2/mnm", "-P 4n 2n"},
    {"P4_2/nmc", "-P 4ac 2a"}, {"P4_2/ncm", "-P 4ac 2ac"}, {"I4/mmm", "-I 4 2"}, {"I4/mcm", "-I 4 2c"},
    {"I4_1/amd", "-I 4bd 2"}, {"I4_1/acd", "-I 4bd 2c"}, {"P3", "P 3"}, {"P3_1", "P 31"}, {"P3_2", "P 32"},
    {"R3", "R 3"}, {"P-3", "-P 3"}, {"R-3", "-R 3"}, {"P312", "P 3 2"}, {"P321", "P 3 2\""},
    {"P3_112", "P 31 2 (0 0 4)"}, {"P3_121", "P 31 2\""}, {"P3_212", "P 32 2 (0 0 2)"},
    {"P3_221", "P 32 2\""}, {"R32", "R 3 2\""}, {"P3m1", "P 3 -2\""}, {"P31m", "P 3 -2"},
    {"P3c1", "P 3 -2\"c"}, {"P31c", "P 3 -2c"}, {"R3m", "R 3 -2\""}, {"R3c", "R 3 -2\"c"},
    {"P-31m", "-P 3 2"}, {"P-31c", "-P 3 2c"}, {"P-3m1", "-P 3 2\""}, {"P-3c1", "-P 3 2\"c"},
    {"R-3m", "-R 3 2\""}, {"R-3c", "-R 3 2\"c"}, {"P6", "P 6"}, {"P6_1", "P 61"}, {"P6_5", "P 65"},
    {"P6_2", "P 62"}, {"P6_4", "P 64"}, {"P6_3", "P 6c"}, {"P-6", "P -6"}, {"P6/m", "-P 6"},
    {"P6_3/m", "-P 6c"}, {"P622", "P 6 2"}, {"P6_122", "P 61 2 (0 0 5)"}, {"P6_522", "P 65 2 (0 0 1)"},
    {"P6_222", "P 62 2 (0 0 4)"}, {"P6_422", "P 64 2 (0 0 2)"}, {"P6_322", "P 6c 2c"}, {"P6mm", "P 6 -2"},
    {"P6cc", "P 6 -2c"}, {"P6_3cm", "P 6c -2"}, {"P6_3mc", "P 6c -2c"}, {"P-6m2", "P -6 2"},
    {"P-6c2", "P -6c 2"}, {"P-62m", "P -6 -2"}, {"P-62c", "P -6c -2c"}, {"P6/mmm", "-P 6 2"},
    {"P6/mcc", "-P 6 2c"}, {"P6_3/mcm", "-P 6c 2"}, {"P6_3/mmc", "-P 6c 2c"}, {"P23", "P 2 2 3"},
    {"F23", "F 2 2 3"}, {"I23", "I 2 2 3"}, {"P2_13", "P 2ac 2ab 3"}, {"I2_13", "I 2b 2c 3"},
    {"Pm-3", "-P 2 2 3"}, {"Pn-3", "-P 2ab 2bc 3"}, {"Fm-3", "-F 2 2 3"}, {"Fd-3", "-F 2uv 2vw 3"},
    {"Im-3", "-I 2 2 3"}, {"Pa-3", "-P 2ac 2ab 3"}, {"Ia-3", "-I 2b 2c 3"}, {"P432", "P 4 2 3"},
    {"P4_232", "P 4n 2 3"}, {"F432", "F 4 2 3"}, {"F4_132", "F 4d 2 3"}, {"I432", "I 4 2 3"},
    {"P4_332", "P 4acd 2ab 3"}, {"P4_132", "P 4bd 2ab 3"}, {"I4_132", "I 4bd 2c 3"}, {"P-43m", "P -4 2 3"},
    {"F-43m", "F -4 2 3"}, {"I-43m", "I -4 2 3"}, {"P-43n", "P -4n 2 3"}, {"F-43c", "F -4a 2 3"},
    {"I-43d", "I -4bd 2c 3"}, {"Pm-3m", "-P 4 2 3"}, {"Pn-3n", "-P 4a 2bc 3"}, {"Pm-3n", "-P 4n 2 3"},
    {"Pn-3m", "-P 4bc 2bc 3"}, {"Fm-3m", "-F 4 2 3"}, {"Fm-3c", "-F 4a 2 3"}, {"Fd-3m", "-F 4vw 2vw 3"},
    {"Fd-3c", "-F 4ud 2vw 3"}, {"Im-3m", "-I 4 2 3"}, {"Ia-3d", "-I 4bd 2c 3"}
    // clang-format on
};

}  // namespace intertwine::named
