(* Why an accepted file holds all irreducible representations of the group. *)

From Coq Require Import ZArith Lia.
From mathcomp Require Import all_ssreflect all_fingroup all_algebra all_field all_character.
From IntertwineCheck Require Import Words Tied Sparse Elimination Numbers Chains Characters CharacterSums CharactersProof Forms.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import Order.Theory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

Lemma Z_eqP : Equality.axiom Z.eqb.
Proof. by move=> x y; apply: (iffP idP) => /Z.eqb_eq. Qed.
Canonical Z_eqMixin := EqMixin Z_eqP.
Canonical Z_eqType := Eval hnf in EqType Z Z_eqMixin.

Lemma all2_nth (T : Type) (r : rel T) x0 s u i : all2 r s u -> (i < size s)%N -> r (nth x0 s i) (nth x0 u i).
Proof. by elim: s u i => [|a s IH] [|b u] [|i] //= /andP[] // _ H lt; exact: IH. Qed.

Lemma same_key (T : eqType) (t : seq (nat * T)) a b : uniq [seq e.1 | e <- t] -> a \in t -> b \in t -> a.1 = b.1 -> a = b.
Proof.
elim: t => //= x t IH /andP[out U]; rewrite !inE => /orP[/eqP -> | Ha] /orP[/eqP -> | Hb] // E; last exact: IH.
  by case/mapP: out; exists b.
by case/mapP: out; exists a.
Qed.

Lemma lookup_key n t e : uniq [seq e.1 | e <- t] -> e \in t -> lookup n t e.1 = e.2.
Proof.
move=> U He; rewrite /lookup; case E: [seq a <- t | a.1 == e.1] => [|a r].
  by have : e \in [seq a <- t | a.1 == e.1]; [rewrite mem_filter eqxx | rewrite E].
have : a \in [seq a <- t | a.1 == e.1] by rewrite E mem_head.
by rewrite mem_filter => /andP[/eqP K Ha]; rewrite (same_key U Ha He K).
Qed.

Lemma integer_positive c : (0 < c)%Z -> integer algCring c != 0.
Proof. by move=> pos; rewrite -(Z2Nat.id c) ?integer_nat ?pnatr_eq0; [apply/eqP; lia | lia]. Qed.

(* ------------------------------------------------------------ matrices *)

Section Matrices.

Variables (z : algC) (low : number) (d : nat).
Hypothesis root : value z low + z ^+ size low = 0.
Local Notation V := (transposed z d).

Lemma value_trimmed x : value z (trimmed x) = value z x.
Proof. by rewrite /trimmed; case: ifP => // /(value_zero z) ->. Qed.

Lemma value_times_number x y : value z (times_number x y) = value z x * value z y.
Proof. by case: x => [|a x]; [rewrite mul0r | case: y => [|b y]; [rewrite mulr0 | exact: value_multiply]]. Qed.

Lemma value_dot m x y : size x = m -> size y = m -> value z (dot x y) = \sum_(i < m) value z (nth [::] x i) * value z (nth [::] y i).
Proof.
elim: m x y => [|m IH] [|a x] [|b y] //=; first by rewrite big_ord0.
by move=> [Ex] [Ey]; rewrite value_add value_times_number (IH _ _ Ex Ey) big_ord_recl.
Qed.

Lemma shapedP x : shaped d x -> [/\ (0 < x.1)%Z, size x.2 = d & forall a, (a < d)%N -> size (nth [::] x.2 a) = d].
Proof.
case/and3P=> /Z.ltb_lt pos /eqP E /allP H; split=> // a lt; apply/eqP/H.
by rewrite mem_nth ?E.
Qed.

Lemma shaped_product x y : shaped d x -> shaped d y -> shaped d (product low d x y).
Proof.
case/shapedP=> px Ex _ /shapedP[py _ _]; apply/and3P; split; first by apply/Z.ltb_lt; exact: Z.mul_pos_pos.
  by rewrite size_map Ex.
by apply/allP=> _ /mapP[row _ ->]; rewrite size_map size_map size_iota.
Qed.

