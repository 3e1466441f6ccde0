// The module, the errors, and work under limits.
#include <fmt/format.h>

#include <cmath>
#include <ctime>
#include <limits>
#include <new>
#include <typeinfo>

#include "bindings.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact/faults.hpp"
#include "intertwine/io/row_name.hpp"
#include "intertwine/machine.hpp"
#include "intertwine/version.hpp"

namespace intertwine::python {

namespace {

using Clock = std::chrono::steady_clock;

/// A class of intertwine/_errors.py, kept for the life of the process.
PyObject* error_class(const char* name) {
  return nb::object(nb::module_::import_("intertwine._errors").attr(name)).release().ptr();
}

/// How the arguments of Python mend an error of the library.
std::string_view argument_for(Remedy remedy) {
  switch (remedy) {
    case Remedy::memory:
      return "; raise limits(memory=...)";
    case Remedy::disk:
      return "; raise limits(disk=...)";
    case Remedy::time:
      return "; raise limits(seconds=...)";
    case Remedy::tolerance:
      return " (tolerance=)";
    case Remedy::cluster:
      return " (cluster=True)";
    case Remedy::field:
      return " (over=)";
    case Remedy::proof:
      return " (proof=True)";
    case Remedy::none:
    case Remedy::embedding:
    case Remedy::matrix:
    case Remedy::single_table:
    case Remedy::exact:
    case Remedy::method:
      return "";
  }
  return "";
}

/// Messages may have names of files that are no UTF-8.
nb::object text_of(const std::string& message) {
  return nb::steal(PyUnicode_DecodeUTF8(message.data(), static_cast<Py_ssize_t>(message.size()), "replace"));
}

void raise(const char* name, const Error& e) {
  PyErr_SetObject(error_class(name), text_of(std::string(e.what()).append(argument_for(e.remedy()))).ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const ParseError& e) {
    const nb::object arguments = nb::make_tuple(text_of(e.what()), text_of(e.text()), e.position());
    PyErr_SetObject(error_class("ParseError"), arguments.ptr());
  } catch (const NoSuchProperty& e) {
    raise("_NoSuchProperty", e);
  } catch (const DomainError& e) {
    raise("DomainError", e);
  } catch (const FileError& e) {
    raise("FileError", e);
  } catch (const LimitError& e) {
    raise("LimitError", e);
  } catch (const VerificationError& e) {
    raise("VerificationError", e);
  } catch (const Interrupted&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const InternalError& e) {
    raise("InternalError", e);
  } catch (const Error& e) {
    raise("Error", e);
  } catch (const std::bad_alloc&) {
    PyErr_SetString(PyExc_MemoryError, "there is not enough memory for this; limits(memory=...) stops earlier");
  } catch (const std::bad_cast&) {  // of a state that no value of the class had
    PyErr_SetString(PyExc_TypeError, "a part of the argument, or of a pickled state, has a type that does not fit");
  }
}

}  // namespace

/// A block `with limits(...)`. The blocks that are entered are a value of a ContextVar, which threads and tasks of asyncio have each
/// for themselves. It owns what it holds, and a block that was left, or whose object is gone, holds nowhere: a generator may be ended by another
/// thread than the one that entered its block.
class LimitsBlock {
 public:
  explicit LimitsBlock(Limits limits) : limits_(std::move(limits)) {}
  LimitsBlock(const LimitsBlock&) = delete;
  LimitsBlock& operator=(const LimitsBlock&) = delete;
  ~LimitsBlock() {
    for (const auto& entry : entered_) entry->left = true;
  }
  void enter();
  void leave();

  struct Entry {
    Limits limits;
    Clock::time_point end;  ///< the largest one if there is none
    bool left = false;
  };
  using Entries = std::vector<std::shared_ptr<Entry>>;
  /// The entries of this context, the innermost one last.
  static Entries active();

