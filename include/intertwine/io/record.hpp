// An answer as a record: its fields, its text, its formulas, its tables and its arrays, each made when a writer asks
// for it. The writers of all formats take records; `record` of records.hpp makes one of every answer.
#pragma once
#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <utility>

#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/format.hpp"
#include "intertwine/io/json_writer.hpp"
#include "intertwine/io/sheet.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// An answer that a record speaks of. An answer of the caller must live as long as the record; one that is given away
/// is the record's own.
template <class Answer>
class Kept {
 public:
  Kept(const Answer& answer)  // NOLINT(google-explicit-constructor)
      : answer_(std::shared_ptr<const Answer>(), &answer) {}
  Kept(Answer&& answer)  // NOLINT(google-explicit-constructor)
      : answer_(std::make_shared<const Answer>(std::move(answer))) {}
  Kept(const Answer&&) = delete;
  /// A part of an answer, which lives as long as the whole.
  template <class Whole>
  Kept(const Kept<Whole>& whole, const Answer& part) : answer_(whole.answer_, &part) {}
  const Answer& operator*() const { return *answer_; }
  const Answer* operator->() const { return answer_.get(); }

 private:
  template <class>
  friend class Kept;
  std::shared_ptr<const Answer> answer_;
};

/// What an answer gives of itself. A part that is empty is made of another where a writer says so, and refused
/// otherwise.
struct Record {
  /// The members of a JSON object. The call does all that can fail; the piece writes.
  std::function<JsonPiece(const Task&)> fields = {};
  /// Lines for people of at most `width` columns; 0: a file, whose lines are as wide as they get.
  std::function<std::string(unsigned width, const Task&)> text = {};
  /// Displayed formulas for LaTeX; empty: the tables.
  std::function<std::string(const Task&)> latex = {};
  /// Tables.
  std::function<Sheets(const Task&)> sheets = {};
  /// The lines of CSV one by one, for a table that is too large to be held; empty: the tables.
  std::function<void(std::ostream&, const Task&)> csv = {};
  /// An expression of GAP, Sage or Magma; empty: the tables.
  std::function<std::string(Format, const Task&)> expression = {};
  /// Arrays of numbers.
  std::function<AnswerArrays(const Task&)> arrays = {};
  /// A file whose theorems Lean proves.
  std::function<std::string(const Task&)> lean = {};
};

/// Writes the record in this format: JSON is one object without a newline at the end, of which a piece is held at a
/// time; npy and npz are bytes; GAP, Sage and Magma are a statement.
/// \throws DomainError for tables of an answer that is none; LimitError through `task`, and what the parts refuse
void write(std::ostream& out, const Record& record, Format format, unsigned width = 80, const Task& task = {});
/// The text that write() sends to its stream.
std::string in_format(const Record& record, Format format, unsigned width = 80, const Task& task = {});

std::string to_text(const Record& record, unsigned width = 80, const Task& task = {});
std::string to_json(const Record& record, const Task& task = {});
std::string to_latex(const Record& record, const Task& task = {});
/// The expression alone, which is no statement yet.
std::string to_system(Format system, const Record& record, const Task& task = {});

}  // namespace intertwine
