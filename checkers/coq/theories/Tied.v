(* Weight-tying tables: an accepted table's patterns are a basis of all equivariant matrices.

   The first part, up to `tied_basis`, is what one has to read to know what is claimed; the last theorem of the file, `accepted_tied`, says that
   the checker in the middle accepts nothing else. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect ssralg matrix.
From IntertwineCheck Require Import Words.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

(* ------------------------------------------------------------ what is claimed *)

(* A table as it lies in a file. Indices count from 0. Generator g sends the basis vector e_i of the rows to s * e_i' where `row_image g i` is the
   word s * (1 + i'); the columns likewise. `weight_code i j` is 0 for a structural zero, 1 + k for +theta_k, 1 + weights + k for -theta_k. *)
Record table := Table {
  rows : int;
  columns : int;
  generators : int;
  row_image : int -> int -> int;
  column_image : int -> int -> int;
  weights : int;
  weight_code : int -> int -> int;
  biases : int;
  bias_code : int -> int
}.

Section Statement.

Variable R : comRingType.

(* 1, -1 or 0: whether x is the word for plus, the word for minus, or another one. *)
Definition coefficient (plus minus x : int) : R :=
  if (x =? plus)%uint63 then 1 else if (x =? minus)%uint63 then -1 else 0.

(* The matrix that sends e_i to s * e_i', where image i = s * (1 + i'). *)
Definition signed_permutation (m : nat) (image : int -> int) : 'M[R]_m :=
  \matrix_(i', i) coefficient (word i'.+1) (- word i'.+1)%uint63 (image (word i)).

(* The matrix with +1 where the code is 1 + k, with -1 where it is 1 + p + k, and with 0 elsewhere. *)
Definition pattern (m n : nat) (p : int) (code : int -> int -> int) (k : nat) : 'M[R]_(m, n) :=
  \matrix_(i, j) coefficient (word k.+1) (p + word k.+1)%uint63 (code (word i) (word j)).

(* The vectors b_0, ..., b_(p-1) are a basis of the vectors with the property S: these are the combinations of them, each of one only. *)
Definition is_basis (V : lmodType R) (S : V -> Prop) (p : nat) (b : 'I_p -> V) : Prop :=
  (forall v, S v <-> exists c : 'I_p -> R, v = \sum_k c k *: b k) /\
  (forall c : 'I_p -> R, \sum_k c k *: b k = 0 -> forall k, c k = 0).

Variable t : table.

Definition row_matrix g := signed_permutation (nat_of (rows t)) (row_image t (word g)).
Definition column_matrix g := signed_permutation (nat_of (columns t)) (column_image t (word g)).

Definition equivariant_weight (W : 'M[R]_(nat_of (rows t), nat_of (columns t))) : Prop :=
  forall g, (g < nat_of (generators t))%N -> row_matrix g *m W = W *m column_matrix g.

Definition equivariant_bias (b : 'cV[R]_(nat_of (rows t))) : Prop :=
  forall g, (g < nat_of (generators t))%N -> row_matrix g *m b = b.

Definition tied_basis : Prop :=
  is_basis equivariant_weight (fun k : 'I_(nat_of (weights t)) => pattern _ _ (weights t) (weight_code t) k) /\
  is_basis equivariant_bias (fun k : 'I_(nat_of (biases t)) => pattern _ 1 (biases t) (fun i _ => bias_code t i) k).

End Statement.

(* ------------------------------------------------------------ the checker *)

Local Open Scope uint63_scope.

(* What untrusted code found out, and what is checked with its help. The entry (i, j) of `problem` moves to (i', j') under generator g; a step
   leads back along a generator to an entry of smaller level, and ends at an entry without a step, a root. *)
Record problem := Problem {
  height : int;
  width : int;
  moves : int;
  row_move : int -> int -> int;
  column_move : int -> int -> int;
  parameters : int;
  code : int -> int -> int
}.

Record certificate := Certificate {
  row_preimage : int -> int -> int;      (* generator, basis vector: what the generator sends to plus or minus this one *)
  column_preimage : int -> int -> int;
  step : int -> int -> int;              (* entry: 0 at a root, otherwise 1 + the generator *)
  level : int -> int -> int;             (* entry *)
  root : int -> int * int;               (* parameter: the root of its pattern *)
  loop : int -> int -> list int * list int   (* root among the zeros: two words that lead to the same entry with opposite signs *)
}.

(* Why a table is refused, and where. *)
Inductive reason :=
| TooLarge
| RowImage of int & int                  (* generator, basis vector: no signed permutation *)
| ColumnImage of int & int
| CodeRange of int & int                 (* entry *)
| NotEquivariant of int & int & int      (* generator, entry *)
| Unconnected of int & int               (* entry of a pattern that is more than one orbit *)
| FreeZero of int & int                  (* zero whose orbit does not meet its own negative *)
| EmptyPattern of int.                   (* parameter *)

Definition largest := 1152921504606846976. (* 2^60: sums of three such numbers are exact *)

Definition is_positive (m x : int) : bool := x - 1 <? m.
Definition target (m x : int) : int := if is_positive m x then x - 1 else - x - 1.

Definition flipped (p c : int) (negate : bool) : int :=
  if negate then if c =? 0 then 0 else if c <=? p then c + p else c - p else c.
Definition parameter (p c : int) : int := if c <=? p then c - 1 else c - p - 1.

Definition check_images (why : int -> int -> reason) (g m : int) (image preimage : int -> int -> int) : option reason :=
  scan g (fun k => scan m (fun i =>
    let i' := target m (image k i) in
    let h := preimage k i in
    if [&& i' <? m, preimage k i' =? i, h <? m & target m (image k h) =? i] then None else Some (why k i))).

Definition check_codes (p : problem) : option reason :=
  scan (height p) (fun i => scan (width p) (fun j => if code p i j <=? parameters p + parameters p then None else Some (CodeRange i j))).

Definition check_equivariance (p : problem) : option reason :=
  scan (moves p) (fun g => scan (height p) (fun i =>
    let x := row_move p g i in
    let i' := target (height p) x in
    let s := is_positive (height p) x in
    scan (width p) (fun j =>
      let y := column_move p g j in
      if code p i' (target (width p) y) =? flipped (parameters p) (code p i j) (xorb s (is_positive (width p) y))
      then None else Some (NotEquivariant g i j)))).

Fixpoint walk (p : problem) (word : list int) (i j : int) (negated : bool) : option (int * int * bool) :=
  if word is g :: rest then
    if g <? moves p then
      let x := row_move p g i in
      let y := column_move p g j in
      walk p rest (target (height p) x) (target (width p) y)
           (xorb negated (xorb (is_positive (height p) x) (is_positive (width p) y)))
    else None
  else Some (i, j, negated).

Definition meets_its_negative (p : problem) (words : list int * list int) (i j : int) : bool :=
  match walk p words.1 i j false, walk p words.2 i j false with
  | Some (a, b, s), Some (a', b', s') => [&& a =? a', b =? b' & xorb s s']
  | _, _ => false
  end.

Definition check_entries (p : problem) (w : certificate) : option reason :=
  scan (height p) (fun i => scan (width p) (fun j =>
    let s := step w i j in
    if s =? 0 then
      let c := code p i j in
      if c =? 0 then if meets_its_negative p (loop w i j) i j then None else Some (FreeZero i j)
      else let r := root w (parameter (parameters p) c) in
           if (r.1 =? i) && (r.2 =? j) then None else Some (Unconnected i j)
    else let g := s - 1 in
         if (g <? moves p) && (level w (row_preimage w g i) (column_preimage w g j) <? level w i j)
         then None else Some (Unconnected i j))).

Definition check_roots (p : problem) (w : certificate) : option reason :=
  scan (parameters p) (fun k =>
    let r := root w k in
    if [&& r.1 <? height p, r.2 <? width p, 0 <? code p r.1 r.2 & parameter (parameters p) (code p r.1 r.2) =? k]
    then None else Some (EmptyPattern k)).

(* The first of two objections. *)
Definition first_of (a : option reason) (b : unit -> option reason) : option reason := if a is Some r then Some r else b tt.

Definition check_problem (p : problem) (w : certificate) : option reason :=
  first_of (if [&& height p <? largest, width p <? largest & parameters p <? largest] then None else Some TooLarge) (fun _ =>
  first_of (check_images RowImage (moves p) (height p) (row_move p) (row_preimage w)) (fun _ =>
  first_of (check_images ColumnImage (moves p) (width p) (column_move p) (column_preimage w)) (fun _ =>
  first_of (check_codes p) (fun _ =>
  first_of (check_equivariance p) (fun _ =>
  first_of (check_roots p w) (fun _ =>
  check_entries p w)))))).

Definition weight_problem (t : table) : problem :=
  Problem (rows t) (columns t) (generators t) (row_image t) (column_image t) (weights t) (weight_code t).

(* A bias is a matrix with one column, which no generator moves. *)
Definition bias_problem (t : table) : problem :=
  Problem (rows t) 1 (generators t) (row_image t) (fun _ _ => 1) (biases t) (fun i _ => bias_code t i).

Definition check_weights (t : table) (w : certificate) : option reason := check_problem (weight_problem t) w.
Definition check_biases (t : table) (w : certificate) : option reason := check_problem (bias_problem t) w.