 private:
  static inline bool any_entered = false;  ///< under the interpreter's lock
  static nb::object variable();
  static void set_active(Entries entries);
  Limits limits_;
  Entries entered_;
};

nb::object LimitsBlock::variable() {
  static PyObject* const kept =
      nb::module_::import_("contextvars").attr("ContextVar")("intertwine.limits").release().ptr();
  return nb::borrow(kept);
}

LimitsBlock::Entries LimitsBlock::active() {
  if (!any_entered) return {};  // most programs know no blocks, and calls may be short
  static PyObject* const get = nb::object(variable().attr("get")).release().ptr();
  static PyObject* const none = nb::make_tuple(nb::none()).release().ptr();  // where nothing was set
  const nb::object found = nb::steal(PyObject_Call(get, none, nullptr));
  if (!found.is_valid()) throw nb::python_error();
  if (found.is_none()) return {};
  Entries entries = *static_cast<const Entries*>(nb::cast<nb::capsule>(found).data());
  std::erase_if(entries, [](const auto& entry) { return entry->left; });
  return entries;
}

void LimitsBlock::set_active(Entries entries) {
  const nb::object value =
      entries.empty() ? nb::none() : nb::object(nb::capsule(new Entries(std::move(entries)), [](void* held) noexcept {
        delete static_cast<Entries*>(held);
      }));
  variable().attr("set")(value);
}

struct Limits::Watch {
  std::uint64_t memory = 0;
  std::optional<std::uint64_t> disk;
  double seconds = 0;
  std::optional<double> block;  ///< the grant of the block that ends first, where it ends before the call's own limit
  unsigned threads = 1;
  nb::object progress;   ///< none: null
  bool own_bar = false;  ///< it is ours and wants to be closed
  std::optional<nb::python_error> raised;
  std::uint64_t before = 0;                          ///< resident bytes when the work began
  Clock::time_point end = Clock::time_point::max();  ///< the end of the time
  bool exhausted = false;
  bool by_default = false;                                    ///< the memory: nobody stated a bound
  Clock::time_point looks_from = Clock::time_point::min();    ///< when the process is looked at first
  Clock::time_point next_signals = Clock::time_point::min();  ///< when Python is asked again

  ~Watch() {
    if (!raised && !progress.is_valid()) return;
    if (Py_IsInitialized() == 0) {  // too late to give anything back
      new nb::object(std::move(progress));
      if (raised) new nb::python_error(std::move(*raised));
      raised.reset();
      return;
    }
    const nb::gil_scoped_acquire locked;
    raised.reset();
    progress.reset();
  }
  bool too_large() {
    exhausted = exhausted || (memory != 0 && resident_memory() > before + std::min(memory, ~before));
    return exhausted;
  }
  /// Memory that was not asked for is bounded, in the process as a whole, for the machine's sake, and is quickly seen.
  /// The interpreter's lock may have to be waited for as long as other threads of Python keep it, so signals are looked
  /// for less often.
  bool stops() {
    const auto now = Clock::now();
    if (by_default && looks_from == Clock::time_point::min())  // short calls take no memory worth a look
      looks_from = now + std::chrono::milliseconds(20);
    if (now >= looks_from && too_large()) return true;
    if (now < next_signals) return false;
    const nb::gil_scoped_acquire locked;
    next_signals = now + std::chrono::milliseconds(50);
    if (raised) return true;
    if (PyErr_CheckSignals() == 0) return false;  // does nothing outside of the main thread
    raised.emplace();
    return true;
  }
};

namespace {

/// A number of bytes, or a text; nothing for None.
std::optional<std::uint64_t> bytes_given(const char* name, const nb::object& given) {
  if (given.is_none()) return {};
  if (nb::isinstance<nb::str>(given)) return parse_bytes(nb::cast<std::string>(given));
  const auto bytes = as_integer(given);
  if (!bytes || *bytes <= 0)
    throw DomainError(fmt::format("{} is a positive number of bytes or a text such as '800M' or '1.5GiB', not {}", name,
                                  nb::cast<std::string>(nb::repr(given))));
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return *bytes > most ? most : static_cast<std::uint64_t>(*bytes);
}

/// The free memory of the machine and that of the process, looked up some times a second at most, under the
/// interpreter's lock: calls may be short.
struct FreeMemory {
  std::uint64_t bound, resident;
};
FreeMemory free_memory_lately() {
#ifdef CLOCK_MONOTONIC_COARSE
  constexpr clockid_t clock = CLOCK_MONOTONIC_COARSE;
#else
  constexpr clockid_t clock = CLOCK_MONOTONIC;
#endif
  static std::int64_t next = 0;
  static FreeMemory known{0, 0};
  timespec now{};
  ::clock_gettime(clock, &now);
  if (const std::int64_t tenths = 10 * now.tv_sec + now.tv_nsec / 100'000'000; tenths >= next) {
    known = {default_memory(), resident_memory()};
    next = tenths + 1;
  }
  return known;
}

Clock::time_point end_in(std::optional<double> seconds) {
  if (!seconds || *seconds > 1e9) return Clock::time_point::max();
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(*seconds));
}

}  // namespace

Limits::Limits(const Typed<MemoryTag>& memory, const Typed<SecondsTag>& seconds, const Typed<ProgressTag>& progress,
               const Typed<ThreadsTag>& threads, const Typed<MemoryTag>& disk)
    : memory_(bytes_given("memory", memory.object).value_or(0)), disk_(bytes_given("disk", disk.object)) {
  if (!seconds.object.is_none()) {
    const double s = PyFloat_AsDouble(seconds.object.ptr());
    if (s == -1.0 && PyErr_Occurred()) throw nb::python_error();
    if (!(s > 0))
      throw DomainError("seconds is a positive number, not " + nb::cast<std::string>(nb::repr(seconds.object)));
    seconds_ = s;
  }
  if (!progress.object.is_none()) progress_ = progress.object;
  if (!threads.object.is_none()) {
    constexpr int most = 1 << 16;
    const auto count = as_integer(threads.object);
    if (!count || *count < 1 || *count > most)
      throw DomainError("threads is a number from 1 to 65536, not " + nb::cast<std::string>(nb::repr(threads.object)));
    threads_ = static_cast<unsigned>(*count);
  }
}

