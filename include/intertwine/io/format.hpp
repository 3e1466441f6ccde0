// The forms an answer can be written in.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>

namespace intertwine {

enum class Format { text, json, latex, gap, csv };

/// "text", "json", "latex", "gap", "csv".
std::string to_string(Format format);
/// \throws DomainError unless it is the name of one of `allowed`, which are listed.
Format parse_format(std::string_view name, std::initializer_list<Format> allowed);
/// The format that the extension of a file stands for: .txt, .json, .tex, .g, .csv.
/// \throws DomainError unless it is one of `allowed`: "WHAT writes .txt and .json files, not a.png".
Format format_of_file(const std::filesystem::path& file, std::initializer_list<Format> allowed,
                      std::string_view what);

}  // namespace intertwine
