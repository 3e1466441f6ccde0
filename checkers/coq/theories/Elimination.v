(* Elimination modulo m determines unknowns in every integral domain of characteristic 0: the proof.

   Unknowns x_j and the integral combinations of them make up a group. A form is null where its value is m times such a combination. Elimination keeps forms
   null. If in the end every x_i is null, then (1 - m C) x = 0 for an integral matrix C, whose determinant is 1 modulo m and so is not 0. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect ssralg ssrint zmodp matrix.
From IntertwineCheck Require Import Words Tied TiedProof Sparse.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Delimit Scope Z_scope with Z.
Local Open Scope ring_scope.

(* ------------------------------------------------------------ Coq's integers in a ring *)

Lemma Z_int_of_nat n : Z_int (Z.of_nat n) = n%:Z.
Proof. by case: n => //= n; rewrite SuccNat2Pos.id_succ. Qed.

Lemma Z_int_opp z : Z_int (- z) = - Z_int z.
Proof. by case: z => //= p; rewrite opprK. Qed.

Lemma Z_int_sub_nat a b : Z_int (Z.of_nat a - Z.of_nat b) = a%:Z - b%:Z.
Proof.
case: (leqP b a) => le.
  have -> : (Z.of_nat a - Z.of_nat b = Z.of_nat (a - b)%N)%Z by move/leP: le; rewrite -minusE; lia.
  by rewrite Z_int_of_nat subzn.
have -> : (Z.of_nat a - Z.of_nat b = - Z.of_nat (b - a)%N)%Z by move/ltP: le; rewrite -minusE; lia.
by rewrite Z_int_opp Z_int_of_nat -(subzn (ltnW le)) opprB.
Qed.

Lemma Z_difference z : exists a b, z = (Z.of_nat a - Z.of_nat b)%Z.
Proof. by exists (Z.to_nat z), (Z.to_nat (- z)); lia. Qed.

Lemma Z_int_add x y : Z_int (x + y) = Z_int x + Z_int y.
Proof.
case: (Z_difference x) => a [b ->]; case: (Z_difference y) => c [d ->].
have -> : (Z.of_nat a - Z.of_nat b + (Z.of_nat c - Z.of_nat d) = Z.of_nat (a + c)%N - Z.of_nat (b + d)%N)%Z by rewrite -!plusE; lia.
by rewrite !Z_int_sub_nat !PoszD opprD addrACA.
Qed.

Lemma Z_int_mul x y : Z_int (x * y) = Z_int x * Z_int y.
Proof.
case: (Z_difference x) => a [b ->]; case: (Z_difference y) => c [d ->].
have -> : ((Z.of_nat a - Z.of_nat b) * (Z.of_nat c - Z.of_nat d) = Z.of_nat (a * c + b * d)%N - Z.of_nat (a * d + b * c)%N)%Z.
  by rewrite -!plusE -!multE !Nat2Z.inj_add !Nat2Z.inj_mul; ring.
by rewrite !Z_int_sub_nat !PoszD !PoszM mulrBl !mulrBr opprB opprD addrACA.
Qed.

Section Integers.

Variable R : ringType.

Lemma integer_add x y : integer R (x + y) = integer R x + integer R y.
Proof. by rewrite /integer Z_int_add intrD. Qed.

Lemma integer_mul x y : integer R (x * y) = integer R x * integer R y.
Proof. by rewrite /integer Z_int_mul intrM. Qed.

Lemma integer_opp x : integer R (- x) = - integer R x.
Proof. by rewrite /integer Z_int_opp mulrNz. Qed.

Lemma integer_nat n : integer R (Z.of_nat n) = n%:R.
Proof. by rewrite /integer Z_int_of_nat. Qed.

End Integers.

(* ------------------------------------------------------------ sums of forms *)

(* Equality up to a subgroup. *)
Section Modulo.

Variables (V : zmodType) (null : V -> Prop).
Hypothesis null0 : null 0.
Hypothesis nullD : forall a b, null a -> null b -> null (a + b).
Hypothesis nullN : forall a, null a -> null (- a).

Definition same (a b : V) : Prop := null (a - b).

Lemma same_refl a : same a a. Proof. by rewrite /same subrr. Qed.
Lemma same_sym a b : same a b -> same b a. Proof. by rewrite /same -(opprB a); exact: nullN. Qed.
Lemma same_trans b a c : same a b -> same b c -> same a c. Proof. by move=> h /(nullD h); rewrite addrA subrK. Qed.
Lemma same_add a b c d : same a b -> same c d -> same (a + c) (b + d). Proof. by rewrite /same opprD addrACA; exact: nullD. Qed.
Lemma same_null a b : same a b -> null b -> null a. Proof. by move=> h /(nullD h); rewrite subrK. Qed.

End Modulo.

Section Combined.

Variables (R : ringType) (C : Type) (value : C -> R) (x : uint63 -> R).

Definition evaluated (s : form C) : R := \sum_(e <- s) value e.2 * x e.1.

Lemma evaluated_cons e s : evaluated (e :: s) = value e.2 * x e.1 + evaluated s.
Proof. by rewrite /evaluated big_cons. Qed.

Lemma evaluated_nil : evaluated [::] = 0.
Proof. by rewrite /evaluated big_nil. Qed.

Variables (zero : C -> bool) (add mul : C -> C -> C) (null : R -> Prop).
Hypothesis null0 : null 0.
Hypothesis nullD : forall a b, null a -> null b -> null (a + b).
Hypothesis nullN : forall a, null a -> null (- a).
Hypothesis null_zero : forall c j, zero c -> null (value c * x j).
Hypothesis null_add : forall a b j, same null (value (add a b) * x j) (value a * x j + value b * x j).
Hypothesis null_mul : forall a b j, same null (value (mul a b) * x j) (value a * (value b * x j)).

Let refl a : same null a a := same_refl null0 a.
Let trans b a c := @same_trans _ _ nullD b a c.
Let plus := same_add nullD.

Lemma evaluated_scaled c s : same null (evaluated (scaled mul c s)) (value c * evaluated s).
Proof.
elim: s => [|[j b] s IH] /=; first by rewrite evaluated_nil mulr0; exact: refl.
by rewrite !evaluated_cons /= mulrDr; apply: plus.
Qed.

Lemma evaluated_combined c r s : same null (evaluated (combined zero add mul c r s)) (evaluated r + value c * evaluated s).
Proof.
elim: r s => [|[i a] r IHr] s; first by rewrite evaluated_nil add0r; exact: evaluated_scaled.
elim: s => [|[j b] s IHs]; first by rewrite evaluated_nil mulr0 addr0; exact: refl.
rewrite /=; case lt: (i <? j)%uint63.
  by rewrite evaluated_cons [evaluated ((i, a) :: r)]evaluated_cons -addrA; apply: plus => //; exact: refl.
case gt: (j <? i)%uint63.
  by rewrite evaluated_cons [evaluated ((j, b) :: s)]evaluated_cons mulrDr addrCA; apply: plus => //; exact: null_mul.
have <- : i = j by apply: to_Z_inj; words.
have both : same null (value (add a (mul c b)) * x i + evaluated (combined zero add mul c r s))
                      (evaluated ((i, a) :: r) + value c * evaluated ((i, b) :: s)).
  rewrite !evaluated_cons mulrDr addrACA; apply: plus => //.
  by apply: trans (null_add _ _ _) _; apply: plus => //; exact: refl.
case z: (zero _); last by rewrite evaluated_cons.
apply: trans both; rewrite /same opprD addrC -addrA addNr addr0; exact/nullN/null_zero.
Qed.

End Combined.

(* ------------------------------------------------------------ elimination *)

Lemma nat_of_0 : nat_of 0 = 0%N. Proof. by []. Qed.

Lemma nat_of_mod a m : (0 <? m)%uint63 -> exists q, nat_of a = (nat_of (a mod m)%uint63 + nat_of m * q)%N.
Proof.
move=> pos; exists (Z.to_nat (to_Z a / to_Z m)); rewrite /nat_of mod_spec -plusE -multE.
have := to_Z_bounded a; have := to_Z_bounded m => bm ba; have p : (0 < to_Z m)%Z by words.
have := Z_div_mod_eq_full (to_Z a) (to_Z m); have := Z.mod_pos_bound (to_Z a) (to_Z m) p.
have := Z.div_pos (to_Z a) (to_Z m); move: (Z.div _ _) (Z.modulo _ _) => q r h0 h1 h2.
by rewrite -Z2Nat.inj_mul ?h0 -?Z2Nat.inj_add; try lia; rewrite h2; congr (Z.to_nat _); lia.
Qed.

Section Low.

Variable m : uint63.
Hypothesis m_large : (1 <? m)%uint63.
Hypothesis m_small : (m <? largest_modulus)%uint63.

Lemma m_positive : (0 <? m)%uint63. Proof. by words. Qed.

Lemma low_below a : (low m a <? m)%uint63.
Proof.
rewrite /low; case lt: (a <? m)%uint63 => //; apply/ltb_spec; rewrite mod_spec.
by have [] := Z.mod_pos_bound (to_Z a) (to_Z m) _; words.
Qed.

Lemma nat_of_low a : exists q, nat_of a = (nat_of (low m a) + nat_of m * q)%N.
Proof. by rewrite /low; case: ifP => _; [exists 0%N; rewrite muln0 addn0 | exact/nat_of_mod/m_positive]. Qed.

Lemma nat_of_addm a b : exists q, (nat_of (low m a) + nat_of (low m b))%N = (nat_of (addm m a b) + nat_of m * q)%N.
Proof.
have [q E] := nat_of_mod (low m a + low m b)%uint63 m_positive; exists q; rewrite /addm -E.
move: (low_below a) (low_below b) m_small; rewrite /largest_modulus /nat_of -plusE; move: (low m a) (low m b) => u v la lb ms.
by have := to_Z_bounded u; have := to_Z_bounded v; words.
Qed.

Lemma nat_of_mulm a b : exists q, (nat_of (low m a) * nat_of (low m b))%N = (nat_of (mulm m a b) + nat_of m * q)%N.
Proof.
have [q E] := nat_of_mod (low m a * low m b)%uint63 m_positive; exists q; rewrite /mulm -E.
move: (low_below a) (low_below b) m_small; rewrite /largest_modulus /nat_of -multE; move: (low m a) (low m b) => u v la lb ms.
have bu := to_Z_bounded u; have bv := to_Z_bounded v.
have lu : (to_Z u < 2147483648)%Z by words.
have lv : (to_Z v < 2147483648)%Z by words.
by rewrite mul_spec Z.mod_small; [lia | split; [nia | change wB with 9223372036854775808%Z; nia]].
Qed.

Lemma nat_of_minus c : nat_of (m - low m c)%uint63 = (nat_of m - nat_of (low m c))%N.
Proof. by move: (low_below c); rewrite /nat_of -minusE; move: (low m c) => u lt; have := to_Z_bounded u; have := to_Z_bounded m; words. Qed.

End Low.

Section Tries.

Variables (A : Type) (good : A -> Prop).

Fixpoint all_good (t : trie A) : Prop :=
  if t is Node v l r then [/\ if v is Some a then good a else True, all_good l & all_good r] else True.

Lemma get_good t i a : all_good t -> get t i = Some a -> good a.
Proof.
elim: t i => //= v l IHl r IHr i [gv gl gr]; case: ifP => _; first by move=> E; rewrite E in gv.
by case: ifP => _; [exact: IHl | exact: IHr].
Qed.

Lemma put_good d t i a : all_good t -> good a -> all_good (put d t i a).
Proof.
elim: d t i => //= d IH [|v l r] i /= g ga.
  by case: ifP => _ //=; case: ifP => _ //=; split=> //; apply: IH.
by case: g => gv gl gr; case: ifP => _ //=; case: ifP => _ //=; split=> //; apply: IH.
Qed.

End Tries.

Arguments put : simpl never. (* 63 levels *)

Section Elimination.

Variables (F : idomainType) (n m : uint63).
Hypothesis characteristic : [char F] =i pred0.
Hypothesis m_large : (1 <? m)%uint63.
Hypothesis m_small : (m <? largest_modulus)%uint63.

Variable unknown : 'cV[F]_(nat_of n).

(* The unknown with a number; there are no others, so their values are 0. *)
Definition value_at (j : nat) : F := if insub j is Some i then unknown i 0 else 0.
Notation X := (fun j : uint63 => value_at (nat_of j)).

Definition combination (v : F) : Prop := exists c : 'I_(nat_of n) -> int, v = \sum_j (c j)%:~R * unknown j 0.
Definition null (v : F) : Prop := exists2 u, combination u & v = (nat_of m)%:R * u.

Lemma combination0 : combination 0.
Proof. by exists (fun _ => 0); rewrite big1 // => j _; rewrite mul0r. Qed.

Lemma combinationD a b : combination a -> combination b -> combination (a + b).
Proof. by move=> [c ->] [d ->]; exists (fun j => c j + d j); rewrite -big_split; apply: eq_bigr => j _; rewrite intrD mulrDl. Qed.

Lemma combinationM k a : combination a -> combination (k%:~R * a).
Proof. by move=> [c ->]; exists (fun j => k * c j); rewrite mulr_sumr; apply: eq_bigr => j _; rewrite intrM mulrA. Qed.

Lemma combinationX j : combination (value_at j).
Proof.
rewrite /value_at; case: insubP => [i _ _ | _]; last exact: combination0.
exists (fun k => (k == i)%:Z); rewrite (bigD1 i) //= eqxx mul1r big1 ?addr0 // => k /negbTE ->; exact: mul0r.
Qed.

Lemma null0 : null 0.
Proof. by exists 0; [exact: combination0 | rewrite mulr0]. Qed.

Lemma nullD a b : null a -> null b -> null (a + b).
Proof. by move=> [u cu ->] [v cv ->]; exists (u + v); [exact: combinationD | rewrite mulrDr]. Qed.

Lemma nullM k a : null a -> null (k%:~R * a).
Proof. by move=> [u cu ->]; exists (k%:~R * u); [exact: combinationM | rewrite mulrCA]. Qed.

Lemma nullN a : null a -> null (- a).
Proof. by move/(nullM (-1)); rewrite mulN1r. Qed.

Lemma nullMn k a : null a -> null (k%:R * a).
Proof. exact: (nullM k%:Z). Qed.

Lemma null_multiple q a : combination a -> null ((nat_of m * q)%:R * a).
Proof. by move=> ca; exists (q%:R * a); [exact: (combinationM q%:Z) | rewrite natrM mulrA]. Qed.

Notation "a ~ b" := (same null a b) (at level 70).

(* Numbers that differ by a multiple of m do the same to a combination. *)
Lemma same_numbers a b q v : combination v -> a = (b + nat_of m * q)%N -> a%:R * v ~ b%:R * v.
Proof. by move=> cv ->; rewrite /same natrD mulrDl addrC addrA addNr add0r; exact: null_multiple. Qed.

Definition word_value (a : uint63) : F := (nat_of a)%:R.
Notation eval := (evaluated word_value X).

Lemma same_low a v : combination v -> word_value a * v ~ word_value (low m a) * v.
Proof. by move=> cv; have [q E] := nat_of_low m_large m_small a; exact: same_numbers cv E. Qed.

Lemma same_addm a b v : combination v -> word_value (addm m a b) * v ~ word_value a * v + word_value b * v.
Proof.
move=> cv; have [q E] := nat_of_addm m_large m_small a b.
apply: (@same_sym _ _ nullN); apply: (@same_trans _ _ nullD (word_value (low m a) * v + word_value (low m b) * v)).
  by apply: (same_add nullD); exact: same_low.
by rewrite -mulrDl -natrD; exact: same_numbers cv E.
Qed.

Lemma same_mulm a b v : combination v -> word_value (mulm m a b) * v ~ word_value a * (word_value b * v).
Proof.
move=> cv; have [q E] := nat_of_mulm m_large m_small a b; apply: (@same_sym _ _ nullN).
apply: (@same_trans _ _ nullD (word_value (low m a) * (word_value b * v))); first exact/same_low/(combinationM (nat_of b)%:Z).
apply: (@same_trans _ _ nullD (word_value (low m a) * (word_value (low m b) * v))).
  by rewrite /same -mulrBr; apply/nullMn/same_low.
by rewrite mulrA -natrM; exact: same_numbers cv E.
Qed.

Lemma combination_eval s : combination (eval s).
Proof.
elim: s => [|[i a] s IH]; first by rewrite evaluated_nil; exact: combination0.
by rewrite evaluated_cons; apply: combinationD => //; exact: (combinationM (nat_of a)%:Z (combinationX _)).
Qed.

Lemma eval_combined c r s : eval (combined (fun x => x =? 0)%uint63 (addm m) (mulm m) c r s) ~ eval r + word_value c * eval s.
Proof.
apply: evaluated_combined; [exact: null0 | exact: nullD | exact: nullN | | |].
- by move=> a j /eqw ->; rewrite /word_value nat_of_0 mul0r; exact: null0.
- by move=> a b j; exact/same_addm/combinationX.
- by move=> a b j; exact/same_mulm/combinationX.
Qed.

Lemma eval_scaled c s : eval (scaled (mulm m) c s) ~ word_value c * eval s.
Proof. by apply: evaluated_scaled; [exact: null0 | exact: nullD | move=> a b j; exact/same_mulm/combinationX]. Qed.

Lemma minus_low c v : combination v -> word_value (m - low m c)%uint63 * v ~ - (word_value c * v).
Proof.
move=> cv; rewrite /same opprK; apply: (same_null nullD) (null_multiple 1 cv).
apply: (@same_trans _ _ nullD (word_value (m - low m c)%uint63 * v + word_value (low m c) * v)).
  by apply: (same_add nullD); [exact: (same_refl null0) | exact: same_low].
rewrite -mulrDl -natrD nat_of_minus // subnK; last by rewrite ltnW // nat_of_lt // low_below.
by rewrite muln1; exact: (same_refl null0).
Qed.

Definition good_row (row : uint63 * form uint63) : Prop := null (X row.1 + eval row.2) /\ all (fun e => row.1 <? e.1)%uint63 row.2.

Lemma reduced_null f t r : all_good good_row t -> null (eval r) -> null (eval (reduced m f t r)).
Proof.
move=> gt; elim: f r => [|f IH] [|[i c] rest] //= nr; try by rewrite evaluated_nil; exact: null0.
case E: (get t i) => [[p s]|] //; case: ifP => [/eqw pi | _]; last by rewrite evaluated_nil; exact: null0.
apply: IH; apply: (same_null nullD) (eval_combined _ _ _) _.
have [/= ns _] := get_good gt E; rewrite pi in ns.
apply: (same_null nullD (b := eval rest - word_value c * eval s)).
  by apply: (same_add nullD); [exact: (same_refl null0) | exact/minus_low/combination_eval].
move: nr; rewrite evaluated_cons /= => nr.
have := nullD nr (nullN (nullMn (nat_of c) ns)); rewrite -/(word_value c) mulrDr opprD addrACA subrr add0r; exact.
Qed.

Variables (inverse : uint63 -> uint63) (fuel : nat).

Lemma inserted_good t r : all_good good_row t -> null (eval r) -> all_good good_row (inserted m inverse fuel t r).1.
Proof.
move=> gt nr; rewrite /inserted; have := reduced_null fuel gt nr; case: (reduced _ _ _ _) => // [[p c] rest] {}nr.
case: ifP => // /andP[/eqw unit later] /=; apply: put_good => //; split=> /=; last first.
  by rewrite all_map; exact: later.
set u := inverse c in unit *; apply: (same_null nullD (b := word_value u * (word_value c * X p + eval rest))); last first.
  by move: nr; rewrite evaluated_cons => /(nullMn (nat_of u)).
rewrite mulrDr; apply: (same_add nullD); last exact: eval_scaled.
by apply: (@same_sym _ _ nullN); have := same_mulm u c (combinationX (nat_of p)); rewrite unit mul1r => /(@same_sym _ _ nullN).
Qed.

Lemma eliminated_good A (row : A -> form uint63) numbers missing t :
  (forall k, null (eval (row k))) -> all_good good_row t -> all_good good_row (eliminated m inverse fuel row numbers missing t).
Proof.
move=> nr; elim: numbers missing t => //= k rest IH missing t gt; case: ifP => _ //.
by have := inserted_good gt (nr k); case: (inserted _ _ _ _ _) => t' new /= gt'; exact: IH.
Qed.

(* Unknowns without a row are 0 by hypothesis, the others from the last one on. *)
Lemma all_null t : all_good good_row t -> (forall i, (i <? n)%uint63 -> ~~ has_row t i -> X i = 0) -> forall i, null (X i).
Proof.
move=> gt left0 i; move: {2}(nat_of n - nat_of i)%N (leqnn (nat_of n - nat_of i)) => d; elim: d i => [|d IH] i le.
  rewrite /value_at; case: insubP => [k lt _ | _]; last exact: null0.
  by move: lt; rewrite -subn_gt0 ltnNge le.
case lt: (i <? n)%uint63; last first.
  rewrite /value_at; case: insubP => [k /word_lt | _]; last by move=> *; exact: null0.
  by rewrite wordK lt.
case has: (has_row t i); last by rewrite left0 ?has //; exact: null0.
move: has; rewrite /has_row; case E: (get t i) => [[p s]|] // /eqw pi; have [/= ns later] := get_good gt E; rewrite pi in ns later.
have : null (eval s).
  elim: s {E ns} later => [|[j c] s IHs] /=; first by rewrite evaluated_nil => _; exact: null0.
  case/andP=> lj later; rewrite evaluated_cons; apply: nullD; last exact: IHs.
  apply/nullMn/IH; have := nat_of_lt lj; have := nat_of_lt lt; move=> h1 h2.
  rewrite -ltnS (leq_trans _ le) // ltn_sub2l //.
by move=> /nullN /(nullD ns); rewrite addrK.
Qed.

Lemma integer_zero (k : int) : (k%:~R == 0 :> F) = (k == 0).
Proof.
have nat_zero a : (a%:R == 0 :> F) = (a == 0)%N by move/charf0P: characteristic.
by case: k => a; rewrite ?NegzE ?mulrNz ?oppr_eq0 -?pmulrn nat_zero.
Qed.

Lemma only_zero : (forall i, null (X i)) -> unknown = 0.
Proof.
move=> all_zero.
have {all_zero} : forall i : 'I_(nat_of n), exists c : 'I_(nat_of n) -> int, unknown i 0 = (nat_of m)%:R * \sum_j (c j)%:~R * unknown j 0.
  move=> i; have [u [c ->] E] := all_zero (word i); exists c; rewrite -E (nat_ofK (ltn_ord i)) /value_at.
  by rewrite (valK i : insub (nat_of_ord i) = Some i).
case/(@fin_all_exists _ (fun _ => 'I_(nat_of n) -> int)) => c E.
pose D : 'M[int]_(nat_of n) := 1%:M - (nat_of m)%:Z *: \matrix_(i, j) c i j.
have zero : map_mx intr D *m unknown = 0.
  apply/matrixP => i k; rewrite ord1 mxE [RHS]mxE; rewrite (eq_bigr (fun j => (i == j)%:R * unknown j 0 - (nat_of m)%:R * ((c i j)%:~R * unknown j 0))).
    rewrite sumrB -mulr_sumr -E (bigD1 i) //= eqxx mul1r big1 ?addr0 ?subrr // => j ne.
    by rewrite eq_sym (negbTE ne) mul0r.
  by move=> j _; rewrite !mxE mulrzBr intrM mulrBl mulrA; congr (_ * _ - _); case: (i == j).
have determinant : \det D != 0.
  have m1 : (1 < nat_of m)%N by exact: (nat_of_lt m_large).
  apply/eqP => /(congr1 (fun z : int => z%:~R : 'Z_(nat_of m))); rewrite -(det_map_mx [rmorphism of intr]).
  have -> : map_mx intr D = 1%:M :> 'M['Z_(nat_of m)]_(nat_of n).
    apply/matrixP => i j; rewrite !mxE mulrzBr intrM -pmulrn char_Zp // mul0r subr0; by case: (i == j).
  by rewrite det1 => /eqP; rewrite oner_eq0.
have := congr1 (mulmx (\adj (map_mx intr D))) zero; rewrite mulmxA mul_adj_mx mulmx0 mul_scalar_mx det_map_mx => Z.
apply/matrixP => i k; have := congr1 (fun M : 'cV_(nat_of n) => M i k) Z; rewrite !mxE => /eqP.
by rewrite mulf_eq0 integer_zero (negbTE determinant) => /eqP.
Qed.

Theorem determined A (row : A -> form uint63) numbers missing :
  (forall k, null (eval (row k))) ->
  (forall i, member i (unknowns_left n (eliminated m inverse fuel row numbers missing Empty)) -> X i = 0) ->
  unknown = 0.
Proof.
move=> nr left0; apply: only_zero; apply: (@all_null (eliminated m inverse fuel row numbers missing Empty)).
  exact: eliminated_good.
by move=> i lt no; apply/left0/collectP.
Qed.

End Elimination.
