(* Sums over classes of a group, induced characters, and linear characters from elements that rotate further points. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field all_character.
From IntertwineCheck Require Import Words Tied Sparse Elimination Numbers Chains Characters.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* ------------------------------------------------------------ sums over classes *)

Section Group.

Variables (gT : finGroupType) (G : {group gT}).

(* Elements of different classes whose sizes are bounded from below, the bounds adding up to the order of the group. *)
Section Representatives.

Variables (count : nat) (r : nat -> gT) (bound : nat -> nat).
Hypotheses (rG : forall k, (k < count)%N -> r k \in G) (low_bound : forall k, (k < count)%N -> (bound k <= #|(r k ^: G)%g|)%N).
Hypothesis different : forall j k, (j < k < count)%N -> r j \notin (r k ^: G)%g.
Hypothesis total : (\sum_(k <- iota 0 count) bound k)%N = #|G|.

Local Notation L := [seq (r k ^: G)%g | k <- iota 0 count].

Lemma representatives_uniq : uniq L.
Proof.
rewrite map_inj_in_uniq ?iota_uniq // => j k; rewrite !mem_iota /= !add0n => ltj ltk E.
have [lt | lt | //] := ltngtP j k.
  by have := @different j k; rewrite lt ltk -E class_refl => /(_ isT).
by have := @different k j; rewrite lt ltj E class_refl => /(_ isT).
Qed.

Lemma representatives_sub C : C \in L -> C \in classes G.
Proof. by case/mapP=> k; rewrite mem_iota => /= lt ->; rewrite mem_classes ?rG. Qed.

Lemma representatives_sum (F : {set gT} -> nat) : (\sum_(C in classes G | C \in L) F C = \sum_(k <- iota 0 count) F (r k ^: G)%g)%N.
Proof.
rewrite -(big_map (fun k => (r k ^: G)%g) xpredT) big_uniq ?representatives_uniq //=.
by apply: eq_bigl => C; apply/andP/idP => [[] // | H]; rewrite H representatives_sub.
Qed.

Lemma representatives_total : (\sum_(C in classes G | C \notin L) #|C| = 0 /\ \sum_(k <- iota 0 count) #|(r k ^: G)%g| = #|G|)%N.
Proof.
have := sum_card_class G; rewrite (bigID (mem L)) /= representatives_sum => E.
have le : (\sum_(k <- iota 0 count) bound k <= \sum_(k <- iota 0 count) #|(r k ^: G)%g|)%N.
  by rewrite big_seq [X in (_ <= X)%N]big_seq; apply: leq_sum => k; rewrite mem_iota => lt; exact: low_bound.
rewrite total -E in le; have := leq_addr (\sum_(C in classes G | C \notin L) #|C|)%N (\sum_(k <- iota 0 count) #|(r k ^: G)%g|)%N.
by rewrite -[X in (_ <= X)%N]addn0 leq_add2l leqn0 in le; move/eqP: le => le; rewrite le addn0 in E.
Qed.

Lemma representatives_all : L =i classes G.
Proof.
move=> C; apply/idP/idP; first exact: representatives_sub.
move=> H; apply: contraT => K; have [] := representatives_total; rewrite (bigD1 C) ?H //= => /eqP.
have [x Gx ->] := imsetP H.
by rewrite addn_eq0 cards_eq0 -subset0 => /andP[/subsetP/(_ x (class_refl _ _))]; rewrite inE.
Qed.

Lemma representatives_size k : (k < count)%N -> bound k = #|(r k ^: G)%g|.
Proof.
move=> lt; apply/eqP; rewrite eqn_leq low_bound //= leqNgt; apply/negP => more.
have [_] := representatives_total; rewrite -total => /eqP; have H : k \in iota 0 count by rewrite mem_iota.
rewrite (big_rem k H) [in X in _ == X](big_rem k H) /= gtn_eqF // -addSn leq_add //.
rewrite big_seq [X in (_ <= X)%N]big_seq; apply: leq_sum => j /mem_rem; rewrite mem_iota => lt'; exact: low_bound.
Qed.

Lemma representatives_function (F : gT -> algC) : (forall x y, x \in G -> y \in G -> F (x ^ y)%g = F x) ->
  \sum_(x in G) F x = \sum_(k <- iota 0 count) #|(r k ^: G)%g|%:R * F (r k).
Proof.
move=> FJ; rewrite sum_by_classes; last by move=> x y *; exact: FJ.
transitivity (\sum_(C <- L) #|C|%:R * F (repr C)).
  by rewrite big_uniq ?representatives_uniq //=; apply: eq_bigl => C; rewrite representatives_all.
rewrite big_map big_seq [RHS]big_seq; apply: eq_bigr => k; rewrite mem_iota => /= lt; congr (_ * _).
by have /imsetP[y Gy ->] := mem_repr _ (class_refl G (r k)); apply: FJ => //; exact: rG.
Qed.

End Representatives.

(* Induced characters. *)
Lemma induced_value (H : {group gT}) (phi : 'CF(H)) r : H \subset G -> r \in G ->
  ('Ind[G] phi) r = #|G|%:R / (#|(r ^: G)%g|%:R * #|H|%:R) * \sum_(h in H | h \in (r ^: G)%g) phi h.
Proof.
move=> sHG Gr; rewrite cfIndE // (partition_big (fun y => (r ^ y)%g) (mem (r ^: G)%g)) /=; last by move=> y Gy; exact: memJ_class.
have count h : h \in (r ^: G)%g -> \sum_(y in G | (r ^ y)%g == h) phi (r ^ y)%g = #|('C_G[r])%g|%:R * phi h.
  case/imsetP=> a Ga ->; rewrite mulr_natl -(card_rcoset _ a) -sumr_const.
  rewrite (eq_bigr (fun=> phi (r ^ a)%g)) => [|y /andP[_ /eqP ->] //].
  apply: eq_bigl => y; rewrite mem_rcoset inE groupMr ?groupV //; case: (y \in G) => //=.
  apply/eqP/cent1P => [E | E].
    by rewrite /commute [RHS]conjgC conjgM E -conjgM mulgV conjg1.
  by rewrite -{1}(mulgKV a y) conjgM [(r ^ (y * a^-1))%g]conjgE -E mulKg.
rewrite (eq_bigr _ count) -big_distrr /= mulrA; congr (_ * _).
  have := Lagrange (subsetIl G 'C[r])%g; rewrite index_cent1 => E.
  rewrite -E natrM invfM mulrA mulfK 1?mulrC // pnatr_eq0 -lt0n.
  by apply/card_gt0P; exists r; exact: class_refl.
rewrite [LHS]big_mkcond [RHS]big_mkcond /=; apply: eq_bigr => h _; rewrite andbC; case: ifP => //= _.
by case: ifP => // /negbT out; rewrite cfun0.
Qed.

End Group.

(* A function to the roots of unity that multiplies is a character. *)
Lemma linear_exists (gT : finGroupType) (H : {group gT}) (label : gT -> nat) (m : nat) (z : algC) : z ^+ m = 1 -> (0 < m)%N ->
  {in H &, forall x y, label (x * y)%g = (label x + label y) %% m}%N ->
  exists phi : 'CF(H), phi \is a character /\ {in H, forall x, phi x = z ^+ label x}.
Proof.
move=> zm m0 labelM; pose f x : 'M[algC]_1 := (z ^+ label x)%:M.
have fM : {in H &, {morph f : x y / (x * y)%g >-> x *m y}}.
  by move=> x y Hx Hy; rewrite /f labelM // expr_mod // exprD -scalar_mxM.
have f1 : f 1%g = 1%:M.
  have z0 : z != 0 by apply/eqP => E; move/eqP: zm; rewrite E expr0n gtn_eqF //= eq_sym oner_eq0.
  have := fM 1%g 1%g (group1 H) (group1 H); rewrite mulg1 /f -scalar_mxM => /(congr1 (fun x : 'M_1 => x 0 0)).
  rewrite !mxE eqxx !mulr1n => E; congr (_%:M); apply: (mulfI (x := z ^+ label 1%g)); first by rewrite expf_neq0.
  by rewrite mulr1 -E.
exists (cfRepr (MxRepresentation (conj f1 fM))); split; first exact: cfRepr_char.
by move=> x Hx; rewrite cfunE Hx mulr1n /= mxtrace_scalar mulr1n.
Qed.

(* ------------------------------------------------------------ elements that act on further points *)

Section Extended.

Variables n m : nat.
Hypothesis m0 : (0 < m)%N.

Definition shape (x : perm_list) : Prop := exists h e, [/\ valid n h, (e < m)%N & x = extended n m h e].

Lemma extended_take h e : valid n h -> take n (extended n m h e) = h.
Proof. by case/validP=> E _ _; rewrite /extended -E take_size_cat. Qed.

Lemma extended_nth h e j : valid n h -> (j < m)%N -> nth 0%N (extended n m h e) (n + j) = (n + (j + e) %% m)%N.
Proof.
case/validP=> E _ _ lt; rewrite /extended nth_cat E ltnNge leq_addr /= addKn.
by rewrite (nth_map 0%N) ?size_iota // nth_iota.
Qed.

Lemma extended_low h e i : valid n h -> (i < n)%N -> nth 0%N (extended n m h e) i = nth 0%N h i.
Proof. by case/validP=> E _ _ lt; rewrite /extended nth_cat E lt. Qed.

Lemma extended_exponent h e : valid n h -> (e < m)%N -> exponent n (extended n m h e) = e.
Proof. by move=> V lt; rewrite /exponent -{2}[n]addn0 extended_nth // addKn add0n modn_small. Qed.

Lemma extended_times h e h' e' : valid n h -> valid n h' ->
  times (extended n m h e) (extended n m h' e') = extended n m (times h h') ((e + e') %% m).
Proof.
move=> V V'; have [E lt _] := validP V; rewrite {1 3}/extended /times map_cat; congr (_ ++ _).
  by apply/eq_in_map => p /(nthP 0%N)[i]; rewrite E => /lt le <-; rewrite extended_low.
rewrite -map_comp; apply/eq_in_map => j; rewrite mem_iota => /= _; rewrite extended_nth ?ltn_pmod //.
by rewrite modnDml modnDmr addnA.
Qed.

Lemma extended_one : one (n + m) = extended n m (one n) 0.
Proof.
rewrite /extended /one iotaD; congr (_ ++ _); rewrite add0n -{1}(addn0 n) iotaDl.
by apply/eq_in_map => j; rewrite mem_iota => /= lt; rewrite addn0 modn_small.
Qed.

Lemma extended_mod h e : extended n m h e = extended n m h (e %% m).
Proof. by congr (_ ++ _); apply: eq_map => j; rewrite modnDmr. Qed.

Lemma shape_extended h e : valid n h -> shape (extended n m h e).
Proof. by move=> V; exists h, (e %% m)%N; rewrite ltn_pmod // -extended_mod. Qed.

Lemma shape_one : shape (one (n + m)).
Proof. by rewrite extended_one; apply/shape_extended/valid_one. Qed.

Lemma shape_times x y : shape x -> shape y -> shape (times x y).
Proof.
case=> h [e [V _ ->]] [h' [e' [V' _ ->]]]; rewrite extended_times //.
by apply/shape_extended/valid_times.
Qed.

(* A group of such elements in which only the identity fixes the points below n: it is a subgroup with a function to the integers modulo m. *)
Variables (s : seq pair) (steps : seq (nat * seq (nat * nat))).
Local Notation c := (chain (n + m) steps s).
Local Notation L := (members (n + m) c).
Local Notation P := (permutation n).
Hypotheses (good_s : all_good (n + m) s) (shape_s : forall x, x \in s -> shape x.1 /\ shape x.2) (ok : check_chain (n + m) c s).
Hypothesis low_points : all (fun b => b.1 < n)%N c.

Lemma member_shape x : x \in L -> shape x.
Proof.
apply: (members_kept (Q := shape)); [exact: shape_one | exact: shape_times | move=> l Hl e He].
suff [] : shape e.2.1 /\ shape e.2.2 by [].
apply: (chain_kept (Q := fun x => shape x.1 /\ shape x.2) _ _ shape_s Hl He); first by split; exact: shape_one.
by move=> a b [? ?] [? ?]; split; exact: shape_times.
Qed.

Lemma member_valid x : x \in L -> valid (n + m) x. Proof. exact: members_valid. Qed.
Lemma part_valid x : x \in L -> valid n (take n x).
Proof. by case/member_shape=> h [e [V _ ->]]; rewrite extended_take. Qed.

Lemma members_uniq : uniq L. Proof. by have [/map_uniq] := chain_members good_s ok. Qed.

Lemma part_inj : {in L &, injective (fun x => P (take n x))}.
Proof.
move=> x y Lx Ly /= E; have {}E := permutation_inj (part_valid Lx) (part_valid Ly) E.
have [_ K] := chain_members good_s ok; have Vx := member_valid Lx; have Vy := member_valid Ly.
apply: (permutation_inj Vx Vy); apply/eqP; rewrite eq_mulgV1; apply/eqP; apply: (chain_rigid good_s ok).
  by rewrite groupM ?groupV // -K map_f.
move=> i /mapP[l /(allP low_points) lt Ei]; rewrite permM; apply: (canLR (permK _)); apply: val_inj.
rewrite /= !permutationE // Ei; have [h [e [V _ Ex]]] := member_shape Lx; have [h' [e' [V' _ Ey]]] := member_shape Ly.
by move: E; rewrite Ex Ey !extended_take // !extended_low // => ->.
Qed.

Lemma member_times x y : x \in L -> y \in L -> times x y \in L.
Proof.
move=> Lx Ly; have [_ K] := chain_members good_s ok; have Vx := member_valid Lx; have Vy := member_valid Ly.
have : permutation (n + m) (times x y) \in [seq permutation (n + m) x | x <- L] by rewrite permutation_times // K groupM // -K map_f.
by case/mapP=> z Lz /(permutation_inj (valid_times Vx Vy) (member_valid Lz)) ->.
Qed.

Lemma one_member : one (n + m) \in L.
Proof.
have [_ K] := chain_members good_s ok; have : permutation (n + m) (one (n + m)) \in [seq permutation (n + m) x | x <- L].
  by rewrite permutation_one K group1.
by case/mapP=> z Lz /(permutation_inj (valid_one _) (member_valid Lz)) ->.
Qed.

Definition parts : seq {perm 'I_n} := [seq P (take n x) | x <- L].
Definition label (g : {perm 'I_n}) : nat := nth 0%N [seq exponent n x | x <- L] (index g parts).
Definition linear_group : {group {perm 'I_n}} := generated n [seq take n x | x <- L].

Lemma parts_uniq : uniq parts.
Proof. by rewrite map_inj_in_uniq ?members_uniq //; exact: part_inj. Qed.

Lemma part_times x y : x \in L -> y \in L -> P (take n (times x y)) = (P (take n x) * P (take n y))%g.
Proof.
move=> Lx Ly; have [h [e [V _ ->]]] := member_shape Lx; have [h' [e' [V' _ ->]]] := member_shape Ly.
by rewrite extended_times // !extended_take ?valid_times // permutation_times.
Qed.

Lemma linear_groupE : linear_group =i parts.
Proof.
move=> g; apply/idP/mapP => [| [x Lx ->]]; last by apply: in_generated; exact: map_f.
have : g \in linear_group -> g \in parts.
  apply: (generated_ind (A := mem parts)) => /= [|_ _ /mapP[y Ly ->] /mapP[x Lx ->]].
    apply/mapP; exists (one (n + m)); first exact: one_member.
    by rewrite extended_one extended_take ?valid_one // permutation_one.
  by rewrite -part_times //; apply: map_f; exact: member_times.
by move=> K /K/mapP.
Qed.

Lemma linear_group_card : #|linear_group| = size L.
Proof. by rewrite (eq_card linear_groupE) (card_uniqP parts_uniq) size_map. Qed.

Lemma label_part x : x \in L -> label (P (take n x)) = exponent n x.
Proof.
move=> Lx; have lt : (index x L < size L)%N by rewrite index_mem.
rewrite -{1}(nth_index [::] Lx) -[P _](nth_map [::] 1%g (fun x => P (take n x)) lt) /label index_uniq ?parts_uniq ?size_map //.
by rewrite (nth_map [::]) // nth_index.
Qed.

Lemma labelM : {in linear_group &, forall g h, label (g * h)%g = (label g + label h) %% m}%N.
Proof.
move=> g h; rewrite !linear_groupE => /mapP[x Lx ->] /mapP[y Ly ->].
rewrite -part_times // !label_part ?member_times //.
have [a [e [V lt ->]]] := member_shape Lx; have [b [f [V' lt' ->]]] := member_shape Ly.
by rewrite extended_times // !extended_exponent ?valid_times ?ltn_pmod.
Qed.

Lemma linear_group_sum (F : {perm 'I_n} -> algC) (A : pred {perm 'I_n}) :
  \sum_(g in linear_group | A g) F g = \sum_(x <- L | A (P (take n x))) F (P (take n x)).
Proof.
transitivity (\sum_(g <- [seq g <- parts | A g]) F g); last by rewrite big_filter big_map.
rewrite big_uniq ?filter_uniq ?parts_uniq //=; apply: eq_bigl => g.
by rewrite mem_filter linear_groupE andbC.
Qed.

End Extended.
