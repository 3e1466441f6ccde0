// Every error the library throws. The message names the function or the place, the value, and the way out; how an
// argument is given is known to whoever reports the error.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace intertwine {

/// The argument that could be another one, so that an answer is found after all. The program reports it as an
/// option, Python as a keyword.
enum class Remedy {
  none,
  memory,        ///< a larger limit of memory
  disk,          ///< a larger limit of bytes written
  time,          ///< a larger limit of seconds
  embedding,     ///< the restriction of the vector representation to a finite group
  matrix,        ///< the matrix that restricts weights
  tolerance,     ///< how far measured points may lie from exact ones
  cluster,       ///< the atoms of a cell, read as a cluster
  single_table,  ///< one table in place of blocks
  field,         ///< the field that a representation is decomposed over
  proof,         ///< a proof written into the file
  exact,         ///< exact numbers in place of doubles
  method         ///< the algorithm, chosen by the library
};

/// Base of all errors thrown by the library; `what()` is one sentence for people.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message, Remedy remedy = Remedy::none)
      : std::runtime_error(message), remedy_(remedy) {}
  Remedy remedy() const noexcept { return remedy_; }

 private:
  Remedy remedy_;
};

/// An argument lies outside the mathematics: a non-bijection, a degree mismatch, images that are no
/// homomorphism.
class DomainError : public Error {
 public:
  using Error::Error;
};

/// Text that does not parse. `text()` is the whole input and `position()` the 0-based byte the message points
/// at.
class ParseError : public Error {
 public:
  ParseError(const std::string& message, std::string text, std::size_t position)
      : Error(message), text_(std::move(text)), position_(position) {}
  const std::string& text() const { return text_; }
  std::size_t position() const { return position_; }

 private:
  std::string text_;
  std::size_t position_;
};

/// A file that cannot be read or written, or whose contents are damaged, hostile or inconsistent.
class FileError : public Error {
 public:
  using Error::Error;
};

/// The answer would exceed a stated limit of memory, time or size; the message gives the numbers, the
/// remedy says which limit it is.
class LimitError : public Error {
 public:
  using Error::Error;
};

/// The user asked to stop (Ctrl-C).
class Interrupted : public Error {
 public:
  using Error::Error;
};

/// A claim was checked and found false.
class VerificationError : public Error {
 public:
  using Error::Error;
};

/// A self-check failed: a fault of this library.
class InternalError : public Error {
 public:
  using Error::Error;
};

}  // namespace intertwine
