(* Complete sets of irreducible matrices: in an accepted file the matrices of the generators belong to representations of the group, these are
   irreducible over the algebraic numbers, no two are equivalent, and every irreducible representation is equivalent to one of them.

   The first part, up to `forms_of_group`, is what one has to read to know what is claimed, beside `permutation` and `generated` in Chains.v, `value` in
   Numbers.v, and MathComp's representations by matrices; `accepted_forms` in FormsProof.v says that the checker in the second part accepts nothing
   else. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field all_character.
From IntertwineCheck Require Import Words Tied Sparse Elimination Numbers Chains Characters.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* ------------------------------------------------------------ what is claimed *)

(* A matrix by rows, and the denominator of all its entries. *)
Definition entries := (Z * seq (seq number))%type.

Record forms := Forms {
  points : nat;
  group_generators : seq perm_list;
  forms_order : Z;
  conductor : nat;                   (* all entries are sums of roots of unity of this order, *)
  conductors : seq nat;              (* those of a representation of this one *)
  dimensions : seq nat;
  matrices : seq (seq entries)       (* of every representation, one for each generator *)
}.

(* A product in MathComp applies its left factor first, and its matrices act on rows from the right. Those of the file act on columns, so that it is
   their transposes that multiply alike. *)
Definition transposed (z : algC) (d : nat) (x : entries) : 'M[algC]_d :=
  \matrix_(a, b) (value z (nth [::] (nth [::] x.2 b) a) / integer _ x.1).

Section Statement.

Variable f : forms.

