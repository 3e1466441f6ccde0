// Semidefinite programs in SDPA-sparse files (.dat-s).
#pragma once
#include <filesystem>
#include <string>

#include "intertwine/sdp/semidefinite_problem.hpp"
#include "intertwine/sdp/symmetry_reduction.hpp"
#include "intertwine/task.hpp"

namespace intertwine {

/// Reads a problem in the sparse format of SDPA: comments, the number m of constraints, the number of blocks, their sizes (negative: diagonal), the numbers b,
/// and lines "MATRIX BLOCK ROW COLUMN VALUE", counted from 1; matrix 0 is F_0 = -C, matrix i is A_i. Decimals are taken as the exact rationals that they write;
/// p/q is read as well. The file is treated as hostile. \throws FileError naming the line
sdp::Problem read_sdpa(const std::filesystem::path& path, const Task& task = {});
sdp::Problem parse_sdpa(const std::string& text, const std::string& name, const Task& task = {});
/// A file that read_sdpa reads, numbers in 17 digits. \param comment  its first line
std::string to_sdpa(const sdp::ReducedProblem& problem, const std::string& comment);
/// Writes exact numbers: decimals where they are finite, otherwise 17 digits.
std::string to_sdpa(const sdp::Problem& problem, const std::string& comment);

}  // namespace intertwine
