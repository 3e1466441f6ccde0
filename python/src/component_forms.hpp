// Entries of symbolic matrices, for force constants and tensor properties.
#pragma once
#include <string>
#include <vector>

#include "intertwine/physics/component_form.hpp"
#include "intertwine/task.hpp"

namespace intertwine::python {

inline std::vector<std::vector<std::string>> entries_of(const ComponentForm& form, const Task& task = {}) {
  std::vector<std::vector<std::string>> rows(form.rows);
  for (std::size_t i = 0; i < form.rows; ++i)
    for (std::size_t j = 0; j < form.cols; ++j) task.poll(), rows[i].push_back(form.entry(i, j));
  return rows;
}

}  // namespace intertwine::python
