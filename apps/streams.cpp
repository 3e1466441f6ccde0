// Reads standard input and writes standard output where a word has - for a file.
#include "streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "intertwine/error.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/task.hpp"
#include "watch.hpp"

namespace intertwine::app {

namespace {

/// Names of formats and the extensions that they stand for: those of answers, then those of layers and pictures.
const std::vector<std::pair<std::string, std::string>>& extensions() {
  static const auto table = [] {
    std::vector<std::pair<std::string, std::string>> result;
    for (const FormatName& known : format_table()) result.emplace_back(known.name, known.extension);
    for (const char* name : {"safetensors", "hpp", "svg", "png"}) result.emplace_back(name, std::string(".") + name);
    return result;
  }();
  return table;
}

/// One line of the characters of graph6, and no JSON.
bool looks_like_graph6(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find_first_of("\r\n"), bytes.size());
  const std::string_view line = bytes.substr(0, end);
  return bytes.find_first_not_of("\r\n", end) == std::string_view::npos && !line.empty() && !line.ends_with('}') &&
         std::ranges::all_of(line, [](char c) { return c >= 63 && c <= 126; });
}

/// The extension of what comes in, by its first bytes.
std::string extension_of(const std::string& bytes) {
  if (bytes.starts_with("\x93NUMPY")) return ".npy";
  if (bytes.starts_with("PK")) return ".npz";
  if (bytes.starts_with("\x89HDF")) return ".h5";
  if (bytes.starts_with("%%MatrixMarket")) return ".mtx";
  if (looks_like_graph6(bytes)) return ".g6";
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && (bytes[first] == '{' || bytes[first] == '[')) return ".json";
  if (bytes.find('\0') != std::string::npos) return ".safetensors";
  if (first != std::string::npos && (bytes[first] == 'p' || bytes[first] == 'c') &&
      bytes.find_first_of(" \t\r\n", first) == first + 1)
    return ".col";
  return bytes.find_first_of(" \t,;") == std::string::npos ? ".g6" : ".edges";
}

/// The place in a word where - stands for standard input; npos if there is none.
std::size_t place_of_input(const std::string& word) {
  if (word == "-") return 0;
  for (const char* form : {"@-", "@-)"})
    if (word.ends_with(form)) return word.rfind("@-") + 1;
  return std::string::npos;
}

[[noreturn]] void cannot(const std::string& what, int error) {
  throw FileError(fmt::format("cannot {}: {}", what, std::generic_category().message(error)));
}

/// All of standard input. The system's own call: streams take an error of it for the end of the input.
/// \throws LimitError if it is larger than the limit: it may be endless; FileError if it cannot be read to its end
std::string read_input(std::uint64_t memory) {
  std::string bytes;
  std::vector<char> piece(1U << 20U);
  for (;;) {
    const ssize_t got = ::read(STDIN_FILENO, piece.data(), piece.size());
    if (got == 0) return bytes;
    if (got < 0 && errno == EAGAIN) {  // its writer is still at work
      pollfd ready{STDIN_FILENO, POLLIN, 0};
      ::poll(&ready, 1, -1);
      continue;
    }
    if (got < 0 && errno != EINTR) cannot("read standard input", errno);
    bytes.append(piece.data(), static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (bytes.size() > memory / 2)
      throw LimitError("standard input is larger than half the limit of " + format_bytes(memory) +
                       "; raise --max-memory, or name a file");
  }
}

/// Writes bytes given for a file to a temporary one: all of them, or an error.
void keep(const std::string& path, std::string_view bytes, const char* what) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  int error = file < 0 ? errno : 0;
  while (error == 0 && !bytes.empty()) {
    const ssize_t written = ::write(file, bytes.data(), bytes.size());
    if (written > 0) bytes.remove_prefix(static_cast<std::size_t>(written));
    if (written == 0) error = ENOSPC;
    if (written < 0 && errno != EINTR) error = errno;
  }
  if (file >= 0 && ::close(file) != 0 && error == 0 && errno != EINTR) error = errno;
  if (error != 0)
    cannot(fmt::format("keep {} in the temporary folder {} (TMPDIR names another one)", what,
                       std::filesystem::path(path).parent_path().parent_path().string()),
           error);
}

