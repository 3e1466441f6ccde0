// Standard input and output where files are meant: a word - or @- is what comes in, --output - is what goes out.
#pragma once
#include <cstdint>
#include <filesystem>
#include <istream>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

namespace intertwine::app {

/// The names that --format takes, for the answers of commands and for the files that they write.
const std::vector<std::string>& format_names();

/// Has it the extension of a file that the program writes or reads, and is it no expression?
bool names_a_file(const std::string& word);

/// All of `from`, from where it stands to its end; `to` is bad afterwards where either failed on the way. (`to << from.rdbuf()`
/// is good after a part.)
void pass_on(std::istream& from, std::ostream& to);

/// A new folder for temporary files, for its owner alone. \throws FileError
std::filesystem::path new_temporary_folder();
/// The descriptor of a new temporary file that has no name: nobody needs to remove it. \throws FileError
int unnamed_temporary_file();

/// Readers and writers take files, some of them more than once or from the end: standard input is kept in a temporary file
/// while a command runs, and what goes to standard output is written to one first. So a pipe gets all of an answer or nothing.
class Streams {
 public:
  Streams() = default;
  ~Streams();
  Streams(const Streams&) = delete;
  Streams& operator=(const Streams&) = delete;

  /// Puts a file in the place of a matrix that stands in the command line, [[1,2],[3,4]], where a command reads exact matrices, and of -, @-, aut(@-) and rep(@-); that of --output, --arcs and --blocks is left. Standard input is read once, if at all.
  /// \param memory  the limit: what comes in may be half of it
  /// \throws DomainError if it is asked for and empty, LimitError
  void open_input(std::vector<std::string>& arguments, std::uint64_t memory);
  /// Passes text on to `to` with the word of the command line where it names the file that this is kept in; null where there is none.
  std::unique_ptr<std::streambuf> renaming(std::streambuf* to) const;
  /// Lets `out` write so.
  void rename(std::ostream& out);
  /// Puts a file in the place of - among the outputs, and lets `out` print nothing else. \param option  that names them
  /// \throws DomainError if there is no format, or two of them
  void open_output(std::vector<std::string>& outputs, const std::string& format, std::ostream& out,
                   const std::string& option = "--output");
  bool writes() const { return !output_.empty(); }
  /// Sends the file to standard output.
  void close_output(std::ostream& out);
  /// A message or an answer with - for the names of the files.
  std::string shown(std::string text) const;

 private:
  std::string file(const std::string& name);
  std::filesystem::path folder_;
  std::string input_, output_;
  std::string input_word_;  ///< the word that stands for `input_`: -, or a matrix
  std::unique_ptr<std::streambuf> renaming_;
  /// The buffers of standard output, and beneath the one that renames.
  std::streambuf *real_ = nullptr, *named_ = nullptr;
};

}  // namespace intertwine::app
