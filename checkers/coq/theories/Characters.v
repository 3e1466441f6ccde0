(* Tables of characters of permutation groups: in an accepted table order, classes and sizes are those of the group, and the rows are its irreducible
   characters.

   The first part, up to `table_of_group`, is what one has to read to know what is claimed, beside `permutation` and `generated` in Chains.v, `value` in
   Numbers.v, and MathComp's classes and irreducible characters; `accepted_characters` at the end says that the checker in the second part accepts
   nothing else. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field all_character.
From IntertwineCheck Require Import Words Tied Sparse Elimination Numbers Chains.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* ------------------------------------------------------------ what is claimed *)

Record character_table := CharacterTable {
  degree : nat;
  generators : seq perm_list;
  order : Z;
  representatives : seq perm_list;  (* of the classes, the first of the identity *)
  sizes : seq Z;                    (* of the classes *)
  orders : seq nat;                 (* the values at a class are sums of roots of unity of this order *)
  rows : seq (seq number)           (* rows, each with a value for every class *)
}.

Section Statement.

Variable t : character_table.

Definition group_of : {group {perm 'I_(degree t)}} := generated (degree t) (generators t).
Definition representative (k : nat) : {perm 'I_(degree t)} := permutation (degree t) (nth [::] (representatives t) k).
Definition class_of (k : nat) : {set {perm 'I_(degree t)}} := (representative k ^: group_of)%g.
Definition class_count : nat := size (representatives t).
Definition order_at (k : nat) : nat := nth 1%N (orders t) k.
Definition entry (i k : nat) : number := nth [::] (nth [::] (rows t) i) k.

Definition table_of_group : Prop :=
  [/\ Z.of_nat #|group_of| = order t,
      uniq [seq class_of k | k <- iota 0 class_count] /\ [seq class_of k | k <- iota 0 class_count] =i classes group_of,
      representative 0 = 1%g,
      forall k, (k < class_count)%N -> Z.of_nat #|class_of k| = nth 0%Z (sizes t) k &
      forall (m : nat) (z : algC), m.-primitive_root z -> (forall k, (k < class_count)%N -> order_at k %| m)%N ->
        exists characters : seq 'CF(group_of),
          perm_eq characters (irr group_of) /\ size characters = size (rows t) /\
          forall i k, (i < size (rows t))%N -> (k < class_count)%N ->
            (nth 0 characters i) (representative k) = value (z ^+ (m %/ order_at k)) (entry i k)].

End Statement.

(* ------------------------------------------------------------ the checker *)

(* What an untrusted program says of a class: a conjugate of the representative and the element that conjugates, by points of the tables of the chain,
   what a search may compare, and points of the orbits of the base under the elements that commute with the conjugate. *)
Record class_claim := ClassClaim { source : perm_list; conjugator : seq nat; plan : seq (seq (nat * nat * nat)); orbits : seq (seq nat) }.

(* A linear character of a subgroup: generators, with the exponents of their values as roots of unity of order `modulus`; a chain; the index. *)
Record linear_claim := LinearClaim {
  modulus : nat; linear_generators : seq (pair * nat); linear_words : seq (seq (nat * bool)); linear_bases : seq (nat * seq (nat * nat)); index_of : Z
}.

Record claims := Claims {
  inverse_generators : seq perm_list; strong_words : seq (seq (nat * bool)); bases : seq (nat * seq (nat * nat));
  class_claims : seq class_claim;
  linears : seq linear_claim;
  classify : perm_list -> nat * seq nat;   (* the class of an element, and what conjugates it to the representative *)
  combinations : seq (seq Z);              (* for every row a coefficient for every induced linear character *)
  roots_of : nat -> witness;
  most_powers : nat                        (* more than any power that a search compares *)
}.

(* An element of a subgroup acts on m further points as well, by the rotation that its value is; how far x rotates. *)
Definition extended (n m : nat) (x : perm_list) (e : nat) : perm_list := x ++ [seq (n + (j + e) %% m)%N | j <- iota 0 m].
Definition exponent (n : nat) (x : perm_list) : nat := (nth 0 x n - n)%N.

Section Checker.

Variables (t : character_table) (w : claims).

Definition n := degree t.
Definition generator_pairs : seq pair := zip (generators t) (inverse_generators w).
Definition strong_pairs : seq pair := strong n generator_pairs (strong_words w).
Definition group_chain : seq level := chain n (bases w) strong_pairs.

Definition check_group (s : seq pair) (c : seq level) : bool :=
  [&& size (inverse_generators w) == size (generators t), all (inverses n) generator_pairs, check_chain n c s & (size_of c =? order t)%Z].

(* Classes. *)
Definition claim_of (k : nat) : class_claim := nth (ClassClaim [::] [::] [::] [::]) (class_claims w) k.
Definition element_of (k : nat) : perm_list := nth [::] (representatives t) k.
Definition size_at (k : nat) : Z := nth 0%Z (sizes t) k.
Definition all_classes : seq nat := iota 0 (class_count t).
Definition commuting (c : seq level) (k : nat) : Z :=
  let r := source (claim_of k) in let ps := powers n r (most_powers w) in
  centralizer_bound n r c (constraints ps ps c [::] (plan (claim_of k))) (orbits (claim_of k)).
Definition found (c : seq level) (k j : nat) : nat :=
  let r := source (claim_of k) in let s := element_of j in
  search r s c (constraints (powers n r (most_powers w)) (powers n s (most_powers w)) c [::] (plan (claim_of k))) (one n).
Definition signatures : seq (seq nat) := [seq signature n x (most_powers w) | x <- representatives t].
Definition different (c : seq level) (of_class : seq (seq nat)) (k j : nat) : bool :=
  (nth [::] of_class k != nth [::] of_class j) || (found c k j == 0%N).
Definition central (s : seq pair) (k : nat) : bool := all (fun x => times x.1 (element_of k) == times (element_of k) x.1) s.

Definition check_class (s : seq pair) (c : seq level) (of_class : seq (seq nat)) (k : nat) : bool :=
  [&& valid n (element_of k), sift n c (element_of k), (0 <? size_at k)%Z &
      if central s k then [&& (size_at k =? 1)%Z & all (fun j => element_of j != element_of k) (iota 0 k)] else
        let z := member n c (conjugator (claim_of k)) in
        [&& valid n (source (claim_of k)), times (element_of k) z == times z (source (claim_of k)),
            (commuting c k * size_at k <=? order t)%Z & all (different c of_class k) (iota 0 k)]].

Definition check_classes (s : seq pair) (c : seq level) : bool :=
  [&& (0 < class_count t)%N, element_of 0 == one n, size (sizes t) == class_count t, (foldr Z.add 0 (sizes t) =? order t)%Z &
      let of_class := signatures in all (check_class s c of_class) all_classes].

(* Linear characters. *)
Definition linear_pairs (l : linear_claim) : seq pair :=
  strong (n + modulus l)
    [seq (extended n (modulus l) x.1.1 x.2, extended n (modulus l) x.1.2 (modulus l - x.2)) | x <- linear_generators l] (linear_words l).
Definition linear_chain (l : linear_claim) : seq level := chain (n + modulus l) (linear_bases l) (linear_pairs l).
Definition linear_members (l : linear_claim) : seq perm_list := members (n + modulus l) (linear_chain l).

Definition check_member (c : seq level) (m : nat) (x : perm_list) : bool :=
  let h := take n x in let k := classify w h in let z := member n c k.2 in
  [&& (k.1 < class_count t)%N, times h z == times z (element_of k.1) & (m %| exponent n x * order_at t k.1)%N].

Definition check_linear (c : seq level) (l : linear_claim) : bool :=
  let m := modulus l in
  [&& (0 < m)%N, has (fun k => m %| order_at t k)%N all_classes,
      all (fun x => [&& inverses n x.1, (x.2 <= m)%N &
                        inverses (n + m) (extended n m x.1.1 x.2, extended n m x.1.2 (m - x.2))]) (linear_generators l),
      check_chain (n + m) (linear_chain l) (linear_pairs l), all (fun b => b.1 < n)%N (linear_chain l),
      (size_of (linear_chain l) * index_of l =? order t)%Z &
      all (check_member c m) (linear_members l)].

(* Of every element its class and its exponent; the sum of the values at the elements of a class. *)
Definition tags (l : linear_claim) : seq (nat * nat) := [seq ((classify w (take n x)).1, exponent n x) | x <- linear_members l].
Definition class_sum (l : linear_claim) (s : seq (nat * nat)) (k : nat) : number :=
  sum [seq monomial (x.2 * order_at t k %/ modulus l) | x <- s & x.1 == k].
Definition class_sums : seq (seq number) := [seq (let s := tags l in [seq class_sum l s k | k <- all_classes]) | l <- linears w].

Definition coefficient (i j : nat) : Z := nth 0%Z (nth [::] (combinations w) i) j.
Definition linear_of (j : nat) : linear_claim := nth (LinearClaim 0 [::] [::] [::] 0) (linears w) j.
Definition all_linears : seq nat := iota 0 (size (linears w)).
Definition low_at (k : nat) : number := low (roots_of w (order_at t k)).

Definition check_value (sums : seq (seq number)) (i k : nat) : bool :=
  vanishes (low_at k)
    (add (scale (- size_at k) (entry t i k))
         (sum [seq scale (coefficient i j * index_of (linear_of j)) (nth [::] (nth [::] sums j) k) | j <- all_linears])).

(* Inner products, order by order. *)
Definition distinct_orders : seq nat := undup [seq order_at t k | k <- all_classes].
Definition part (i j d : nat) : number :=
  sum [seq scale (size_at k) (multiply (entry t i k) (reversed d 0 (entry t j k))) | k <- all_classes & order_at t k == d].
Definition check_product (i j : nat) : bool :=
  all (fun d => integral (low (roots_of w d)) (part i j d)) distinct_orders &&
  (foldr Z.add 0 [seq constant (low (roots_of w d)) (part i j d) | d <- distinct_orders] =? if i == j then order t else 0)%Z.

Definition check_degree (i : nat) : bool := if entry t i 0 is d :: rest then (0 <? d)%Z && is_zero rest else false.

(* Functions with these values are orthonormal, with positive degrees, and as many as classes. *)
Definition check_orthonormal : bool :=
  [&& size (rows t) == class_count t, all (fun d => (0 < d)%N && check_root d (roots_of w d)) distinct_orders,
      all (fun i => all (fun k => size (entry t i k) <= order_at t k)%N all_classes) all_classes, all check_degree all_classes &
      all (fun i => all (check_product i) all_classes) all_classes].

(* The rows are combinations of induced linear characters. *)
Definition check_induced (c : seq level) : bool :=
  all (check_linear c) (linears w) && (let sums := class_sums in all (fun i => all (check_value sums i) all_classes) all_classes).

Definition check_characters : bool :=
  let s := strong_pairs in let c := group_chain in [&& check_group s c, check_classes s c, check_orthonormal & check_induced c].

End Checker.
