(* Why an accepted table of characters is that of the group. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field all_character.
From IntertwineCheck Require Import Words Tied Sparse Elimination Numbers Chains Characters CharacterSums.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.


(* ------------------------------------------------------------ the table *)

Lemma integer_foldr (R : ringType) s : integer R (foldr Z.add 0%Z s) = \sum_(x <- s) integer R x.
Proof. by elim: s => [|x s IH]; rewrite ?big_nil // big_cons -IH -integer_add. Qed.

Lemma nat_foldr s : all (fun x => 0 <=? x)%Z s -> foldr Z.add 0%Z s = Z.of_nat (\sum_(x <- s) Z.to_nat x).
Proof.
elim: s => [|x s IH] /=; first by rewrite big_nil.
by case/andP=> /Z.leb_le pos /IH ->; rewrite big_cons Nat2Z.inj_add Z2Nat.id.
Qed.

Lemma sum_by_key (R : ringType) (key : nat -> nat) (F : nat -> R) (r : seq nat) :
  \sum_(k <- r) F k = \sum_(d <- undup [seq key k | k <- r]) \sum_(k <- r | key k == d) F k.
Proof.
rewrite [RHS](exchange_big_dep xpredT) //= big_seq [RHS]big_seq; apply: eq_bigr => k Hk.
rewrite (eq_bigl (pred1 (key k))) => [|d]; last by rewrite /= eq_sym.
by rewrite -big_filter filter_pred1_uniq ?undup_uniq ?mem_undup ?map_f // big_seq1.
Qed.

Lemma choose_along T U (Q : T -> U -> Prop) (x0 : T) (y0 : U) (s : seq T) : (forall j, (j < size s)%N -> exists y, Q (nth x0 s j) y) ->
  exists f : nat -> U, forall j, (j < size s)%N -> Q (nth x0 s j) (f j).
Proof.
elim: s => [|x s IH] H; first by exists (fun=> y0).
have [y Hy] := H 0%N isT; have [j lt | f Hf] := IH; first exact: (H j.+1).
by exists (fun j => if j is j'.+1 then f j' else y) => -[|j] // lt; exact: Hf.
Qed.

Lemma value_conj (z : algC) x : (value z x)^* = value z^* x.
Proof. by elim: x => [|a x IH] /=; rewrite ?rmorph0 // rmorphD rmorphM IH /integer rmorph_int. Qed.

Section Table.

Variables (t : character_table) (w : claims).

Let n := degree t.
Let s := strong_pairs t w.
Let c := group_chain t w.
Local Notation G := (group_of t).
Local Notation P := (permutation n).
Local Notation K := (class_count t).

Hypotheses (ok : check_group t w s c) (classes_ok : check_classes t w s c) (orthonormal : check_orthonormal t w).

Lemma strong_good x : x \in s -> good G x.
Proof.
have [/eqP E /allP H _ _] := and4P ok; apply: strong_kept => [|? ?| ?|{}x Hx]; [exact: good_one | exact: good_times | exact: good_inverted |].
apply: (inverses_good (H x Hx)); apply: in_generated; have : x.1 \in unzip1 (generator_pairs t w) by exact: map_f.
by rewrite unzip1_zip // E.
Qed.

Lemma strong_group : generated n (firsts s) = G.
Proof.
apply/group_inj/eqP; rewrite eqEsubset; apply/andP; split; apply: generated_sub.
  by move=> _ /mapP[x /strong_good[_ _ _ H] ->].
have [/eqP E _ _ _] := and4P ok; move=> x Hx; apply: in_generated.
have : x \in unzip1 (generator_pairs t w) by rewrite unzip1_zip // E.
by case/mapP=> y Hy ->; apply: map_f; exact: strong_contains.
Qed.

Lemma strong_all_good : all_good n s.
Proof. by move=> x Hx; rewrite strong_group; exact: strong_good. Qed.

Lemma chain_ok : check_chain n c s. Proof. by case/and4P: ok. Qed.

Lemma group_order : Z.of_nat #|G| = order t.
Proof. by have [_ _ _ /Z.eqb_eq <-] := and4P ok; rewrite -strong_group (chain_order strong_all_good chain_ok). Qed.

Lemma order_positive : (0 < #|G|)%N. Proof. exact: cardG_gt0. Qed.

Lemma member_in ys : valid n (member n c ys) /\ P (member n c ys) \in G.
Proof.
apply: (member_kept (Q := fun x => valid n x /\ P x \in G)) => [|x y [Vx Gx] [Vy Gy]|l Hl e He].
- by rewrite valid_one permutation_one group1.
- by rewrite valid_times // permutation_times // groupM.
by have := chain_good strong_all_good Hl He; rewrite strong_group => -[].
Qed.

Section Class.

Variable k : nat.
Hypothesis lt : (k < K)%N.

Lemma class_ok : check_class t w s c (signatures t w) k.
Proof. by case/and5P: classes_ok => _ _ _ _ /allP; apply; rewrite mem_iota. Qed.

Lemma element_valid : valid n (element_of t k). Proof. by case/and4P: class_ok. Qed.

Lemma representative_in : representative t k \in G.
Proof.
have [V S _ _] := and4P class_ok; rewrite -strong_group; apply: (sift_in _ V S); exact: (chain_good strong_all_good).
Qed.

Lemma size_positive : (0 < size_at t k)%Z. Proof. by case/and4P: class_ok => _ _ /Z.ltb_lt. Qed.

Lemma central_commutes : central t s k -> forall g, g \in G -> (representative t k ^ g)%g = representative t k.
Proof.
move/allP=> C g; rewrite -strong_group; have /subsetP sub : generated n (firsts s) \subset 'C[representative t k]%G.
  apply: generated_sub => _ /mapP[x Hx ->]; apply/cent1P; rewrite /commute /representative -/(element_of t k).
  have [V _ _ _] := strong_good Hx; have /eqP := C x Hx.
  by move/(congr1 P); rewrite !permutation_times ?element_valid.
by move/sub/cent1P=> E; rewrite conjgE -E mulKg.
Qed.

(* The search from the conjugate of a representative counts all h that take the representative to x. *)
Lemma source_search x : ~~ central t s k -> valid n x ->
  (#|[set h in G | representative t k * h == h * P x]%g| <=
    search (source (claim_of w k)) x c
      (constraints (powers n (source (claim_of w k)) (most_powers w)) (powers n x (most_powers w)) c [::] (plan (claim_of w k))) (one n))%N.
Proof.
move=> /negbTE C Vx; have [V _ _] := and4P class_ok; rewrite C => /and4P[Vr /eqP E _ _].
have [Vz Gz] := member_in (conjugator (claim_of w k)); set z := member n c _ in E Vz Gz.
have {}E : (representative t k * P z = P z * P (source (claim_of w k)))%g by rewrite -!permutation_times ?E.
have := search_bound (most_powers w) (most_powers w) (plan (claim_of w k)) Vr Vx strong_all_good chain_ok.
apply: leq_trans; rewrite strong_group -(card_lcoset _ (P z)^-1%g); apply: subset_leq_card; apply/subsetP => g.
rewrite mem_lcoset invgK !inE => /andP[H /eqP F]; rewrite groupMl // in H; rewrite H /=; apply/eqP.
by apply: (mulgI (P z)); rewrite mulgA -E -mulgA F mulgA.
Qed.

Lemma class_bound : (Z.to_nat (size_at t k) <= #|class_of t k|)%N.
Proof.
have [V _ _] := and4P class_ok; have [C | C] := boolP (central t s k).
  by case/andP=> /Z.eqb_eq -> _; apply/card_gt0P; exists (representative t k); exact: class_refl.
case/and4P=> Vr /eqP E /Z.leb_le few _; have [Vz Gz] := member_in (conjugator (claim_of w k)); set z := member n c _ in E Vz Gz.
have {}E : (P (source (claim_of w k)) = representative t k ^ P z)%g.
  by have := congr1 P E; rewrite !permutation_times // -/(representative t k) => F; rewrite conjgE F mulKg.
have := centralizer_bounded (mr := most_powers w) (plan := plan (claim_of w k)) (orbits := orbits (claim_of w k)) Vr strong_all_good chain_ok.
rewrite strong_group -/(commuting t w c k) E cent1J -{1}(conjGid Gz) -conjIg cardJg => bound.
have pos : (0 < #|(G :&: 'C[representative t k])%g|)%N by apply/card_gt0P; exists 1%g; exact: group1.
have := Lagrange (subsetIl G 'C[representative t k])%g; rewrite index_cent1 => F.
rewrite -(leq_pmul2l pos) F; apply/ssrnat.leP/Nat2Z.inj_le; rewrite group_order Nat2Z.inj_mul Z2Nat.id; last by have := size_positive; lia.
by apply: Z.le_trans few; apply: Z.mul_le_mono_nonneg_r => //; have := size_positive; lia.
Qed.

Lemma class_different j : (j < k)%N -> representative t j \notin class_of t k.
Proof.
move=> lt'; have Hj : j \in iota 0 k by rewrite mem_iota.
have Vj : valid n (element_of t j).
  by case/and5P: classes_ok => _ _ _ _ /allP/(_ j); rewrite mem_iota (ltn_trans lt' lt) => /(_ isT)/and4P[].
apply/negP => /imsetP[g Gg E]; have [V _ _] := and4P class_ok; have [C | C] := boolP (central t s k).
  case/andP=> _ /allP/(_ j Hj)/negP; apply; apply/eqP; apply: permutation_inj Vj V _.
  by rewrite -/(representative t j) E central_commutes.
case/and4P=> _ _ _ /allP/(_ j Hj)/orP[/negP[]|/eqP F].
  rewrite !(nth_map [::]) ?(ltn_trans lt' lt) //; apply/eqP; exact: signature_conjugate V Vj E.
have := source_search C Vj; rewrite -/(found t w c k j) F leqn0 cards_eq0 => /eqP/setP/(_ g).
by rewrite !inE Gg -/(representative t j) E -conjgC eqxx.
Qed.

End Class.

Lemma classes_total : (\sum_(k <- iota 0 K) Z.to_nat (size_at t k) = #|G|)%N.
Proof.
have [_ _ /eqP E /Z.eqb_eq F /allP H] := and5P classes_ok; apply: Nat2Z.inj; rewrite group_order -F nat_foldr.
  by rewrite [in RHS](big_nth 0%Z) E /index_iota subn0.
apply/(all_nthP 0%Z) => k; rewrite E => lt; apply/Z.leb_le; have := size_positive lt; rewrite /size_at; lia.
Qed.

Let rG := representative_in.
Let different j k (H : (j < k < K)%N) : representative t j \notin class_of t k.
Proof. by case/andP: H => lt lt'; exact: class_different. Qed.

Lemma class_sizes k : (k < K)%N -> Z.of_nat #|class_of t k| = size_at t k.
Proof.
move=> lt; rewrite -(representatives_size rG class_bound different classes_total lt) Z2Nat.id //; have := size_positive lt; lia.
Qed.

Lemma class_in j k h : (j < K)%N -> (k < K)%N -> h \in class_of t j -> (h \in class_of t k) = (j == k).
Proof.
move=> ltj ltk /class_eqP E; apply/idP/eqP => [/class_eqP F | <-]; last by rewrite /class_of -E class_refl.
have := representatives_uniq different; apply: contraTeq => ne; apply/negP => U; have := nth_uniq set0 (s := [seq class_of t k | k <- iota 0 K]).
rewrite !size_map !size_iota => /(_ _ _ ltj ltk U); rewrite !(nth_map 0%N) ?size_iota // !nth_iota // !add0n /class_of -E -F eqxx.
by rewrite (negbTE ne).
Qed.


Lemma representatives_classes : uniq [seq class_of t k | k <- iota 0 K] /\ [seq class_of t k | k <- iota 0 K] =i classes G.
Proof.
split; first exact: representatives_uniq different.
exact: (representatives_all rG class_bound different classes_total).
Qed.

Lemma sum_over_classes (F : {perm 'I_(degree t)} -> algC) : (forall x y, x \in G -> y \in G -> F (x ^ y)%g = F x) ->
  \sum_(x in G) F x = \sum_(k <- iota 0 K) integer _ (size_at t k) * F (representative t k).
Proof.
move=> FJ; rewrite (representatives_function rG class_bound different classes_total FJ) big_seq [RHS]big_seq; apply: eq_bigr => k.
by rewrite mem_iota => /= lt; rewrite -class_sizes // integer_nat.
Qed.

Section Values.

Variables (m : nat) (z : algC).
Hypotheses (prim : m.-primitive_root z) (divides : forall k, (k < K)%N -> (order_at t k %| m)%N).

Definition root_at (k : nat) : algC := z ^+ (m %/ order_at t k).

Lemma order_listed k : (k < K)%N -> order_at t k \in distinct_orders t.
Proof. by move=> lt; rewrite mem_undup map_f // mem_iota. Qed.

Lemma root_prim k : (k < K)%N -> (order_at t k).-primitive_root (root_at k).
Proof. by move=> lt; apply: dvdn_prim_root => //; exact: divides. Qed.

Lemma low_at_root k : (k < K)%N -> value (root_at k) (low_at t w k) + root_at k ^+ size (low_at t w k) = 0.
Proof.
move=> lt; have /and5P[_ /allP H _ _ _] := orthonormal; have /andP[pos root] := H _ (order_listed lt).
have prim_k := root_prim lt; apply: (low_root (n := order_at t k)) root; first exact: prim_expr_order.
move=> d /andP[d0 dlt] /eqP; rewrite -(prim_order_dvd prim_k) => D; have := dvdn_leq d0 D; by rewrite leqNgt dlt.
Qed.

Lemma root_conj k : (k < K)%N -> root_at k * (root_at k)^* = 1.
Proof.
move=> lt; have prim_k := root_prim lt; have o0 := prim_order_gt0 prim_k; have := prim_expr_order prim_k.
move/(congr1 (fun x => `|x|)); rewrite normrX normr1 => /eqP; rewrite pexpr_eq1 ?normr_ge0 // => /eqP E.
by rewrite -normCK E expr1n.
Qed.

Lemma inner_product (chi : nat -> 'CF(G)) i j : (i < K)%N -> (j < K)%N ->
  (forall a k, (a < K)%N -> (k < K)%N -> chi a (representative t k) = value (root_at k) (entry t a k)) ->
  '[chi i, chi j] = (i == j)%:R.
Proof.
move=> lti ltj E; rewrite cfdotE (sum_over_classes (F := fun x => chi i x * (chi j x)^*)); last by move=> x y Gx Gy; rewrite !cfunJ.
have /and5P[_ _ /allP small _ /allP/(_ i)] := orthonormal; rewrite mem_iota => /(_ lti)/allP/(_ j); rewrite mem_iota => /(_ ltj).
case/andP=> /allP ints /Z.eqb_eq total.
have -> : \sum_(k <- iota 0 K) integer algCring (size_at t k) * (chi i (representative t k) * (chi j (representative t k))^*) =
    integer algCring (if i == j then order t else 0%Z).
  rewrite (sum_by_key (order_at t)) -total integer_foldr big_map big_seq [RHS]big_seq; apply: eq_bigr => d Hd.
  have /mapP[k0 + Ed] : d \in [seq order_at t k | k <- all_classes t] by rewrite -mem_undup.
  rewrite mem_iota => /= lt0; have := ints d Hd; rewrite Ed => int_d.
  have low0 := low_at_root lt0; rewrite -(value_integral low0 int_d) /part value_sum big_filter big_seq_cond [RHS]big_seq_cond.
  apply: eq_bigr => k /andP[]; rewrite mem_iota => /= lt /eqP Ek; have Er : root_at k = root_at k0 by rewrite /root_at Ek.
  rewrite !E // value_scale value_multiply value_conj Er; congr (_ * (_ * _)).
  have sz : (size (entry t j k) <= order_at t k0)%N.
    by have := small j; rewrite mem_iota => /(_ ltj)/allP/(_ k); rewrite mem_iota Ek => /(_ lt).
  have := value_reversed (n := order_at t k0) (e := 0%N) (x := entry t j k) (root_conj lt0) (prim_expr_order (root_prim lt0)).
  by rewrite expr0 mulr1 add0n => ->; rewrite // leqW.
have G0 : (#|G|%:R != 0 :> algC) by rewrite pnatr_eq0 -lt0n cardG_gt0.
by case: (i == j); rewrite ?integer0 ?mulr0 // -group_order integer_nat mulVf.
Qed.

(* Generalized characters with these values are the irreducible characters. *)
Lemma generalized_irreducible (chi : nat -> 'CF(G)) : (forall i, (i < K)%N -> chi i \in ('Z[irr G])%g) ->
  (forall i k, (i < K)%N -> (k < K)%N -> chi i (representative t k) = value (root_at k) (entry t i k)) ->
  perm_eq [seq chi i | i <- iota 0 K] (irr G).
Proof.
move=> H values; have /and5P[_ _ _ degrees _] := orthonormal.
have U : uniq [seq chi i | i <- iota 0 K].
  rewrite map_inj_in_uniq ?iota_uniq // => i j; rewrite !mem_iota => /= lti ltj E; apply/eqP.
  have := inner_product lti ltj values; rewrite -E (inner_product lti lti values) eqxx => /eqP.
  by case: (i == j) => //; rewrite oner_eq0.
have sub : {subset [seq chi i | i <- iota 0 K] <= irr G}.
  move=> _ /mapP[i + ->]; rewrite mem_iota => /= lt; have Zchi := H i lt.
  have [b [j E]] := vchar_norm1P Zchi (etrans (inner_product lt lt values) (congr1 (fun b : bool => b%:R) (eqxx i))).
  have K0 : (0 < K)%N by case/and5P: classes_ok.
  have := values i 0%N lt K0; have -> : representative t 0 = 1%g.
    by case/and5P: classes_ok => _ /eqP E0 _ _ _; rewrite /representative -/(element_of t 0) E0 permutation_one.
  have := allP degrees i; rewrite mem_iota => /(_ lt); rewrite /check_degree; case: (entry t i 0) => // d r /andP[/Z.ltb_lt d0 r0].
  rewrite /= (value_zero _ r0) mulr0 addr0 E cfunE => F.
  suff bF : b = false by rewrite bF scale1r mem_irr.
  case: b {E} F => // F; have : 0 <= integer algCring d.
    by rewrite -[d]Z2Nat.id ?integer_nat ?ler0n //; lia.
  by rewrite -F expr1 mulN1r oppr_ge0 => /le_gtF; rewrite irr1_gt0.
apply: uniq_perm => //; first exact: free_uniq (irr_free G).
have [_ E] := representatives_classes; have [U' _] := representatives_classes.
have [] := uniq_min_size U sub; last by [].
rewrite size_map size_iota size_tuple NirrE -(eq_card E) (card_uniqP U') size_map size_iota; exact: leqnn.
Qed.

(* Induced linear characters. *)
Hypothesis induced : check_induced t w c.

Lemma linear_induced l : check_linear t w c l -> exists psi : 'CF(G), psi \in ('Z[irr G])%g /\
  forall k, (k < K)%N ->
    integer _ (size_at t k) * psi (representative t k) = integer _ (index_of l) * value (root_at k) (class_sum t l (tags t w l) k).
Proof.
case/and5P=> m0 /hasP[k0 + div0] /allP gens_ok ch /and3P[low_points /Z.eqb_eq index_ok /allP mem_ok].
rewrite mem_iota => /= lt0; set q := modulus l in m0 div0 gens_ok *.
have div : (q %| m)%N := dvdn_trans div0 (divides lt0).
have zq : (z ^+ (m %/ q)) ^+ q = 1 by exact: prim_expr_order (dvdn_prim_root prim div).
set s' := linear_pairs t l; have [gs ss] : all_good (n + q) s' /\ (forall x, x \in s' -> shape n q x.1 /\ shape n q x.2).
  split=> [x Hx|].
    apply: (strong_kept (Q := good (generated (n + q) (firsts s'))) _ _ _ _ Hx); [exact: good_one | exact: good_times | exact: good_inverted |].
    move=> y Hy; have /mapP[a /gens_ok/and3P[_ _ V] E] := Hy; rewrite -E in V; apply: (inverses_good V).
    by apply: in_generated; apply: map_f; exact: strong_contains.
  apply: (strong_kept (Q := fun x => shape n q x.1 /\ shape n q x.2)); [by split; exact: shape_one | | |].
  - by move=> x y [? ?] [? ?]; split; exact: shape_times.
  - by move=> x [? ?].
  move=> _ /mapP[a /gens_ok/and3P[/and3P[V W _] _ _] ->]; split; exact: shape_extended.
pose H := linear_group n q s' (linear_bases l).
have members_eq : linear_members t l = members (n + q) (chain (n + q) (linear_bases l) s') by [].
have part_class x : x \in linear_members t l ->
    [/\ ((classify w (take n x)).1 < K)%N, P (take n x) \in class_of t (classify w (take n x)).1 &
        (q %| exponent n x * order_at t (classify w (take n x)).1)%N].
  move=> Lx; have := mem_ok x Lx; rewrite /check_member -/n; case: (classify w (take n x)) => k ys /and3P[/= lt /eqP E D]; split=> //.
  have [Vz Gz] := member_in ys; have V := part_valid m0 ss Lx.
  apply/imsetP; exists (P (member n c ys))^-1%g; first by rewrite groupV.
  have := congr1 P E; rewrite !permutation_times ?element_valid // -/(representative t k) => F.
  by rewrite conjgE invgK mulgA -F mulgK.
have sHG : H \subset G.
  apply: generated_sub => _ /mapP[x Lx ->]; have [lt + _] := part_class x Lx.
  by apply/subsetP; rewrite class_subG // rG.
have [phi [char_phi phiE]] := linear_exists (H := H) zq m0 (labelM m0 gs ss ch low_points).
exists ('Ind[G] phi); split; first by apply/char_vchar/cfInd_char.
move=> k lt; rewrite induced_value ?rG // -class_sizes // integer_nat.
rewrite (linear_group_sum m0 gs ss ch low_points) -members_eq.
have -> : value (root_at k) (class_sum t l (tags t w l) k) = \sum_(x <- linear_members t l | P (take n x) \in class_of t k) phi (P (take n x)).
  rewrite /class_sum value_sum big_filter big_map big_seq_cond [RHS]big_seq_cond.
  have Ecl x : x \in linear_members t l -> (P (take n x) \in class_of t k) = ((classify w (take n x)).1 == k).
    by move=> Lx; have [ltx Hx _] := part_class x Lx; exact: class_in ltx lt Hx.
  rewrite (eq_bigl (fun x => (x \in linear_members t l) && (P (take n x) \in class_of t k))); last first.
    by move=> x; case Lx: (x \in _) => //=; rewrite Ecl.
  apply: eq_bigr => x /andP[Lx]; rewrite Ecl // => /eqP Ex; have [_ _] := part_class x Lx; rewrite Ex => D.
  rewrite value_monomial /= phiE; last by rewrite (linear_groupE m0 gs ss ch); apply: (map_f (fun x => P (take n x))).
  rewrite (label_part m0 gs ss ch low_points Lx) /root_at -!exprM; congr (_ ^+ _); apply/eqP.
  rewrite -(eqn_pmul2l m0); apply/eqP; transitivity (m * exponent n x)%N; last by rewrite mulnA [(q * _)%N]mulnC divnK.
  by rewrite mulnCA [(q * _)%N]mulnC divnK // mulnCA divnK ?divides // mulnC.
have clp : (#|class_of t k|%:R != 0 :> algC) by rewrite pnatr_eq0 -lt0n; apply/card_gt0P; exists (representative t k); exact: class_refl.
have Hp : (#|H|%:R != 0 :> algC) by rewrite pnatr_eq0 -lt0n cardG_gt0.
have GE : #|G|%:R = #|H|%:R * integer algCring (index_of l).
  rewrite -!integer_nat group_order -index_ok integer_mul; congr (integer _ _ * _).
  by rewrite /linear_chain -/s' (size_of_members (n + q)) (linear_group_card m0 gs ss ch low_points).
rewrite -[(representative t k ^: G)%g]/(class_of t k) GE mulrA; congr (_ * _).
by rewrite mulrA [_ * (_ * _)]mulrA [_ * integer _ _]mulrC mulfK // mulf_neq0.
Qed.

(* The rows. *)
Lemma check_linear_of j : (j < size (linears w))%N -> check_linear t w c (linear_of w j).
Proof.
move=> lt; have /andP[H _] := induced.
exact: (all_nthP (LinearClaim 0 [::] [::] [::] 0) H).
Qed.

Lemma row_exists : exists chi : nat -> 'CF(G), forall i, (i < K)%N ->
  chi i \in ('Z[irr G])%g /\ forall k, (k < K)%N -> chi i (representative t k) = value (root_at k) (entry t i k).
Proof.
pose Q l (psi : 'CF(G)) := psi \in ('Z[irr G])%g /\ forall k, (k < K)%N ->
  integer _ (size_at t k) * psi (representative t k) = integer _ (index_of l) * value (root_at k) (class_sum t l (tags t w l) k).
have [psi H] := @choose_along _ _ Q (LinearClaim 0 [::] [::] [::] 0) 0 (linears w) (fun j lt => linear_induced (check_linear_of lt)).
exists (fun i => \sum_(j <- iota 0 (size (linears w))) integer _ (coefficient w i j) *: psi j) => i lti; split.
  rewrite big_seq; apply: rpred_sum => j; rewrite mem_iota => /H[Z _].
  by apply: scale_zchar; rewrite ?Cint_int.
move=> k lt; have /andP[_ /allP/(_ i)] := induced; rewrite mem_iota => /(_ lti)/allP/(_ k).
rewrite mem_iota => /(_ lt)/(vanishesP (low_at_root lt)); rewrite value_add value_scale integer_opp mulNr addrC => /eqP; rewrite subr_eq0 => /eqP E.
have size0 : integer algCring (size_at t k) != 0.
  rewrite -class_sizes // integer_nat pnatr_eq0 -lt0n; apply/card_gt0P; exists (representative t k); exact: class_refl.
apply: (mulfI size0); rewrite -E sum_cfunE value_sum big_distrr big_seq [RHS]big_seq; apply: eq_bigr => j; rewrite mem_iota => /= ltj.
have [_ /(_ k lt) F] := H j ltj; rewrite cfunE mulrCA F value_scale integer_mul mulrA; congr (_ * value _ _).
by rewrite /class_sums (nth_map (LinearClaim 0 [::] [::] [::] 0)) // (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma rows_irreducible : exists characters : seq 'CF(G),
  perm_eq characters (irr G) /\ size characters = size (rows t) /\
  forall i k, (i < size (rows t))%N -> (k < K)%N -> (nth 0 characters i) (representative t k) = value (root_at k) (entry t i k).
Proof.
have [chi H] := row_exists; have /and5P[/eqP rows_size _ _ _ _] := orthonormal.
have values i k : (i < K)%N -> (k < K)%N -> chi i (representative t k) = value (root_at k) (entry t i k).
  by move=> lt lt'; have [_] := H i lt; apply.
exists [seq chi i | i <- iota 0 K]; rewrite size_map size_iota rows_size; split; last split=> // [i k lt ltk].
  by apply: generalized_irreducible values => i /H[].
by rewrite (nth_map 0%N) ?size_iota // nth_iota // values.
Qed.

End Values.

End Table.

Theorem accepted_characters (t : character_table) (w : claims) : check_characters t w -> table_of_group t.
Proof.
case/and4P=> ok classes_ok orthonormal induced; split.
- exact: group_order ok.
- exact: (representatives_classes ok classes_ok).
- by case/and5P: classes_ok => _ /eqP E _ _ _; rewrite /representative -/(element_of t 0) E permutation_one.
- exact: (class_sizes ok classes_ok).
- by move=> m z prim divides; exact: (rows_irreducible ok classes_ok orthonormal prim divides induced).
Qed.
