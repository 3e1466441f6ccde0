#include "apps/program.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "run_program.hpp"

namespace test_apps {

namespace {

void redirect(int descriptor, const std::string& file) {
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (opened < 0 || ::dup2(opened, descriptor) < 0) std::_Exit(126);
  ::close(opened);
}

[[noreturn]] void become(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  ::execv(argv[0], argv.data());
  std::_Exit(127);
}

/// The current directory, for a scope.
class WorkingIn {
 public:
  explicit WorkingIn(const std::filesystem::path& directory) : before_(std::filesystem::current_path()) {
    if (!directory.empty()) std::filesystem::current_path(directory);
  }
  ~WorkingIn() {
    std::error_code ignored;
    std::filesystem::current_path(before_, ignored);
  }
  WorkingIn(const WorkingIn&) = delete;
  WorkingIn& operator=(const WorkingIn&) = delete;

 private:
  std::filesystem::path before_;
};

/// The words of a line of shell, or nothing if it holds more than words and quotes.
std::optional<std::vector<std::string>> words_of(const std::string& line) {
  std::vector<std::string> words;
  bool in_word = false;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'' || c == '"') {
      const std::size_t end = line.find(c, at + 1);
      if (end == std::string::npos) return std::nullopt;
      const std::string quoted = line.substr(at + 1, end - at - 1);
      if (c == '"' && quoted.find_first_of("$`\\") != std::string::npos) return std::nullopt;
      words.back() += quoted;
      at = end;
    } else if (std::string_view("$`\\|&;<>()*?[]#~{}!\n\t").find(c) != std::string::npos) {
      return std::nullopt;
    } else {
      words.back() += c;
    }
  }
  return words;
}

int shell_status(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status); }

}  // namespace

Folder::Folder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "intertwine-app-XXXXXX").string();
  if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
  path_ = pattern;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

std::vector<std::string> Folder::names() const {
  std::vector<std::string> result;
  for (const auto& entry : std::filesystem::directory_iterator(path_))
    result.push_back(entry.path().filename().string());
  std::sort(result.begin(), result.end());
  return result;
}

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

void write(const std::filesystem::path& path, const std::string& contents) {
  std::ofstream(path, std::ios::binary) << contents;
}

Process::Process(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                 const std::function<void()>& in_child) {
  std::vector<std::string> command = {INTERTWINE_PROGRAM};
  if (!arguments.empty() && arguments.front().starts_with('/')) command.clear();
  command.insert(command.end(), arguments.begin(), arguments.end());
  pid_ = ::fork();
  if (pid_ < 0) throw std::runtime_error("cannot start a process");
  if (pid_ != 0) return;
  redirect(STDOUT_FILENO, streams_.file("out"));
  redirect(STDERR_FILENO, streams_.file("err"));
  if (!directory.empty() && ::chdir(directory.c_str()) != 0) std::_Exit(126);
  if (in_child) in_child();
  become(command);
}

Process::~Process() {
  if (ended_) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, &status_, 0);
}

bool Process::wait_until(const std::function<bool()>& condition) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (std::chrono::steady_clock::now() < end) {
    if (condition()) return true;
    if (::waitpid(pid_, &status_, WNOHANG) == pid_) {
      ended_ = true;
      return condition();
    }
    std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
  return false;
}

void Process::signal(int number) const {
  if (!ended_) ::kill(pid_, number);
}

bool Process::writes_into(const Folder& folder) const {
  for (const std::string& name : folder.names())
    if (name.ends_with(".part")) return true;
  std::error_code gone;  // descriptors come and go
  const std::filesystem::path open = "/proc/" + std::to_string(pid_) + "/fd";
  for (std::filesystem::directory_iterator at(open, gone), end; !gone && at != end; at.increment(gone))
    if (std::filesystem::read_symlink(at->path(), gone).string().starts_with(folder.path().string() + "/")) return true;
  return false;
}

std::string Process::err_so_far() const { return contents(streams_.file("err")); }

Run Process::finish() {
  if (!ended_) ::waitpid(pid_, &status_, 0);
  ended_ = true;
  return {shell_status(status_), contents(streams_.file("out")), contents(streams_.file("err"))};
}

Run run(const std::vector<std::string>& arguments, const std::filesystem::path& directory) {
  const WorkingIn there(directory);
  std::ostringstream out, err;
  const int status = intertwine::app::run_program(arguments, out, err);
  return {status, out.str(), err.str()};
}

Run run_process(const std::vector<std::string>& arguments, const std::filesystem::path& directory,
                const std::function<void()>& in_child) {
  return Process(arguments, directory, in_child).finish();
}

Run run_shell(const std::string& line, const std::filesystem::path& directory) {
  const Folder bin;
  std::filesystem::create_symlink(INTERTWINE_PROGRAM, bin.path() / "intertwine");
  const char* path = std::getenv("PATH");
  const std::string full = bin.path().string() + ":" + (path ? path : "/usr/bin:/bin");
  return run_process({"/bin/sh", "-c", line}, directory, [&] { ::setenv("PATH", full.c_str(), 1); });
}

Run run_line(const std::string& line, const std::filesystem::path& directory) {
  const auto words = words_of(line);
  if (!words || words->empty() || words->front() != "intertwine") return run_shell("exec 2>&1; " + line, directory);
  const WorkingIn there(directory);
  std::ostringstream all;
  const int status = intertwine::app::run_program(std::span(*words).subspan(1), all, all);
  return {status, all.str(), {}};
}

}  // namespace test_apps
