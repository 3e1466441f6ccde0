// Semidefinite programs in files of modelling tools: CBF, as MOSEK and CBLIB have it, and MOF, the JSON of JuMP.
// SDPA-sparse
// files are those of sdpa_file.hpp.
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/sdp/model.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

enum class ModelFormat { sdpa, cbf, mof };

/// By the end of the name: .dat-s, .cbf or .mof.json. \throws DomainError naming these
ModelFormat model_format(const std::filesystem::path& path);

/// Reads a model in the format of its name. Decimals are the exact numbers that they write. A free variable is the
/// difference of two that
/// are nonnegative, an inequality has a slack variable, and a matrix of affine forms that is positive semidefinite is
/// a block of its own.
/// The file is treated as hostile. \throws FileError naming the line or the constraint, also for whole numbers and
/// for cones other than
/// linear and semidefinite ones; LimitError through `task`
sdp::Model read_model(const std::filesystem::path& path, const Task& task = {});
sdp::Model parse_cbf(const std::string& text, const std::string& name, const Task& task = {});
sdp::Model parse_mof(const std::string& text, const std::string& name, const Task& task = {});

/// A file that read_model reads; its variables have names of their own. Numbers are decimals where these are short,
/// otherwise of 17 digits.
/// \throws DomainError for a number that no double is near, and for a sense or constant in the format of SDPA, which
/// has neither
std::string to_model_text(const sdp::Problem& problem, bool maximize, const Rational& constant, ModelFormat format,
                          const Task& task = {});

namespace sdp {

/// The reduced problem with every double as the decimal of 17 digits.
Problem to_problem(const ReducedProblem& problem, const Task& task = {});

}  // namespace sdp

}  // namespace intertwine
