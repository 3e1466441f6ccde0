#pragma once
#include <string>

#include "surface.hpp"

namespace intertwine {

class SvgSurface final : public Surface {
 public:
  void open(const Style& style) override;
  void close() override { body_ += "</g>\n"; }
  void rect(const Box& box, const Style& style = {}, double radius = 0) override;
  void text(double x, double y, std::string_view text, const Style& style = {}, double degrees = 0) override;
  void path(std::string_view data, const Style& style) override;

  /// The document, on white paper, dark where the reader's screen is.
  std::string document(double width, double height, std::string_view title) const;

 private:
  std::string body_;
};

}  // namespace intertwine
