/* The C interface of the numeric layers: tables, the two maps theta -> W and dW -> dtheta, the layer and its gradients.
 *
 * Every function but the trivial ones returns a status; nothing is thrown across. After a failure intertwine_last_error()
 * says what was wrong, for the calling thread. Handles are immutable: any number of threads may use one at once, and it
 * is freed when nobody uses it any more. Arrays are contiguous, row-major, 0-based, in native byte order; they belong to
 * the caller and may have any alignment that their type needs. Numbers of entries are given with every array and checked.
 *
 * Shapes: M rows, N columns, P parameters, Q bias parameters, `out` and `in` channels, `batch` rows:
 *   theta [P, out, in]   bias [Q, out]   W [out, M, in, N]   x [batch, in, N]   y [batch, out, M]
 *
 * The version is major * 65536 + minor; functions are added in minor versions and changed in none. */
#ifndef INTERTWINE_NUMERIC_H
#define INTERTWINE_NUMERIC_H
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(_WIN32)
#define INTERTWINE_API
#else
#define INTERTWINE_API __attribute__((visibility("default")))
#endif

#define INTERTWINE_NUMERIC_VERSION 65540u /* 1.4 */

typedef enum {
  INTERTWINE_OK = 0,
  INTERTWINE_BAD_ARGUMENT = 1, /* a null pointer, a wrong size, an unknown number */
  INTERTWINE_BAD_FILE = 2,     /* unreadable, damaged, or of another major version */
  INTERTWINE_NO_MEMORY = 3,
  INTERTWINE_FAULT = 4 /* a fault of the library */
} intertwine_status;

typedef enum {
  INTERTWINE_F32 = 0,
  INTERTWINE_F64 = 1,
  INTERTWINE_BF16 = 2, /* materialise, reduce and project only; uint16_t, sums are float */
  INTERTWINE_F16 = 3   /* since 1.2: IEEE binary16, likewise */
} intertwine_dtype;

typedef enum {
  INTERTWINE_AUTOMATIC = 0, /* dense or lookup: the choice changes no bit */
  INTERTWINE_FASTEST = 1,   /* any form */
  INTERTWINE_DENSE = 2,
  INTERTWINE_LOOKUP = 3,
  INTERTWINE_IMPLICIT = 4,
  INTERTWINE_FFT = 5,     /* since 1.1: tied entries that are the same along the translations of a torus */
  INTERTWINE_ISOTYPIC = 6 /* since 1.1: layers of intertwine_layer_decompose */
} intertwine_mode;

typedef struct intertwine_table intertwine_table; /* a pattern and its channels */
typedef struct intertwine_layer intertwine_layer; /* a table with parameters */

typedef struct {
  uint64_t rows, cols, params, bias_params, channels_out, channels_in;
  char sha256[65]; /* of the table's file; since 1.3 also of tables in memory: what a file of them would carry */
} intertwine_shape;

/* Since 1.3: an array [batch, channels, dim] has entry (b, c, j) at b * batch + c * channel + j * entry. */
typedef struct {
  uint64_t batch, channel, entry;
} intertwine_strides;

/* The version of the library that is loaded, to be compared with INTERTWINE_NUMERIC_VERSION. */
INTERTWINE_API uint32_t intertwine_numeric_version(void);
/* What the last failure on this thread was; "" before the first. Valid until the next call on this thread. */
INTERTWINE_API const char* intertwine_last_error(void);
/* "scalar", "avx2" or "avx512": the level in use. "" and an error if the environment's INTERTWINE_ISA names none. */
INTERTWINE_API const char* intertwine_instruction_set(void);

/* Reads and checks a .safetensors, .npz or .json table. *table is set on success only; free it with _free(). */
INTERTWINE_API intertwine_status intertwine_table_open(const char* path, intertwine_table** table);
/* A table from codes in memory: rows * cols codes (0, 1+k, 1+params+k) and rows bias codes (NULL: no bias).
 * Every parameter must occur. */
