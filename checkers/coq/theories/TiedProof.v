(* The proof that an accepted weight-tying table is a basis. What is claimed stands in Tied.v. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect ssralg matrix.
From IntertwineCheck Require Import Words Tied.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.

Lemma eqw (x y : int) : (x =? y)%uint63 = true -> x = y.
Proof. by move/Uint63.eqb_spec. Qed.

Lemma eqwxx (x : int) : (x =? x)%uint63 = true.
Proof. exact/Uint63.eqb_spec. Qed.

Lemma wordS m i : (i < nat_of m)%N -> word i.+1 = (word i + 1)%uint63.
Proof.
move=> lt; have := nat_ofK lt; have := word_lt lt; move/ltP: lt; rewrite /word /nat_of => H1 H2 H3.
by apply: to_Z_inj; rewrite of_Z_spec; move: (of_Z_spec (Z.of_nat i)) H2 H3; move: (of_Z _) => x; have := to_Z_bounded m; words.
Qed.

Section Entries.

Variable R : comRingType.

Definition signed (negate : bool) (x : R) : R := if negate then - x else x.

Lemma signedK b : involutive (signed b).
Proof. by case: b => x //=; rewrite opprK. Qed.

Lemma signed_signed a b x : signed a (signed b x) = signed (xorb a b) x.
Proof. by case: a; case: b => //=; rewrite opprK. Qed.

Lemma signed0 b : signed b 0 = 0.
Proof. by case: b => //=; rewrite oppr0. Qed.

Lemma signedM b x y : signed b x * y = signed b (x * y).
Proof. by case: b => //=; rewrite mulNr. Qed.

Lemma signedMr b x y : x * signed b y = signed b (x * y).
Proof. by case: b => //=; rewrite mulrN. Qed.

Lemma coefficient_image m i' x :
  (m <? largest)%uint63 -> (i' < nat_of m)%N -> (target m x <? m)%uint63 ->
  coefficient R (word i'.+1) (- word i'.+1)%uint63 x = if (target m x =? word i')%uint63 then signed (~~ is_positive m x) 1 else 0.
Proof.
move=> small lt inside; rewrite /coefficient (wordS lt); have := word_lt lt; move: (word i') => y {}lt.
move: inside; rewrite /target /is_positive /largest in small *.
case P: (x - 1 <? m)%uint63 => inside /=.
- case E: (x =? y + 1)%uint63; case F: (x - 1 =? y)%uint63 => //; try words.
  by case G: (x =? - (y + 1))%uint63 => //; words.
- case E: (x =? y + 1)%uint63; case F: (- x - 1 =? y)%uint63 => //; try words.
  + by case G: (x =? - (y + 1))%uint63 => //; words.
  + by case G: (x =? - (y + 1))%uint63 => //; words.
Qed.

(* The entry of a matrix at two words. *)
Definition entry m n (W : 'M[R]_(m, n)) (x y : int) : R :=
  if insub (nat_of x) is Some i then if insub (nat_of y) is Some j then W i j else 0 else 0.

Lemma entryE m n (W : 'M[R]_(nat_of m, nat_of n)) (i : 'I_(nat_of m)) (j : 'I_(nat_of n)) : entry W (word i) (word j) = W i j.
Proof.
rewrite /entry (nat_ofK (ltn_ord i)) (nat_ofK (ltn_ord j)).
by rewrite (valK i : insub (nat_of_ord i) = Some i) (valK j : insub (nat_of_ord j) = Some j).
Qed.

Lemma ordinal_of m x : (x <? m)%uint63 -> exists i : 'I_(nat_of m), x = word i.
Proof. by move=> lt; exists (Ordinal (nat_of_lt lt)); rewrite /= wordK. Qed.

(* What checked images are: injective, and onto. *)
Record moves_well (m : int) (image preimage : int -> int) : Prop := MovesWell {
  small : (m <? largest)%uint63;
  inside : forall i, (i <? m)%uint63 -> (target m (image i) <? m)%uint63;
  left_inverse : forall i, (i <? m)%uint63 -> preimage (target m (image i)) = i;
  preimage_inside : forall i, (i <? m)%uint63 -> (preimage i <? m)%uint63;
  right_inverse : forall i, (i <? m)%uint63 -> target m (image (preimage i)) = i
}.

Section Products.

Variables (m : int) (image preimage : int -> int).
Hypothesis well : moves_well m image preimage.

Lemma signed_permutationE (i' i : 'I_(nat_of m)) :
  signed_permutation R (nat_of m) image i' i =
  if (target m (image (word i)) =? word i')%uint63 then signed (~~ is_positive m (image (word i))) 1 else 0.
Proof. by rewrite mxE (@coefficient_image m) //; [exact: small well | apply/(inside well)/word_lt]. Qed.

Lemma row_of_product n (W : 'M[R]_(nat_of m, n)) (i' i : 'I_(nat_of m)) j :
  target m (image (word i)) = word i' ->
  (signed_permutation R (nat_of m) image *m W) i' j = signed (~~ is_positive m (image (word i))) (W i j).
Proof.
move=> E; rewrite mxE (bigD1 i) //= big1 ?addr0; last first.
  move=> a ne; rewrite signed_permutationE; case F: (_ =? _)%uint63; last by rewrite mul0r.
  case/eqP: ne; apply/ord_inj/(@word_inj m) => //.
  by rewrite -(left_inverse well (word_lt (ltn_ord a))) (eqw F) -E (left_inverse well) ?word_lt.
by rewrite signed_permutationE E eqwxx signedM mul1r.
Qed.

Lemma column_of_product n (W : 'M[R]_(n, nat_of m)) i (j' j : 'I_(nat_of m)) :
  target m (image (word j)) = word j' ->
  (W *m signed_permutation R (nat_of m) image) i j = signed (~~ is_positive m (image (word j))) (W i j').
Proof.
move=> E; rewrite mxE (bigD1 j') //= big1 ?addr0; last first.
  move=> a ne; rewrite signed_permutationE; case F: (_ =? _)%uint63; last by rewrite mulr0.
  by case/eqP: ne; apply/ord_inj/(@word_inj m) => //; rewrite -E (eqw F).
by rewrite signed_permutationE E eqwxx signedMr mulr1.
Qed.

End Products.

(* A matrix commutes with a generator if and only if its entries move with it. *)
Lemma commutesP m n r r' c c' (W : 'M[R]_(nat_of m, nat_of n)) :
  moves_well m r r' -> moves_well n c c' ->
  signed_permutation R _ r *m W = W *m signed_permutation R _ c <->
  forall i j, (i <? m)%uint63 -> (j <? n)%uint63 ->
    entry W (target m (r i)) (target n (c j)) = signed (xorb (is_positive m (r i)) (is_positive n (c j))) (entry W i j).
Proof.
move=> wr wc; split=> [E x y ltx lty | E].
  case: (ordinal_of ltx) (ordinal_of (inside wr ltx)) => i -> [i' Ei].
  case: (ordinal_of lty) (ordinal_of (inside wc lty)) => j -> [j' Ej].
  have := congr1 (fun X : 'M_(_, _) => X i' j) E; rewrite (row_of_product wr _ _ Ei) (column_of_product wc _ _ Ej) Ei Ej !entryE.
  by move/(congr1 (signed (~~ is_positive n (c (word j))))); rewrite signedK signed_signed => <-; case: (is_positive m _); case: (is_positive n _).
apply/matrixP => i' j.
have ltj : (word j <? n)%uint63 by exact: word_lt.
have lti' : (word i' <? m)%uint63 by exact: word_lt.
case: (ordinal_of (preimage_inside wr lti')) => i Ei.
have Ei' : target m (r (word i)) = word i' by rewrite -Ei (right_inverse wr).
case: (ordinal_of (inside wc ltj)) => j' Ej'.
rewrite (row_of_product wr _ _ Ei') (column_of_product wc _ _ Ej').
have := E (word i) (word j) (word_lt (ltn_ord i)) ltj; rewrite Ei' Ej' !entryE => ->.
by rewrite signed_signed; case: (is_positive m _); case: (is_positive n _).
Qed.

(* What a code says of the entry where it stands, if parameter k has the value f k. *)
Definition tied (p : int) (f : nat -> R) (c : int) : R :=
  if (c =? 0)%uint63 then 0 else signed (p <? c)%uint63 (f (nat_of (parameter p c))).

Lemma tied_flipped p f c negate :
  (p <? largest)%uint63 -> (c <=? p + p)%uint63 -> tied p f (flipped p c negate) = signed negate (tied p f c).
Proof.
rewrite /tied /flipped /parameter /largest => small le; case: negate => //.
case Z: (c =? 0)%uint63 => //=; first by rewrite oppr0.
case L: (c <=? p)%uint63.
- have -> : (c + p =? 0)%uint63 = false by words.
  have -> : (p <? c + p)%uint63 = true by words.
  have -> : (c + p <=? p)%uint63 = false by words.
  have -> : (p <? c)%uint63 = false by words.
  by congr (- f (nat_of _)); words.
- have -> : (c - p =? 0)%uint63 = false by words.
  have -> : (p <? c - p)%uint63 = false by words.
  have -> : (c - p <=? p)%uint63 = true by words.
  have -> : (p <? c)%uint63 = true by words.
  by rewrite /= opprK.
Qed.

Lemma parameter_inside p c : (p <? largest)%uint63 -> (c <=? p + p)%uint63 -> (c =? 0)%uint63 = false -> (parameter p c <? p)%uint63.
Proof. by rewrite /parameter /largest => s l z; case L: (c <=? p)%uint63; words. Qed.

Lemma coefficient_code p c (k : 'I_(nat_of p)) :
  (p <? largest)%uint63 -> (c <=? p + p)%uint63 ->
  coefficient R (word k.+1) (p + word k.+1)%uint63 c =
  if (c =? 0)%uint63 then 0 else if nat_of (parameter p c) == k then signed (p <? c)%uint63 1 else 0.
Proof.
move=> s l; rewrite /coefficient (wordS (ltn_ord k)); have lt := word_lt (ltn_ord k).
have -> : (nat_of (parameter p c) == k) = (parameter p c =? word k)%uint63.
  apply/eqP/idP => [<- | /eqw ->]; first by rewrite wordK eqwxx.
  exact: nat_ofK (ltn_ord k).
move: (word k) lt => y lt; rewrite /parameter /largest in s *.
case Z: (c =? 0)%uint63.
  have -> : (c =? y + 1)%uint63 = false by words.
  by have -> : (c =? p + (y + 1))%uint63 = false by words.
case L: (c <=? p)%uint63.
- have -> : (c =? y + 1)%uint63 = (c - 1 =? y)%uint63 by words.
  have -> : (p <? c)%uint63 = false by words.
  by case: (c - 1 =? y)%uint63 => //; have -> : (c =? p + (y + 1))%uint63 = false by words.
- have -> : (c =? y + 1)%uint63 = false by words.
  have -> : (p <? c)%uint63 = true by words.
  by have -> : (c =? p + (y + 1))%uint63 = (c - p - 1 =? y)%uint63 by words.
Qed.

End Entries.

(* ------------------------------------------------------------ an accepted problem *)

Lemma first_ofP a b : first_of a b = None -> a = None /\ b tt = None.
Proof. by case: a. Qed.

Lemma objection A (c : bool) (x : A) : (if c then None else Some x) = None -> c.
Proof. by case: c. Qed.

Lemma check_imagesP why g m image preimage :
  (m <? largest)%uint63 -> check_images why g m image preimage = None -> forall k, (k <? g)%uint63 -> moves_well m (image k) (preimage k).
Proof.
move=> s H k ltk; have {}H i : (i <? m)%uint63 -> [&& (target m (image k i) <? m)%uint63, (preimage k (target m (image k i)) =? i)%uint63,
    (preimage k i <? m)%uint63 & (target m (image k (preimage k i)) =? i)%uint63].
  by move=> lti; apply: objection (scanP (scanP H ltk) lti).
by split=> // i /H /and4P[h1 h2 h3 h4] //; exact: eqw.
Qed.

Section Problem.

Variables (p : problem) (w : certificate).
Hypothesis accepted : check_problem p w = None.

Let M := height p.
Let N := width p.
Let P := parameters p.

Lemma small_parameters : (P <? largest)%uint63.
Proof. by case/first_ofP: accepted => /(@objection _ _ _) /and3P[]. Qed.

Lemma rows_move g : (g <? moves p)%uint63 -> moves_well M (row_move p g) (row_preimage w g).
Proof. by case/first_ofP: accepted => /(@objection _ _ _) /and3P[s _ _] /first_ofP[H _]; exact: check_imagesP s H g. Qed.

Lemma columns_move g : (g <? moves p)%uint63 -> moves_well N (column_move p g) (column_preimage w g).
Proof. by case/first_ofP: accepted => /(@objection _ _ _) /and3P[_ s _] /first_ofP[_ /first_ofP[H _]]; exact: check_imagesP s H g. Qed.

Lemma code_inside i j : (i <? M)%uint63 -> (j <? N)%uint63 -> (code p i j <=? P + P)%uint63.
Proof.
case/first_ofP: accepted => _ /first_ofP[_ /first_ofP[_ /first_ofP[H _]]] lti ltj.
exact: objection (scanP (scanP H lti) ltj).
Qed.

Lemma codes_move g i j : (g <? moves p)%uint63 -> (i <? M)%uint63 -> (j <? N)%uint63 ->
  code p (target M (row_move p g i)) (target N (column_move p g j)) =
  flipped P (code p i j) (xorb (is_positive M (row_move p g i)) (is_positive N (column_move p g j))).
Proof.
case/first_ofP: accepted => _ /first_ofP[_ /first_ofP[_ /first_ofP[_ /first_ofP[H _]]]] ltg lti ltj.
exact/eqw/(objection (scanP (scanP (scanP H ltg) lti) ltj)).
Qed.

Lemma root_of k : (k <? P)%uint63 ->
  let r := root w k in [/\ (r.1 <? M)%uint63, (r.2 <? N)%uint63, (0 <? code p r.1 r.2)%uint63 & parameter P (code p r.1 r.2) = k].
Proof.
case/first_ofP: accepted => _ /first_ofP[_ /first_ofP[_ /first_ofP[_ /first_ofP[_ /first_ofP[H _]]]]] ltk.
by case/and4P: (objection (scanP H ltk)) => h1 h2 h3 /eqw h4.
Qed.

Lemma entry_of i j : (i <? M)%uint63 -> (j <? N)%uint63 ->
  if (step w i j =? 0)%uint63 then
    if (code p i j =? 0)%uint63 then is_true (meets_its_negative p (loop w i j) i j) else root w (parameter P (code p i j)) = (i, j)
  else let g := (step w i j - 1)%uint63 in
    is_true ((g <? moves p)%uint63 && (level w (row_preimage w g i) (column_preimage w g j) <? level w i j)%uint63).
Proof.
case/first_ofP: accepted => _ /first_ofP[_ /first_ofP[_ /first_ofP[_ /first_ofP[_ /first_ofP[_ H]]]]] lti ltj.
move: (scanP (scanP H lti) ltj); cbv zeta; case: (step w i j =? 0)%uint63; last by move/(@objection _ _ _).
case: (code p i j =? 0)%uint63; first by move/(@objection _ _ _).
by case: (root _ _) => a b /(@objection _ _ _) /= /andP[/eqw -> /eqw ->].
Qed.

Section Ring.

Variable R : comRingType.
Hypothesis two_regular : forall x : R, x + x = 0 -> x = 0.

Let matrix_type := 'M[R]_(nat_of M, nat_of N).

Definition equivariant (W : matrix_type) : Prop := forall g, (g < nat_of (moves p))%N ->
  signed_permutation R (nat_of M) (row_move p (word g)) *m W = W *m signed_permutation R (nat_of N) (column_move p (word g)).

Definition moves_along (W : matrix_type) : Prop := forall g i j, (g <? moves p)%uint63 -> (i <? M)%uint63 -> (j <? N)%uint63 ->
  entry W (target M (row_move p g i)) (target N (column_move p g j)) =
  signed (xorb (is_positive M (row_move p g i)) (is_positive N (column_move p g j))) (entry W i j).

Lemma equivariantP W : equivariant W <-> moves_along W.
Proof.
split=> [E g i j ltg | E g ltg].
  have := E _ (nat_of_lt ltg); rewrite wordK => /(commutesP _ (rows_move ltg) (columns_move ltg)); exact.
by apply/(commutesP _ (rows_move (word_lt ltg)) (columns_move (word_lt ltg))) => i j; apply/E/word_lt.
Qed.

Lemma walkP W words i j s : moves_along W -> (i <? M)%uint63 -> (j <? N)%uint63 ->
  if walk p words i j s is Some (a, b, s') then entry W a b = signed (xorb s s') (entry W i j) else true.
Proof.
move=> E; elim: words i j s => [|g words IH] i j s lti ltj /=; first by case: s.
case: ifP => // ltg; set i' := target _ _; set j' := target _ _.
have := IH i' j' (xorb s (xorb (is_positive M (row_move p g i)) (is_positive N (column_move p g j))))
  (inside (rows_move ltg) lti) (inside (columns_move ltg) ltj).
case: (walk _ _ _ _ _) => // [[[a b] s']] ->.
rewrite /i' /j' E // signed_signed; congr (signed _ _).
by case: s; case: s'; case: (is_positive _ _); case: (is_positive _ _).
Qed.

Definition pattern_sum (f : 'I_(nat_of P) -> R) : matrix_type := \sum_k f k *: pattern R _ _ P (code p) k.

Definition extended (f : 'I_(nat_of P) -> R) (n : nat) : R := if insub n is Some k then f k else 0.

Lemma pattern_sumE f (i : 'I_(nat_of M)) (j : 'I_(nat_of N)) :
  pattern_sum f i j = tied P (extended f) (code p (word i) (word j)).
Proof.
have le := code_inside (word_lt (ltn_ord i)) (word_lt (ltn_ord j)).
have E k : (f k *: pattern R (nat_of M) (nat_of N) P (code p) k) i j =
  if (code p (word i) (word j) =? 0)%uint63 then 0
  else if nat_of (parameter P (code p (word i) (word j))) == k
       then signed (P <? code p (word i) (word j))%uint63 (f k) else 0.
  rewrite !mxE coefficient_code ?small_parameters //; case: ifP => _; first by rewrite mulr0.
  by case: ifP => _; rewrite ?mulr0 // signedMr mulr1.
rewrite /pattern_sum summxE (eq_bigr _ (fun k _ => E k)) /tied; case: ifP => Z; first by rewrite big1.
have lt := nat_of_lt (parameter_inside small_parameters le Z).
rewrite /extended insubT (bigD1 (Ordinal lt)) //= eqxx big1 ?addr0 // => k ne.
by case: eqP => // F; case/eqP: ne; apply/ord_inj; rewrite /= F.
Qed.

Lemma pattern_sum_entry f i j : (i <? M)%uint63 -> (j <? N)%uint63 -> entry (pattern_sum f) i j = tied P (extended f) (code p i j).
Proof. by move=> /ordinal_of[a ->] /ordinal_of[b ->]; rewrite entryE pattern_sumE. Qed.

Lemma pattern_sum_equivariant f : equivariant (pattern_sum f).
Proof.
apply/equivariantP => g i j ltg lti ltj.
rewrite !pattern_sum_entry ?(inside (rows_move ltg), inside (columns_move ltg)) // codes_move //.
by rewrite tied_flipped ?small_parameters ?code_inside.
Qed.

(* The value that an equivariant matrix gives to a parameter: that of its root. *)
Definition root_value (W : matrix_type) (k : nat) : R :=
  let r := root w (word k) in signed (P <? code p r.1 r.2)%uint63 (entry W r.1 r.2).

Lemma entry_determined W : moves_along W -> forall i j, (i <? M)%uint63 -> (j <? N)%uint63 -> entry W i j = tied P (root_value W) (code p i j).
Proof.
move=> E i j; move: {2}(level w i j) (erefl (level w i j)) => l.
elim/(well_founded_ind below_wf): l i j => l IH i j L lti ltj.
have := entry_of lti ltj; case: ifP => [_ | _ /andP[ltg ltl]].
  rewrite /tied; case: ifP => [_ | nz root_here].
    rewrite /meets_its_negative.
    have := walkP (loop w i j).1 false E lti ltj; case: (walk _ _ _ _ _) => // [[[a b] s]] Es.
    have := walkP (loop w i j).2 false E lti ltj; case: (walk _ _ _ _ _) => // [[[a' b'] s']] Es'.
    case/and3P => /eqw ea /eqw eb; rewrite -ea -eb {a' b' ea eb} in Es' *.
    move: Es'; rewrite Es; case: s {Es}; case: s' => //= F _; apply: two_regular.
      by rewrite -{1}F addNr.
    by rewrite {1}F addNr.
  by rewrite /root_value wordK root_here /= signedK.
set g := (step w i j - 1)%uint63 in ltg ltl; set i0 := row_preimage w g i in ltl; set j0 := column_preimage w g j in ltl.
have lti0 : (i0 <? M)%uint63 by exact: preimage_inside (rows_move ltg) _ lti.
have ltj0 : (j0 <? N)%uint63 by exact: preimage_inside (columns_move ltg) _ ltj.
have Ei : target M (row_move p g i0) = i by exact: right_inverse (rows_move ltg) _ lti.
have Ej : target N (column_move p g j0) = j by exact: right_inverse (columns_move ltg) _ ltj.
have := E g i0 j0 ltg lti0 ltj0; rewrite Ei Ej => ->.
have := codes_move ltg lti0 ltj0; rewrite Ei Ej => ->.
rewrite tied_flipped ?small_parameters ?code_inside //; congr (signed _ _).
by apply: (IH (level w i0 j0)) => //; rewrite /below -L; words.
Qed.

Theorem patterns_are_a_basis : is_basis equivariant (fun k : 'I_(nat_of P) => pattern R _ _ P (code p) k).
Proof.
split=> [W | c Z k].
  split=> [/equivariantP E | [c ->]]; last exact: pattern_sum_equivariant.
  exists (fun k => root_value W k); rewrite -/(pattern_sum _); apply/matrixP => i j.
  rewrite -entryE (entry_determined E) ?word_lt // pattern_sumE /tied; case: ifP => // nz; congr (signed _ _).
  rewrite /extended insubT //; apply/nat_of_lt/parameter_inside => //; first exact: small_parameters.
  by rewrite code_inside ?word_lt.
case: (root_of (word_lt (ltn_ord k))) => lti ltj nz at_k.
have := congr1 (fun W : matrix_type => entry W (root w (word k)).1 (root w (word k)).2) Z.
rewrite -/(pattern_sum _) pattern_sum_entry // /tied.
have -> : (code p (root w (word k)).1 (root w (word k)).2 =? 0)%uint63 = false by words.
rewrite at_k (nat_ofK (ltn_ord k)) /extended (valK k : insub (nat_of_ord k) = Some k).
case: (ordinal_of lti) => a ->; case: (ordinal_of ltj) => b ->; rewrite entryE mxE => F.
by rewrite -[c k](signedK (P <? code p (word a) (word b))%uint63) F signed0.
Qed.

End Ring.

End Problem.

(* ------------------------------------------------------------ the theorem *)

(* A word of 1 + 0 is the identity of one column. *)
Lemma one_column (R : comRingType) : signed_permutation R (nat_of 1) (fun _ => 1%uint63) = 1%:M.
Proof. by apply/matrixP => i j; rewrite !mxE !ord1. Qed.

Theorem accepted_tied (t : table) (w b : certificate) :
  check_weights t w = None -> check_biases t b = None ->
  forall R : comRingType, (forall x : R, x + x = 0 -> x = 0) -> tied_basis R t.
Proof.
move=> Hw Hb R regular; split; first exact: (patterns_are_a_basis Hw regular).
have [spans free] := patterns_are_a_basis Hb regular; split=> // v; rewrite -spans.
split=> E g ltg; last by have := E g ltg; rewrite one_column mulmx1.
by rewrite one_column mulmx1; apply: E.
Qed.

