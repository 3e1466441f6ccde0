// Files to try commands with: those that the examples of help name.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace intertwine::app {

/// A temporary folder with water.xyz, petersen.g6, layer.safetensors (S4 on points), x.npy (2 x 4) and w.npy (4 x 4), removed at the end of the scope.
class Samples {
 public:
  /// \throws FileError
  Samples();
  ~Samples();
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  /// The words of a command with the files in this folder.
  std::vector<std::string> placed(std::vector<std::string> words) const;
  /// The text that the command printed, without the folder.
  std::string shown(std::string text) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace intertwine::app
