(* The checkers as OCaml. Machine words become OCaml's native integers, by way of program/uint63.ml; booleans, pairs, lists and options become OCaml's. *)

From Coq Require Import Extraction ExtrOcamlBasic ExtrOCamlInt63 Uint63.
From IntertwineCheck Require Import Words Tied Sparse Blocks.

Extraction Language OCaml.
Set Extraction KeepSingleton.
Extraction "verified.ml" check_weights check_biases check_sparse_generators check_sparse_weights check_sparse_biases
  check_blocks same_rows same_columns.

From IntertwineCheck Require Import Numbers Chains Characters Forms.
Extraction "verified_characters.ml" check_characters strong_pairs group_chain check_group check_classes check_linear class_sums check_value all_classes
  check_orthonormal check_forms check_form check_trace check_images product explicit image trace stretched table_of.
