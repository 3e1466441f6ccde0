// The inner loops, once for every instruction-set level. No weak symbol may be emitted by the files that define
// them (a linker could keep the AVX-512 copy of an inline function for everybody), so they use raw pointers and
// nothing of the standard library.
#pragma once
#include <cstddef>
#include <cstdint>

#include "intertwine/numeric/instruction_set.hpp"

namespace intertwine::kernels {

/// Columns of a panel: of packed codes, of packed weights and of the right factor of a product.
inline constexpr std::size_t panel = 32;

/// `length` consecutive entries of a row, from column `from`, are added to as many slots from `to`.
struct Run {
  std::uint32_t from, to, length;
};

/// out[i * out_stride + j] = table[codes[i * code_stride + j]], `entries` entries in the table (at most 256), and
/// room as table_room() says: a power of two from 16.
template <class T>
using Expand = void (*)(const std::uint8_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                        const T* table, unsigned entries, T* out, std::size_t out_stride, bool stream);

/// Expand for wider codes and longer tables.
template <class T>
using ExpandWide = void (*)(const std::uint16_t* codes, std::size_t code_stride, std::size_t rows, std::size_t cols,
                            const T* table, T* out, std::size_t out_stride);

/// Sums of the entries of each parameter, minus those of the opposite sign; at most max_bins parameters. 32 lanes (16 above
/// 4 parameters): entry j of a row goes to lane j mod 32; lanes are added in order.
inline constexpr unsigned max_bins = 15;
template <class T, class Sum>
using Bins = void (*)(const std::uint8_t* codes, std::size_t code_stride, const T* data, std::size_t stride,
                      std::size_t rows, std::size_t cols, unsigned params, bool signs, Sum* sums);

template <class T, class Sum>
using AddRuns = void (*)(const Run* runs, std::size_t count, const T* row, Sum* slots);

/// out = [start +] the sum of the rows of x at `places`, minus it if so asked; rows are `stride` apart and `width` numbers wide. Every
/// number is summed in the order of the places.
template <class T>
using OrbitSums = void (*)(const std::uint32_t* places, std::size_t count, const T* x, std::size_t stride,
                           std::size_t width, const T* start, bool minus, T* out);

/// C (rows x cols, at most height x panel) = [C +] A B: A is packed [depth][rows], B [depth][panel]. Every entry
/// is a chain of fused multiply-adds in the order of the depth, so no blocking changes a bit.
template <class T>
using Multiply = void (*)(std::size_t depth, const T* a, const T* b, T* c, std::size_t c_stride, unsigned rows,
                          unsigned cols, bool accumulate);

/// Multiply for few rows, several panels at once: one panel has too few chains to keep the processor busy. Panel p of B
/// begins at b + p * b_stride, its results go to c[p].
template <class T>
using MultiplyFew = void (*)(unsigned rows, std::size_t depth, const T* a, const T* b, std::size_t b_stride,
                             T* const* c, std::size_t c_stride, bool accumulate);

/// The chain of Multiply with the weights looked up. Codes are packed [panels][cols][panel]; the table of input channel
/// c begins at table + c * table_stride; row b of x begins at x + b * x_stride, and has channels * cols entries. Writes
/// `width` <= panels * panel results of each row to y + b * y_stride.
template <class T>
struct LookupCall {
  const std::uint8_t* codes;
  std::size_t panels, cols, channels;
  const T* table;
  std::size_t table_stride;
  unsigned entries;
  const T* x;
  std::size_t x_stride, batch;
  T* y;
  std::size_t y_stride, width;
};

inline constexpr std::size_t longest_vector = 16;  ///< numbers
/// Are butterflies on vectors of `length` numbers done several at once?
inline bool is_short(std::size_t length) { return length % longest_vector != 0; }

/// One stage of the Fourier transforms of many sequences at once: `count` butterflies on vectors of `length` numbers. Input k of
/// butterfly q begins at (q + count k) length; output j = sum_k root^(jk) input_k, times the twiddle of q and j, goes to
/// (radix q + j) length. Complex arrays are two arrays; roots [radix] are pairs (cosine, sine) of exp(-2 pi i ...).
/// Twiddles are such pairs [count][radix]. Those of short vectors are spread out, [radix][cosine, sine][count * length]; then the
/// outputs replace the inputs, and the other arrays are used up.
template <class T>
struct DftStage {
  std::size_t radix, count, length;
  const T *roots, *twiddles;
  T *re, *im, *out_re, *out_im;
};

/// Row i of C is [C +] the sum over k of A[i, k] times row k of B_i: `cols` numbers, of which whole panels of 16 are written. A number of A is at
/// a + i * a_row + k * a_depth, a row of B_i at b + i * b_row + k * b_depth, a row of C at c + i * c_row; b_row is 0 where all B_i are one. Every entry
/// is a chain of fused multiply-adds in the order of the depth.
template <class T>
struct RowProducts {
  std::size_t rows, depth, cols;
  const T* a;
  std::size_t a_row, a_depth;
  const T* b;
  std::size_t b_row, b_depth;
  T* c;
  std::size_t c_row;
  bool accumulate;
};

/// The steps of attention (attention.cpp). Arrays are read and written in whole panels of 16 numbers, except those of
/// `largest`.
template <class T>
struct Attention {
  void (*row_products)(const RowProducts<T>&);
  /// x[k] = exp(x[k] - shift), 0 where a normal number cannot hold it; x may be -infinity, and is not above the shift.
  void (*exponentials)(std::size_t count, T* x, T shift);
  T (*largest)(std::size_t count, const T* x);  ///< count >= 1
  /// x[k] = weight[k] (x[k] - mean)
  void (*weigh)(std::size_t count, const T* weight, T mean, T* x);
};

/// One path of a product along edges (edge_product.cpp), from components of the other end of an edge to those of its
/// centre. The matrix of an edge, A[o, c] = the sum of value y[j] over the couplings, is other_dim x center_dim numbers
/// from `matrix`; of a multiple of the identity one number.
struct EdgeStep {
  std::uint32_t center, center_dim, other, other_dim, weight, matrix;
  bool identity;
};

/// value times component `from` of y, or times number `from` of the matrices.
template <class T>
struct EdgeTerm {
  std::uint32_t from;
  T value;
};

/// Lists of terms, one after the other: list k is terms[first[k]], ..., terms[first[k + 1] - 1].
template <class T>
struct EdgeLists {
  std::size_t count;
  const std::uint32_t* first;
  const EdgeTerm<T>* terms;
};

inline constexpr std::size_t edges_at_once = 16;
inline constexpr std::size_t edges_ahead = 2;  // whose rows are brought into the cache

/// At most edges_at_once edges, and what is wanted of them. `y` and what ends in _along may be null where nothing needs
/// them; so may the results. Rows of nodes are `center_rows` and `other_rows` components of `channels` numbers.
template <class T>
struct EdgeBlock {
  std::size_t count, channels, paths, step_count, components;  ///< paths of w, components of y
  const EdgeStep* steps;
  EdgeLists<T> matrices;        ///< numbers of the matrices, from y
  EdgeLists<T> back;            ///< components of y, from the gradients of the matrices
  const std::uint64_t* edge;    ///< [count + edges_ahead] the rows of y and w, and those to come
  const std::uint64_t* center;  ///< [count] nodes
  const std::uint64_t* other;   ///< [count] nodes
  std::size_t center_rows, other_rows;
  const T *at_center, *at_other, *y, *w;
  const T *center_along, *other_along, *y_along, *w_along;
  T *sums, *d_y, *d_w;  ///< `sums` [nodes, center_rows, channels] is added to
  T* scratch;           ///< edge_scratch() numbers, aligned to 64 bytes
};

/// Numbers of scratch for so many components of y and numbers of matrices.
inline std::size_t edge_scratch(std::size_t components, std::size_t matrices) {
  return edges_at_once * (components + 3 * matrices);
}

/// The work of edge_product.cpp on a block.
template <class T>
struct Edges {
  void (*plain)(const EdgeBlock<T>&);
  void (*along_other)(const EdgeBlock<T>&);   ///< the derivative along `other`, y and w: of `sums` alone
  void (*along_center)(const EdgeBlock<T>&);  ///< the derivative along the centre, y and w
};

/// A monomial that is a factor of others (point_polynomial.cpp): the children of its place in the tree of monomials
/// have one variable more. Its entries come first, then those of its `leaves`, the children without children.
struct PolynomialStep {
  std::uint32_t level,
      variable;               ///< degree of the monomial, and its last variable; at level 0 an output of `values`
  std::uint32_t own, leaves;  ///< entries of the monomial itself, and leaves
  std::uint32_t closes;       ///< of `gradients`: how many levels end after it
  bool first, inner;          ///< of `values`: the first child with children, and whether it has such children
};

/// A child without children: its variable, and how many entries it has.
struct PolynomialLeaf {
  std::uint32_t variable, entries;
};

/// The tree of monomials as a list of steps, and its entries: pairs of a monomial and an output, whose coefficients are
/// sums of weights. `values` has a tree for every output, children before parents; `gradients` has one for all, parents
/// before children.
template <class T>
struct PolynomialProgram {
  std::size_t step_count, levels;
  const PolynomialStep* steps;
  const PolynomialLeaf* leaves;
  const std::uint32_t* outputs;  ///< of every entry
  const std::uint32_t* closed;   ///< the variables of the levels that end, one after the other
  EdgeLists<T> coefficients;     ///< of the entries, from weights
  EdgeLists<T> back;             ///< weights, from the gradients of coefficients
};

inline constexpr std::size_t most_moves = 2;  // directions
inline constexpr std::size_t polynomial_lanes = 8;

/// Some points of one kind, and channels that are at most one vector. Arrays begin at the first of these channels;
/// those of weights at the kind. x[0] and w[0] are the operands, and others directions.
template <class T>
struct PolynomialBlock {
  PolynomialProgram<T> program;
  std::size_t in, out, weights, channels, width;  ///< components, and channels of a row and of the block
  const std::uint64_t* points;
  std::size_t count;
  const T *x[1 + most_moves], *w[1 + most_moves], *g;
  T *value, *d_x;  ///< [points, ..., channels]
  T* d_w;          ///< [weights, width]
  T* scratch;      ///< polynomial_scratch() vectors, aligned to 64 bytes
};

/// Vectors of scratch for so many entries of a program.
inline std::size_t polynomial_scratch(std::size_t entries, std::size_t in, std::size_t out, std::size_t levels) {
  return entries * (2 + most_moves) + polynomial_lanes * (2 * in + out + 2 * (levels + 1));
}

/// The work of point_polynomial.cpp on a block, by how many directions there are.
template <class T>
struct Polynomials {
  std::size_t width;  ///< channels of a vector
  void (*values[1 + most_moves])(const PolynomialBlock<T>&);
  void (*gradients[1 + most_moves])(const PolynomialBlock<T>&);
};

inline constexpr unsigned plane_rows = 4;

template <class T>
struct Arithmetic {
  Expand<T> expand;
  ExpandWide<T> expand_wide;
  Bins<T, T> bins;
  AddRuns<T, T> add_runs;
  OrbitSums<T> orbit_sums;
  unsigned height;  ///< rows of a tile of `multiply`
  Multiply<T> multiply;
  unsigned few_rows,
      few_panels;  ///< for `multiply_few`: at most so many rows, exactly so many panels; 0: there is none
  MultiplyFew<T> multiply_few;
  unsigned lookup_entries;  ///< tables up to this length stay in registers
  unsigned plane_entries;   ///< and up to this length, for at most plane_rows rows, as byte planes
  void (*lookup)(const LookupCall<T>&);
  void (*dft)(const DftStage<T>&);
  Attention<T> attention;
  Edges<T> edges;
  Polynomials<T> polynomials;
};

struct Kernels {
  Arithmetic<float> f32;
  Arithmetic<double> f64;
  Expand<std::uint16_t> expand16;
  Bins<std::uint16_t, float> bins_bf16;
  AddRuns<std::uint16_t, float> add_runs_bf16;
};

const Kernels& scalar();
#if defined(__x86_64__)
const Kernels& avx2();
const Kernels& avx512(bool vbmi);
#endif

/// The kernels of instruction_set().
const Kernels& current();

template <class T>
const Arithmetic<T>& arithmetic() {
  if constexpr (sizeof(T) == 4)
    return current().f32;
  else
    return current().f64;
}

}  // namespace intertwine::kernels
