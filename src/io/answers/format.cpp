// The formats of answers and their names.
#include "intertwine/io/format.hpp"

#include <algorithm>
#include <vector>

#include "intertwine/error.hpp"
#include "intertwine/io/containers.hpp"
#include "io/containers/text.hpp"

namespace intertwine {

namespace {

constexpr FormatName known[] = {{Format::text, "text", ".txt"},   {Format::json, "json", ".json"},
                                {Format::latex, "latex", ".tex"}, {Format::gap, "gap", ".g"},
                                {Format::gap, "gap", ".gap"},     {Format::sage, "sage", ".sage"},
                                {Format::magma, "magma", ".m"},   {Format::magma, "magma", ".magma"},
                                {Format::csv, "csv", ".csv"},     {Format::markdown, "markdown", ".md"},
                                {Format::html, "html", ".html"},  {Format::npy, "npy", ".npy"},
                                {Format::npz, "npz", ".npz"},     {Format::lean, "lean", ".lean"}};

bool contains(const std::vector<Format>& list, Format format) {
  return std::find(list.begin(), list.end(), format) != list.end();
}

/// ".txt, .json and .tex".
std::string listed(const std::vector<Format>& allowed, const char* FormatName::*word, const char* last) {
  std::vector<std::string> words;
  for (const FormatName& k : known)
    if (contains(allowed, k.format) && (words.empty() || words.back() != k.*word)) words.emplace_back(k.*word);
  return intertwine::listed(words, last);
}

}  // namespace

std::span<const FormatName> format_table() { return known; }

std::string to_string(Format format) {
  return std::find_if(std::begin(known), std::end(known), [&](const FormatName& k) { return k.format == format; })
      ->name;
}

Format parse_format(std::string_view name, const std::vector<Format>& allowed) {
  for (const FormatName& k : known)
    if (k.name == name && contains(allowed, k.format)) return k.format;
  throw DomainError("the format is " + listed(allowed, &FormatName::name, " or ") + ", not " + shown(name));
}

Format format_of_file(const std::filesystem::path& file) {
  std::vector<Format> all;
  for (const FormatName& k : known) all.push_back(k.format);
  return format_of_file(file, all, "intertwine");
}

Format format_of_file(const std::filesystem::path& file, const std::vector<Format>& allowed, std::string_view what) {
  refuse_hdf5_name(file);
  const std::string extension = file.extension().string();
  for (const FormatName& k : known)
    if (k.extension == extension && contains(allowed, k.format)) return k.format;
  throw DomainError(std::string(what) + " writes " + listed(allowed, &FormatName::extension, " and ") + " files, not " +
                    shown_path(file));
}

}  // namespace intertwine