Lemma transposed_product x y : shaped d x -> shaped d y -> V (product low d x y) = V y *m V x.
Proof.
case/shapedP=> _ Ex Sx /shapedP[_ Ey _]; apply/matrixP=> a b; rewrite !mxE /=.
rewrite (nth_map [::]) ?Ex // (nth_map [::]) ?size_map ?size_iota // (nth_map 0%N) ?size_iota // nth_iota // add0n.
rewrite value_trimmed (value_reduced root) (value_dot (m := d)) ?size_map ?Sx // integer_mul invfM big_distrl.
by apply: eq_bigr => j _; rewrite !mxE (nth_map [::]) ?Ey //= mulrACA mulrC.
Qed.

Lemma shaped_identity : shaped d (identity d).
Proof. by rewrite /shaped size_map size_iota eqxx; apply/allP=> _ /mapP[a _ ->]; rewrite size_map size_iota. Qed.

Lemma transposed_identity : V (identity d) = 1%:M.
Proof.
apply/matrixP=> a b; rewrite !mxE /= (nth_map 0%N) ?size_iota // (nth_map 0%N) ?size_iota // !nth_iota // !add0n integer1 divr1.
by rewrite -val_eqE eq_sym; case: (_ == _); rewrite /= ?integer1 ?mulr0 ?addr0.
Qed.

Lemma transposed_equal x y : shaped d x -> shaped d y -> equal low d x y -> V x = V y.
Proof.
case/shapedP=> px Ex Sx /shapedP[py Ey Sy] /allP H; apply/matrixP=> a b; rewrite !mxE; apply/eqP.
have := H b; rewrite mem_iota /= => /(_ (ltn_ord b))/(all2_nth [::] (i := a)).
rewrite Sx // => /(_ (ltn_ord a))/(vanishesP root); rewrite value_add !value_scale integer_opp mulNr => /eqP.
by rewrite subr_eq0 eqr_div ?integer_positive // mulrC [X in _ == X]mulrC.
Qed.

Definition oshaped (x : option entries) : bool := if x is Some m then shaped d m else true.

Lemma shaped_explicit x : oshaped x -> shaped d (explicit d x).
Proof. by case: x => // _; exact: shaped_identity. Qed.

Lemma shaped_times x y : oshaped x -> oshaped y -> oshaped (times_image low d x y).
Proof. by case: x y => [x|] [y|] //=; exact: shaped_product. Qed.

Lemma transposed_times x y : oshaped x -> oshaped y -> V (explicit d (times_image low d x y)) = V (explicit d y) *m V (explicit d x).
Proof.
by case: x y => [x|] [y|] /= Sx Sy; rewrite ?transposed_product // ?transposed_identity ?mulmx1 ?mul1mx.
Qed.

Lemma shaped_at (l : images) y : all (fun e => shaped d e.2) l -> oshaped (image_at l y).
Proof.
move/allP=> H; rewrite /image_at; case E: [seq e <- l | e.1 == y] => [|e r] //=; apply: H.
have : e \in [seq e <- l | e.1 == y] by rewrite E mem_head.
by rewrite mem_filter => /andP[].
Qed.

Lemma trace_transposed x : \tr (V x) = value z (trace d x) / integer _ x.1.
Proof.
rewrite /trace value_sum -[iota 0 d](map_id) -/(index_iota 0 d) /mxtrace.
have -> : iota 0 d = index_iota 0 d by rewrite /index_iota subn0.
rewrite map_id big_mkord big_distrl; apply: eq_bigr => a _; by rewrite mxE.
Qed.

(* ------------------------------------------------------------ a chain *)

Variable n : nat.
Local Notation P := (permutation n).

