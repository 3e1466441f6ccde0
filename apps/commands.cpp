// The table of commands, and hints on words that users of other tools look for.
#include "commands.hpp"

#include <sstream>

#include "help.hpp"
#include "symmetric.hpp"

namespace intertwine::app {

std::span<const Command> commands() {
  static constexpr Command table[] = {
      {"group", add_group,
       "order structure info describe generators size symmetry point-group exponent is-simple is-abelian "
       "is-solvable structure-description id-group identify",
       "group 'PSL(2,7)'"},
      {"automorphisms", add_automorphisms, "aut automorphism automorphism-group graph-automorphisms nauty dreadnaut",
       "automorphisms petersen.g6"},
      {"classes", add_classes, "conjugacy-classes conjugacy class-sizes centralizers representatives", "classes A5"},
      {"chartable", add_chartable,
       "character-table characters character chars ct irr character-tables restrict restriction induce induction "
       "fusion-of-classes correlation correlation-table correlate subduction subduce descent character-degrees degrees "
       "power-maps species",
       "chartable A5"},
      {"irreps", add_irreps,
       "irreducibles irreducible irreducible-representations irreducible-representation representations "
       "representation reps matrices",
       "irreps S3"},
      {"decompose", add_decompose,
       "decomposition reduce reduction constituents multiplicities multiplicity isotypic split "
       "symmetry-adapted-basis symmetry-adapted block-diagonalize block-diagonalization",
       "decompose S4 perm^2"},
      {"clebsch-gordan", add_clebsch_gordan,
       "cg clebsch clebschgordan clebsch-gordan-coefficients coupling wigner wigner-3j wigner3j 3j racah",
       "clebsch-gordan 'SO(3)' 1 1 --index 1"},
      {"molien", add_molien, "molien-series hilbert-series hilbert invariants invariant-ring", "molien S4 perm 6"},
      {"molecule", add_molecule,
       "xyz molecular molecular-symmetry mol vibrational salc salcs symmetry-coordinates infrared raman",
       "molecule water.xyz"},
      {"crystal", add_crystal,
       "cif poscar contcar vasp structure factor-group factor-group-analysis phonon phonons modes "
       "gamma-point wyckoff spglib",
       "crystal rutile.cif"},
      {"tensor", add_tensor, "tensors tensor-property tensor-properties material-tensor crystal-tensor nye voigt",
       "tensor elastic Oh"},
      {"sdp", add_sdp,
       "semidefinite semidefinite-program semidefinite-programming sdpa cbf mof lovasz-theta theta sos sum-of-squares "
       "sums-of-squares lasserre symmetry-reduction",
       "sdp petersen.dat-s"},
      {"basis", add_basis,
       "hom equivariant-basis equivariant equivariant-maps intertwiners intertwiner solve commutant "
       "centralizer-algebra endomorphisms nullspace null-space kernel-basis bases",
       "basis S4 perm^2 --no-picture"},
      {"kernels", add_kernels, "kernel mackey double-cosets double-coset steerable-kernels steerable induced-maps",
       "kernels S4 --from-subgroup S3 --to-subgroup S3"},
      {"tie", add_tie, "export tie-weights weight-tying weight-sharing tying diagrams diagram brauer", "tie S4 perm^2"},
      {"symmetrize", add_symmetrize,
       "symmetrise project projection average averaging reynolds twirl symmetrization symmetrizer",
       "symmetrize S4 w.npy --output s.npy"},
      {"verify", add_verify, "check validate prove reverify", "verify layer.safetensors"},
      {"table", add_table, "load-table read-table show-table draw-table convert-table picture-of-table",
       "table layer.safetensors"},
      {"init", add_init, "initialize initialise initialization random-weights theta",
       "init layer.safetensors --output theta.npy"},
      {"run", add_run, "apply forward infer inference evaluate eval predict execute",
       "run layer.safetensors x.npy --output y.npy"},
      {"bench-layer", add_bench_layer, "bench benchmark profile time", "bench-layer layer.safetensors"},
      {"lr", add_lr,
       "littlewood-richardson littlewood-richardson-coefficient lrcoef lr-coefficient lrcalc schur-product product "
       "multiply mult",
       "lr '[2,1]' '[2,1]'"},
      {"skew", add_skew, "skew-schur skew-schur-function", "skew '[3,2,1]' '[1]'"},
      {"coproduct", add_coproduct, "coprod co-product comultiplication comultiply lr-coproduct", "coproduct '[2,1]'"},
      {"plethysm", add_plethysm, "compose composition inner-plethysm", "plethysm '[2]' '[2]'"},
      {"kronecker", add_kronecker,
       "kron kronecker-product kronecker-coefficient internal-product inner-product itensor",
       "kronecker '[2,1]' '[2,1]'"},
      {"cauchy", add_cauchy, "cauchy-identity cauchy-formula hom-functor", "cauchy 2 3 2"},
      {"branch", add_branch, "branching branching-rule branching-rules restrict-functor", "branch '[2,1]' S4"},
      {"expand", add_expand,
       "convert symmetric-function symmetric-functions symmetric-polynomial sf expansion change-basis",
       "expand 'h[2][s[1,1]] * s[1]'"},
      {"polynomials", add_polynomials,
       "polynomial equivariant-polynomials invariant-polynomials polynomial-maps polys covariants equivariants",
       "polynomials S3 perm trivial 2"},
      {"schur-functor", add_schur_functor, "schur functor schur-polynomial schur-function weyl-module schur-module",
       "schur-functor '[3,1]' '2,3,E(4)'"},
      {"coordinate-ring", add_coordinate_ring, "ring polynomial-ring functions-on-matrices", "coordinate-ring 2 3 2"},
      {"straighten", add_straighten, "straightening standard-monomials bitableaux bitableau",
       "straighten '[1|2][2|1]' 2 2"},
      {"determinantal", add_determinantal, "determinantal-ideal determinantal-ideals minors ideal-of-minors",
       "determinantal 3 3 2 --hilbert 5"},
      {"help", add_help, "commands list usage topics", "", false},
      {"version", add_version, "about", "", false},
      {"completion", add_completion, "completions autocomplete", "", false},
      {"man", add_man, "manual manpage", "", false}};
  return table;
}

std::span<const Elsewhere> commands_elsewhere() {
  static constexpr Elsewhere table[] = {
      {"tables", "say chartable for characters, tie for weights"},
      {"vibrations vibration modes normal-modes gamma",
       "molecule water.xyz finds them; the displacements of atoms are perm * coordinates: decompose Td 'perm * "
       "coordinates'"},
      {"selection-rules selection-rule product-table direct-product direct-product-table direct-products "
       "multiplication-table tensor-product tensor-square tensor-power transition transitions",
       "decompose finds what a product holds: decompose Oh 'T1u * T1u * T2g', allowed where A1g is in it"},
      {"sym-square symmetric-square symmetric-power exterior-power alternating-power",
       "decompose takes powers: decompose S4 'sym(2, [3,1])'"},
      {"crystal-field splitting level-splitting ligand-field",
       "decompose splits a level of angular momentum 2: decompose Oh 'harmonic(2)'"},
      {"center centre derived-subgroup commutator-subgroup normal-closure sylow sylow-subgroup "
       "sylow-subgroups centralizer centraliser stabilizer stabiliser orbits",
       "Python has them: Group('S4').centre(), derived_subgroup(), sylow_subgroup(2), stabilizer(0); chartable S4 "
       "--details what a table says"},
      {"normal-subgroups normal-subgroup kernels-of-characters",
       "chartable S4 --details lists the kernels of the irreducible characters, and all normal subgroups are "
       "meets of these"},
      {"subgroups subgroup subgroup-lattice lattice maximal-subgroups conjugacy-classes-of-subgroups table-of-marks",
       "lattices of subgroups are for GAP: group S4 --format gap; of one that you name classes S4 --subgroup A4 and "
       "chartable S4 --subgroup A4 say what becomes of classes and characters"},
      {"elements list-elements enumerate", "classes S4 has a representative of every class and their sizes"},
      {"6j wigner-6j", "Python has wigner_6j; clebsch-gordan has 3j symbols"},
      {"sage gap magma lie sympy",
       "answers are written for other systems by --format: expand 's[2,1]*s[1]' --format sage"},
      {"primary-invariants secondary-invariants generators-of-invariants",
       "molien has their degrees, polynomials the invariants of a degree: polynomials S3 perm trivial 2"},
      {"elastic elasticity stiffness piezoelectric piezo dielectric pyroelectric gyration",
       "tensor names properties of crystals: tensor elastic Oh"},
      {"layer linear conv convolution network model equivariant-layer",
       "a layer is a table: tie S4 perm^2 perm --output layer.safetensors, and run applies it"},
      {"train fit learn", "init makes weights to begin with and run applies them; training is done in Python"},
      {drawing_words, "basis and tie draw: basis S4 perm^2 perm^2 --output picture.svg; table draws a saved one"},
      {"summary read open load inspect cat show view",
       "verify says what a file holds and proves it; tie S4 perm^2 --output picture.svg draws"},
      {"projectors projector projection-operators projection-operator idempotents",
       "decompose has the projections on the isotypic components: decompose S4 perm --basis"},
      {"double-group double-groups spinor-group binary",
       "the double covers of T, O and I are the groups 2T, 2O and 2I, that of D<n> is Dic<n>: chartable 2O"},
      {"spacegroup space-group space-groups sg wallpaper plane-group",
       "crystal finds the space group of a structure; space and plane groups on finitely many cells are groups: group "
       "'space(Fm-3m,2,2,2)', group 'p4m(8,8)'"},
      {"rsk robinson-schensted robinson-schensted-knuth",
       "C++ has rsk() in intertwine/combinatorics/rsk.hpp; the program has no command for it"},
      {"license licence copying", "the licence is the Apache License 2.0; version says what was built, of what"},
      {"cite citation bibtex", "cite the program by its name and the version that intertwine version prints"},
      {"fusion", "lr --fusion LEVEL has fusion products, chartable GROUP SUBGROUP the fusion of classes"},
      {"young tableau tableaux hook hook-length hook-lengths syt ssyt standard-tableaux "
       "semistandard-tableaux partitions partition",
       "tableaux and partitions are Partition's in Python; schur-functor '[2,1]' --at 1,1,1 is the dimension "
       "of the functor for GL(3)"},
      {"dimension dim degree",
       "decompose says dimensions: decompose E8 'irrep([1,0,0,0,0,0,0,0])', decompose S4 perm^2; schur-functor '[2,1]' "
       "--at 1,1,1 that of the functor for GL(3)"},
      {"shell repl console interactive prompt",
       "intertwine answers one question at a time; Python is the place to go on from an answer: from intertwine import "
       "Group, and intertwine completion bash completes words"},
      {"conjugate conjugation transpose dual",
       "dual(R) is the dual of a representation: decompose C3 'dual(irrep(2))'; conjugate partitions are "
       "Partition([3,1]).conjugate() in Python"},
      {"kostka sn-character symmetric-group-character murnaghan-nakayama",
       "expand changes bases: expand 's[3,1]' m has Kostka's numbers, and chartable S4 the characters of S4"},
      {"weights weight roots cartan root-system dynkin casimir freudenthal weyl-dimension weyl-character "
       "weight-multiplicities",
       "decompose knows representations by their highest weights: decompose E6 'irrep([1,0,0,0,0,0])^2'; "
       "all weights are decompose GROUP REP --weights, in Python LieRepresentation.weights()"},
      {"rank", "basis gives the dimension of Hom: basis S4 perm perm"}};
  return table;
}

std::span<const Elsewhere> options_elsewhere() {
  static constexpr Elsewhere table[] = {
      {"group g G", "the group is the first word, as in intertwine decompose S4"},
      {"bias no-bias", "a table holds its bias; run --bias takes the numbers"},
      {"device backend", "commands compute exactly, on the processor; layers on a GPU are in Python"},
      {"save out-file outfile write export to-file", "--output FILE"},
      {"plot draw show picture svg png", "--output FILE, as picture.svg"},
      {"mulliken schoenflies chemistry chemical functions species", "--notation schoenflies"},
      {"params parameters num-params n-params",
       "how many parameters there are is printed, and in --json under dimension and bias_dimension"},
      {"symprec eps", "--tolerance DISTANCE"},
      {"kernel-size kernel_size ksize", "--kernel 3x3"},
      {"channels in-channels out-channels in_channels out_channels multiplicity",
       "channels are written in front of representations, as in tie S4 '16*perm' '32*perm'"},
      {"dtype precision", "numbers are exact, or of the type of the array that is read; init has --dtype float64"},
      {"terms n order max-degree maxdeg", "--degree DEGREE"},
      {"irrep row", "--index K"},
      {"unitary", "--orthonormal"},
      {"in rep representation",
       "representations stand behind the group where a command takes them, as in clebsch-gordan 'SO(3)' 1 1 "
       "and basis S4 perm^2"},
      {"to into", "--basis NAME"},
      {"no-color no-colour nocolor monochrome", "--color never"},
      {"verbose debug", "--progress always"},
      {"v", "--version"},
      {"j jobs cores nproc", "--threads N"},
      {"timeout time limit", "--time-limit SECONDS"},
      {"memory mem memlimit ram", "--max-memory SIZE"},
      {"disk disklimit max-file max-size quota", "--max-disk SIZE"},
      {"input-rep input-representation source from-rep input x", "--in R"},
      {"output-rep output-representation target to-rep", "--out R"},
      {"real complex rational", "--over real"},
      {"csv", "--format csv"},
      {"gap", "--format gap"},
      {"sage", "--format sage"},
      {"magma", "--format magma"},
      {"markdown md", "--format markdown"},
      {"html", "--format html"},
      {"lean lean4", "--format lean"},
      {"tex", "--format latex"},
      {"f fmt type", "--format NAME"},
      {"dim dimension count", "--json, whose key is dimension"},
      {"silent s", "--quiet"}};
  return table;
}

std::vector<std::string> formats_of(std::string_view command) {
  struct Written {
    std::string_view commands, formats;
  };
  static constexpr Written table[] = {
      {"help completion man", "text"},
      {"automorphisms", "text json gap sage magma"},
      {"version verify bench-layer", "text json"},
      {"sdp", "text json"},
      {"init run symmetrize", "text json npy"},
      {"table", "text json safetensors npz hpp npy svg png html"},
      {"basis tie", "text json latex csv markdown gap sage magma npy safetensors npz hpp svg png html"},
      {"kernels", "text json latex csv markdown html gap sage magma npy npz svg png"},
      {"chartable irreps", "text json latex csv markdown html gap sage magma npy npz lean"},
      {"schur-functor clebsch-gordan", "text json latex csv markdown html gap sage magma npy npz"},
      {"decompose", "text json latex csv markdown html gap sage magma npy npz svg png"}};
  for (const Written& written : table)
    for (const std::string& name : words_of(written.commands))
      if (name == command) return words_of(written.formats);
  return words_of("text json latex csv markdown html gap sage magma");
}

std::vector<std::string> words_of(std::string_view list) {
  std::istringstream words{std::string(list)};
  std::vector<std::string> result;
  for (std::string word; words >> word;) result.push_back(word);
  return result;
}

}  // namespace intertwine::app
