(* Sums of roots of unity as polynomials in a root z with integral coefficients, and when they are equal. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect ssralg ssrint.
From IntertwineCheck Require Import Words Tied Sparse Elimination.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* A number is a sum of c_j times z^j, z a root of unity. *)
Definition number := seq Z.
Fixpoint value (R : ringType) (z : R) (x : number) : R := if x is c :: rest then integer R c + z * value z rest else 0.

(* ------------------------------------------------------------ the checker *)

(* Numbers: polynomials in z, constant term first. *)
Fixpoint add (x y : number) : number :=
  match x, y with [::], _ => y | _, [::] => x | a :: x', b :: y' => (a + b)%Z :: add x' y' end.
Definition scale (c : Z) (x : number) : number := [seq (c * a)%Z | a <- x].
Fixpoint multiply (x y : number) : number := if x is a :: x' then add (scale a y) (0%Z :: multiply x' y) else [::].
Definition is_zero (x : number) : bool := all (fun a => (a =? 0)%Z) x.

(* Modulo z^d + low, d the length of `low`. *)
Section Reduction.

Variable low : number.

Definition shifted (x : number) : number :=
  if size x == size low then
    match rev x with
    | top :: rest => add (0%Z :: rev rest) (scale (- top) low)
    | [::] => [::]
    end
  else 0%Z :: x.
Definition reduced_number (x : number) : number := foldr (fun c r => add [:: c] (shifted r)) [::] x.
Definition vanishes (x : number) : bool := is_zero (reduced_number x).

End Reduction.

Definition power_minus_one (n : nat) : number := add (nseq n 0%Z ++ [:: 1%Z]) [:: (-1)%Z].

(* Why z^d + low is 0 at a primitive root of unity. *)
Record witness := Witness { low : number; rest : number; factor : number; exponents : seq nat }.

(* z^d + low times `rest` is z^n - 1, and `rest` divides a product of z^q - 1 with 0 < q < n. *)
Definition check_root (n : nat) (w : witness) : bool :=
  [&& is_zero (add (multiply (low w ++ [:: 1%Z]) (rest w)) (scale (-1) (power_minus_one n))),
      all (fun q => 0 < q < n)%N (exponents w) &
      is_zero (add (multiply (rest w) (factor w))
                   (scale (-1) (foldr (fun q x => multiply (power_minus_one q) x) [:: 1%Z] (exponents w))))].

(* What occurs beside sums and products: z^e, sums, and a number at 1 / z where z^n = 1. *)
Definition monomial (e : nat) : number := ncons e 0%Z [:: 1%Z].
Definition sum (s : seq number) : number := foldr add [::] s.
Fixpoint reversed (n e : nat) (x : number) : number := if x is c :: rest then add (scale c (monomial (n - e))) (reversed n e.+1 rest) else [::].

(* The integer that a number is modulo z^d + low, where it is one. *)
Definition integral (low x : number) : bool := is_zero (behead (reduced_number low x)).
Definition constant (low x : number) : Z := head 0%Z (reduced_number low x).

(* ------------------------------------------------------------ values *)

Section Numbers.

Variables (R : comRingType) (z : R).

Lemma value_add x y : value z (add x y) = value z x + value z y.
Proof.
elim: x y => [|a x IH] [|b y] /=; rewrite ?add0r ?addr0 //.
by rewrite IH integer_add mulrDr addrACA.
Qed.

Lemma value_scale c x : value z (scale c x) = integer R c * value z x.
Proof. by elim: x => [|a x IH] /=; rewrite ?mulr0 // IH integer_mul mulrDr mulrCA. Qed.

Lemma integer0 : integer R 0%Z = 0. Proof. by []. Qed.
Lemma integer1 : integer R 1%Z = 1. Proof. exact: (integer_nat R 1). Qed.
Lemma integerN1 : integer R (-1)%Z = -1. Proof. by rewrite (integer_opp R 1) integer1. Qed.

Lemma value_multiply x y : value z (multiply x y) = value z x * value z y.
Proof.
elim: x => [|a x IH] /=; first by rewrite mul0r.
by rewrite value_add value_scale /= integer0 add0r IH mulrDl mulrA.
Qed.

Lemma value_zero x : is_zero x -> value z x = 0.
Proof. by elim: x => //= a x IH /andP[/Z.eqb_eq -> /IH ->]; rewrite mulr0 addr0. Qed.

Lemma value_cat x y : value z (x ++ y) = value z x + z ^+ size x * value z y.
Proof. by elim: x => [|a x IH] /=; rewrite ?expr0 ?mul1r ?add0r // IH mulrDr addrA mulrA -exprS. Qed.

Lemma value_minus x y : is_zero (add x (scale (-1) y)) -> value z x = value z y.
Proof. by move/value_zero; rewrite value_add value_scale integerN1 mulN1r => /eqP; rewrite subr_eq0 => /eqP. Qed.

