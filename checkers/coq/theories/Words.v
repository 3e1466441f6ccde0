(* Machine words and loops over them.

   A table's numbers are 63-bit words, Coq's primitive type `int`, which extraction turns into OCaml's native integers. Arrays are functions of
   words: the programs that are verified here only read, so nothing has to be assumed of arrays. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope uint63_scope.

Ltac words := unfold is_true in *; lia.

(* The word of a natural number, and the natural number of a word. *)
Definition word (n : nat) : int := of_Z (Z.of_nat n).
Definition nat_of (x : int) : nat := Z.to_nat (to_Z x).

Lemma wordK x : word (nat_of x) = x.
Proof. by rewrite /word /nat_of; have := to_Z_bounded x => H; apply: to_Z_inj; rewrite of_Z_spec; words. Qed.

Lemma nat_ofK m n : (n < nat_of m)%N -> nat_of (word n) = n.
Proof. by move=> /ltP; rewrite /word /nat_of; have := to_Z_bounded m => H lt; rewrite of_Z_spec; words. Qed.

Lemma nat_of_lt x m : (x <? m) -> (nat_of x < nat_of m)%N.
Proof. by move=> H; apply/ltP; rewrite /nat_of; words. Qed.

Lemma word_lt n m : (n < nat_of m)%N -> word n <? m.
Proof. by move=> lt; have := nat_ofK lt; move/ltP: lt; rewrite /nat_of; move: (word n) => x; words. Qed.

Lemma word_inj m a b : (a < nat_of m)%N -> (b < nat_of m)%N -> word a = word b -> a = b.
Proof. by move=> Ha Hb E; rewrite -(nat_ofK Ha) -(nat_ofK Hb) E. Qed.

(* The words below n, from 0 on: the first one that f objects to ends the loop. *)
Definition below (x y : int) : Prop := (to_Z x < to_Z y)%Z.

Lemma below_wf : well_founded below.
Proof.
apply: (wf_incl _ _ (fun x y => (nat_of x < nat_of y)%coq_nat)); last exact: well_founded_ltof.
by move=> x y; rewrite /below /nat_of => H; have := to_Z_bounded x; words.
Qed.

Lemma below_pred k : (0 <? k) = true -> below (k - 1) k.
Proof. rewrite /below; words. Qed.

Fixpoint scan_from A (f : int -> option A) (n k : int) (a : Acc below k) {struct a} : option A :=
  (if 0 <? k as positive return (0 <? k) = positive -> option A
   then fun e => if f (n - k) is Some x then Some x else scan_from f n (Acc_inv a (below_pred e))
   else fun _ => None) (erefl _).

Definition scan A (n : int) (f : int -> option A) : option A := scan_from f n (below_wf n).

Lemma scanP A n (f : int -> option A) : scan n f = None -> forall i, i <? n -> f i = None.
Proof.
rewrite /scan; move: (below_wf n) => a H i lt.
suff: forall k (a : Acc below k), scan_from f n a = None -> (k <=? n) -> (n - k <=? i) -> f i = None.
  by move=> S; apply: (S n a H); words.
move=> k; elim/(well_founded_ind below_wf): k => k IH [b] /=; move: (below_pred (k := k)).
case E: (0 <? k) => e; last by move=> _; words.
case F: (f (n - k)) => [//|] G le ge.
case ne: (i =? n - k); first by move/Uint63.eqb_spec: ne => ->.
by apply: (IH _ _ _ G); rewrite /below; words.
Qed.

(* The words below k that f accepts, before those in a list. *)
Fixpoint collect_from (f : int -> bool) (k : int) (found : seq int) (a : Acc below k) {struct a} : seq int :=
  (if 0 <? k as positive return (0 <? k) = positive -> seq int
   then fun e => collect_from f (if f (k - 1) then (k - 1) :: found else found) (Acc_inv a (below_pred e))
   else fun _ => found) (erefl _).

Definition collect (n : int) (f : int -> bool) : seq int := collect_from f [::] (below_wf n).

Inductive member (i : int) : seq int -> Prop :=
| Here l : member i (i :: l)
| There j l of member i l : member i (j :: l).

Lemma collect_keeps f k found (a : Acc below k) i : member i found -> member i (collect_from f found a).
Proof.
elim/(well_founded_ind below_wf): k found a => k IH found [b] /=; move: (below_pred (k := k)).
case E: (0 <? k) => e here //; apply: IH; first by rewrite /below; words.
by case: (f (k - 1)) => //; right.
Qed.

Lemma collectP n (f : int -> bool) i : i <? n -> f i -> member i (collect n f).
Proof.
rewrite /collect; move: (below_wf n) [::] => a found lt fi.
elim/(well_founded_ind below_wf): n found a lt => k IH found [b] /=; move: (below_pred (k := k)).
case E: (0 <? k) => e lt; last by words.
case last: (i =? k - 1); last by apply: IH; [rewrite /below; words | words].
by apply: collect_keeps; move/Uint63.eqb_spec: last => <-; rewrite fi; left.
Qed.