INTERTWINE_API intertwine_status intertwine_table_from_codes(uint64_t rows, uint64_t cols, uint64_t params,
                                                             const int32_t* codes, uint64_t bias_params,
                                                             const int32_t* bias_codes, intertwine_table** table);
/* Since 1.1: a general basis. Element k has the value val[e] at (row[e], col[e]) for ptr[k] <= e < ptr[k + 1], ptr [params + 1]; the
 * bias likewise, in one column (bias_ptr NULL: no bias). */
INTERTWINE_API intertwine_status intertwine_table_from_elements(uint64_t rows, uint64_t cols, uint64_t params,
                                                                const int64_t* ptr, const int32_t* row,
                                                                const int32_t* col, const double* val,
                                                                uint64_t bias_params, const int64_t* bias_ptr,
                                                                const int32_t* bias_row, const double* bias_val,
                                                                intertwine_table** table);
/* The same pattern with other channels. */
INTERTWINE_API intertwine_status intertwine_table_repeat(const intertwine_table* table, uint64_t channels_out,
                                                         uint64_t channels_in, intertwine_table** repeated);
INTERTWINE_API void intertwine_table_free(intertwine_table* table); /* NULL is ignored */

/* The first call for a table reads its codes once, for the digest. */
INTERTWINE_API intertwine_status intertwine_table_shape(const intertwine_table* table, intertwine_shape* shape);
/* A string of the file's metadata ("group", "certificate", ...): copies at most `room` bytes with a final 0, and sets
 * *needed to the bytes of the whole string with its 0. text may be NULL when room is 0. */
INTERTWINE_API intertwine_status intertwine_table_metadata(const intertwine_table* table, const char* key, char* text,
                                                           size_t room, size_t* needed);
/* Since 1.1: 1 for tied entries, 0 for a general basis; and the sums of the squares of the entries of each element, [P], for
 * either kind. */
INTERTWINE_API intertwine_status intertwine_table_is_tied(const intertwine_table* table, int* tied);
INTERTWINE_API intertwine_status intertwine_table_squared_norms(const intertwine_table* table, double* norms,
                                                                uint64_t count);
/* Entries tied to each parameter, [P] (of tied entries only); variances [P] of independent parameters that give outputs the variance gain^2. */
INTERTWINE_API intertwine_status intertwine_table_orbit_sizes(const intertwine_table* table, int64_t* sizes,
                                                              uint64_t count);
INTERTWINE_API intertwine_status intertwine_table_initial_variance(const intertwine_table* table, double gain,
                                                                   double* variances, uint64_t count);

/* W from theta, and the sums dtheta from dW. row_stride: entries from row to row of W, 0 for contiguous. */
INTERTWINE_API intertwine_status intertwine_materialise(const intertwine_table* table, intertwine_dtype dtype,
                                                        const void* theta, uint64_t theta_count, void* W,
                                                        uint64_t W_count, uint64_t row_stride, unsigned threads);
INTERTWINE_API intertwine_status intertwine_reduce(const intertwine_table* table, intertwine_dtype dtype,
                                                   const void* dW, uint64_t dW_count, uint64_t row_stride, void* dtheta,
                                                   uint64_t dtheta_count, unsigned threads);
/* The nearest weights to a dense W of any dtype: theta as double, and |W - W(theta)| / |W|. */
INTERTWINE_API intertwine_status intertwine_project(const intertwine_table* table, intertwine_dtype dtype,
                                                    const void* W, uint64_t W_count, double* theta,
                                                    uint64_t theta_count, double* relative_residual);

/* Since 1.3: products with parameters where they lie, of F32 or F64 arrays. Nothing is kept: no copy of theta, no W. x, dx [batch, in, N] and
 * y, dy [batch, out, M] may have strides (NULL: contiguous); counts are the entries from the first to the last. Strides of 0 are for
 * inputs only. *ran (may be NULL) becomes what was done. Modes as for layers; lookup and dense give the same bits. */
