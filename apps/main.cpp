// Starts the program.
#include <iostream>
#include <vector>

#include "run_program.hpp"

int main(int argc, char** argv) {
  intertwine::app::prepare_process();
  const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
  return intertwine::app::run_program(arguments, std::cout, std::cerr);
}