/// Is it the value of an option that names what is written?
bool is_written(const std::vector<std::string>& arguments, std::size_t k) {
  constexpr std::string_view writing[] = {"-o", "--output", "--arcs", "--blocks"};
  return k > 0 && std::find(std::begin(writing), std::end(writing), arguments[k - 1]) != std::end(writing);
}

/// Passes text on with one name for another. Text that may begin the name waits for the name's end.
class Renaming : public std::streambuf {
 public:
  Renaming(std::streambuf* to, std::string from, std::string into)
      : to_(to), from_(std::move(from)), into_(std::move(into)) {}
  ~Renaming() override { pass(true); }

 protected:
  int_type overflow(int_type c) override {
    if (!traits_type::eq_int_type(c, traits_type::eof())) held_ += traits_type::to_char_type(c);
    return pass(false) ? traits_type::not_eof(c) : traits_type::eof();
  }
  std::streamsize xsputn(const char* text, std::streamsize size) override {
    held_.append(text, static_cast<std::size_t>(size));
    return pass(false) ? size : 0;
  }
  int sync() override { return pass(true) ? to_->pubsync() : -1; }

 private:
  bool pass(bool all) {
    for (std::size_t at = held_.find(from_); at != std::string::npos; at = held_.find(from_, at + into_.size()))
      held_.replace(at, from_.size(), into_);
    std::size_t kept = all ? 0 : std::min(held_.size(), from_.size() - 1);
    while (kept > 0 && !held_.ends_with(std::string_view(from_).substr(0, kept))) --kept;
    const auto size = static_cast<std::streamsize>(held_.size() - kept);
    const bool passed = to_->sputn(held_.data(), size) == size;
    held_.erase(0, held_.size() - kept);
    return passed;
  }

  std::streambuf* to_;
  std::string from_, into_, held_;
};

}  // namespace

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const auto& [name, extension] : extensions())
      if (result.empty() || result.back() != name) result.push_back(name);
    return result;
  }();
  return names;
}

bool names_a_file(const std::string& word) {
  if (word.find_first_of("()[]{}<>* +@") != std::string::npos) return false;
  const std::string extension = std::filesystem::path(word).extension().string();
  static const std::vector<std::string> more = {".h", ".xyz", ".cif", ".vasp", ".pt", ".cpp", ".mat", ".g6", ".dat-s"};
  return std::any_of(extensions().begin(), extensions().end(),
                     [&](const auto& known) { return known.second == extension; }) ||
         std::find(more.begin(), more.end(), extension) != more.end();
}

namespace {

/// A path that mkdtemp and mkstemp complete.
std::string temporary_pattern() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  if (error) {
    const char* named = std::getenv("TMPDIR");
    throw FileError(fmt::format("there is no folder {} for temporary files; set TMPDIR to one that can be written",
                                named == nullptr ? "/tmp" : named));
  }
  return (folder / "intertwine-XXXXXX").string();
}

[[noreturn]] void no_temporary(const std::string& pattern) {
  throw FileError(fmt::format("cannot write temporary files into {}: {}; set TMPDIR to another folder",
                              std::filesystem::path(pattern).parent_path().string(),
                              std::generic_category().message(errno)));
}

}  // namespace

std::filesystem::path new_temporary_folder() {
  std::string pattern = temporary_pattern();
  if (::mkdtemp(pattern.data()) == nullptr) no_temporary(pattern);
  return pattern;
}

int unnamed_temporary_file() {
  std::string pattern = temporary_pattern();
  const int file = ::mkostemp(pattern.data(), O_CLOEXEC);
  if (file < 0) no_temporary(pattern);
  ::unlink(pattern.c_str());
  return file;
}

Streams::~Streams() {
  std::error_code ignored;
  register_folder({}, {});
  if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
}