/* y = W(theta) x + b(bias); bias NULL with count 0: none. */
INTERTWINE_API intertwine_status intertwine_apply(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch,
                                                  const void* x, uint64_t x_count, const intertwine_strides* x_strides,
                                                  const void* theta, uint64_t theta_count, const void* bias,
                                                  uint64_t bias_count, void* y, uint64_t y_count,
                                                  const intertwine_strides* y_strides, intertwine_mode mode,
                                                  unsigned threads, intertwine_mode* ran);
/* dx = W(theta)^T dy. */
INTERTWINE_API intertwine_status intertwine_apply_transposed(const intertwine_table* table, intertwine_dtype dtype,
                                                             uint64_t batch, const void* dy, uint64_t dy_count,
                                                             const intertwine_strides* dy_strides, const void* theta,
                                                             uint64_t theta_count, void* dx, uint64_t dx_count,
                                                             const intertwine_strides* dx_strides, intertwine_mode mode,
                                                             unsigned threads, intertwine_mode* ran);
/* dtheta = reduce(the sum of dy x^T over the batch), without a dW. */
INTERTWINE_API intertwine_status intertwine_outer(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch,
                                                  const void* x, uint64_t x_count, const intertwine_strides* x_strides,
                                                  const void* dy, uint64_t dy_count,
                                                  const intertwine_strides* dy_strides, void* dtheta,
                                                  uint64_t dtheta_count, intertwine_mode mode, unsigned threads,
                                                  intertwine_mode* ran);
/* All gradients of intertwine_apply at once, with what they share done once: the same bits as one by one. dx, dtheta and dbias may each be
 * NULL with count 0; so may theta without dx and x without dtheta. */
INTERTWINE_API intertwine_status
intertwine_gradients(const intertwine_table* table, intertwine_dtype dtype, uint64_t batch, const void* x,
                     uint64_t x_count, const intertwine_strides* x_strides, const void* dy, uint64_t dy_count,
                     const intertwine_strides* dy_strides, const void* theta, uint64_t theta_count, void* dx,
                     uint64_t dx_count, const intertwine_strides* dx_strides, void* dtheta, uint64_t dtheta_count,
                     void* dbias, uint64_t dbias_count, intertwine_mode mode, unsigned threads, intertwine_mode* ran);

/* A layer of F32 or F64; the parameters are copied. bias may be NULL with count 0: zero. */
INTERTWINE_API intertwine_status intertwine_layer_new(const intertwine_table* table, intertwine_dtype dtype,
                                                      const void* theta, uint64_t theta_count, const void* bias,
                                                      uint64_t bias_count, intertwine_layer** layer);
INTERTWINE_API void intertwine_layer_free(intertwine_layer* layer); /* NULL is ignored */

/* Since 1.1: one irreducible representation over R; ring is 1 (real), 2 (complex) or 4 (quaternionic endomorphisms). */
typedef struct {
  uint64_t ring, degree, copies_out, copies_in;
} intertwine_block;
/* The same layer with the isotypic form: in the coordinates T_out y [M, M] and T_in x [N, N] the weights are made of one block for each
 * irreducible representation. The order of the coordinates: include/intertwine/numeric/isotypic.hpp. */
INTERTWINE_API intertwine_status intertwine_layer_decompose(const intertwine_layer* layer,
                                                            const intertwine_block* blocks, uint64_t block_count,
                                                            const double* T_out, uint64_t T_out_count,
                                                            const double* T_in, uint64_t T_in_count,
                                                            intertwine_layer** decomposed);

/* y = W x + b. *ran (may be NULL) becomes INTERTWINE_DENSE, _LOOKUP, ...: what was done. */
INTERTWINE_API intertwine_status intertwine_layer_apply(const intertwine_layer* layer, uint64_t batch, const void* x,
                                                        uint64_t x_count, void* y, uint64_t y_count,
                                                        intertwine_mode mode, unsigned threads, intertwine_mode* ran);