Lemma value_sum T (f : T -> number) s : value z (sum [seq f e | e <- s]) = \sum_(e <- s) value z (f e).
Proof. by elim: s => [|e s IH] /=; rewrite ?big_nil // big_cons value_add IH. Qed.

Lemma value_zeros n : value z (nseq n 0%Z) = 0.
Proof. by elim: n => //= n ->; rewrite mulr0 addr0. Qed.

Lemma value_power n : value z (power_minus_one n) = z ^+ n - 1.
Proof. by rewrite /power_minus_one value_add value_cat value_zeros size_nseq /= integer1 integerN1 !mulr0 !addr0 mulr1 add0r. Qed.

Section Modulo.

Variable low : number.
Hypothesis root : value z low + z ^+ size low = 0.

Lemma value_shifted x : value z (shifted low x) = z * value z x.
Proof.
rewrite /shifted; case: eqP => [E | _]; last by rewrite /= integer0 add0r.
have Ex := revK x; case: (rev x) Ex => [|top rest'] Ex; first by rewrite -Ex /= mulr0.
have {}E : (size rest').+1 = size low by rewrite -E -Ex size_rev.
rewrite -Ex.
have -> : value z (rev (top :: rest')) = value z (rev rest') + z ^+ size rest' * integer R top.
  by rewrite rev_cons -cats1 value_cat size_rev /= mulr0 addr0.
have L : value z low = - z ^+ size low by apply/eqP; rewrite -addr_eq0 root.
rewrite value_add /= integer0 add0r value_scale integer_opp L mulrNN mulrDr; congr (_ + _).
by rewrite -E exprS mulrC mulrA.
Qed.

Lemma value_reduced x : value z (reduced_number low x) = value z x.
Proof.
elim: x => // c x IH; rewrite -[reduced_number low (c :: x)]/(add [:: c] (shifted low (reduced_number low x))).
by rewrite value_add value_shifted IH /= mulr0 addr0.
Qed.

Lemma vanishesP x : vanishes low x -> value z x = 0.
Proof. by move/value_zero; rewrite value_reduced. Qed.

End Modulo.

Lemma value_monomial e : value z (monomial e) = z ^+ e.
Proof. by elim: e => [|e IH] /=; rewrite ?integer1 ?mulr0 ?addr0 ?expr0 // integer0 add0r IH exprS. Qed.

Lemma value_integral low x : value z low + z ^+ size low = 0 -> integral low x -> value z x = integer R (constant low x).
Proof.
move=> root; rewrite -(value_reduced root) /integral /constant; case: (reduced_number low x) => [|c r] //= H.
by rewrite (value_zero H) mulr0 addr0.
Qed.

(* y is 1 / z. *)
Lemma value_reversed n e x y : z * y = 1 -> z ^+ n = 1 -> (e + size x <= n.+1)%N -> value z (reversed n e x) * z ^+ e = value y x.
Proof.
move=> zy zn; elim: x e => [|c x IH] e /=; first by rewrite mul0r.
rewrite addnS ltnS => le; rewrite value_add value_scale value_monomial mulrDl -mulrA -exprD subnK ?zn ?mulr1; last exact: leq_trans (leq_addr _ _) le.
congr (_ + _); rewrite -(IH e.+1) ?addSn // exprS [z * _]mulrC !mulrA [y * _]mulrC -!mulrA; congr (_ * _).
by rewrite [z ^+ e * z]mulrC mulrA [y * z]mulrC zy mul1r.
Qed.

End Numbers.

Section Roots.

Variables (R : idomainType) (z : R) (n : nat) (w : witness).
Hypotheses (one_at : z ^+ n = 1) (other : forall d, (0 < d < n)%N -> z ^+ d <> 1) (ok : check_root n w).

Lemma low_root : value z (low w) + z ^+ size (low w) = 0.
Proof.
case/and3P: ok => A /allP B C.
have := value_minus z A; rewrite value_multiply value_power one_at subrr value_cat /= integer1 mulr0 addr0 mulr1.
move/eqP; rewrite mulf_eq0 => /orP[/eqP // | /eqP zero].
have := value_minus z C; rewrite value_multiply zero mul0r => /esym/eqP.
have K : forall q, q \in exponents w -> z ^+ q - 1 != 0 by move=> q /B H; rewrite subr_eq0; apply/eqP; exact: other.
have -> : (value z (foldr (fun q x => multiply (power_minus_one q) x) [:: 1%Z] (exponents w)) == 0) = false.
  apply: negbTE; elim: (exponents w) K => [|q s IH] K; first by rewrite /= integer1 mulr0 addr0 oner_neq0.
  rewrite [foldr _ _ _]/= value_multiply value_power mulf_neq0 //; first by apply: K; rewrite inE eqxx.
  by apply: IH => p H; apply: K; rewrite inE H orbT.
by [].
Qed.

End Roots.
