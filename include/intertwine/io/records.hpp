// The answers of the library, each as a record [record.hpp]: from it all formats are written. JSON has integers that
// may be large, and rationals, as strings; numbers of rows, points and entries are from 0 in it, and from 1 in every
// text for people. Headers of answers are included where one is made.
#pragma once
#include <string>
#include <vector>

#include "intertwine/io/irrationalities.hpp"
#include "intertwine/io/record.hpp"

namespace intertwine {

class CharacterTable;
class KernelSpace;
class SchurSum;
struct QuantumProduct;
struct SpecialLinearProduct;
struct Automorphisms;
struct BasisElements;
struct BlockProof;
struct Branching;
struct CharacterTableReport;
struct ClassReport;
struct CompactClebschGordan;
struct ContinuousPolynomialMaps;
struct CoordinateRingDegree;
struct Coproduct;
struct CorrelationReport;
struct CrystalReport;
struct Decomposition;
struct DiagramProof;
struct DiagramTable;
struct FiniteClebschGordan;
struct GroupReport;
struct HomFunctor;
struct IrreducibleForms;
struct LieWeights;
struct LittleGroup;
struct LorentzCouplings;
struct MagneticSymmetry;
struct MinorIdealAnswer;
struct MoleculeReport;
struct MolienReport;
struct OrthonormalForms;
struct PointGroupTable;
struct PointKernels;
struct PolynomialMaps;
struct ProvedCharacters;
struct ProvedForms;
struct RamanReport;
struct SchurFunctorMatrix;
struct SchurValue;
struct SpinCouplings;
struct SteerableKernels;
struct Straightening;
struct SymmetricFunction;
struct Symmetrization;
struct SymmetryAdaptedBasis;
struct TableProof;
struct TensorReport;
struct WaveVectorReport;
namespace hom {
class Basis;
struct Decomposition;
struct Restriction;
}  // namespace hom
namespace sdp {
class Reduction;
struct NamedSolution;
}  // namespace sdp

// Groups and characters

/// JSON has null for what was not decided. Lines for people cut generators longer than 200 letters. The expression is
/// the group.
Record record(Kept<GroupReport> report);
/// {"degree", "order", "orbits" (lists of points), "generators" (cycles)}, which is a group file. The expression is
/// the group.
Record record(Kept<Automorphisms> found);
/// A line for every class: number, order, size, order of the centralizer, representative; the same for the subgroup.
/// The expression is a list of conjugacy classes, in Magma of triples as `Classes` has them. Tables and expressions
/// refuse classes that are too many to list with DomainError.
Record record(Kept<ClassReport> report);
/// The table in every format. Text is like GAP's Display: centralizer orders in factored form, class names, power
/// maps, characters; irrational values are letters with a legend below, short ones in the notation of the ATLAS stand
/// in the table, 0 is a dot. Blocks of columns fit the width. CSV and LaTeX have classes as columns. The expression
/// of GAP is a table with power maps, ConvertToCharacterTable(rec(...)), that of Sage and Magma the matrix of the
/// values over a cyclotomic field.
///
/// Arrays: `characters` complex128 [k, k], `class_sizes` and `centralizer_orders` int64 [k], float64 where they are
/// above 2^63, `element_orders` and `indicators` int64 [k].
Record record(Kept<CharacterTable> table, IrrationalNotation notation = IrrationalNotation::gap);
/// The record of the table with what was asked for beside it in JSON and text, where a line on the group stands above
/// unless the width is 0. One that is not complete has its classes and the characters that are known.
Record record(Kept<CharacterTableReport> report, IrrationalNotation notation = IrrationalNotation::gap);
/// Classes as columns, species as rows, then the functions, as chemists print it: real values are integers, square
/// roots and 2cos72° about an axis, (1+√5)/2 in icosahedral groups. JSON refers to the table of `chartable` by
/// `class` and `rows`.
Record record(Kept<PointGroupTable> table);
/// {"from", "to", "rep", "settings": [{"classes": {"C2": "C4²"}, "species": {"Eg": {"A1": 1, "B1": 1}}}]}, with a
/// representation of it alone; text has the class of the larger group for every class of the subgroup, in every
/// setting, and the table below.
Record record(Kept<CorrelationReport> report);

// Representations

/// For every representation what it is made of and the images of the generators; text has a line on the group above
/// unless the width is 0. JSON has the seeds of the representations (MultiplicityOneSeed), a row of a matrix at a
/// time. Expressions: in GAP a list of homomorphisms, in Sage of pairs of a name and the matrices of the generators,
/// in Magma of G-modules.
///
/// Arrays: `generators` int64 [g, degree], images of the points from 0; for every representation, by its number k in
/// the answer from 1, `irrep.k` [g, d, d], the matrices of the generators on column vectors: float64 over real
/// fields, complex128 over others.
Record record(Kept<IrreducibleForms> forms);
/// The representations with their forms. The matrices in orthonormal bases stand in place of the others, in JSON
/// beside them.
Record record(Kept<OrthonormalForms> found);
/// The representations; in JSON with the proof of the order of their group.
Record record(Kept<ProvedForms> proved);
/// A line for every constituent.
/// \param columns  where there are components, text says which columns of the change of basis are which constituent,
///                 and shows the matrix up to 16 columns
Record record(Kept<Decomposition> d, bool columns = true);
/// {"group", "rep", "dimension", "over", "constituents": [{"irrep", "weight", "partition" or "factors", "degree",
/// "multiplicity", "indicator", "name"}]}, with "type" for groups that have highest weights, "lambda" for species of
/// linear molecules, and for finite groups with the change of basis where it was asked for, row by row. Over a
/// product "factors" is a list of {"weight", "partition" or "irrep", "degree", "indicator", "name"}. Text: "27 + 10 +
/// 10* + 2*8 + 1", and a line for every constituent.
Record record(Kept<hom::Decomposition> d, bool columns = true);
/// {"from", "to", "rep", "dimension", "embedding", "matrix", "denominator", "terms"}, the terms as constituents
/// above; the matrix takes weights to weights, where both groups have these.
Record record(Kept<hom::Restriction> r);
/// {"group", "rep", "dimension", "over", "components": [{"irreps", "name", "field", "degree", "multiplicity",
/// "indicator", "columns": [[[row, value], ...], ...]}]}. Text: for every component the size of its block, the
/// degree, the type, how many entries are not 0.
///
/// Arrays: for every component k, from 1, a matrix of compressed sparse columns: `indptr.k` and `indices.k` int64,
/// `data.k` float64, or complex128 where its field is not real; `degrees`, `multiplicities`, `indicators` int64
/// [components].
Record record(Kept<SymmetryAdaptedBasis> basis);
/// {"group", "type", "rep", "dimension", "weights": [{"weight", "multiplicity", "orbit"}]}: each weight of an orbit
/// of so many has this multiplicity.
Record record(Kept<LieWeights> d);
/// The coefficients, and the closed form where it was found.
Record record(Kept<MolienReport> report);
/// {"group", "basis", "form", "couplings": [{"j1", "j2", "j", "entries": [{"m1", "m2", "m", "sign", "square"}]}]}: a
/// coefficient is sign sqrt(square).
///
/// Arrays: for every coupling `coupling.1`, ... float64 [2 j1 + 1, 2 j2 + 1, 2 j + 1] with m from -j to j.
/// `couplings` in the metadata lists the j1, j2, j.
Record record(Kept<SpinCouplings> couplings);
/// The forms above; j and m are pairs "(1/2,0)". The sizes of the arrays are those of the representations, and pairs
/// of m are in lexicographic order.
Record record(Kept<LorentzCouplings> couplings);
/// {"group", "left", "right", "constituents": [{"irrep", "name", "degree", "multiplicity", "form", "maps", "norms",
/// "symmetries"}]}. The expression is a list, of every constituent its name, the list of its maps and the list of
/// their norms. The maps are transposed, as the matrices of IrreducibleForms are: their rows span the copy in the row
/// vectors, T R_ij = R_k T.
///
/// Arrays: for every constituent `maps.1`, ... [copies, d1 d2, d] and `norms.1`, ... float64 [copies]; `constituents`
/// in the metadata lists their names.
Record record(Kept<FiniteClebschGordan> answer);
/// The coefficients of a compact group: representations by their expressions, without rows.
Record record(Kept<CompactClebschGordan> answer);

// Schur functors, symmetric functions, coordinate rings

/// {"functor", "n", "group", "kind", "rep", "dimension", "constituents": [{"label" or "irrep" and "name",
/// "multiplicity", "dimension"}]}.
Record record(Kept<Branching> branching);
/// {"functor", "rows", "cols", "dimension", "terms": [{"left", "right", "multiplicity", "dimension",
/// "constituents"}], "left_group", "right_group", "constituents", "checked", "pair"}. Tables have a line for every
/// term, or for every pair of irreducible representations where it is restricted.
Record record(Kept<HomFunctor> answer);
/// {"partition", "source", "target", "rows", "cols", "trace", "row_tableaux", "column_tableaux", "files", "matrix"}.
/// Text has the tableaux ("112/23") beside the rows and above the columns of the matrix. The expression is the matrix
/// alone, the array `matrix` float64.
/// \param files  that hold the matrix, which JSON leaves out then
Record record(Kept<SchurFunctorMatrix> answer, const std::vector<std::string>& files = {});
/// {"partition", "at", "value"}, or {"partition", "source", "target", "trace"}. The expression is the number alone.
Record record(Kept<SchurValue> answer);
/// {"lambda", "mu", "terms": [{"partition", "multiplicity", "degree"}]}. Text and LaTeX are as those of a SchurSum.
Record record(Kept<QuantumProduct> answer);
/// {"lambda", "mu", "sl", "terms": [{"partition", "degree", "multiplicity"}]}.
Record record(Kept<SpecialLinearProduct> answer);
/// {"terms": [{"partition", "multiplicity"}]}, term by term. Text breaks the sum at the width; LaTeX has it as an
/// equation of one side.
Record record(Kept<SchurSum> sum);
/// The forms above with "coefficient", which may be a fraction, in place of "multiplicity". The expression of GAP is
/// a list of pairs of a partition and its coefficient.
Record record(Kept<SymmetricFunction> sum);
/// {"terms": [{"left", "right", "coefficient"}]}. Text: "s[2,1] # s[] + s[2] # s[1] + ...", where s[] is 1.
Record record(Kept<Coproduct> answer);
/// {"rows", "cols", "product", "terms": [{"coefficient", "rows", "columns"}]}, tableaux 1-based as in the text form;
/// "graded" where it is. The product is "-[1,2|1,2]" where sorting rows and columns changed the sign, "0" where one
/// is repeated. Text: the tableaux side by side.
Record record(Kept<Straightening> answer);
/// {"rows", "cols", "degree", "dimension", "pieces": [{"shape", "dimension", ...}], "hilbert_function"}.
Record record(Kept<CoordinateRingDegree> answer);
/// {"rows", "cols", "invariant" or "minors", "power", "symbolic", and what was asked}.
Record record(Kept<MinorIdealAnswer> answer);

// Equivariant maps

/// The expressions of a basis as they were typed: shorter for people than what a file contains.
struct BasisNames {
  std::string group, in, out;
};
/// Options of the record of a basis: what it gives beside sizes and certificate.
struct BasisForm {
  BasisNames names;       ///< empty: as the representations say
  std::string time = {};  ///< how long it took, as people read it; may be empty
  bool features = false;  ///< text has how x and y lie, as in "x [batch, 40] = 16 x trivial, 8 x vector"
  bool elements = false;  ///< text and JSON have the elements of the first block
};
/// Sizes, dimensions and field, every block with what is proved of it, and the certificate; text says why entries
/// have no parameter. The other formats are those of the elements of the only block, refused with DomainError where
/// there are several.
///
/// Elements in JSON are lists of [row, column, value], entries in row-major order; in text lines "B1: +[1,1]
/// -3/2[2,1]".
Record record(Kept<hom::Basis> basis, const BasisForm& form = {});
/// LaTeX: W and b as matrices of sums of parameters, refused with LimitError above 4096 entries, which no page holds.
/// Tables: a line for every entry, whether of the weights or the bias, its element, row and column from 1, its value.
/// Expressions: a list of two lists, the matrices B_k and the columns c_k, rows of U and columns of V as everywhere:
/// y = W x.
///
/// Arrays: `weights` [P, rows, columns] and `bias` [Q, rows], float64 over real fields, otherwise complex128.
Record record(Kept<BasisElements> elements);
/// All diagrams as lists of blocks; text has the shapes of features and parameters, and a line for each of the first
/// diagrams.
Record record(Kept<DiagramTable> table);
/// {"rows", "cols", "exact", "field" (null in double precision), "residual", "squared_residual", "defect", "files",
/// "matrix"}. Text: the group, the matrix, the residual, the equivariance and the method, a line each.
/// \param group  what is said of the group before its generators are counted
/// \param files  that hold the matrix, which JSON leaves out then
Record record(Kept<Symmetrization> result, const BasisNames& names, const std::string& group,
              const std::vector<std::string>& files = {});

/// Options of the records of kernels and of polynomial maps.
struct KernelForm {
  bool elements = true;   ///< text has the kernels themselves
  std::string time = {};  ///< how long it took, as people read it; may be empty
};
/// The group, both sides, both dimensions, and for every double coset its representative, size, stabilizer and the
/// matrices of the values there, which formulas and tables have as well. Expressions: a list of pairs, a
/// representative of a double coset and the list of the values that its kernels have there: matrices as they act on
/// columns.
///
/// Arrays: `values` [P, rows, columns], of every kernel its value at the representative of its double coset,
/// `double_coset` int64 [P], and of every double coset `representatives` int64 [c, degree], images of the points from
/// 0, and `sizes` int64 [c], or float64.
Record record(Kept<KernelSpace> kernels, const KernelForm& form = {});
/// The group, both representations, the certificate, and for every degree its monomials and kernels, each by its
/// entries [monomial, row, column, integer]. Polynomials are in x, y, z where n <= 3 and x1, x2, ... otherwise;
/// expressions are lists of matrices of polynomials in n variables over Q.
///
/// Arrays: for every degree L `exponents.L` int64 [m, n] and `coefficients.L` float64 [P_L, m, rows, columns]: kernel
/// k is the sum of coefficients.L[k, i] times the monomial with the exponents exponents.L[i].
Record record(Kept<SteerableKernels> kernels, const KernelForm& form = {});
/// The forms above for kernels under a finite group. Coefficients are exact numbers as everywhere in JSON, beside the
/// matrices of the generators; arrays of those that are not real are complex128.
Record record(Kept<PointKernels> kernels, const KernelForm& form = {});
/// JSON is read back by parse_polynomial_maps, and written a monomial or a term at a time. Text says how many there
/// are and why no more, then all coordinates of all maps, unless they have more than 5000 terms, which LaTeX refuses
/// with LimitError. Tables have a line for every output of every map. Expressions: a list of the maps, each the list
/// of its coordinates: polynomials over the least cyclotomic field with the coefficients.
/// \param time  how long it took, as people read it; may be empty
Record record(Kept<PolynomialMaps> maps, const std::string& time = {});
Record record(Kept<ContinuousPolynomialMaps> maps, const std::string& time = {});

// Physics

/// The co-group by Schoenflies, the star, the degeneracies with time reversal, and characters, a line for every
/// operation. JSON has the key `space_group` where it is one, and `k` with the coordinates, the star, operations,
/// `irreps` and `levels`. Tables have operations as rows, representations as columns.
Record record(Kept<LittleGroup> little);
/// The record of the LittleGroup with the line, how levels split on it (`line` and its `compatibility`), and matrices
/// of k.p Hamiltonians H_level^(order, parameter), `kp` inside of `k`.
Record record(Kept<WaveVectorReport> report);
/// The matrix of a tensor, its rows and columns numbered from 1.
Record record(Kept<TensorReport> report);
/// A matrix for every partner.
Record record(Kept<RamanReport> report);
/// The species with their numbers and activity, and what was asked.
Record record(Kept<MoleculeReport> report);
/// The species that occur, with a column for every site, and behind them what was asked at a wave vector.
Record record(Kept<CrystalReport> report);
/// JSON alone: the key "magnetic" of a crystal.
Record record(Kept<MagneticSymmetry> magnetic);

// Semidefinite programs

/// {"group_order", "blocks": [{"size", "type", "multiplicity", "name"}], "variables_before", "variables_after",
/// "constraints", "faces": [{"constraint", "sign", "blocks": [{"name", "before", "after"}]}]}; text has a line for
/// the sizes before and after, and one for every block.
///
/// Arrays: `sizes` int64 [blocks], `b` float64 [m], and the upper triangles of C and the A_k, one entry a place:
/// `matrix` (0: C, k: A_k), `block`, `row`, `col` int64 [entries], from 0 within their block, `value` float64
/// [entries]. `kept` int64 [m] are the constraints before.
Record record(Kept<sdp::Reduction> reduction);
/// {"value", "violation", "variables": [{"name", "value"}], "solution": [rows, or of a diagonal block a list of
/// numbers]}. Text: the value, and the constraint that is off most where one is off by 1e-12 or more.
///
/// Arrays: `block.k` float64 [n, n], [n] of a diagonal block, k from 1; `value` and `violation` float64 [1].
Record record(Kept<sdp::NamedSolution> answer);

// Proofs: the facts that verify() has proved, a line each in text

Record proof_record(Kept<DiagramProof> proof);
Record proof_record(Kept<BlockProof> proof);
/// The facts proved of the only block, or a line for each of several.
Record proof_record(Kept<TableProof> proof);
Record proof_record(Kept<ProvedCharacters> proved);
Record proof_record(Kept<IrreducibleForms> forms);
Record proof_record(Kept<PolynomialMaps> maps);
Record proof_record(Kept<ContinuousPolynomialMaps> maps);
Record proof_record(Kept<SteerableKernels> kernels);
Record proof_record(Kept<PointKernels> kernels);
Record proof_record(Kept<KernelSpace> kernels);

}  // namespace intertwine