Theorem images_multiply bases (s : seq (pair * entries)) ims : all_good n (unzip1 s) ->
  check_chain n (chain n bases (unzip1 s)) (unzip1 s) -> all (fun x => shaped d x.2) s ->
  check_images low d n (chain n bases (unzip1 s)) ims s ->
  exists mu : {perm 'I_n} -> 'M[algC]_d,
    [/\ mu 1%g = 1%:M, {in generated n (firsts (unzip1 s)) &, {morph mu : x y / (x * y)%g >-> x *m y}},
        forall x, x \in s -> mu (P x.1.1) = V x.2,
        forall x, oshaped (image low d n (chain n bases (unzip1 s)) ims x) &
        forall x, valid n x -> sift n (chain n bases (unzip1 s)) x ->
          mu (P x) = V (explicit d (image low d n (chain n bases (unzip1 s)) ims x))].
Proof.
elim: bases s ims => [|[b steps] rest IH] s ims G ok shape.
  move=> /allP H; exists (fun=> 1%:M); split=> // [x y _ _ | x Hx | x _ _].
  - by rewrite mul1mx.
  - by rewrite (transposed_equal (allP shape x Hx) shaped_identity (H x Hx)) transposed_identity.
  by rewrite /= transposed_identity.
rewrite /= in ok *; pose s' := [seq x <- s | nth 0%N x.1.1 b == b].
have Es : fixing b (unzip1 s) = unzip1 s' by rewrite /fixing /unzip1 filter_map.
set t := orbit_table n b (unzip1 s) steps; rewrite Es in ok *; set c := chain n rest (unzip1 s').
have G' : all_good n (unzip1 s') by rewrite -Es; exact: fixing_good.
case/and5P: (ok) => lt Ut /allP Ht one_in /andP[ok' /allP closed].
set here := head [::] ims; case/and4P=> none here_shape images_ok /allP multiply_ok.
have [|mu' [mu1 muM mu_s image_shape mu_sift]] := IH s' (behead ims) G' ok' _ images_ok.
  by apply/allP=> x; rewrite mem_filter => /andP[_ /(allP shape)].
rewrite -/c in image_shape mu_sift.
set H := generated n (firsts (unzip1 s)); set H' := generated n (firsts (unzip1 s')) in muM.
have Gt e : e \in t -> good H e.2.
  by move=> He; apply: (chain_good (bases := (b, steps) :: rest) G (l := (b, t))) => //; rewrite inE eqxx.
have Gc := chain_good G' (bases := rest).
have fixed k : k \in H' -> k (Ordinal lt) = Ordinal lt.
  by rewrite /H' -Es; apply: (@fixing_fixes _ (Ordinal lt)) => y /G[].
pose Vat y := V (explicit d (image_at here y)).
pose mu (h : {perm 'I_n}) := let y := nat_of_ord (h (Ordinal lt)) in mu' (h * (P (lookup n t y).1)^-1)%g *m Vat y.
have key k e : k \in H' -> e \in t -> mu (k * P e.2.1)%g = mu' k *m Vat e.1.
  move=> Hk He; have [Ve _ _ _] := Gt e He; have E : nat_of_ord ((k * P e.2.1)%g (Ordinal lt)) = e.1.
    by rewrite permM fixed // permutationE //; apply/eqP/Ht.
  by rewrite /mu E lookup_key // mulgK.
have parts h : h \in H -> exists k e, [/\ k \in H', e \in t & h = (k * P e.2.1)%g].
  have okc : check_chain n (chain n ((b, steps) :: rest) (unzip1 s)) (unzip1 s) by rewrite /= Es.
  have [_ E] := chain_members G okc; have [_ E'] := chain_members G' ok'.
  rewrite -E /= Es => /mapP[_ /allpairsP[[e k] /= [He Hk ->]] ->]; have [Ve _ _ _] := Gt e He.
  exists (P k), e; split=> //; first by rewrite -E' map_f.
  by rewrite permutation_times //; exact: members_valid Hk.
have step h x : h \in H -> x \in s -> mu (h * P x.1.1)%g = mu h *m V x.2.
  case/parts=> k [e [Hk He ->]] Hx; have Hx1 : x.1 \in unzip1 s by exact: map_f.
  have [Ve _ _ _] := Gt e He; have [Vx _ _ _] := G _ Hx1.
  have := allP (closed e He) _ Hx1; have := allP (multiply_ok e He) _ Hx.
  set y := nth 0%N x.1.1 e.1; set u := lookup n t y => M S.
  have [Vu Wu Eu _] : good H u by apply: lookupP; [exact: good_one | move=> a /Gt].
  have [a Ha Ea] : exists2 a, a \in t & a.2 = u.
    by apply: (lookupP (Q := fun w => exists2 a, a \in t & a.2 = w)) => [|a Ha]; [exists (b, one_pair n) | exists a].
  set rem := times (times e.2.1 x.1.1) u.2 in M S.
  have Vr : valid n rem by rewrite !valid_times.
  have Hr : P rem \in H' by exact: sift_in Gc Vr S.
  have PE : P rem = (P e.2.1 * P x.1.1 * (P u.1)^-1)%g by rewrite !permutation_times ?valid_times // Eu.
  have Ya : y = a.1.
    have := congr1 (fun g : {perm 'I_n} => nat_of_ord (g (Ordinal lt))) (mulgKV (P u.1) (P e.2.1 * P x.1.1)%g).
    rewrite -PE !permM fixed // !permutationE // -Ea (eqP (Ht a Ha)) (eqP (Ht e He)).
    by move->.
  have Se := shaped_at e.1 here_shape; have Sy := shaped_at y here_shape; have Sx : oshaped (Some x.2) by exact: (allP shape x Hx).
  have := transposed_equal (shaped_explicit (shaped_times Sx Se)) (shaped_explicit (shaped_times Sy (image_shape rem))) M.
  rewrite !transposed_times // -/(Vat e.1) -/(Vat y) -mu_sift // => E.
  have -> : (k * P e.2.1 * P x.1.1 = k * P rem * P a.2.1)%g by rewrite PE Ea !mulgA mulgKV.
  by rewrite !key ?groupM // muM // -!mulmxA -Ya E.
have mu_1 : mu 1%g = 1%:M.
  have := key 1%g (b, one_pair n) (group1 _) one_in; rewrite /= permutation_one mulg1 mu1 mul1mx => ->.
  by rewrite /Vat; case: (image_at here b) none => // _; exact: transposed_identity.
exists mu; split=> // [x y Hx Hy | x Hx | x | x Vx Sx].
- suff /andP[_ /forall_inP/(_ x Hx)/eqP] : (y \in H) && [forall h in H, mu (h * y)%g == mu h *m mu y] by [].
  move: y Hy; apply: (generated_ind (A := fun y => (y \in H) && [forall h in H, mu (h * y)%g == mu h *m mu y])).
    by rewrite group1; apply/forall_inP=> h _; rewrite mulg1 mu_1 mulmx1.
  move=> y _ /mapP[_ /mapP[q Hq ->] ->] /andP[Hy /forall_inP A].
  have Hq' : P q.1.1 \in H by apply: in_generated; do 2 apply: map_f.
  by rewrite groupM //; apply/forall_inP=> h Hh; rewrite mulgA !step ?groupM // (eqP (A h Hh)) mulmxA.
- by have := step 1%g x (group1 _) Hx; rewrite mul1g mu_1 mul1mx.
- by apply: shaped_times; [exact: shaped_at | exact: image_shape].
rewrite transposed_times ?shaped_at // /mu permutationE //=; set u := lookup n t _ in Sx *.
have [Vu Wu Eu _] : good H u by apply: lookupP; [exact: good_one | move=> a /Gt].
by rewrite -Eu -permutation_times // mu_sift // valid_times.
Qed.

End Matrices.

(* ------------------------------------------------------------ the file *)

Lemma strong_prefix n s words : exists r, strong n s words = s ++ r.
Proof.
rewrite /strong; elim: words s => [|a words IH] s /=; first by exists [::]; rewrite cats0.
by have [r ->] := IH (rcons s (foldl (fun x l => times_pair x (letter n s l)) (one_pair n) a)); rewrite cat_rcons; eexists.
Qed.

Section File.

Variables (f : forms) (w : form_claims).

Let t := table_of f w.
Let cw := group_claims w.
Let s := strong_pairs t cw.
Let c := group_chain t cw.
Local Notation G := (forms_group f).
Local Notation P := (permutation (points f)).
Local Notation K := (class_count t).

Hypotheses (ok : check_group t cw s c) (classes_ok : check_classes t cw s c) (orthonormal : check_orthonormal t cw).
Variable z : algC.
Hypothesis prim : (conductor f).-primitive_root z.

Lemma order_conductor k : (k < K)%N -> order_at t k = conductor f.
Proof. by move=> lt; rewrite /order_at nth_nseq lt. Qed.

Lemma order_divides k : (k < K)%N -> (order_at t k %| conductor f)%N.
Proof. by move=> lt; rewrite order_conductor. Qed.

Lemma root_is k : (k < K)%N -> root_at t (conductor f) z k = z.
Proof. by move=> lt; rewrite /root_at order_conductor // divnn (prim_order_gt0 prim) expr1. Qed.

Lemma some_class : (0 < K)%N. Proof. by case/and5P: classes_ok. Qed.

Lemma low_is : value z (low_of w (conductor f)) + z ^+ size (low_of w (conductor f)) = 0.
Proof.
have := low_at_root orthonormal prim order_divides some_class.
by rewrite /low_at order_conductor ?root_is ?some_class.
Qed.

Lemma low_divides n : (0 < n)%N -> (n %| conductor f)%N -> check_root n (roots_of cw n) ->
  value (z ^+ (conductor f %/ n)) (low_of w n) + z ^+ (conductor f %/ n) ^+ size (low_of w n) = 0.
Proof.
move=> n0 div root_ok; have prim_n := dvdn_prim_root prim div; apply: (low_root (n := n)) root_ok; first exact: prim_expr_order.
move=> e /andP[e0 lt] /eqP; rewrite -(prim_order_dvd prim_n) => D; have := dvdn_leq e0 D; by rewrite leqNgt lt.
Qed.

Lemma value_stretched q x : (0 < q)%N -> value z (stretched q x) = value (z ^+ q) x.
Proof.
by move=> q0; elim: x => //= a x IH; rewrite value_cat value_zeros size_nseq IH add0r mulrA -exprS prednK.
Qed.

Lemma form_exists i : check_form f w s c i ->
  exists r : mx_representation algCfield G (dimension_of f i),
    (forall j, (j < size (group_generators f))%N ->
      r (P (nth [::] (group_generators f) j)) = transposed (z ^+ (conductor f %/ conductor_of f i)) (dimension_of f i) (matrix_of f i j)) /\
    (forall k, (k < K)%N -> \tr (r (representative t k)) = value z (entry t i k)).
Proof.
case/and5P=> /andP[/andP[order0 div] root_ok]; set d := dimension_of f i; set ms := _ ++ _ => /eqP Eg /eqP Es /allP shape.
set ims := nth _ _ _ => /andP[mult /allP traces]; have low_i := low_divides order0 div root_ok.
have U : unzip1 (zip s ms) = s by rewrite unzip1_zip // Es.
have good_s : all_good (points f) s by exact: strong_all_good ok.
have chk : check_chain (points f) (chain (points f) (bases cw) s) s by exact: chain_ok ok.
have := @images_multiply _ _ d low_i (points f) (bases cw) (zip s ms) ims; rewrite U => /(_ good_s chk).
case=> [| |mu [mu1 muM mu_s image_shape mu_sift]] //.
  by apply/allP=> x Hx; apply: shape; rewrite -(unzip2_zip (s := s) (t := ms)) ?Es // map_f.
have EG : generated (points f) (firsts s) = G by exact: strong_group ok.
rewrite EG in muM; exists (MxRepresentation (conj mu1 muM)); split=> [j lt | k lt] /=.
  have [r Er] := strong_prefix (points f) (generator_pairs t cw) (strong_words cw).
  have [/eqP Ei _ _ _] := and4P ok.
  have lt' : (j < size (generator_pairs t cw))%N by rewrite size1_zip ?Ei.
  have lts : (j < size s)%N by rewrite /s /strong_pairs Er size_cat ltn_addr.
  have := mu_s (nth (one_pair (points f), (1%Z, [::])) (zip s ms) j); rewrite mem_nth ?size1_zip ?Es // => /(_ isT).
  rewrite nth_zip ?Es //= nth_cat Eg lt -/(matrix_of f i j) => <-; congr (mu (P _)).
  rewrite /s /strong_pairs Er nth_cat lt' /generator_pairs /one_pair nth_zip ?Ei //=; exact: set_nth_default.
have ck := class_ok classes_ok lt; have Vk := element_valid classes_ok lt.
have [_ Sk _ _] := and4P ck.
rewrite /representative -/(element_of t k) mu_sift // trace_transposed.
have := traces k; rewrite mem_iota => /(_ lt)/(vanishesP low_is); rewrite value_add !value_scale integerN1 mulN1r value_stretched => [/eqP|].
rewrite subr_eq0 => /eqP <-; rewrite mulrAC divff ?mul1r // integer_positive //.
  by have /shapedP[] := shaped_explicit (image_shape (element_of t k)).
by rewrite divn_gt0 // dvdn_leq // (prim_order_gt0 prim).
Qed.

End File.

Theorem accepted_forms (f : forms) (w : form_claims) : check_forms f w -> forms_of_group f.
Proof.
case/and5P=> /eqP sizes ok classes_ok orthonormal /allP forms_ok; set t := table_of f w in sizes ok classes_ok orthonormal forms_ok.
split; first exact: group_order ok.
move=> z prim; set m := size (dimensions f) in sizes *; pose G := forms_group f.
have rep (i : 'I_m) : exists r : mx_representation algCfield G (dimension_of f i),
    (forall j, (j < size (group_generators f))%N ->
      r (permutation (points f) (nth [::] (group_generators f) j)) = transposed (z ^+ (conductor f %/ conductor_of f i)) (dimension_of f i) (matrix_of f i j)) /\
    (forall k, (k < class_count t)%N -> \tr (r (representative t k)) = value z (entry t i k)).
  by apply: (form_exists ok classes_ok orthonormal prim); apply: forms_ok; rewrite mem_iota -sizes /=.
have {rep} [r Hr] := fin_all_exists rep; exists r.
pose chi i : 'CF(G) := if insub i is Some o then cfRepr (r o) else 0.
have chiE (o : 'I_m) : chi o = cfRepr (r o) by rewrite /chi valK.
have lift i : (i < class_count t)%N -> exists o : 'I_m, i = o by rewrite -sizes => lt; exists (Ordinal lt).
have E : perm_eq [seq chi i | i <- iota 0 (class_count t)] (irr G).
  apply: (generalized_irreducible ok classes_ok orthonormal prim (order_divides (w := w))) => [i | i k] /lift[o ->]; rewrite chiE.
    exact/char_vchar/cfRepr_char.
  move=> lt; rewrite root_is //; have [_ <- //] := Hr o; rewrite cfunE.
  by rewrite (representative_in ok classes_ok lt) mulr1n.
have in_irr o : cfRepr (r o) \in irr G by rewrite -(perm_mem E) -chiE map_f // mem_iota -sizes /=.
have U : uniq [seq chi i | i <- iota 0 (class_count t)] by rewrite (perm_uniq E) free_uniq ?irr_free.
split=> [i j lt | i | i j /cfRepr_sim S | d other irr_other].
- by have [H _] := Hr i; exact: H.
- have [rG irrG /cfRepr_inj/mx_rsim_sym S] := irr_reprP (in_irr i).
  exact: mx_rsim_irr S irrG.
- rewrite -!chiE in S; have at_index (o : 'I_m) : nth 0 [seq chi i | i <- iota 0 (class_count t)] o = chi o.
    by rewrite (nth_map 0%N) ?size_iota -?sizes // nth_iota.
  have lt (o : 'I_m) : (o < size [seq chi i | i <- iota 0 (class_count t)])%N by rewrite size_map size_iota -sizes.
  by apply: val_inj; apply/eqP; rewrite /= -(nth_uniq 0 (lt i) (lt j) U) !at_index S.
have : cfRepr other \in irr G by apply/irr_reprP; exists (Representation other).
rewrite -(perm_mem E) => /mapP[i]; rewrite mem_iota /= => /lift[o ->]; rewrite chiE => /esym/cfRepr_inj S.
by exists o.
Qed.
