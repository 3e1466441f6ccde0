// The symbols of Opechowski and Guccione of the 517 magnetic space groups in which a translation reverses time.
#include "physics/og_symbols.hpp"

#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "intertwine/physics/magnetic_space_group.hpp"

namespace intertwine {

namespace {

/// UNI numbers and symbols. They are those of [Litvin 2013], as the tables ISO-MAG of Stokes and Campbell write them.
/// Which of several symbols with the same meaning is printed is a convention, so no rule finds them.
constexpr std::string_view og_table =
    "3 P_2s1 7 P_2s-1 11 P_2a2 12 P_2b2 13 C_P2 17 P_2a2_1 18 P_2b2' 19 C_P2' 23 C_2c2 24 P_C2 28 P_2am "
    "29 P_2bm 30 C_Pm 34 P_2ac 35 P_2cm' 36 P_2bc 37 C_Pc 38 C_Pm' 42 C_2cm 43 P_Cm 47 C_2cm' 48 P_Cc "
    "54 P_2a2/m 55 P_2b2/m 56 C_P2/m 62 P_2a2_1/m 63 P_2b2'/m 64 C_P2'/m 70 C_2c2/m 71 P_C2/m 77 P_2a2/c "
    "78 P_2b2/c 79 P_2c2/m' 80 C_P2/m' 81 C_P2/c 87 P_2a2_1/c 88 P_2b2'/c 89 P_2c2_1/m' 90 C_P2'/m' "
    "91 C_P2'/c 97 C_2c2/m' 98 P_C2/c 102 P_2a222 103 C_P222 104 I_P222 109 P_2a222_1 110 P_2c22'2' "
    "111 C_P22'2' 112 C_P222_1 113 I_P2_1'2_1'2_1 118 P_2a2'2'2_1 119 P_2c2_12_12 120 C_P22'2_1' "
    "121 C_P2'2'2 122 I_P2'2'2 126 P_2c2_12_1'2' 127 C_P2'2'2_1 128 I_P2_12_12_1 133 C_2c22'2' "
    "134 P_C222_1 135 F_C22'2' 140 C_2c222 141 P_C222 142 F_C222 146 P_I222 150 C_I222 154 C_I2'22' "
    "159 P_2cmm2 160 P_2amm2 161 C_Pmm2 162 A_Pmm2 163 I_Pmm2 169 P_2amc2_1 170 P_2bmc2_1 171 P_2cmm'2' "
    "172 A_Pmm'2' 173 A_Pb'm2' 174 C_Pmc2_1 175 I_Pma'2' 180 P_2cm'm'2 181 P_2acc2 182 C_Pcc2 "
    "183 A_Pb'm'2 184 I_Pba2 190 P_2am'm'2 191 P_2bma2 192 P_2cma2 193 A_Pma2 194 A_Pbm2 195 C_Pm'm2' "
    "196 I_Pma2 202 P_2bm'c'2_1 203 P_2bca2_1 204 P_2cm'a2' 205 A_Pb'a2' 206 A_Pbm'2' 207 C_Pm'c2_1' "
    "208 I_Pba'2' 214 P_2anc2 215 P_2bc'c2' 216 P_2cm'a'2 217 A_Pm'm'2 218 A_Pb'a'2 219 C_Pc'c2' "
    "220 I_Pm'a'2 226 P_2amc'2_1' 227 P_2bmn2_1 228 P_2cma'2' 229 A_Pma'2' 230 A_Pm'm2' 231 C_Pmc'2_1' "
    "232 I_Pmm'2' 237 P_2cba2 238 P_2bm'a2' 239 C_Pm'm'2 240 A_Pba2 241 I_Pb'a'2 247 P_2bm'n2_1' "
    "248 P_2bc'a'2_1 249 P_2cb'a2' 250 A_Pm'a2' 251 A_Pba'2' 252 C_Pm'c'2_1 253 I_Pm'a2' 258 P_2anc'2' "
    "259 P_2cb'a'2 260 A_Pm'a'2 261 C_Pc'c'2 262 I_Pm'm'2 267 C_2cmm2 268 P_Cmm2 269 F_Cmm2 "
    "275 C_2cm'm2' 276 P_Cmc2_1 277 F_Cmm'2' 282 C_2cm'm'2 283 P_Ccc2 284 F_Cm'm'2 290 A_2amm2 "
    "291 P_Amm2 292 F_Amm2 298 A_2abm2 299 P_Am'm'2 300 F_Am'm2' 306 A_2amm'2' 307 P_Ama2 308 F_Amm'2' "
    "314 A_2ab'm'2 315 P_Am'a'2 316 F_Am'm'2 321 P_Imm2 326 P_Inn2 331 C_Imm2 332 A_Imm2 337 C_Im'm'2 "
    "338 A_Ib'm'2 344 C_Im'm2' 345 A_Im'm'2 346 A_Ibm2 352 P_2ammm 353 C_Pmmm 354 I_Pmmm 360 P_2cb'a'n "
    "361 C_Pc'c'm' 362 I_Pm'm'm' 370 P_2accm 371 P_2cm'm'm 372 C_Pmma 373 C_Pccm 374 I_Pbam "
    "382 P_2ac'c'm' 383 P_2cban 384 C_Pcca 385 C_Pm'm'm' 386 I_Pb'a'm' 396 P_2ammm' 397 P_2bmma "
    "398 P_2cmma 399 C_Pmcm 400 C_Pm'mm 401 C_Pmm'a 402 I_Pmma 412 P_2bm'na' 413 P_2cb'an 414 P_2bc'ca' "
    "415 C_Pcc'm' 416 C_Pm'c'm' 417 C_Pcc'a' 418 I_Pm'm'a 428 P_2bm'ma' 429 P_2bmna 430 P_2ac'c'm "
    "431 C_Pc'cm 432 C_Pmm'm' 433 C_Pmc'a' 434 I_Pmm'a' 444 P_2accm' 445 P_2bcca 446 P_2cm'm'a "
    "447 C_Pm'ca 448 C_Pm'ma 449 C_Pc'ca 450 I_Pb'ca 458 P_2cm'ma 459 P_2cbam 460 C_Pmca 461 C_Pm'm'm "
    "462 I_Pb'a'm 470 P_2bcca' 471 P_2cm'm'n 472 C_Pm'c'a 473 C_Pccm' 474 I_Pbam' 484 P_2abcm "
    "485 P_2cmm'a 486 P_2bm'ma 487 C_Pmma' 488 C_Pmca' 489 C_Pm'cm 490 I_Pb'am 498 P_2bmna' "
    "499 P_2cb'a'm 500 C_Pmc'm' 501 C_Pc'c'm 502 I_Pm'm'm 510 P_2bmma' 511 P_2cmmn 512 C_Pmc'm "
    "513 C_Pmmm' 514 I_Pm'mm 524 P_2bc'ca 525 P_2abc'm' 526 P_2bm'na 527 C_Pm'c'a' 528 C_Pcca' "
    "529 C_Pm'cm' 530 I_Pb'am' 536 P_2abcm' 537 C_Pm'ca' 538 I_Pbca 548 P_2cm'mn 549 P_2cb'am "
    "550 P_2abc'm 551 C_Pmcm' 552 C_Pm'c'm 553 C_Pmc'a 554 I_Pm'ma' 564 C_2cmm'm' 565 P_Amma 566 F_Cm'mm "
    "576 C_2cm'ma 577 P_Am'ma 578 F_Cmm'm' 586 C_2cmmm 587 P_Cmmm 588 F_Cmmm 596 C_2cm'm'm 597 P_Cccm "
    "598 F_Cm'm'm 606 C_2cmma 607 P_Cmmm' 608 F_Cmmm' 616 C_2cm'm'a 617 P_Cccm' 618 F_Cm'm'm' 624 P_Immm "
    "630 P_Innn 636 C_Immm 644 C_Im'm'm 645 C_Imma 651 C_Im'ma' 659 C_Imm'a 660 C_Im'mm 664 P_2c4 "
    "665 P_P4 666 I_P4 670 P_2c4_2 671 P_P4_1 672 I_P4_1 676 P_2c4' 677 P_P4_2 678 I_P4' 682 P_2c4_2' "
    "683 P_P4_3 684 I_P4_1' 688 P_I4 692 P_I4_2 696 P_2c-4 697 P_P-4 698 I_P-4 702 P_I-4 708 P_2c4/m "
    "709 P_P4/m 710 I_P4/m 716 P_2c4'/m 717 P_P4_2/m 718 I_P4'/m 724 P_2c4/n 725 P_P4/m' 726 I_P4/m' "
    "732 P_2c4'/n 733 P_P4_2/m' 734 I_P4'/m' 740 P_I4/m 746 P_I4_2/n 752 P_2c422 753 P_P422 754 I_P422 "
    "760 P_2c42_12 761 P_P4'22' 762 I_P42'2' 768 P_2c4_222' 769 P_P4_122 770 I_P4_122 776 P_2c4_22_12 "
    "777 P_P4_1'22' 778 I_P4_12'2' 784 P_2c4'22' 785 P_P4_222 786 I_P4'22' 792 P_2c4'2_1'2 "
    "793 P_P4_2'22' 794 I_P4'2'2 800 P_2c4_2'22 801 P_P4_322 802 I_P4_1'22' 808 P_2c4_2'2_1'2 "
    "809 P_P4_3'22' 810 I_P4_1'2'2 816 P_I422 822 P_I4_222' 828 P_2c4mm 829 P_P4mm 830 I_P4mm "
    "836 P_2c4bm 837 P_P4'mm' 838 I_P4cm 844 P_2c4'm'm 845 P_P4_2mc 846 I_P4'c'm 852 P_2c4'b'm "
    "853 P_P4_2'mc' 854 I_P4'm'm 860 P_2c4m'm' 861 P_P4cc 862 I_P4c'm' 868 P_2c4b'm' 869 P_P4'cc' "
    "870 I_P4m'm' 876 P_2c4'mm' 877 P_P4_2cm 878 I_P4'mm' 884 P_2c4'bm' 885 P_P4_2'cm' 886 I_P4'cm' "
    "892 P_I4mm 898 P_I4m'm' 904 P_I4_2nm 910 P_I4_2n'm' 916 P_2c-42m 917 P_P-4m2 918 I_P-42m "
    "924 P_2c-42'm' 925 P_P-4c2 926 I_P-4'2m' 932 P_2c-42_1m 933 P_P-4'm2' 934 I_P-4'2'm "
    "940 P_2c-4'2_1m' 941 P_P-4'c2' 942 I_P-42'm' 948 P_2c-4m2 949 P_P-42m 950 I_P-4m2 956 P_2c-4'm'2 "
    "957 P_P-42c 958 I_P-4c2 964 P_2c-4b2 965 P_P-4'2m' 966 I_P-4c'2' 972 P_2c-4'b'2 973 P_P-4'2c' "
    "974 I_P-4'm'2 980 P_I-42m 986 P_I-4'2m' 992 P_I-4m2 998 P_I-4n2 1008 P_2c4/mmm 1009 P_P4/mmm "
    "1010 I_P4/mmm 1020 P_2c4/mm'm' 1021 P_P4/mcc 1022 I_P4/mcm 1032 P_2c4/nbm 1033 P_P4'/m'mm' "
    "1034 I_P4/m'c'm' 1044 P_2c4/nb'm' 1045 P_P4'/m'cc' 1046 I_P4/m'm'm' 1056 P_2c4/mbm 1057 P_P4'/mmm' "
    "1058 I_P4/mc'm' 1068 P_2c4/mb'm' 1069 P_P4'/mcc' 1070 I_P4/mm'm' 1080 P_2c4/nmm 1081 P_P4/m'mm "
    "1082 I_P4/m'mm 1092 P_2c4/nm'm' 1093 P_P4/m'cc 1094 I_P4/m'cm 1104 P_2c4'/mmm' 1105 P_P4_2/mcm "
    "1106 I_P4'/mmm' 1116 P_2c4'/mm'm 1117 P_P4_2/mmc 1118 I_P4'/mcm' 1128 P_2c4'/nbm' "
    "1129 P_P4_2'/m'cm' 1130 I_P4'/m'c'm 1140 P_2c4'/nb'm 1141 P_P4_2'/m'mc' 1142 I_P4'/m'm'm "
    "1152 P_2c4'/mbm' 1153 P_P4_2'/mcm' 1154 I_P4'/mc'm 1164 P_2c4'/mb'm 1165 P_P4_2/mm'c' "
    "1166 I_P4'/mm'm 1176 P_2c4'/nmm' 1177 P_P4_2/m'cm 1178 I_P4'/m'mm' 1188 P_2c4'/nm'm "
    "1189 P_P4_2/m'mc 1190 I_P4'/m'cm' 1200 P_I4/mmm 1210 P_I4/mm'm' 1220 P_I4_2/nnm 1230 P_I4_2/nn'm' "
    "1233 P_2c3 1236 P_2c3_1 1239 P_2c3_2 1242 R_R3 1246 P_2c-3 1250 R_R-3 1254 P_2c312 1258 P_2c321 "
    "1262 P_2c3_112 1266 P_2c3_121 1270 P_2c3_212 1274 P_2c3_221 1278 R_R32 1282 P_2c3m1 1286 P_2c31m "
    "1290 P_2c3m'1 1294 P_2c31m' 1298 R_R3m 1302 R_R3m' 1308 P_2c-31m 1314 P_2c-31m' 1320 P_2c-3m1 "
    "1326 P_2c-3m'1 1332 R_R-3m 1338 R_R-3m' 1342 P_2c6 1346 P_2c6_2 1350 P_2c6_4' 1354 P_2c6_4 "
    "1358 P_2c6_2' 1362 P_2c6' 1366 P_2c-6 1372 P_2c6/m 1378 P_2c6'/m 1384 P_2c622 1390 P_2c6_222' "
    "1396 P_2c6_4'2'2' 1402 P_2c6_422' 1408 P_2c6_2'22 1414 P_2c6'22' 1420 P_2c6mm 1426 P_2c6m'm' "
    "1432 P_2c6'm'm 1438 P_2c6'mm' 1444 P_2c-6m2 1450 P_2c-6'm'2 1456 P_2c-62m 1462 P_2c-6'2m' "
    "1472 P_2c6/mmm 1482 P_2c6/mm'm' 1492 P_2c6'/mm'm 1502 P_2c6'/mmm' 1505 I_P23 1508 P_F23 "
    "1513 I_P2_13 1519 I_Pm-3 1523 I_Pm'-3' 1527 P_Fm-3 1531 P_Fn-3 1538 I_Pa-3' 1545 I_P432 "
    "1549 I_P4'32' 1553 P_F432 1557 P_F4_232 1564 I_P4_132 1568 I_P4_1'32' 1575 I_P-43m 1579 P_F-43m "
    "1586 I_P-4'3m' 1590 P_F-4'3m' 1599 I_Pm-3m 1605 I_Pm'-3'm' 1611 I_Pm-3m' 1617 I_Pm'-3'm "
    "1623 P_Fm-3m 1629 P_Fm-3m' 1635 P_Fn-3m 1641 P_Fn-3m' ";

const std::vector<std::pair<unsigned, std::string_view>>& og_symbols() {
  static const auto list = [] {
    std::vector<std::pair<unsigned, std::string_view>> result;
    std::string_view rest = og_table;
    const auto word = [&] {
      const std::string_view next = rest.substr(0, rest.find(' '));
      rest.remove_prefix(next.size() + 1);
      return next;
    };
    while (!rest.empty()) {
      const std::string_view number = word();
      unsigned uni = 0;
      std::from_chars(number.data(), number.data() + number.size(), uni);
      result.emplace_back(uni, word());
    }
    return result;
  }();
  return list;
}

}  // namespace

std::string tight_symbol(std::string_view text) {
  std::string result;
  for (const char c : text)
    if (std::string_view(" \t_(){}").find(c) == std::string_view::npos) result += c;
  return result;
}

std::string_view og_symbol(unsigned uni) {
  for (const auto& [number, symbol] : og_symbols())
    if (number == uni) return symbol;
  return {};
}

std::optional<unsigned> uni_of_og_symbol(std::string_view text) {
  static const auto known = [] {
    std::map<std::string, unsigned> result;
    for (const auto& [number, symbol] : og_symbols()) result.emplace(tight_symbol(symbol), number);
    return result;
  }();
  if (text.starts_with("og:")) text.remove_prefix(3);
  if (text.find('_') == std::string_view::npos) return {};
  const auto at = known.find(tight_symbol(text));
  return at == known.end() ? std::nullopt : std::optional(at->second);
}

}  // namespace intertwine