std::string Streams::file(const std::string& name) {
  if (folder_.empty()) {
    folder_ = new_temporary_folder();
  }
  const std::string path = (folder_ / name).string();
  register_folder(folder_.string(), path);
  return path;
}

void Streams::open_input(std::vector<std::string>& arguments, std::uint64_t memory) {
  const bool takes_matrix = std::any_of(arguments.begin(), arguments.end(), [](const std::string& word) {
    return word == "schur-functor" || word == "symmetrize";
  });
  for (std::size_t k = 0; k < arguments.size(); ++k) {
    if (takes_matrix && arguments[k].starts_with("[[") && input_.empty()) {
      input_word_ = std::exchange(arguments[k], input_ = file("matrix.json"));
      keep(input_, input_word_, "the matrix of the command line");
      continue;
    }
    const std::size_t at = place_of_input(arguments[k]);
    if (at == std::string::npos || is_written(arguments, k)) continue;
    if (input_.empty()) {
      input_word_ = "-";
      const std::string bytes = read_input(memory);
      if (bytes.empty()) throw DomainError("- stands for standard input, which is empty");
      input_ = file("stdin" + extension_of(bytes));
      keep(input_, bytes, "standard input");
    }
    if (input_word_ != "-")
      throw DomainError("standard input and a matrix in the command line are too much; put one in a file");
    arguments[k].replace(at, 1, input_);
  }
}

std::unique_ptr<std::streambuf> Streams::renaming(std::streambuf* to) const {
  if (input_.empty() || to == nullptr) return nullptr;
  return std::make_unique<Renaming>(to, input_, input_word_);
}

void Streams::rename(std::ostream& out) {
  named_ = out.rdbuf();
  if (renaming_ = renaming(named_); renaming_) out.rdbuf(renaming_.get());
}

void Streams::open_output(std::vector<std::string>& outputs, const std::string& format, std::ostream& out,
                          const std::string& option) {
  const auto place = std::find(outputs.begin(), outputs.end(), "-");
  if (place == outputs.end()) return;
  if (format.empty())
    throw DomainError(option + " - writes to standard output and needs --format, for example --format " +
                      (option == "--output" ? "json" : "svg"));
  if (writes() || std::count(outputs.begin(), outputs.end(), "-") > 1)
    throw DomainError("- is given twice as a file to write; standard output takes one");
  const auto known =
      std::find_if(extensions().begin(), extensions().end(), [&](const auto& entry) { return entry.first == format; });
  if (known == extensions().end()) {
    std::string names;
    for (const std::string& name : format_names()) names += (names.empty() ? "" : ", ") + name;
    throw DomainError("--format takes " + names + ", not " + format);
  }
  output_ = *place = file("stdout" + std::string(known->second));
  const auto state = out.rdstate();
  real_ = out.rdbuf(nullptr);  // the report is not printed into the file
  if (state & std::ios::badbit) real_ = nullptr;
}

void Streams::close_output(std::ostream& out) {
  if (!writes()) return;
  // Clears its state; without a buffer it is bad. Files pass as they are: text has its names already.
  out.rdbuf(real_ != nullptr && real_ == renaming_.get() ? named_ : real_);
  std::ifstream written(output_, std::ios::binary);
  std::error_code ignored;
  std::filesystem::remove_all(folder_,
                              ignored);  // what is open can be read to its end, even if the reader goes away
  pass_on(written, out);
}

void pass_on(std::istream& from, std::ostream& to) {
  std::vector<char> piece(std::size_t{64} << 10U);
  while (from.good() && to.good()) {
    from.read(piece.data(), static_cast<std::streamsize>(piece.size()));
    to.write(piece.data(), from.gcount());
  }
  if (!from.eof()) to.setstate(std::ios::badbit);
}

std::string Streams::shown(std::string text) const {
  for (const auto& [name, word] : {std::pair(input_, input_word_), {output_, std::string("-")}})
    for (std::size_t at = name.empty() ? std::string::npos : text.find(name); at != std::string::npos;
         at = text.find(name, at + word.size()))
      text.replace(at, name.size(), word);
  return text;
}

}  // namespace intertwine::app
