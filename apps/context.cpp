#include "context.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iostream>

#include "intertwine/error.hpp"
#include "intertwine/random.hpp"
#include "intertwine/version.hpp"

namespace intertwine::app {

namespace {

const Task* running = nullptr;
bool bar_shown = false;

void on_interrupt(int) {
  if (running) running->cancel();
}

void draw_bar(std::string_view phase, std::uint64_t done, std::uint64_t total) {
  std::string line;
  if (total == 0) {
    line = fmt::format("{} {}", phase, done);
  } else {
    const auto filled =
        static_cast<std::size_t>(30.0 * static_cast<double>(done) / static_cast<double>(total));
    line = fmt::format("{:<24} [{}{}] {:3.0f}%", phase, std::string(filled, '#'),
                       std::string(30 - std::min<std::size_t>(filled, 30), ' '),
                       100.0 * static_cast<double>(done) / static_cast<double>(total));
  }
  std::cerr << '\r' << line << "\x1b[K" << std::flush;
  bar_shown = true;
}

std::uint64_t default_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(size) / 4 * 3
                               : 0;
}

}  // namespace

void Context::start() {
  if (progress != "auto" && progress != "always" && progress != "never")
    throw ParseError("--progress takes auto, always or never", progress, 0);
  if (seed_given) default_seed.store(seed);
  const bool bar = !quiet && (progress == "always" || (progress == "auto" && isatty(STDERR_FILENO) != 0));
  task = Task(max_memory.empty() ? default_memory() : parse_bytes(max_memory), time_limit,
              bar ? Task::Progress(draw_bar) : Task::Progress());
  running = &task;
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

void Context::finish_progress() const {
  if (bar_shown) std::cerr << "\r\x1b[K" << std::flush;
  bar_shown = false;
}

Json answer(const std::string& command) { return {{"intertwine", INTERTWINE_VERSION}, {"command", command}}; }

std::string format_seconds(double seconds) {
  if (seconds < 1e-3) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 1) return fmt::format("{:.1f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

void print(const Json& json) { std::cout << json.dump(2) << '\n'; }

bool colour_terminal() { return isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr; }

unsigned terminal_width() {
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20) return size.ws_col;
  return 80;
}

std::uint64_t parse_bytes(const std::string& text) {
  std::size_t digits = 0;
  double value = 0;
  try {
    value = std::stod(text, &digits);
  } catch (const std::exception&) {
    digits = 0;
  }
  std::string unit = text.substr(digits);
  if (!unit.empty() && (unit.back() == 'B' || unit.back() == 'b')) unit.pop_back();
  if (!unit.empty() && (unit.back() == 'i' || unit.back() == 'I')) unit.pop_back();
  const std::string units = "KMGT";
  double scale = 1;
  if (unit.size() == 1 && units.find(static_cast<char>(std::toupper(unit[0]))) != std::string::npos)
    scale = std::pow(1024.0, static_cast<double>(units.find(static_cast<char>(std::toupper(unit[0]))) + 1));
  else if (!unit.empty())
    digits = 0;
  if (digits == 0 || !(value > 0) || value * scale > 9e18)
    throw ParseError("--max-memory takes a size such as 800M or 1.5GiB", text, 0);
  return static_cast<std::uint64_t>(value * scale);
}

}  // namespace intertwine::app