void LimitsBlock::enter() {
  any_entered = true;
  Entries entries = active();
  entries.push_back(std::make_shared<Entry>(Entry{limits_, end_in(limits_.seconds_)}));
  entered_.push_back(entries.back());
  set_active(std::move(entries));
}

void LimitsBlock::leave() {
  if (entered_.empty()) return;
  entered_.back()->left = true;
  entered_.pop_back();
  set_active(active());
}

std::shared_ptr<Limits::Watch> Limits::start() const {
  auto watch = std::make_shared<Watch>();
  const auto tighten = [&](std::uint64_t memory) {
    if (memory != 0) watch->memory = watch->memory == 0 ? memory : std::min(watch->memory, memory);
  };
  tighten(memory_);
  watch->disk = disk_;
  const nb::object* progress = progress_ ? &*progress_ : nullptr;
  std::optional<double> seconds = seconds_;
  std::optional<unsigned> threads = threads_;
  const LimitsBlock::Entries blocks = LimitsBlock::active();
  for (std::size_t k = blocks.size(); k-- > 0;) {
    const Limits& outer = blocks[k]->limits;
    tighten(outer.memory_);
    if (outer.disk_) watch->disk = std::min(watch->disk.value_or(*outer.disk_), *outer.disk_);
    if (!progress && outer.progress_) progress = &*outer.progress_;
    if (!threads) threads = outer.threads_;
    if (blocks[k]->end == Clock::time_point::max()) continue;
    const double left = std::chrono::duration<double>(blocks[k]->end - Clock::now()).count();
    if (!seconds || left < *seconds) watch->block = outer.seconds_;
    if (left <= 0) throw LimitError("the time limit of this block was reached", Remedy::time);
    seconds = seconds ? std::min(*seconds, left) : left;
  }
  watch->seconds = seconds.value_or(0);
  if (seconds) watch->end = end_in(seconds);
  watch->threads = threads.value_or(1);
  if (watch->memory != 0) {
    watch->before = resident_memory();
  } else {
    const FreeMemory free = free_memory_lately();
    watch->memory = free.bound, watch->before = free.resident, watch->by_default = true;
  }
  if (progress && !progress->is(Py_False)) {
    watch->own_bar = progress->is(Py_True);
    watch->progress = watch->own_bar ? nb::module_::import_("intertwine._progress").attr("Bar")() : *progress;
  }
  return watch;
}

Task Limits::task_of(const std::shared_ptr<Watch>& watch) {
  Task::Progress progress;
  if (watch->progress.is_valid())
    progress = [watch](std::string_view phase, std::uint64_t done, std::uint64_t total) {
      const nb::gil_scoped_acquire locked;
      if (watch->raised) return;
      try {
        watch->progress(nb::str(phase.data(), phase.size()), done, total);
      } catch (nb::python_error& e) {
        watch->raised.emplace(std::move(e));
      }
    };
  return Task(
      watch->memory, watch->seconds, std::move(progress), [watch] { return watch->stops(); }, watch->threads);
}

namespace {

/// Is a LimitError of a time limit on its way?
bool stopped_by_limit() {
  try {
    throw;
  } catch (const LimitError& e) {
    return e.remedy() == Remedy::time;
  } catch (...) {
    return false;
  }
}

}  // namespace

std::optional<std::uint64_t> Limits::disk_of(const Watch& watch) { return watch.disk; }

void Limits::finish(Watch& watch) {
  if (watch.own_bar) watch.progress.attr("close")();
  watch.progress.reset();
  const bool answered = std::current_exception() == nullptr;  // work that looks at no task is judged when it is done
  // In a block the time that was left is nobody's limit: the message has the one that was stated.
  const auto now = Clock::now();
  if (now > watch.end && (answered || (watch.block && stopped_by_limit())))
    throw LimitError(fmt::format("the time limit of {} s was reached", watch.block.value_or(watch.seconds)),
                     Remedy::time);
  const bool looks = !watch.by_default || (watch.looks_from != Clock::time_point::min() && now >= watch.looks_from);
  if (answered ? looks && watch.too_large() : watch.exhausted)
    throw LimitError("the work takes more memory than the limit of " + format_bytes(watch.memory), Remedy::memory);
  if (!watch.raised) return;
  nb::python_error raised = std::move(*watch.raised);
  watch.raised.reset();
  throw raised;
}

