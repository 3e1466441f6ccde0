// The whole library. Open this first, then representations/representation.hpp.
//
//   question                                         type or function                          header
//   -----------------------------------------------  ----------------------------------------  -----------------------------------
//   an integer or rational of any size               Integer, Rational                         exact/integer.hpp
//   a sparse exact matrix                            SparseMatrix                              exact/sparse_matrix.hpp
//   dense exact matrices, kernels, inverses, LLL     RationalMatrix, null_space, lll, ...      exact/matrix.hpp, exact/linear_algebra.hpp
//   a permutation, with or without signs             Permutation, SignedPermutation            combinatorics/...
//   a group from generators                          FiniteGroup                               groups/finite_group.hpp
//   a group by its name                              parse_finite_group("S5")                   groups/named_groups.hpp, io/group_expression.hpp
//   its order, membership, rank and unrank           StabilizerChain (proved)                  groups/stabilizer_chain.hpp
//   orbits, transversals, blocks                     orbits, orbit_tree, block_system          groups/orbits.hpp, groups/blocks.hpp
//   stabilizers, centre, derived series, simplicity  stabilizer, centre, is_simple, ...        groups/subgroups.hpp
//   is a map on generators a homomorphism?           broken_relation, SignedHomomorphism       groups/homomorphism.hpp
//   cosets, random elements, words in generators     CosetSpace, RandomElements, Word          groups/coset_space.hpp, groups/random_words.hpp, ...
//   a finite group of matrices                       rational_matrix_group, ...                groups/matrix_group.hpp
//   conjugacy classes, centralizers                  conjugacy_classes, centralizer            groups/conjugacy_classes.hpp
//   what is said of a group, of its classes          group_report, class_report                groups/group_report.hpp, characters/class_report.hpp
//   a cyclotomic number                              Cyclotomic                                exact/cyclotomic.hpp
//   a number field, a dense matrix over it           AbelianField, FieldMatrix                 exact/abelian_field.hpp, exact/field_matrix.hpp
//   the character table of a group                   character_table                           characters/character_table.hpp
//   kernels, determinants, families of characters    character_details, subgroup_characters    characters/character_details.hpp
//   characters modulo a prime, of degree 1           ModularCharacters, LinearCharacters       characters/modular_characters.hpp, ...
//   class functions, Molien series                   ClassFunction, molien_series              characters/class_function.hpp
//   irreducible constituents of a representation     decompose                                 representations/decomposition.hpp
//   isotypic components, changes of basis            isotypic_decomposition                    representations/isotypic_decomposition.hpp
//   irreducible representations by matrices          irreducible_representations, real_form    representations/irreducible.hpp
//   unitary matrices, symmetry-adapted bases         orthonormal_forms, orthonormal_decomposition representations/orthonormal_basis.hpp
//   Young's seminormal and orthogonal forms          young_seminormal_form, ...                representations/young_forms.hpp
//   invariant subspaces as representations           submodule                                 representations/submodule.hpp
//   answers as text, JSON, LaTeX, GAP input, CSV     record, to_text, to_json, to_latex, ...   io/records.hpp, io/record.hpp
//   large answers as JSON, row by row                JsonWriter                                io/json_writer.hpp
//   the format that a file's name stands for         format_of_file                            io/format.hpp
//   permutation actions and characters of sign       tuple_action, subset_action, ...          representations/actions.hpp
//   given matrices, std, Specht modules, coordinates matrix_representation, specht_module, ... representations/matrix_representations.hpp
//   V + W, V * W, 3 * V, sym(k, V), induction, ...   Representation                            representations/representation.hpp
//   a new kind of representation                     RepresentationNode                        representations/representation_node.hpp
//   representations as text                          parse_representation(G, "16*perm + sign") io/any_expression.hpp, io/representation_expression.hpp
//   dim Hom_G(V, U), three ways                      hom_dimension                             equivariant/hom_dimension.hpp
//   the certified basis of Hom_G(V, U) and the bias  hom::equivariant_basis                    hom/equivariant_basis.hpp
//   its parameter at an entry; all rows, streamed    OrbitalPattern                            equivariant/orbital_pattern.hpp
//   sparse matrices as a basis where nothing is tied IntertwinerSpace                          equivariant/intertwiner_space.hpp
//   the four ways to it, and the proof of a basis     equivariant_basis_by_..., verify         equivariant/basis_methods.hpp
//   the isotypic form of a layer, as numbers         isotypic_form                             equivariant/isotypic_form.hpp
//   kernels between homogeneous spaces               mackey_basis                              equivariant/mackey_basis.hpp
//   equivariant polynomial maps                      polynomial_maps                           equivariant/polynomial_maps.hpp
//   the projection on the equivariant matrices       Symmetrizer                               equivariant/symmetrizer.hpp
//   its weight table: codes or sparse elements       hom::Basis::table, WeightTable            tables/weight_table.hpp
//   the exact numbers of a weight table              field_of, coordinates_of                  equivariant/exact_values.hpp
//   the largest group a table is equivariant to      table_closure                             equivariant/closure.hpp
//   the number of a small group                      identify                                  groups/identification.hpp
//   the automorphisms of a graph or a matrix         automorphisms, automorphism_group         groups/automorphism_group.hpp
//   files: safetensors, NPZ, JSON, C++ header        write_table, read_table                   io/table_file.hpp
//   the same without the exact side; plain files     read_numeric_table, write_file, ...       io/containers.hpp
//   prove a table again                              verify                                    io/verify_table.hpp
//   its isotypic form, kept with it                  with_isotypic_form                        io/verify_table.hpp
//   pictures: SVG, PNG, terminal                     write_picture, terminal_picture           io/picture.hpp
//   y = W x + b, forward and backward                Layer, in a library of its own            numeric/layer.hpp
//   partitions, tableaux, RSK                        Partition, ...                            combinatorics/partition.hpp, ...
//   Littlewood-Richardson, skew, plethysm            SchurSum                                  combinatorics/symmetric_function.hpp
//   the ring of symmetric functions, six bases       SymmetricFunction, plethysm, ...          combinatorics/symmetric_algebra.hpp
//   characters of S_n, Kronecker products            kronecker_product, ...                    combinatorics/symmetric_group_characters.hpp
//   S_nu(V (x) W*) under GL x GL                     cauchy and Kronecker decompositions       gl/cauchy.hpp
//   the coordinate ring of matrices                  standard bitableaux, straightening        gl/bitableau.hpp, gl/coordinate_ring.hpp
//   ideals of minors                                 MinorIdeal                                gl/determinantal.hpp
//   matrices of Schur functors                       SchurFunctor                              gl/schur_functor.hpp
//   values of Schur polynomials                      schur_polynomial, schur_at_eigenvalues    combinatorics/schur_polynomial.hpp
//   GL(n) to O(n), Sp(n), S_n, products of groups    restrict_to_orthogonal, ...               gl/branching.hpp
//   S_lambda(V) of a finite group                    schur_power                               gl/schur_representation.hpp
//   root systems, weights, Weyl groups               RootSystem                                reductive/root_system.hpp
//   characters of reductive groups, products         LieCharacter, tensor_product, ...         reductive/weight_character.hpp
//   a group of any kind, from its name               parse_group("S5 x O(3)")                  io/any_expression.hpp
//   a group of any kind, its representations         hom::Group, hom::Representation           hom/group.hpp, hom/group_representation.hpp
//   their constituents                               hom::decompose                            hom/constituents.hpp
//   their restrictions to subgroups                  hom::Restriction, lie_restriction         hom/restriction.hpp
//   SO(3), O(1,3), S5 x O(3), ...                    ContinuousGroup, parse_continuous_group   classical/continuous_group.hpp, io/...
//   their representations                            ContinuousRepresentation                  classical/continuous_representation.hpp
//   one block of Hom between them, proved            hom_basis                                 classical/continuous_hom_basis.hpp
//   polynomial maps, means of matrices               polynomial_maps, ContinuousSymmetrizer    classical/continuous_polynomials.hpp, ...
//   how many polynomial maps there are               molien_series                             classical/continuous_series.hpp
//   the point group of a molecule, its frame         molecular_symmetry                        physics/molecule.hpp
//   vibrations, activity, force constants            molecular_motions, symmetry_coordinates   physics/molecular_motions.hpp
//   the space group of a crystal, its modes          crystal_symmetry, crystal_modes           physics/crystal.hpp
//   elastic, piezoelectric, ... tensors              tensor_form                               physics/tensor_properties.hpp
//   magnetic point groups by their symbols           magnetic_point_group                      physics/magnetic_point_group.hpp
//   semidefinite programs reduced by symmetry        sdp::reduce, sdp::symmetries             sdp/symmetry_reduction.hpp
//   symmetric functions as text                      parse_symmetric_function                  io/symmetric_expression.hpp
//   files of polynomial maps, proved again           read_polynomial_maps, verify              io/polynomial_maps_text.hpp
//   weights of users, symmetrized                    read_weight_matrix, symmetrize            io/weight_matrix_file.hpp
//   the format of a file, by its extension           format_of_file                            io/format.hpp
//   limits, progress, cancellation                   Task                                      task.hpp
//   errors                                           Error and its kinds                       error.hpp
//
// Arrays and points are 0-based; text for people is 1-based. (g h)(i) = g(h(i)); rho(g) e_i = +-e_{g(i)};
// an equivariant W has W rho_V(g) = rho_U(g) W. docs/conventions.md has the rest.
#pragma once
#include "intertwine/characters.hpp"
#include "intertwine/classical.hpp"
#include "intertwine/combinatorics.hpp"
#include "intertwine/equivariant.hpp"
#include "intertwine/error.hpp"
#include "intertwine/exact.hpp"
#include "intertwine/gl.hpp"
#include "intertwine/groups.hpp"
#include "intertwine/hom.hpp"
#include "intertwine/io.hpp"
#include "intertwine/physics.hpp"
#include "intertwine/random.hpp"
#include "intertwine/reductive.hpp"
#include "intertwine/representations.hpp"
#include "intertwine/sdp.hpp"
#include "intertwine/tables.hpp"
#include "intertwine/task.hpp"
#include "intertwine/version.hpp"
