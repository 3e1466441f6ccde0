(* Sparse bases: an accepted table's elements are a basis of all equivariant matrices, over every field of characteristic 0.

   The first part, up to `sparse_basis`, is what one has to read to know what is claimed; `accepted_sparse` in SparseProof.v says that the checker
   in the second part accepts nothing else. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect ssralg ssrint matrix.
From IntertwineCheck Require Import Words Tied.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Delimit Scope Z_scope with Z. (* mathcomp takes the key for its own integers *)

Notation uint63 := PrimInt63.int.

(* ------------------------------------------------------------ what is claimed *)

(* A table as it lies in a file, by rows or columns. Indices count from 0; a fraction is a numerator and a denominator. *)
Record sparse := Sparse {
  srows : uint63;
  scolumns : uint63;
  sgenerators : uint63;
  row_entries : uint63 -> uint63 -> seq (uint63 * Z * Z);      (* generator, row i: (column, numerator, denominator) of the entries of A in row i *)
  column_entries : uint63 -> uint63 -> seq (uint63 * Z * Z);   (* generator, column j: (row, numerator, denominator) of the entries of B in column j *)
  algebra : uint63 -> bool;                                (* generator: whether it is an element of a Lie algebra *)
  elements : uint63;
  element_entries : uint63 -> uint63 -> seq (uint63 * Z);      (* entry: (element, value) for the elements with a value there *)
  bias_elements : uint63;
  bias_entries : uint63 -> seq (uint63 * Z)
}.

(* Coq's integers in a ring. *)
Definition Z_int (z : Z) : int := match z with Z0 => 0 | Zpos p => (Pos.to_nat p)%:Z | Zneg p => - (Pos.to_nat p)%:Z end.
Definition integer (R : ringType) (z : Z) : R := (Z_int z)%:~R.

Section Statement.

Variable F : fieldType.
Variable t : sparse.

Definition fraction (e : uint63 * Z * Z) : F := integer F e.1.2 / integer F e.2.

(* Entries at the same place are added up. *)
Definition srow_matrix (g : nat) : 'M[F]_(nat_of (srows t)) :=
  \matrix_(i, a) \sum_(e <- row_entries t (word g) (word i) | nat_of e.1.1 == a) fraction e.

Definition scolumn_matrix (g : nat) : 'M[F]_(nat_of (scolumns t)) :=
  \matrix_(b, j) \sum_(e <- column_entries t (word g) (word j) | nat_of e.1.1 == b) fraction e.

Definition element (m n : nat) (entries : uint63 -> uint63 -> seq (uint63 * Z)) (k : nat) : 'M[F]_(m, n) :=
  \matrix_(i, j) \sum_(e <- entries (word i) (word j) | nat_of e.1 == k) integer F e.2.

Definition sequivariant_weight (W : 'M[F]_(nat_of (srows t), nat_of (scolumns t))) : Prop :=
  forall g, (g < nat_of (sgenerators t))%N -> srow_matrix g *m W = W *m scolumn_matrix g.

(* A group element fixes the bias; an element of a Lie algebra annihilates it. *)
Definition sequivariant_bias (b : 'cV[F]_(nat_of (srows t))) : Prop :=
  forall g, (g < nat_of (sgenerators t))%N -> srow_matrix g *m b = if algebra t (word g) then 0 else b.

(* A group element acts by invertible matrices. *)
Definition sgroup_acts : Prop :=
  forall g, (g < nat_of (sgenerators t))%N -> algebra t (word g) = false -> srow_matrix g \in unitmx /\ scolumn_matrix g \in unitmx.

Definition sparse_basis : Prop :=
  is_basis sequivariant_weight (fun k : 'I_(nat_of (elements t)) => element _ _ (element_entries t) k) /\
  is_basis sequivariant_bias (fun k : 'I_(nat_of (bias_elements t)) => element _ 1 (fun i _ => bias_entries t i) k).

End Statement.

(* ------------------------------------------------------------ the checker *)

Local Open Scope uint63_scope.

(* A linear form: coefficients at unknowns, these increasing. *)
Definition form (C : Type) := seq (uint63 * C).

Section Forms.

Variables (C : Type) (zero : C -> bool) (add mul : C -> C -> C).

Definition scaled (c : C) (s : form C) : form C := [seq (e.1, mul c e.2) | e <- s].

(* r + c s *)
Fixpoint combined (c : C) (r : form C) {struct r} : form C -> form C :=
  if r is (i, a) :: r' then
    fix inner (s : form C) : form C :=
      if s is (j, b) :: s' then
        if i <? j then (i, a) :: combined c r' s
        else if j <? i then (j, mul c b) :: inner s'
        else let d := add a (mul c b) in if zero d then combined c r' s' else (i, d) :: combined c r' s'
      else r
  else scaled c.

End Forms.

(* Finite maps from words; all that is needed of them is that they hold nothing that was not put in. *)
Inductive trie A := Empty | Node of option A & trie A & trie A.
Arguments Empty {A}.

Fixpoint get A (t : trie A) (i : uint63) : option A :=
  if t is Node v l r then if i =? 0 then v else if i land 1 =? 0 then get l (i >> 1) else get r (i >> 1) else None.

Fixpoint put A (depth : nat) (t : trie A) (i : uint63) (a : A) : trie A :=
  if depth is d.+1 then
    let: (v, l, r) := if t is Node v l r then (v, l, r) else (None, Empty, Empty) in
    if i =? 0 then Node (Some a) l r else if i land 1 =? 0 then Node v (put d l (i >> 1) a) r else Node v l (put d r (i >> 1) a)
  else t.

(* Gaussian elimination modulo m. A row (p, s) of the table is the form with 1 at p and s at later unknowns. *)
Section Elimination.

Variables (m : uint63) (inverse : uint63 -> uint63) (fuel : nat).

Definition low (a : uint63) : uint63 := if a <? m then a else a mod m.
Definition addm (a b : uint63) : uint63 := (low a + low b) mod m.
Definition mulm (a b : uint63) : uint63 := (low a * low b) mod m.
Definition rows_so_far := trie (uint63 * form uint63).

Fixpoint reduced (f : nat) (t : rows_so_far) (r : form uint63) : form uint63 :=
  if f is f'.+1 then
    if r is (i, c) :: rest then
      if get t i is Some (p, s) then
        if p =? i then reduced f' t (combined (fun x => x =? 0) addm mulm (m - low c) rest s) else [::]
      else r
    else [::]
  else [::].

(* The table with one more row, or as it was; and whether there is one more. *)
Definition inserted (t : rows_so_far) (r : form uint63) : rows_so_far * bool :=
  if reduced fuel t r is (p, c) :: rest then
    let u := inverse c in
    if (mulm u c =? 1) && all (fun e => p <? e.1) rest then (put 63 t p (p, scaled mulm u rest), true) else (t, false)
  else (t, false).

(* Inserts rows, given by numbers that `row` makes forms of, until `missing` of them were new. *)
Fixpoint eliminated A (row : A -> form uint63) (numbers : seq A) (missing : uint63) (t : rows_so_far) : rows_so_far :=
  if numbers is k :: rest then
    if missing =? 0 then t
    else let: (t', new) := inserted t (row k) in eliminated row rest (if new then missing - 1 else missing) t'
  else t.

Definition has_row (t : rows_so_far) (i : uint63) : bool := if get t i is Some (p, _) then p =? i else false.

(* The unknowns below n that have no row. *)
Definition unknowns_left (n : uint63) (t : rows_so_far) : seq uint63 := collect n (fun i => ~~ has_row t i).

(* An integer as a word below m. *)
Definition residue (z : Z) : uint63 := of_Z (z mod to_Z m).
Definition residues (s : form Z) : form uint63 := [seq (e.1, residue e.2) | e <- s].

End Elimination.

(* One kind of unknown matrix, weight or bias. *)
Record sparse_problem := SparseProblem {
  sheight : uint63;
  swidth : uint63;
  smoves : uint63;
  left : uint63 -> uint63 -> seq (uint63 * Z * Z);
  right : uint63 -> uint63 -> seq (uint63 * Z * Z);
  dimension : uint63;
  values : uint63 -> uint63 -> form Z
}.

Record sparse_certificate := SparseCertificate {
  modulus : uint63;                              (* a prime, though nothing depends on it *)
  inverse : uint63 -> uint63;                      (* modulo it *)
  fuel : nat;                                  (* at least the length of the longest reduction *)
  common : Z;                                  (* a common multiple of all denominators *)
  constraints : seq (uint63 * uint63 * uint63);      (* generator, entry: constraints to be used, in a good order *)
  places : seq (uint63 * uint63)                   (* entries whose values show that the elements are independent *)
}.

Inductive sparse_reason :=
| BadCertificate
| BadLeft of uint63 & uint63                       (* generator, row: an index or denominator is wrong *)
| BadRight of uint63 & uint63                      (* generator, column *)
| BadValue of uint63 & uint63                      (* entry *)
| NotCommuting of uint63 & uint63 & uint63           (* generator, entry *)
| Dependent                                    (* elements *)
| DimensionTooSmall of uint63.                   (* as many unknowns are not determined *)

Section Check.

Variables (p : sparse_problem) (w : sparse_certificate).

Definition many := 1073741824. (* 2^30: sizes are below it, so that numbers of entries are exact *)
Definition largest_modulus := 2147483648. (* 2^31: products of residues are exact *)

Definition multiple (e : uint63 * Z * Z) : Z := (e.1.2 * (common w / e.2))%Z.

Definition sound_entries (n : uint63) (entries : seq (uint63 * Z * Z)) : bool :=
  all (fun e => [&& e.1.1 <? n, (0 <? e.2)%Z & (common w mod e.2 =? 0)%Z]) entries.

(* Entry (i, j) of common * (A W - W B) as a form in the entries of W. *)
Definition place (i j : uint63) : uint63 := i * swidth p + j.
Definition left_form (g i j : uint63) : form Z := [seq (place e.1.1 j, multiple e) | e <- left p g i].
Definition right_form (g i j : uint63) : form Z := [seq (place i e.1.1, multiple e) | e <- right p g j].

Definition constraint (k : uint63 * uint63 * uint63) : form uint63 :=
  let: (g, i, j) := k in
  if [&& g <? smoves p, i <? sheight p & j <? swidth p] then
    combined (fun x => x =? 0) (addm (modulus w)) (mulm (modulus w)) (modulus w - 1)
             (residues (modulus w) (left_form g i j)) (residues (modulus w) (right_form g i j))
  else [::].

(* The same entry for a combination of the elements, as a form in the coefficients; it has to be 0. *)
Definition plus_values (c : Z) (acc : form Z) (i j : uint63) : form Z := combined (fun x => x =? 0)%Z Z.add Z.mul c acc (values p i j).

Definition commutator (g i j : uint63) : form Z :=
  foldl (fun acc e => plus_values (- multiple e) acc i e.1.1)
        (foldl (fun acc e => plus_values (multiple e) acc e.1.1 j) [::] (left p g i)) (right p g j).

Definition check_sparse : option sparse_reason :=
  let m := modulus w in
  if ~~ [&& sheight p <? many, swidth p <? many, dimension p <? many, 1 <? m, m <? largest_modulus & (0 <? common w)%Z] then Some BadCertificate
  else if scan (smoves p) (fun g => scan (sheight p) (fun i => if sound_entries (sheight p) (left p g i) then None else Some (BadLeft g i)))
    is Some r then Some r
  else if scan (smoves p) (fun g => scan (swidth p) (fun j => if sound_entries (swidth p) (right p g j) then None else Some (BadRight g j)))
    is Some r then Some r
  else if scan (sheight p) (fun i => scan (swidth p) (fun j =>
      if all (fun e => e.1 <? dimension p) (values p i j) then None else Some (BadValue i j))) is Some r then Some r
  else if scan (smoves p) (fun g => scan (sheight p) (fun i => scan (swidth p) (fun j =>
      if commutator g i j is [::] then None else Some (NotCommuting g i j)))) is Some r then Some r
  else
    let value_row (e : uint63 * uint63) := if (e.1 <? sheight p) && (e.2 <? swidth p) then residues m (values p e.1 e.2) else [::] in
    let independent := eliminated m (inverse w) (fuel w) value_row (places w) (dimension p) Empty in
    if unknowns_left (dimension p) independent is _ :: _ then Some Dependent
    else
      let n := sheight p * swidth p in
      let determined := eliminated m (inverse w) (fuel w) constraint (constraints w) (n - dimension p) Empty in
      let free := unknowns_left n determined in
      if Nat.leb (size free) (nat_of (dimension p)) then None else Some (DimensionTooSmall (of_Z (Z.of_nat (size free)))).

End Check.

Definition sparse_weight_problem (t : sparse) : sparse_problem :=
  SparseProblem (srows t) (scolumns t) (sgenerators t) (row_entries t) (column_entries t) (elements t) (element_entries t).

(* A bias is a matrix with one column, on which a group element acts as 1 and an element of a Lie algebra as 0. *)
Definition sparse_bias_problem (t : sparse) : sparse_problem :=
  SparseProblem (srows t) 1 (sgenerators t) (row_entries t) (fun g _ => if algebra t g then [::] else [:: (0, 1%Z, 1%Z)])
                (bias_elements t) (fun i _ => bias_entries t i).

Definition check_sparse_weights (t : sparse) (w : sparse_certificate) : option sparse_reason := check_sparse (sparse_weight_problem t) w.
Definition check_sparse_biases (t : sparse) (w : sparse_certificate) : option sparse_reason := check_sparse (sparse_bias_problem t) w.

(* A matrix, given by its rows, annihilates no vector but 0: the equations A v = 0 have no solution beside it. *)
Definition kernel_problem (n : uint63) (line : uint63 -> seq (uint63 * Z * Z)) : sparse_problem :=
  SparseProblem n 1 1 (fun _ => line) (fun _ _ => [::]) 0 (fun _ _ => [::]).

(* Of every generator that is an element of a group; its matrix on the columns is given by columns, the rows of its transpose. *)
Definition check_sparse_generators (t : sparse) (rows columns : uint63 -> sparse_certificate) : option (uint63 * sparse_reason) :=
  scan (sgenerators t) (fun g =>
    if algebra t g then None
    else if check_sparse (kernel_problem (srows t) (row_entries t g)) (rows g) is Some r then Some (g, r)
    else if check_sparse (kernel_problem (scolumns t) (column_entries t g)) (columns g) is Some r then Some (g, r)
    else None).