std::string quoted(const std::string& text) {
  return nb::cast<std::string>(nb::repr(nb::str(text.c_str(), text.size())));
}

std::size_t row_given(const CharacterTable& table, const RowLike& row) {
  if (const auto* place = std::get_if<std::int64_t>(&row)) return index_below(*place, table.size());
  const std::string& name = std::get<std::string>(row);
  if (const auto found = row_named(table, name)) return *found;
  throw DomainError("no irreducible representation of " + table.group().name() + " is called '" + name +
                    "'; they are " + names_of_rows(table) + ", and have the places 0 to " +
                    std::to_string(table.size() - 1));
}

std::size_t index_below(std::int64_t i, std::size_t size) {
  const std::int64_t k = i < 0 ? i + static_cast<std::int64_t>(size) : i;
  if (k < 0 || static_cast<std::size_t>(k) >= size)
    throw nb::index_error(("index " + std::to_string(i) + " of " + std::to_string(size) + " (0-based)").c_str());
  return static_cast<std::size_t>(k);
}

void bind_errors(nb::module_& m) {
  nb::register_exception_translator(translate);
  nb::class_<LimitsBlock> limits(
      m, "limits", nb::is_final(),
      "Limits for the work in a block: `with limits(memory=\"2GiB\", seconds=10, progress=True): ...`.\n\n"
      "memory: bytes that one piece of work may use at once, a number or a text such as \"800M\". What it "
      "asks for is compared, "
      "and how much\n"
      "the whole process has grown since the work began, other threads included.\n"
      "seconds: wall-clock time for the whole block.\n"
      "progress: True for a bar on the standard error stream, or a function of (phase, done, total), called "
      "at most ten\n"
      "times a second; total is 0 where it is not known.\n"
      "threads: how many the work may use, 1 if nothing says more; answers do not depend on it.\n"
      "disk: bytes that the files of one call may take together; without it what their file systems have "
      "free."
      "\n\n"
      "What would exceed a limit raises LimitError. Without a limit of memory work may use three quarters of "
      "what is free when it\n"
      "begins. Blocks nest, the tightest limit holds, and they concern the thread or the task of asyncio "
      "that "
      "entered them (a\n"
      "contextvars.ContextVar holds them); of progress and threads the innermost holds. Methods that may "
      "take "
      "long have memory,\n"
      "seconds, progress and threads as keywords.");
  limits.def(
      "__init__",
      [](LimitsBlock* self, const Typed<MemoryTag>& memory, const Typed<SecondsTag>& seconds,
         const Typed<ProgressTag>& progress, const Typed<ThreadsTag>& threads,
         const Typed<MemoryTag>& disk) { new (self) LimitsBlock(Limits(memory, seconds, progress, threads, disk)); },
      nb::kw_only(), nb::arg("memory") = nb::none(), nb::arg("seconds") = nb::none(), nb::arg("progress") = nb::none(),
      nb::arg("threads") = nb::none(), nb::arg("disk") = nb::none());
  limits.def(
      "__enter__",
      [](nb::handle self) {
        nb::inst_ptr<LimitsBlock>(self)->enter();
        return nb::borrow(self);
      },
      nb::sig("def __enter__(self) -> limits"));
  limits.def(
      "__exit__", [](LimitsBlock& self, nb::handle, nb::handle, nb::handle) { self.leave(); }, nb::arg("type").none(),
      nb::arg("value").none(), nb::arg("traceback").none(),
      nb::sig("def __exit__(self, type: type[BaseException] | None, value: BaseException | None, traceback: "
              "types.TracebackType | None, /) -> None"));
}

}  // namespace intertwine::python

NB_MODULE(_core, m) {
  using namespace intertwine::python;
  m.doc() = "The bindings of the library; import intertwine instead.";
  nanobind::set_leak_warnings(false);  // NumPy and PyTorch keep what they were given past the end of the interpreter
  m.attr("VERSION") = INTERTWINE_VERSION;
  intertwine::throw_faults_of_libraries();
  bind_errors(m);
  bind_exact(m);
  bind_matrices(m);
  bind_combinatorics(m);
  bind_symmetric_functions(m);
  bind_groups(m);
  bind_conjugacy_classes(m);
  bind_automorphisms(m);
  bind_space_groups(m);
  bind_characters(m);
  bind_representations(m);
  bind_group_representations(m);
  bind_decompositions(m);
  bind_orthonormal_bases(m);
  bind_equivariant(m);
  bind_kernels(m);
  bind_gl(m);
  bind_lie();
  bind_ring(m);
  bind_tables(m);
  bind_continuous(m);
  bind_polynomials(m);
  bind_molien(m);
  bind_couplings(m);
  bind_physics(m);
  bind_tensor_forms(m);
  bind_crystals(m);
  bind_sdp(m);
  bind_numeric(m);
  bind_xla(m);
}
