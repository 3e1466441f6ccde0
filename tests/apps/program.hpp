// Runs the program, in this process or as a shell does, and keeps what it wrote.
#pragma once
#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace test_apps {

/// A new folder under the system's temporary one, removed at the end of the scope.
class Folder {
 public:
  Folder();
  ~Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const std::filesystem::path& path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }
  std::vector<std::string> names() const;  ///< of what is in it, hidden files too, sorted

 private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path& path);
void write(const std::filesystem::path& path, const std::string& contents);

/// How a run ended: its exit status (128 + signal if a signal killed it) and its streams.
struct Run {
  int status;
  std::string out, err;
};

/// A run that is under way.
class Process {
 public:
  /// \param in_child  called before the program is started, for limits and streams; may be empty
  Process(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
          const std::function<void()>& in_child = {});
  ~Process();
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;

  /// Waits until `condition` holds; false if the program ended before, or after a minute.
  bool wait_until(const std::function<bool()>& condition);
  void signal(int number) const;
  /// Is it writing a file into this folder, without a name or with one that ends on .part?
  bool writes_into(const Folder& folder) const;
  std::string err_so_far() const;
  Run finish();

 private:
  Folder streams_;
  pid_t pid_;
  int status_ = 0;
  bool ended_ = false;
};

/// Runs the program in `directory` (the current one if empty) to its end: in this process, as C++ calls it.
Run run(const std::vector<std::string>& arguments, const std::filesystem::path& directory = {});

/// The same in a process of its own; for what a process has: limits, signals, streams that close.
Run run_process(const std::vector<std::string>& arguments, const std::filesystem::path& directory = {},
                const std::function<void()>& in_child = {});

/// Runs a line of shell in `directory`, the program being `intertwine` in PATH.
Run run_shell(const std::string& line, const std::filesystem::path& directory);

/// What a line `intertwine ...` writes, stdout and stderr together, and its status: in this process where the line is one
/// command whose words a shell would not change, otherwise by a shell. (`err` is empty.)
Run run_line(const std::string& line, const std::filesystem::path& directory);

}  // namespace test_apps