Definition forms_group : {group {perm 'I_(points f)}} := generated (points f) (group_generators f).
Definition dimension_of (i : nat) : nat := nth 0%N (dimensions f) i.
Definition conductor_of (i : nat) : nat := nth 1%N (conductors f) i.
Definition matrix_of (i j : nat) : entries := nth (1%Z, [::]) (nth [::] (matrices f) i) j.

Definition forms_of_group : Prop :=
  Z.of_nat #|forms_group| = forms_order f /\
  forall z : algC, (conductor f).-primitive_root z ->
    exists r : forall i : 'I_(size (dimensions f)), mx_representation algCfield forms_group (dimension_of i),
      [/\ forall (i : 'I_(size (dimensions f))) j, (j < size (group_generators f))%N ->
            r i (permutation (points f) (nth [::] (group_generators f) j)) = transposed (z ^+ (conductor f %/ conductor_of i)) (dimension_of i) (matrix_of i j),
          forall i, mx_irreducible (r i),
          forall i j, mx_rsim (r i) (r j) -> i = j &
          forall d (other : mx_representation algCfield forms_group d), mx_irreducible other -> exists i, mx_rsim (r i) other].

End Statement.

(* ------------------------------------------------------------ the checker *)

Section Matrices.

Variables (low : number) (d : nat).

(* A number that is 0 is the empty list, so that products with it cost nothing. *)
Definition trimmed (x : number) : number := if is_zero x then [::] else x.
Definition times_number (x y : number) : number := if x is _ :: _ then if y is _ :: _ then multiply x y else [::] else [::].
Fixpoint dot (x y : seq number) : number :=
  match x, y with a :: x', b :: y' => add (times_number a b) (dot x' y') | _, _ => [::] end.

Definition shaped (x : entries) : bool := [&& (0 <? x.1)%Z, size x.2 == d & all (fun row => size row == d) x.2].
Definition columns (x : entries) : seq (seq number) := [seq [seq nth [::] row b | row <- x.2] | b <- iota 0 d].
Definition product (x y : entries) : entries :=
  let right := columns y in ((x.1 * y.1)%Z, [seq [seq trimmed (reduced_number low (dot row column)) | column <- right] | row <- x.2]).
Definition identity : entries := (1%Z, [seq [seq (if a == b then [:: 1%Z] else [::]) | b <- iota 0 d] | a <- iota 0 d]).
Definition trace (x : entries) : number := sum [seq nth [::] (nth [::] x.2 a) a | a <- iota 0 d].
Definition equal (x y : entries) : bool :=
  all (fun a => all2 (fun p q => vanishes low (add (scale y.1 p) (scale (- x.1) q))) (nth [::] x.2 a) (nth [::] y.2 a)) (iota 0 d).

(* The identity is often no matrix at all. *)
Definition explicit (x : option entries) : entries := if x is Some m then m else identity.
Definition times_image (x y : option entries) : option entries :=
  if x is Some a then if y is Some b then Some (product a b) else x else y.

(* Matrices of the elements of a level's table, by their points. *)
Definition images := seq (nat * entries).
Definition image_at (l : images) (y : nat) : option entries := if [seq e <- l | e.1 == y] is e :: _ then Some e.2 else None.

Variable n : nat.

(* The matrix of an element that sifts through a chain. *)
Fixpoint image (c : seq level) (ims : seq images) (x : perm_list) : option entries :=
  if c is (b, t) :: rest then
    let y := nth 0%N x b in
    times_image (image_at (head [::] ims) y) (image rest (behead ims) (times x (lookup n t y).2))
  else None.

(* Matrices of strong generators and of the tables multiply as the elements do. *)
Fixpoint check_images (c : seq level) (ims : seq images) (s : seq (pair * entries)) : bool :=
  if c is (b, t) :: rest then
    let here := head [::] ims in
    [&& ~~ isSome (image_at here b), all (fun e => shaped e.2) here,
        check_images rest (behead ims) [seq x <- s | nth 0%N x.1.1 b == b] &
        all (fun e => all (fun x =>
          let y := nth 0%N x.1.1 e.1 in
          let left_over := times (times e.2.1 x.1.1) (lookup n t y).2 in
          equal (explicit (times_image (Some x.2) (image_at here e.1)))
                (explicit (times_image (image_at here y) (image rest (behead ims) left_over)))) s) t]
  else all (fun x => equal x.2 identity) s.

End Matrices.

(* What an untrusted program says: the classes, the values of the characters, matrices of strong generators that are no generators, and of the tables. *)
Record form_claims := FormClaims {
  class_representatives : seq perm_list;
  class_sizes : seq Z;
  characters : seq (seq number);
  group_claims : claims;
  strong_matrices : seq (seq entries);
  table_matrices : seq (seq images)
}.

Section Checker.

Variables (f : forms) (w : form_claims).

Definition table_of : character_table :=
  CharacterTable (points f) (group_generators f) (forms_order f) (class_representatives w) (class_sizes w)
    (nseq (size (class_representatives w)) (conductor f)) (characters w).

(* A number at the q-th power of a root. *)
Fixpoint stretched (q : nat) (x : number) : number := if x is a :: rest then a :: nseq q.-1 0%Z ++ stretched q rest else [::].

Definition low_of (n : nat) : number := low (roots_of (group_claims w) n).

Definition check_trace (c : seq level) (ims : seq images) (i k : nat) : bool :=
  let d := dimension_of f i in
  let m := explicit d (image (low_of (conductor_of f i)) d (points f) c ims (element_of table_of k)) in
  vanishes (low_of (conductor f))
    (add (scale m.1 (entry table_of i k)) (scale (-1) (stretched (conductor f %/ conductor_of f i) (trace d m)))).

Definition check_form (s : seq pair) (c : seq level) (i : nat) : bool :=
  let d := dimension_of f i in
  let order := conductor_of f i in
  let ms := nth [::] (matrices f) i ++ nth [::] (strong_matrices w) i in
  let ims := nth [::] (table_matrices w) i in
  [&& (0 < order)%N && (order %| conductor f)%N && check_root order (roots_of (group_claims w) order),
      size (nth [::] (matrices f) i) == size (group_generators f), size ms == size s, all (shaped d) ms,
      check_images (low_of order) d (points f) c ims (zip s ms) &
      all (check_trace c ims i) (all_classes table_of)].

Definition check_forms : bool :=
  let s := strong_pairs table_of (group_claims w) in
  let c := group_chain table_of (group_claims w) in
  [&& size (dimensions f) == class_count table_of, check_group table_of (group_claims w) s c, check_classes table_of (group_claims w) s c,
      check_orthonormal table_of (group_claims w) & all (check_form s c) (all_classes table_of)].

End Checker.