/* Gradients for dy; dx, dtheta and dbias may each be NULL with count 0. */
INTERTWINE_API intertwine_status intertwine_layer_gradients(const intertwine_layer* layer, uint64_t batch,
                                                            const void* x, uint64_t x_count, const void* dy,
                                                            uint64_t dy_count, void* dx, uint64_t dx_count,
                                                            void* dtheta, uint64_t dtheta_count, void* dbias,
                                                            uint64_t dbias_count, intertwine_mode mode,
                                                            unsigned threads);

/* Since 1.4: tables of diagrams, whose parameters serve every size of a group (docs/nn_sizes.md), and their layers at one size: x [batch, in, n, ..., n],
 * y [batch, out, n, ..., n], theta [P, out, in], bias [Q, out]. W is never made. Handles are as those above. */
typedef struct intertwine_diagrams intertwine_diagrams;

typedef struct {
  uint64_t axes_out, axes_in;   /* of y and of x */
  uint64_t letters;             /* spaces that these run over: as many sizes are given */
  uint64_t params, bias_params; /* P and Q */
  uint64_t channels_out, channels_in;
  char sha256[65];
} intertwine_diagrams_shape;

/* Reads and checks a table of diagrams, .safetensors, .npz or .json. */
INTERTWINE_API intertwine_status intertwine_diagrams_open(const char* path, intertwine_diagrams** diagrams);
/* All diagrams between these axes, in lexicographic order. Words have a letter for every axis ("aa" are matrices); groups has a group for every
 * letter in the order in which they first occur, outputs first, with spaces between, or one for all: "S(n)", "S(n) O(3)". mean: sums are divided by the number of points. */
INTERTWINE_API intertwine_status intertwine_diagrams_new(const char* axes_out, const char* axes_in, const char* groups,
                                                         int mean, uint64_t channels_out, uint64_t channels_in,
                                                         intertwine_diagrams** diagrams);
INTERTWINE_API void intertwine_diagrams_free(intertwine_diagrams* diagrams); /* NULL is ignored */
INTERTWINE_API intertwine_status intertwine_diagrams_shape_of(const intertwine_diagrams* diagrams,
                                                              intertwine_diagrams_shape* shape);
/* The number of the block of every axis, outputs first, of all diagrams: [P, axes_out + axes_in]; of the bias [Q, axes_out]. */
INTERTWINE_API intertwine_status intertwine_diagrams_words(const intertwine_diagrams* diagrams, int of_bias,
                                                           int32_t* words, uint64_t count);
/* y = W x + b at sizes [letters]; bias NULL with count 0: none. F32 or F64. */
INTERTWINE_API intertwine_status intertwine_diagrams_apply(const intertwine_diagrams* diagrams, intertwine_dtype dtype,
                                                           const uint64_t* sizes, uint64_t letters, uint64_t batch,
                                                           const void* x, uint64_t x_count, const void* theta,
                                                           uint64_t theta_count, const void* bias, uint64_t bias_count,
                                                           void* y, uint64_t y_count, unsigned threads);
/* Gradients for dy; dx, dtheta and dbias may each be NULL with count 0; so may x without dtheta. */
INTERTWINE_API intertwine_status intertwine_diagrams_gradients(const intertwine_diagrams* diagrams,
                                                               intertwine_dtype dtype, const uint64_t* sizes,
                                                               uint64_t letters, uint64_t batch, const void* x,
                                                               uint64_t x_count, const void* dy, uint64_t dy_count,
                                                               const void* theta, uint64_t theta_count, void* dx,
                                                               uint64_t dx_count, void* dtheta, uint64_t dtheta_count,
                                                               void* dbias, uint64_t dbias_count, unsigned threads);

#ifdef __cplusplus
}
#endif
#endif
