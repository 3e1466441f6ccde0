(* The proof that an accepted sparse table is a basis. What is claimed stands in Sparse.v. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect ssralg ssrint matrix mxalgebra.
From IntertwineCheck Require Import Words Tied TiedProof Sparse Elimination.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Delimit Scope Z_scope with Z.
Local Open Scope ring_scope.

Opaque nat_of. (* what it unfolds to is long *)

Lemma all_sum T (R : ringType) (P : pred T) (s : seq T) (f g : T -> R) :
  all P s -> (forall e, P e -> f e = g e) -> \sum_(e <- s) f e = \sum_(e <- s) g e.
Proof. by move=> + E; elim: s => [|e s IH] /=; rewrite ?big_nil // !big_cons => /andP[/E -> /IH ->]. Qed.

Lemma member_nth i l : member i l -> exists2 k, (k < size l)%N & nth 0%uint63 l k = i.
Proof. by elim=> [{}l | j {}l _ [k lt E]]; [exists 0%N | exists k.+1]. Qed.

Transparent nat_of.

Lemma nat_of_pred k : (1 <? k)%uint63 -> (nat_of (k - 1)%uint63).+1 = nat_of k.
Proof. by move=> large; rewrite /nat_of; have := to_Z_bounded k; words. Qed.

Opaque nat_of.

Section Field.

Variable F : fieldType.
Hypothesis characteristic : [char F] =i pred0.

Lemma Z_int_zero z : Z_int z = 0 -> z = 0%Z.
Proof.
case: z => //= q E; have := Pos2Nat.is_pos q.
  by move/eqP: E; rewrite eqz_nat => /eqP ->; lia.
by move/eqP: E; rewrite oppr_eq0 eqz_nat => /eqP ->; lia.
Qed.

Lemma integer_nonzero z : z <> 0%Z -> integer F z != 0.
Proof. by move=> nz; rewrite /integer (integer_zero characteristic); apply/eqP => /Z_int_zero. Qed.

(* As many coordinates as there are independent vectors, and a vector is known from them: the vectors are a basis. *)
Lemma enough_vectors (V : lmodType F) (S : V -> Prop) P (b : 'I_P -> V) q (f : nat -> V -> F) :
  (forall a u v, S u -> S v -> S (a *: u + v)) -> (forall k, S (b k)) -> (forall c, \sum_k c k *: b k = 0 -> forall k, c k = 0) ->
  (forall l a u v, f l (a *: u + v) = a * f l u + f l v) -> (q <= P)%N -> (forall v, S v -> (forall l, (l < q)%N -> f l v = 0) -> v = 0) ->
  forall v, S v -> exists c, v = \sum_k c k *: b k.
Proof.
move=> linear Sb free f_linear le known v Sv.
pose top : 'M[F]_(P, P) := \matrix_(k, l) f l (b k); pose bottom : 'rV[F]_P := \row_l f l v.
have kernel : kermx (col_mx top bottom) != 0.
  by rewrite -mxrank_eq0 mxrank_ker subn_eq0 -ltnNge (leq_ltn_trans (rank_leq_col _)) // addn1.
case/rowV0Pn: kernel => x /sub_kermxP; rewrite -[x]hsubmxK mul_row_col; set y := lsubmx x; set s := rsubmx x ord0 ord0 => E nonzero.
have S0 : S 0 by have := linear (-1) v v Sv Sv; rewrite scaleN1r addNr.
have f0 l : f l 0 = 0 by have := f_linear l (-1) 0 0; rewrite scaler0 addr0 mulN1r addNr.
have sum_linear (c : 'I_P -> F) : S (\sum_k c k *: b k) /\ forall l, f l (\sum_k c k *: b k) = \sum_k c k * f l (b k).
  split=> [|l]; first by elim/big_ind: _ => // [u u' Su Su' | k _]; [rewrite -[u]scale1r; exact: linear | rewrite -[_ *: _]addr0; exact: linear].
  by elim/big_rec2: _ => // k u u' _ <-; rewrite f_linear.
case: (sum_linear (y ord0)) => Sy fy.
have zero : s *: v + \sum_k y ord0 k *: b k = 0.
  apply: known; first exact: linear.
  move=> l lt; have := congr1 (fun X : 'rV[F]_P => X ord0 (Ordinal (leq_trans lt le))) E.
  rewrite [LHS]mxE [X in X + _]mxE [X in _ + X]mxE [RHS]mxE big_ord_recl big_ord0 addr0 => H.
  rewrite f_linear fy addrC; apply: etrans _ H; congr (_ + _); last by rewrite [bottom _ _]mxE.
  by apply: eq_bigr => k _; rewrite [top _ _]mxE.
case s0: (s == 0).
  case/eqP: nonzero; rewrite (eqP s0 : s = 0) scale0r add0r in zero.
  have -> : y = 0 by apply/rowP => k; rewrite (free _ zero) mxE.
  have -> : rsubmx x = 0 by apply/matrixP => i k; rewrite !ord1 [RHS]mxE; exact: eqP s0.
  exact: row_mx0.
exists (fun k => - s^-1 * y ord0 k); apply: (scalerI (negbT s0)).
apply: (etrans (y := - \sum_k y ord0 k *: b k)); first by apply/eqP; rewrite -addr_eq0 zero.
rewrite scaler_sumr -sumrN; apply: eq_bigr => k _.
by rewrite scalerA mulrA mulrN divff ?s0 // mulN1r scaleNr.
Qed.

Lemma entry_linear a b (U W : 'M[F]_(a, b)) c x y : entry (c *: U + W) x y = c * entry U x y + entry W x y.
Proof. by rewrite /entry; case: insubP => [i _ _ | _]; [case: insubP => [j _ _ | _] |]; rewrite ?mxE // mulr0 addr0. Qed.

Lemma product_linear a b (X : 'M[F]_a) (Y : 'M[F]_b) (U W : 'M[F]_(a, b)) c :
  X *m U = U *m Y -> X *m W = W *m Y -> X *m (c *: U + W) = (c *: U + W) *m Y.
Proof. by move=> EU EW; rewrite mulmxDr mulmxDl -scalemxAr -scalemxAl EU EW. Qed.

Lemma delta_sum (V : lmodType F) P (b : 'I_P -> V) k : \sum_l (l == k)%:R *: b l = b k.
Proof. by rewrite (bigD1 k) //= eqxx scale1r big1 ?addr0 // => l /negbTE ->; rewrite scale0r. Qed.

Lemma value_at_linear k (u v : 'cV[F]_(nat_of k)) c j : value_at (c *: u + v) j = c * value_at u j + value_at v j.
Proof. by rewrite /value_at; case: insubP => [i _ _ | _]; rewrite ?mxE // mulr0 addr0. Qed.

(* A family at a word. *)
Definition at_word (m : nat) (v : 'I_m -> F) (x : uint63) : F := if insub (nat_of x) is Some a then v a else 0.

Lemma sum_at_nat T (s : seq T) (f : T -> nat) (c : T -> F) k (v : 'I_k -> F) :
  all (fun e => f e < k)%N s ->
  \sum_(a : 'I_k) (\sum_(e <- s | f e == a) c e) * v a = \sum_(e <- s) c e * (if insub (f e) is Some a then v a else 0).
Proof.
elim: s => [|e s IH] /=; first by rewrite big_nil big1 // => a _; rewrite big_nil mul0r.
case/andP=> lt /IH {}IH; rewrite big_cons -IH.
have -> : (if insub (f e) is Some a then v a else 0) = v (Ordinal lt).
  by case: insubP => [a _ Ea | ]; [congr v; apply/ord_inj | rewrite lt].
have S (a : 'I_k) : true -> (\sum_(e' <- e :: s | f e' == a) c e') * v a =
    (if f e == a then c e * v a else 0) + (\sum_(e' <- s | f e' == a) c e') * v a.
  by move=> _; rewrite big_cons; case: ifP => _; [rewrite mulrDl | rewrite add0r].
rewrite (eq_bigr _ S) big_split; congr (_ + _); rewrite (bigD1 (Ordinal lt)) //= eqxx big1 ?addr0 // => a ne.
by case: eqP => // E; case/eqP: ne; apply/ord_inj; rewrite /= E.
Qed.

Lemma sum_at T (s : seq T) (place : T -> uint63) (c : T -> F) m (v : 'I_(nat_of m) -> F) :
  all (fun e => place e <? m)%uint63 s ->
  \sum_(a : 'I_(nat_of m)) (\sum_(e <- s | nat_of (place e) == a) c e) * v a = \sum_(e <- s) c e * at_word v (place e).
Proof. by move=> inside; apply: (sum_at_nat (f := fun e => nat_of (place e))); apply: sub_all inside => e; exact: nat_of_lt. Qed.

Lemma entry_row m n (W : 'M[F]_(nat_of m, nat_of n)) x (j : 'I_(nat_of n)) : entry W x (word j) = at_word (fun a => W a j) x.
Proof. by rewrite /entry /at_word (nat_ofK (ltn_ord j)) (valK j : insub (nat_of_ord j) = Some j). Qed.

Lemma entry_column m n (W : 'M[F]_(nat_of m, nat_of n)) (i : 'I_(nat_of m)) y : entry W (word i) y = at_word (fun b => W i b) y.
Proof. by rewrite /entry /at_word (nat_ofK (ltn_ord i)) (valK i : insub (nat_of_ord i) = Some i). Qed.

Lemma entry0 a b x y : entry (0 : 'M[F]_(a, b)) x y = 0.
Proof. by rewrite /entry; case: insubP => // i _ _; case: insubP => // j _ _; rewrite mxE. Qed.

Lemma at_word_column b (c : 'I_(nat_of b) -> F) (x : uint63) : at_word c x = value_at (\col_k c k) (nat_of x).
Proof. by rewrite /at_word /value_at; case: insubP => // k _ _; rewrite mxE. Qed.

Section Problem.

Variables (p : sparse_problem) (w : sparse_certificate).
Hypothesis accepted : check_sparse p w = None.

Notation h := (sheight p).
Notation n := (swidth p).
Notation d := (dimension p).
Notation m := (modulus w).
Let M := nat_of h.
Let N := nat_of n.

Lemma facts :
  [/\ [/\ (h <? many)%uint63, (n <? many)%uint63, (1 <? m)%uint63, (m <? largest_modulus)%uint63 & (0 < common w)%Z],
      forall g i, (g <? smoves p)%uint63 -> (i <? h)%uint63 -> sound_entries w h (left p g i),
      forall g j, (g <? smoves p)%uint63 -> (j <? n)%uint63 -> sound_entries w n (right p g j),
      forall i j, (i <? h)%uint63 -> (j <? n)%uint63 -> all (fun e => e.1 <? d)%uint63 (values p i j) &
      forall g i j, (g <? smoves p)%uint63 -> (i <? h)%uint63 -> (j <? n)%uint63 -> commutator p w g i j = [::]] /\
  let value_row (e : uint63 * uint63) := if ((e.1 <? h) && (e.2 <? n))%uint63 then residues m (values p e.1 e.2) else [::] in
  unknowns_left d (eliminated m (inverse w) (fuel w) value_row (places w) d Empty) = [::] /\
  (size (unknowns_left (h * n)%uint63 (eliminated m (inverse w) (fuel w) (constraint p w) (constraints w) (h * n - d)%uint63 Empty)) <= nat_of d)%N.
Proof.
move: accepted; rewrite /check_sparse; case: ifP => // /negbFE /and5P[s1 s2 s3 s4 /andP[s5 /Z.ltb_lt s6]].
case E1: (scan _ _) => [//|]; case E2: (scan _ _) => [//|]; case E3: (scan _ _) => [//|]; case E4: (scan _ _) => [//|].
cbv zeta; case: (unknowns_left d _) => //; case: ifP => // /Nat.leb_le /leP small _; split=> //; split=> //.
- by move=> g i lg li; exact: objection (scanP (scanP E1 lg) li).
- by move=> g i lg li; exact: objection (scanP (scanP E2 lg) li).
- by move=> i j li lj; exact: objection (scanP (scanP E3 li) lj).
- by move=> g i j lg li lj; have := scanP (scanP (scanP E4 lg) li) lj; case: (commutator _ _ _ _ _).
Qed.

Lemma m_large : (1 <? m)%uint63. Proof. by case: facts => [[[]]]. Qed.
Lemma m_small : (m <? largest_modulus)%uint63. Proof. by case: facts => [[[]]]. Qed.

Definition A g : 'M[F]_M := \matrix_(i, a) \sum_(e <- left p g (word i) | nat_of e.1.1 == a) fraction F e.
Definition B g : 'M[F]_N := \matrix_(b, j) \sum_(e <- right p g (word j) | nat_of e.1.1 == b) fraction F e.

Definition commuting (W : 'M[F]_(M, N)) : Prop := forall g, (g < nat_of (smoves p))%N -> A (word g) *m W = W *m B (word g).

Definition defect (W : 'M[F]_(M, N)) (g i j : uint63) : F :=
  \sum_(e <- left p g i) integer F (multiple w e) * entry W e.1.1 j - \sum_(e <- right p g j) integer F (multiple w e) * entry W i e.1.1.

Lemma multipleE k e : [&& e.1.1 <? k, (0 <? e.2)%Z & (common w mod e.2 =? 0)%Z]%uint63 -> integer F (multiple w e) = integer F (common w) * fraction F e.
Proof.
case/and3P=> _ /Z.ltb_lt pos /Z.eqb_eq exact; rewrite /multiple /fraction integer_mul.
have {2}-> : common w = (e.2 * (common w / e.2))%Z by have := Z_div_mod_eq_full (common w) e.2; lia.
rewrite integer_mul [RHS]mulrC -[RHS]mulrA mulKf //; apply: integer_nonzero; lia.
Qed.

Lemma sound_indices k s : sound_entries w k s -> all (fun e => e.1.1 <? k)%uint63 s.
Proof. by apply: sub_all => e /and3P[]. Qed.

Lemma left_product (W : 'M[F]_(M, N)) g (i : 'I_M) (j : 'I_N) : all (fun e => e.1.1 <? h)%uint63 (left p g (word i)) ->
  (A g *m W) i j = \sum_(e <- left p g (word i)) fraction F e * entry W e.1.1 (word j).
Proof.
move=> inside; rewrite mxE; transitivity (\sum_(a : 'I_M) (\sum_(e <- left p g (word i) | nat_of e.1.1 == a) fraction F e) * W a j).
  by apply: eq_bigr => a _; congr (_ * _); exact: mxE.
by apply: etrans (sum_at _ (fun a => W a j) inside) _; apply: eq_bigr => e _; congr (_ * _); exact/esym/entry_row.
Qed.

Lemma right_product (W : 'M[F]_(M, N)) g (i : 'I_M) (j : 'I_N) : all (fun e => e.1.1 <? n)%uint63 (right p g (word j)) ->
  (W *m B g) i j = \sum_(e <- right p g (word j)) fraction F e * entry W (word i) e.1.1.
Proof.
move=> inside; rewrite mxE; transitivity (\sum_(b : 'I_N) (\sum_(e <- right p g (word j) | nat_of e.1.1 == b) fraction F e) * W i b).
  by apply: eq_bigr => b _; apply: etrans (mulrC _ _) _; congr (_ * _); exact: mxE.
transitivity (\sum_(e <- right p g (word j)) fraction F e * at_word (fun b => W i b) e.1.1).
  exact: (sum_at (fun e => fraction F e) (fun b => W i b) inside).
by apply: eq_bigr => e _; rewrite (entry_column W i e.1.1).
Qed.

Lemma defectE W g (i : 'I_M) (j : 'I_N) : (g <? smoves p)%uint63 ->
  defect W g (word i) (word j) = integer F (common w) * ((A g *m W) i j - (W *m B g) i j).
Proof.
move=> lg; case: facts => [[_ ls rs _ _] _].
have {}ls := ls g (word i) lg (word_lt (ltn_ord i)); have {}rs := rs g (word j) lg (word_lt (ltn_ord j)).
apply: etrans _ (congr2 (fun x y : F => integer F (common w) * (x - y))
  (esym (left_product W j (sound_indices ls))) (esym (right_product W i (sound_indices rs)))).
apply: etrans _ (esym (mulrBr _ _ _)); congr (_ - _).
- apply: etrans (esym (mulr_sumr _ _ _ _)).
  apply: (all_sum ls) => e /multipleE ->.
  exact/esym/mulrA.
- apply: etrans (esym (mulr_sumr _ _ _ _)).
  apply: (all_sum rs) => e /multipleE ->.
  exact/esym/mulrA.
Qed.

Lemma commutingP W : commuting W <-> forall g i j, (g <? smoves p)%uint63 -> (i <? h)%uint63 -> (j <? n)%uint63 -> defect W g i j = 0.
Proof.
split=> [E g x y lg /ordinal_of[i ->] /ordinal_of[j ->] | E g lg].
  apply: etrans (defectE W i j lg) _; have := E _ (nat_of_lt lg); rewrite wordK => G.
  by apply: etrans (congr1 (fun X : 'M_(M, N) => integer F (common w) * (X i j - (W *m B g) i j)) G) _; rewrite subrr mulr0.
apply/matrixP => i j; have := E (word g) (word i) (word j) (word_lt lg) (word_lt (ltn_ord i)) (word_lt (ltn_ord j)).
move/(etrans (esym (defectE W i j (word_lt lg)))) => /eqP; rewrite mulf_eq0 => /orP[/eqP z | ].
  have nz : common w <> 0%Z by case: facts => [[[_ _ _ _ pos] _ _ _ _] _]; lia.
  by case/eqP: (integer_nonzero nz).
by rewrite subr_eq0 => /eqP.
Qed.

(* ------------------------------------------------------------ combinations of the elements *)

Definition sum_of (c : 'I_(nat_of d) -> F) : 'M[F]_(M, N) := \sum_k c k *: element F M N (values p) k.

Notation evalZ x := (evaluated (integer F) x).

Lemma sum_of_entry c i j : (i <? h)%uint63 -> (j <? n)%uint63 -> entry (sum_of c) i j = evalZ (at_word c) (values p i j).
Proof.
move=> li lj; case: facts => [[_ _ _ vs _] _]; have {vs} := vs i j li lj; case: (ordinal_of li) => a ->; case: (ordinal_of lj) => b -> vs.
rewrite entryE summxE /evaluated -(sum_at _ c vs); apply: eq_bigr => k _; by rewrite !mxE mulrC.
Qed.

Lemma evalZ_combined x c r s : evalZ x (combined (fun z => z =? 0)%Z Z.add Z.mul c r s) = evalZ x r + integer F c * evalZ x s.
Proof.
apply/eqP; rewrite -subr_eq0; apply/eqP.
apply: (@evaluated_combined _ _ _ _ _ _ _ (fun v => v = 0)) => //.
- by move=> a b -> ->; rewrite addr0.
- by move=> a ->; rewrite oppr0.
- by move=> a j /Z.eqb_eq ->; rewrite mul0r.
- by move=> a b j; rewrite /same integer_add mulrDl subrr.
- by move=> a b j; rewrite /same integer_mul mulrA subrr.
Qed.

Lemma evalZ_fold T x (f : T -> Z) (a b : T -> uint63) acc s :
  evalZ x (foldl (fun acc e => plus_values p (f e) acc (a e) (b e)) acc s) = evalZ x acc + \sum_(e <- s) integer F (f e) * evalZ x (values p (a e) (b e)).
Proof.
elim: s acc => [|e s IH] acc /=; first by rewrite big_nil addr0.
by rewrite IH evalZ_combined big_cons addrA.
Qed.

Lemma sum_of_commutes c : commuting (sum_of c).
Proof.
apply/commutingP => g i j lg li lj; case: facts => [[_ ls rs _ cs] _].
have := evalZ_fold (at_word c) (fun e => - multiple w e)%Z (fun=> i) (fun e => e.1.1)
  (foldl (fun acc e => plus_values p (multiple w e) acc e.1.1 j) [::] (left p g i)) (right p g j).
rewrite -/(commutator p w g i j) cs // evalZ_fold !evaluated_nil add0r => E.
rewrite [RHS]E /defect; congr (_ + _).
  by apply: (all_sum (sound_indices (ls _ _ lg li))) => e lt; rewrite sum_of_entry.
rewrite -sumrN; apply: (all_sum (sound_indices (rs _ _ lg lj))) => e lt; by rewrite sum_of_entry // integer_opp mulNr.
Qed.

(* ------------------------------------------------------------ what elimination shows *)

Transparent nat_of.

Lemma eval_residues k (x : 'cV[F]_(nat_of k)) s :
  same (null m x) (evaluated (@word_value F) (fun j => value_at x (nat_of j)) (residues m s)) (evalZ (fun j => value_at x (nat_of j)) s).
Proof.
have plus := same_add (@nullD _ _ m x).
elim: s => [|[j z] s IH]; first by rewrite !evaluated_nil; exact: (same_refl (null0 m x)).
rewrite [residues _ _]/= !evaluated_cons /=; apply: plus => //; rewrite /same -mulrBl.
have pos : (0 < to_Z m)%Z by have := m_large; words.
have -> : word_value F (residue m z) - integer F z = (nat_of m)%:R * (- Z_int (z / to_Z m))%:~R.
  rewrite {2}(Z_div_mod_eq_full z (to_Z m)) integer_add integer_mul.
  have -> : word_value F (residue m z) = integer F (z mod to_Z m).
    rewrite /word_value -integer_nat /nat_of /residue of_Z_spec; congr (integer F _).
    have := Z.mod_pos_bound z _ pos; have := to_Z_bounded m => b1 b2; rewrite (Z.mod_small (z mod to_Z m)); lia.
  have -> : integer F (to_Z m) = (nat_of m)%:R by rewrite -integer_nat /nat_of; congr (integer F _); lia.
  by rewrite opprD addrC -addrA addNr addr0 mulrNz mulrN.
rewrite -mulrA; exists ((- Z_int (z / to_Z m))%:~R * value_at x (nat_of j)) => //; exact/combinationM/combinationX.
Qed.

Opaque nat_of.

Lemma independent c : sum_of c = 0 -> forall k, c k = 0.
Proof.
move=> zero; case: facts => _ [/= none _].
suff : \col_k c k = 0 :> 'cV[F]_(nat_of d) by move=> E k; have := congr1 (fun v : 'cV[F]_(nat_of d) => v k ord0) E; rewrite !mxE.
apply: (determined characteristic m_large m_small (inverse := inverse w) (fuel := fuel w) (missing := d) (numbers := places w) (row :=
  fun e => if ((e.1 <? h) && (e.2 <? n))%uint63 then residues m (values p e.1 e.2) else [::])); last by rewrite none => i; inversion 1.
move=> [i j] /=; case: ifP => [/andP[li lj] | _]; last by rewrite evaluated_nil; exact: null0.
apply: (same_null (@nullD _ _ _ _) (eval_residues _ _)).
suff -> : evalZ (fun x => value_at (\col_k c k) (nat_of x)) (values p i j) = 0 by exact: null0.
apply: etrans (etrans (esym (sum_of_entry c li lj)) (etrans (congr1 (fun W => entry W i j) zero) (entry0 M N i j))).
apply: eq_bigr => e _; congr (_ * _); exact/esym/at_word_column.
Qed.

(* A matrix as the vector of its entries. *)
Notation cells := (h * n)%uint63.

Transparent nat_of.

Lemma nat_of_cells : nat_of cells = (M * N)%N.
Proof.
case: facts => [[[hs ns _ _ _] _ _ _ _] _]; rewrite /M /N /nat_of -multE -Z2Nat.inj_mul; try by [have := to_Z_bounded h; lia | have := to_Z_bounded n; lia].
have bh := to_Z_bounded h; have bn := to_Z_bounded n; have lh : (to_Z h < 1073741824)%Z by rewrite /many in hs; words.
have ln : (to_Z n < 1073741824)%Z by rewrite /many in ns; words.
by rewrite mul_spec Z.mod_small //; split; [nia | change wB with 9223372036854775808%Z; nia].
Qed.

Opaque nat_of.

Transparent nat_of.

Lemma nat_of_place i j : (i <? h)%uint63 -> (j <? n)%uint63 -> nat_of (place p i j) = (nat_of i * N + nat_of j)%N.
Proof.
move=> li lj; case: facts => [[[hs ns _ _ _] _ _ _ _] _]; rewrite /place /N /nat_of.
have bi := to_Z_bounded i; have bj := to_Z_bounded j; have bn := to_Z_bounded n.
have l1 : (to_Z i < 1073741824)%Z by rewrite /many in hs; words.
have l2 : (to_Z n < 1073741824)%Z by rewrite /many in ns; words.
have l3 : (to_Z j < 1073741824)%Z by words.
rewrite -multE -plusE -Z2Nat.inj_mul -?Z2Nat.inj_add; try nia; congr (Z.to_nat _).
Qed.

Opaque nat_of.

Definition vector (W : 'M[F]_(M, N)) : 'cV[F]_(nat_of cells) := \col_k entry W (word (k %/ N)) (word (k %% N)).

Notation at_cell W := (fun x : uint63 => value_at (vector W) (nat_of x)).

Lemma at_place W i j : (i <? h)%uint63 -> (j <? n)%uint63 -> at_cell W (place p i j) = entry W i j.
Proof.
move=> li lj; have lti := nat_of_lt li; have ltj := nat_of_lt lj; rewrite /= nat_of_place //.
have lt : (nat_of i * N + nat_of j < nat_of cells)%N.
  by rewrite nat_of_cells (leq_trans (n := (nat_of i).+1 * N)) ?leq_mul2r ?lti ?orbT // mulSn addnC ltn_add2r.
rewrite /value_at insubT mxE /= divnMDl ?(leq_ltn_trans _ ltj) // divn_small // addn0 modnMDl modn_small // !wordK //.
Qed.

Lemma zero_vector W : vector W = 0 -> W = 0.
Proof.
move=> E; apply/matrixP => i j; rewrite -entryE -at_place ?word_lt // E mxE /value_at.
by case: insub => // a; rewrite mxE.
Qed.

Lemma minus_one k (x : 'cV[F]_(nat_of k)) v : combination x v -> same (null m x) (word_value F (m - 1)%uint63 * v) (- v).
Proof.
move=> cv; rewrite /same opprK -{2}[v]mul1r -mulrDl.
have -> : word_value F (m - 1)%uint63 + 1 = (nat_of m * 1)%:R.
  by rewrite /word_value muln1 -(nat_of_pred m_large) mulrSr.
exact: null_multiple.
Qed.

Lemma constraints_null W k : commuting W -> null m (vector W) (evaluated (@word_value F) (at_cell W) (constraint p w k)).
Proof.
move/commutingP => E; case: k => [[g i] j]; rewrite /constraint.
case: ifP => [/and3P[lg li lj] | _]; last by rewrite evaluated_nil; exact: null0.
have plus := same_add (@nullD _ _ m (vector W)).
apply: (same_null (@nullD _ _ _ _) (eval_combined m_large m_small _ _ _ _)).
apply: (same_null (@nullD _ _ _ _) (b := evalZ (at_cell W) (left_form p w g i j) - evalZ (at_cell W) (right_form p w g i j))).
  apply: plus; first exact: eval_residues.
  apply: (@same_trans _ _ (@nullD _ _ m (vector W)) (- evaluated (@word_value F) (at_cell W) (residues m (right_form p w g i j)))).
    exact/minus_one/combination_eval.
  by rewrite /same -opprD; exact/nullN/eval_residues.
suff -> : evalZ (at_cell W) (left_form p w g i j) - evalZ (at_cell W) (right_form p w g i j) = 0 by exact: null0.
case: facts => [[_ ls rs _ _] _]; apply: etrans (E g i j lg li lj); rewrite /defect; congr (_ - _).
- apply: etrans (big_map _ _ _) _; apply: (all_sum (sound_indices (ls _ _ lg li))) => e lt.
  by congr (_ * _); exact: at_place.
- apply: etrans (big_map _ _ _) _; apply: (all_sum (sound_indices (rs _ _ lg lj))) => e lt.
  by congr (_ * _); exact: at_place.
Qed.

Lemma vector_linear c U W : vector (c *: U + W) = c *: vector U + vector W.
Proof. by apply/matrixP => i j; do 5 rewrite [_ i j]mxE; exact: entry_linear. Qed.

Lemma commuting_linear c U W : commuting U -> commuting W -> commuting (c *: U + W).
Proof. by move=> EU EW g lg; exact: product_linear (EU g lg) (EW g lg). Qed.

Lemma element_commutes (k : 'I_(nat_of d)) : commuting (element F M N (values p) k).
Proof.
exact: (eq_ind _ commuting (sum_of_commutes (fun l => (l == k)%:R)) _ (delta_sum (fun l => element F M N (values p) l : 'M[F]_(M, N)) k)).
Qed.

Theorem elements_are_a_basis : is_basis (V := [lmodType F of 'M[F]_(M, N)]) commuting (fun k : 'I_(nat_of d) => element F M N (values p) k).
Proof.
split; last exact: independent.
move=> W; split=> [E | [c ->]]; last exact: sum_of_commutes.
case: facts => _ [_]; set table := eliminated _ _ _ (constraint p w) _ _ _ => small.
pose f l (U : 'M[F]_(M, N)) := at_cell U (nth 0%uint63 (unknowns_left cells table) l).
apply: (@enough_vectors [lmodType F of 'M[F]_(M, N)] commuting _ _ _ f commuting_linear element_commutes independent _ small _ W E).
  by move=> l a U V; rewrite /f vector_linear; exact: value_at_linear.
move=> U EU zero; apply/zero_vector/(determined characteristic m_large m_small (fun k => constraints_null k EU)).
by move=> i /member_nth[l lt <-]; exact: zero.
Qed.

End Problem.

End Field.

(* ------------------------------------------------------------ the theorem *)

Lemma no_kernel (F : fieldType) (n : uint63) line w : [char F] =i pred0 -> check_sparse (kernel_problem n line) w = None ->
  forall v : 'cV[F]_(nat_of n), A F (kernel_problem n line) 0%uint63 *m v = 0 -> v = 0.
Proof.
move=> characteristic H v E; case: (elements_are_a_basis characteristic H) => spans _.
have right : B F (kernel_problem n line) 0%uint63 = 0 by apply/matrixP => i j; rewrite !mxE big_nil.
have commutes : @commuting F (kernel_problem n line) v.
  by case=> [|g] // _; apply: etrans E _; rewrite right mulmx0.
by case: (spans v) => /(_ commutes)[c ->] _; rewrite big1 // => -[k lt]; move: (lt).
Qed.

Lemma unit_of_kernel (F : fieldType) n (X : 'M[F]_n) : (forall v : 'cV[F]_n, X *m v = 0 -> v = 0) -> X \in unitmx.
Proof.
move=> inj; rewrite -unitmx_tr -row_free_unit -kermx_eq0; apply/rowV0P => u /sub_kermxP E.
by apply: trmx_inj; rewrite trmx0; apply: inj; rewrite -[X]trmxK -trmx_mul E trmx0.
Qed.

Lemma generators_act (t : sparse) rows columns : check_sparse_generators t rows columns = None ->
  forall F : fieldType, [char F] =i pred0 -> sgroup_acts F t.
Proof.
move=> H F characteristic g lg group; have := scanP H (word_lt lg); rewrite group.
case R: (check_sparse _ _) => [//|]; case C: (check_sparse _ _) => [//|] _; split.
  by apply: unit_of_kernel => v E; apply: (no_kernel characteristic R).
rewrite -unitmx_tr; apply: unit_of_kernel => v E; apply: (no_kernel characteristic C).
apply: etrans E; congr (_ *m v); apply/matrixP => i j; rewrite !mxE; apply: eq_bigl => e; reflexivity.
Qed.

Theorem accepted_sparse (t : sparse) (w b : sparse_certificate) (rows columns : uint63 -> sparse_certificate) :
  check_sparse_generators t rows columns = None -> check_sparse_weights t w = None -> check_sparse_biases t b = None ->
  forall F : fieldType, [char F] =i pred0 -> sgroup_acts F t /\ sparse_basis F t.
Proof.
move=> Hg Hw Hb F characteristic; split; first exact: generators_act Hg F characteristic.
split.
  case: (elements_are_a_basis characteristic Hw) => spans free; split; last exact: free.
  move=> W.
  by apply: (iff_trans _ (spans W)); split=> E g lg; exact: (E g lg).
case: (elements_are_a_basis characteristic Hb) => spans free; split; last exact: free.
move=> v; apply: (iff_trans _ (spans v)).
have column g : B F (sparse_bias_problem t) g = (if algebra t g then 0 else 1%:M).
  apply/matrixP => i j; rewrite mxE /= !ord1.
  case: (algebra _ _); rewrite ?big_nil ?mxE // big_cons big_nil /fraction /=.
  by rewrite addr0 divff ?oner_eq0.
have right g : v *m B F (sparse_bias_problem t) g = (if algebra t g then 0 else v).
  by rewrite column; case: (algebra _ _); rewrite ?mulmx0 ?mulmx1.
split=> E g lg; first exact: etrans (E g lg) (esym (right (word g))).
exact: etrans (E g lg) (right (word g)).
Qed.
