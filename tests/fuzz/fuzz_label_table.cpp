// Tables of labels: representations have the labels of one, or there is a sentence.
// covers: src/io/files/irrep_labels.cpp
#include <cstdint>
#include <cstdlib>
#include <string>

#include "intertwine/error.hpp"
#include "intertwine/io/irrep_labels.hpp"

using namespace intertwine;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const SpaceGroup group = SpaceGroup::numbered(2);
  static const LittleGroup scalar = little_group(group, {0, 0, Rational(1, 2)}),
                           spinor = little_group(group, {0, 0, Rational(1, 2)}, SpinKind::half);
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const LittleGroup* little : {&scalar, &spinor}) {
    try {
      if (cdml_labels_by(*little, text, "table").size() != little->irreps.size()) std::abort();
    } catch (const InternalError&) {
      std::abort();
    } catch (const Error&) {
    }
  }
  return 0;
}
