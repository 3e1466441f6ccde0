// Every error the library throws. The message names the function or the place, the value, and the way out.
#pragma once
#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace intertwine {

/// Base of all errors thrown by the library; `what()` is one sentence for people.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
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

/// The answer would exceed a stated limit of memory, time or size; the message gives the number and the
/// option.
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
