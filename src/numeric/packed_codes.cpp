#include "numeric/packed_codes.hpp"

#include "numeric/kernels.hpp"
#include "numeric/plan.hpp"

namespace intertwine::numeric_detail {

PackedCodes pack_codes(const CodeArray& codes, std::uint64_t rows, std::uint64_t cols, bool transpose) {
  constexpr std::uint64_t width = kernels::panel;
  PackedCodes out;
  out.rows = transpose ? cols : rows;
  out.cols = transpose ? rows : cols;
  out.panels = ceil_div(out.rows, width);
  std::visit(
      [&](const auto& items) {
        std::decay_t<decltype(items)> packed(out.panels * out.cols * width, 0);
        for (std::uint64_t p = 0; p < out.panels; ++p)
          for (std::uint64_t lane = 0; lane < width && p * width + lane < out.rows; ++lane) {
            const std::uint64_t row = p * width + lane;
            for (std::uint64_t j = 0; j < out.cols; ++j)
              packed[(p * out.cols + j) * width + lane] = items[transpose ? j * cols + row : row * cols + j];
          }
        out.codes = std::move(packed);
      },
      codes);
  return out;
}

}  // namespace intertwine::numeric_detail
