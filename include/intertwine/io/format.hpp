// The forms an answer can be written in.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace intertwine {

enum class Format { text, json, latex, gap, sage, magma, csv, markdown, html, npy, npz, lean };

struct FormatName {
  Format format;
  const char *name, *extension;
};
/// All of them; a format with two extensions stands there twice.
std::span<const FormatName> format_table();

/// "text", "json", "latex", "gap", "sage", "magma", "csv", "markdown", "html", "npy", "npz", "lean".
std::string to_string(Format format);
/// \throws DomainError unless it is the name of one of `allowed`, which are listed.
Format parse_format(std::string_view name, const std::vector<Format>& allowed);
/// The format that the extension of a file stands for: .txt, .json, .tex, .g or .gap, .sage, .m or .magma, .csv, .md,
/// .html, .npy, .npz, .lean.
/// \throws DomainError for others; for .h5 and .hdf5 as refuse_hdf5_name.
/// \throws DomainError for other extensions.
Format format_of_file(const std::filesystem::path& file);
/// \throws DomainError unless it is one of `allowed`: "WHAT writes .txt and .json files, not a.png".
Format format_of_file(const std::filesystem::path& file, const std::vector<Format>& allowed, std::string_view what);

}  // namespace intertwine
