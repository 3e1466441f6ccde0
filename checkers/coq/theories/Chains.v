(* Groups of permutations by a chain of stabilizers: an accepted chain lists every element once, as a product of one element of each of its tables. *)

From Coq Require Import ZArith.
From mathcomp Require Import all_ssreflect all_fingroup.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Local Open Scope group_scope.

(* Permutations of 0, ..., n - 1 as lists of images. A product applies its left factor first, as products do in MathComp. *)
Definition perm_list := seq nat.
Definition one (n : nat) : perm_list := iota 0 n.
Definition times (x y : perm_list) : perm_list := [seq nth 0%N y p | p <- x].
Definition valid (n : nat) (x : perm_list) : bool := [&& size x == n, all (fun p => p < n)%N x & uniq x].

(* The permutation that a list stands for. *)
Definition permutation (n : nat) (x : perm_list) : {perm 'I_n} := insubd (1 : {perm 'I_n}) [ffun i : 'I_n => insubd i (nth 0%N x i)].

(* The group that permutations generate. *)
Definition generated (n : nat) (s : seq perm_list) : {group {perm 'I_n}} := <<[set x in [seq permutation n y | y <- s]]>>%G.

(* ------------------------------------------------------------ the checker *)

Section Checker.

Variable n : nat.

(* An element beside its inverse. *)
Definition pair := (perm_list * perm_list)%type.
Definition one_pair : pair := (one n, one n).
Definition times_pair (x y : pair) : pair := (times x.1 y.1, times y.2 x.2).
Definition inverses (x : pair) : bool := [&& valid n x.1, valid n x.2 & times x.1 x.2 == one n].

(* A level: a point b and a table, which has for points y an element u with u(b) = y. *)
Definition table := seq (nat * pair).
Definition lookup (t : table) (y : nat) : pair := if [seq e <- t | e.1 == y] is e :: _ then e.2 else one_pair.
Definition level := (nat * table)%type.

(* Untrusted code names the base points, and steps: from which point a new one is reached, and with which generator. *)
Definition orbit_table (b : nat) (s : seq pair) (steps : seq (nat * nat)) : table :=
  foldl (fun t step => let x := nth one_pair s step.2 in (nth 0%N x.1 step.1, times_pair (lookup t step.1) x) :: t) [:: (b, one_pair)] steps.
Definition fixing (b : nat) (s : seq pair) : seq pair := [seq x <- s | nth 0%N x.1 b == b].
Fixpoint chain (bases : seq (nat * seq (nat * nat))) (s : seq pair) : seq level :=
  if bases is (b, steps) :: rest then (b, orbit_table b s steps) :: chain rest (fixing b s) else [::].

Fixpoint sift (c : seq level) (x : perm_list) : bool :=
  if c is (b, t) :: rest then sift rest (times x (lookup t (nth 0%N x b)).2) else x == one n.

Fixpoint check_chain (c : seq level) (s : seq pair) : bool :=
  if c is (b, t) :: rest then
    [&& (b < n)%N, uniq [seq e.1 | e <- t], all (fun e => nth 0%N e.2.1 b == e.1) t, (b, one_pair) \in t,
        check_chain rest (fixing b s) &
        all (fun e => all (fun x => sift rest (times (times e.2.1 x.1) (lookup t (nth 0%N x.1 e.1)).2)) s) t]
  else all (fun x => x.1 == one n) s.

(* All elements, each once; how many these are; the element that points y of the tables name. *)
Fixpoint members (c : seq level) : seq perm_list :=
  if c is (b, t) :: rest then [seq times k e.2.1 | e <- t, k <- members rest] else [:: one n].
Fixpoint size_of (c : seq level) : Z :=
  if c is (b, t) :: rest then (Z.of_nat (size t) * size_of rest)%Z else 1%Z.
Fixpoint member (c : seq level) (ys : seq nat) : perm_list :=
  if c is (b, t) :: rest then times (member rest (behead ys)) (lookup t (head 0%N ys)).1 else one n.

(* Strong generators: the generators, and products of these. A word is a list of (number, inverted). *)
Definition inverted (x : pair) : pair := (x.2, x.1).
Definition letter (s : seq pair) (l : nat * bool) : pair := let x := nth one_pair s l.1 in if l.2 then inverted x else x.
Definition strong (s : seq pair) (words : seq (seq (nat * bool))) : seq pair :=
  foldl (fun s w => rcons s (foldl (fun x l => times_pair x (letter s l)) one_pair w)) s words.

(* How many elements g have r g = g s. A constraint (p, q, e, v) of a level, v a power of s: e says whether this power of r takes p to q, points that
   all later factors leave alone. *)
Definition constraint := (nat * nat * bool * perm_list)%type.
Definition keeps (w u : perm_list) (c : constraint) : bool :=
  let: (p, q, e, v) := c in (nth 0%N v (nth 0%N w (nth 0%N u p)) == nth 0%N w (nth 0%N u q)) == e.
Fixpoint search (r s : perm_list) (c : seq level) (plan : seq (seq constraint)) (w : perm_list) : nat :=
  if c is (b, t) :: rest then
    sumn [seq (if all (keeps w e.2.1) (head [::] plan) then search r s rest (behead plan) (times e.2.1 w) else 0%N) | e <- t]
  else if times r w == times w s then 1%N else 0%N.

(* A bound for how many elements commute with r, level by level: the orbit of b under those that fix the base points before it. Its points that untrusted
   code names are counted as they are, and others where a search finds an element. *)
Definition counted (r : perm_list) (rest : seq level) (plan : seq (seq constraint)) (orbit : seq nat) (e : nat * pair) : bool :=
  (e.1 \in orbit) ||
  ((if all (keeps (one n) e.2.1) (head [::] plan) then search r r rest (behead plan) (times e.2.1 (one n)) else 0%N) != 0%N).
Fixpoint centralizer_bound (r : perm_list) (c : seq level) (plan : seq (seq constraint)) (orbits : seq (seq nat)) : Z :=
  if c is (b, t) :: rest then
    (Z.of_nat (count (counted r rest plan (head [::] orbits)) t) * centralizer_bound r rest (behead plan) (behead orbits))%Z
  else 1%Z.

Definition powers (x : perm_list) (m : nat) : seq perm_list := traject (fun y => times y x) (one n) m.
(* How many points each power of x fixes; conjugate elements have the same numbers. *)
Definition fixed_points (x : perm_list) : nat := count (fun p => nth 0%N x p == p) (iota 0 n).
Definition signature (x : perm_list) (m : nat) : seq nat := [seq fixed_points y | y <- powers x m].
Fixpoint constraints (rs ss : seq perm_list) (c : seq level) (known : seq nat) (plan : seq (seq (nat * nat * nat))) : seq (seq constraint) :=
  if c is (b, t) :: rest then
    let known' := b :: known in
    [seq (x.1.1, x.1.2, nth 0%N (nth [::] rs x.2) x.1.1 == x.1.2, nth [::] ss x.2)
       | x <- head [::] plan & [&& x.1.1 \in known', x.1.2 \in known', (x.2 < size rs)%N & (x.2 < size ss)%N]]
    :: constraints rs ss rest known' (behead plan)
  else [::].

End Checker.

(* ------------------------------------------------------------ permutations *)

Section Permutations.

Variable n : nat.
Local Notation P := (permutation n).

Lemma validP x : valid n x -> [/\ size x = n, (forall i, i < n -> nth 0 x i < n)%N & uniq x].
Proof. by case/and3P=> /eqP E /allP H U; split=> // i lt; apply: H; rewrite mem_nth ?E. Qed.

Lemma permutationE x (i : 'I_n) : valid n x -> P x i = nth 0%N x i :> nat.
Proof.
case/validP=> E H U; rewrite /permutation -pvalE insubdK ?ffunE; first by rewrite val_insubd H.
apply/injectiveP => j k; rewrite !ffunE => /(congr1 val); rewrite !val_insubd !H // => /eqP.
by rewrite nth_uniq ?E // => /eqP/val_inj.
Qed.

Lemma permutation_inj x y : valid n x -> valid n y -> P x = P y -> x = y.
Proof.
move=> Vx Vy E; have [Ex _ _] := validP Vx; have [Ey _ _] := validP Vy.
apply: (@eq_from_nth _ 0%N); first by rewrite Ex Ey.
by move=> i; rewrite Ex => lt; have := congr1 (fun p : {perm 'I_n} => val (p (Ordinal lt))) E; rewrite /= !permutationE.
Qed.

Lemma valid_one : valid n (one n).
Proof. by rewrite /valid /one size_iota eqxx iota_uniq andbT; apply/allP => p; rewrite mem_iota. Qed.

Lemma permutation_one : P (one n) = 1.
Proof. by apply/permP=> i; apply: val_inj; rewrite /= permutationE ?valid_one // perm1 nth_iota. Qed.

Lemma nth_times x y i : (i < size x)%N -> nth 0%N (times x y) i = nth 0%N y (nth 0%N x i).
Proof. by move=> lt; rewrite (nth_map 0%N). Qed.

Lemma valid_times x y : valid n x -> valid n y -> valid n (times x y).
Proof.
move=> /validP[Ex Hx Ux] /validP[Ey Hy Uy]; apply/and3P; split; first by rewrite size_map Ex.
  by apply/allP=> _ /mapP[p /(nthP 0%N)[i lt <-] ->]; rewrite Hy ?Hx -?Ex.
rewrite map_inj_in_uniq // => _ _ /(nthP 0%N)[i lt <-] /(nthP 0%N)[j lt' <-] /eqP.
by rewrite nth_uniq ?Ey ?Hx -?Ex // => /eqP.
Qed.

Lemma permutation_times x y : valid n x -> valid n y -> P (times x y) = P x * P y.
Proof.
move=> Vx Vy; apply/permP=> i; apply: val_inj; have [Ex _ _] := validP Vx.
by rewrite /= permM !permutationE ?valid_times // nth_times ?Ex ?ltn_ord.
Qed.

(* Elements beside their inverses, in a group. *)
Definition good (H : {set {perm 'I_n}}) (x : pair) : Prop := [/\ valid n x.1, valid n x.2, P x.2 = (P x.1)^-1 & P x.1 \in H].

Lemma good_one (H : {group {perm 'I_n}}) : good H (one_pair n).
Proof. by split; rewrite ?valid_one //= permutation_one ?invg1. Qed.

Lemma good_times (H : {group {perm 'I_n}}) x y : good H x -> good H y -> good H (times_pair x y).
Proof.
case=> Vx Wx Ex Hx [Vy Wy Ey Hy]; split; rewrite ?valid_times //= !permutation_times ?Ex ?Ey ?invMg //.
exact: groupM.
Qed.

Lemma good_sub (H K : {set {perm 'I_n}}) x : H \subset K -> good H x -> good K x.
Proof. by move=> /subsetP S [*]; split; auto. Qed.

Lemma inverses_good (H : {set {perm 'I_n}}) x : inverses n x -> P x.1 \in H -> good H x.
Proof.
case/and3P=> V W /eqP E h; split=> //; apply/eqP; rewrite eq_sym eq_invg_mul.
by rewrite -permutation_times // E permutation_one.
Qed.

Lemma good_inverted (H : {group {perm 'I_n}}) x : good H x -> good H (inverted x).
Proof. by case=> V W E h; split=> //=; rewrite E ?invgK ?groupV. Qed.

Lemma lookupP (Q : pair -> Prop) t y : Q (one_pair n) -> (forall e, e \in t -> Q e.2) -> Q (lookup n t y).
Proof.
move=> Q1 Qt; rewrite /lookup; case E: [seq e <- t | e.1 == y] => [|e s] //; apply: Qt.
have : e \in [seq e <- t | e.1 == y] by rewrite E inE eqxx.
by rewrite mem_filter => /andP[].
Qed.

Lemma nth_good (Q : pair -> Prop) s k : Q (one_pair n) -> (forall x, x \in s -> Q x) -> Q (nth (one_pair n) s k).
Proof. by move=> Q1 Qs; have [lt | le] := ltnP k (size s); [apply: Qs; rewrite mem_nth | rewrite nth_default]. Qed.

Lemma strong_contains s words x : x \in s -> x \in strong n s words.
Proof.
rewrite /strong; elim: words s => //= a words IH r Hx; apply: IH.
by rewrite mem_rcons inE Hx orbT.
Qed.

(* What holds for generators and is kept by products holds for all that is made of them. *)
Section Kept.

Variable Q : pair -> Prop.
Hypotheses (Q1 : Q (one_pair n)) (QM : forall x y, Q x -> Q y -> Q (times_pair x y)).

Lemma orbit_kept b s steps : (forall x, x \in s -> Q x) -> forall e, e \in orbit_table n b s steps -> Q e.2.
Proof.
move=> Qs; rewrite /orbit_table.
have : forall e : nat * pair, e \in [:: (b, one_pair n)] -> Q e.2 by move=> e; rewrite inE => /eqP ->.
elim: steps [:: _] => //= step steps IH t Qt; apply: IH => e; rewrite inE => /orP[/eqP -> /= | /Qt //].
by apply: QM; [exact: lookupP | exact: nth_good].
Qed.

Lemma chain_kept bases s : (forall x, x \in s -> Q x) -> forall l, l \in chain n bases s -> forall e, e \in l.2 -> Q e.2.
Proof.
elim: bases s => [|[b steps] rest IH] s Qs l //=; rewrite inE => /orP[/eqP -> | H]; first exact: orbit_kept.
by apply: (IH _ _ l H) => x; rewrite mem_filter => /andP[_ /Qs].
Qed.

Lemma strong_kept s words : (forall x, Q x -> Q (inverted x)) -> (forall x, x \in s -> Q x) -> forall x, x \in strong n s words -> Q x.
Proof.
move=> Qi; rewrite /strong; elim: words s => [|w words IH] s Qs //=; apply: IH => x; rewrite mem_rcons inE => /orP[/eqP -> | /Qs //].
elim: w (one_pair n) Q1 => //= l w IHw y Qy; apply: IHw; apply: QM => //.
by rewrite /letter; case: l.2; [apply: Qi|]; exact: nth_good.
Qed.

End Kept.

Lemma members_kept (Q : perm_list -> Prop) (c : seq level) : Q (one n) -> (forall x y, Q x -> Q y -> Q (times x y)) ->
  (forall l, l \in c -> forall e, e \in l.2 -> Q e.2.1) -> forall x, x \in members n c -> Q x.
Proof.
move=> Q1 QM; elim: c => [|[b t] rest IH] Qc x /=; first by rewrite inE => /eqP ->.
case/allpairsP=> -[e k] /= [He Hk ->]; apply: QM; last by apply: (Qc (b, t)) => //; rewrite inE eqxx.
by apply: IH Hk => l H; apply: Qc; rewrite inE H orbT.
Qed.

Lemma member_kept (Q : perm_list -> Prop) (c : seq level) ys : Q (one n) -> (forall x y, Q x -> Q y -> Q (times x y)) ->
  (forall l, l \in c -> forall e, e \in l.2 -> Q e.2.1) -> Q (member n c ys).
Proof.
move=> Q1 QM; elim: c ys => [|[b t] rest IH] ys Qc //=; apply: QM.
  by apply: IH => l H; apply: Qc; rewrite inE H orbT.
by apply: (lookupP (Q := fun x => Q x.1)) => // e He; apply: (Qc (b, t)) => //; rewrite inE eqxx.
Qed.

Lemma sift_in (H : {group {perm 'I_n}}) (c : seq level) x : (forall l, l \in c -> forall e, e \in l.2 -> good H e.2) -> valid n x -> sift n c x -> P x \in H.
Proof.
elim: c x => [|[b t] rest IH] x Hc V /=; first by move/eqP ->; rewrite permutation_one group1.
have [Vu Wu Eu Hu] : good H (lookup n t (nth 0%N x b)).
  by apply: lookupP; [exact: good_one | move=> e He; apply: (Hc (b, t)) => //; rewrite inE eqxx].
move/IH => /(_ _ (valid_times V Wu)); rewrite permutation_times // Eu groupMr ?groupV //; apply=> l Hl.
by apply: Hc; rewrite inE Hl orbT.
Qed.

(* ------------------------------------------------------------ chains *)

Definition firsts (s : seq pair) : seq perm_list := [seq x.1 | x <- s].

Lemma in_generated s x : x \in s -> P x \in generated n s.
Proof. by move=> H; apply: mem_gen; rewrite inE map_f. Qed.

Lemma generated_sub s (H : {group {perm 'I_n}}) : (forall x, x \in s -> P x \in H) -> generated n s \subset H.
Proof. by move=> K; rewrite gen_subG; apply/subsetP=> _ /[!inE] /mapP[x /K h ->]. Qed.

Lemma fixing_sub b s : generated n (firsts (fixing b s)) \subset generated n (firsts s).
Proof.
apply: generated_sub => x /mapP[y]; rewrite mem_filter => /andP[_ H] ->.
by apply: in_generated; exact: map_f.
Qed.

Lemma fixing_fixes (b : 'I_n) s x : (forall y, y \in s -> valid n y.1) -> x \in generated n (firsts (fixing b s)) -> x b = b.
Proof.
move=> V; have /subsetP K : generated n (firsts (fixing b s)) \subset 'C[b | 'P]%G.
  apply: generated_sub => _ /mapP[y + ->]; rewrite mem_filter => /andP[/eqP E /V Vy].
  by apply/astab1P; apply: val_inj; rewrite /= apermE permutationE.
by move/K/astab1P.
Qed.

(* Every element of a group is reached by generators from the right. *)
Lemma generated_ind s (A : pred {perm 'I_n}) : A 1 -> (forall x y, y \in s -> A x -> A (x * P y)) -> forall x, x \in generated n s -> A x.
Proof.
move=> A1 AM x /gen_prodgP[m [c + ->]]; elim: m c => [|m IH] c Hc; first by rewrite big_ord0.
rewrite big_ord_recr /=; have := Hc ord_max; rewrite inE => /mapP[y Hy ->].
by apply: AM => //; apply: IH.
Qed.

Definition all_good s := forall x, x \in s -> good (generated n (firsts s)) x.

Lemma fixing_good b s : all_good s -> all_good (fixing b s).
Proof.
move=> G x H; have := H; rewrite mem_filter => /andP[_ /G[V W E _]]; split=> //.
by apply: in_generated; exact: map_f.
Qed.

Lemma chain_good bases s : all_good s -> forall l, l \in chain n bases s -> forall e, e \in l.2 -> good (generated n (firsts s)) e.2.
Proof. by move=> G; apply: chain_kept => //; [exact: good_one | exact: good_times]. Qed.

Lemma members_valid bases s x : all_good s -> x \in members n (chain n bases s) -> valid n x.
Proof.
move=> G; apply: (members_kept (Q := valid n)); [exact: valid_one | exact: valid_times | move=> l Hl e He].
by have [] := chain_good G Hl He.
Qed.

Theorem chain_members bases s : all_good s -> check_chain n (chain n bases s) s ->
  uniq [seq P x | x <- members n (chain n bases s)] /\ [seq P x | x <- members n (chain n bases s)] =i generated n (firsts s).
Proof.
elim: bases s => [|[b steps] rest IH] s G /=.
  move/allP=> H; split=> // x; rewrite inE permutation_one; apply/eqP/idP => [-> | ]; first exact: group1.
  have /subsetP K : generated n (firsts s) \subset 1%G.
    by apply: generated_sub => _ /mapP[y /H/eqP -> ->]; rewrite permutation_one group1.
  by move/K/set1P.
set t := orbit_table n b s steps; set c := chain n rest (fixing b s).
case/and5P=> lt Ut /allP Ht one_in /andP[/(IH _ (fixing_good G))[U E] /allP closed].
have Gc := chain_good (fixing_good (b := b) G) (bases := rest).
have Gt e : e \in t -> good (generated n (firsts s)) e.2.
  by move=> He; apply: (chain_good (bases := (b, steps) :: rest) G (l := (b, t))) => //; rewrite inE eqxx.
have Vc k : k \in members n c -> valid n k by exact: members_valid (fixing_good G).
have fixed k : k \in members n c -> P k (Ordinal lt) = Ordinal lt.
  by move=> Hk; apply: (@fixing_fixes (Ordinal lt) s) => [y /G[] // | ]; rewrite -E; exact: map_f.
have image e k : e \in t -> k \in members n c -> nat_of_ord ((P k * P e.2.1) (Ordinal lt)) = e.1.
  by move=> He Hk; have [V _ _ _] := Gt e He; rewrite permM fixed // permutationE //; apply/eqP/Ht.
split.
  rewrite map_allpairs; apply: allpairs_uniq; [exact: map_uniq Ut | exact: map_uniq U |].
  move=> [e k] [e' k'] /allpairsP[[a z] [Ha Hz [-> ->]]] /allpairsP[[a' z'] [Ha' Hz' [-> ->]]].
  have [V _ _ _] := Gt _ Ha; have [V' _ _ _] := Gt _ Ha'.
  rewrite /= in Ha Hz Ha' Hz' V V' *; have Vz := Vc _ Hz; have Vz' := Vc _ Hz'; rewrite !permutation_times // => K.
  have Ee : a = a'.
    have := image _ _ Ha Hz; rewrite K image // => K'.
    rewrite -(nth_index (b, one_pair n) Ha) -(nth_index (b, one_pair n) Ha'); congr nth.
    apply/eqP; rewrite -(nth_uniq 0%N _ _ Ut) ?size_map ?index_mem //.
    by rewrite !(nth_map (b, one_pair n)) ?index_mem // !nth_index // K'.
  subst a'; congr (_, _); by move: K => /mulIg; apply: permutation_inj.
have product e k : e \in t -> P k \in generated n (firsts (fixing b s)) -> P k * P e.2.1 \in [seq P x | x <- [seq times k e.2.1 | e <- t, k <- members n c]].
  move=> He; rewrite -E => /mapP[k' Hk ->]; have [V _ _ _] := Gt e He; have Vk := Vc _ Hk; rewrite -permutation_times //.
  by apply: map_f; apply/allpairsP; exists (e, k').
move=> x; apply/idP/idP => [/mapP[_ /allpairsP[[e k] /= [He Hk ->]] ->] | ].
  have [V _ _ H] := Gt e He; have Vk := Vc _ Hk; rewrite permutation_times // groupM //.
  by apply: (subsetP (fixing_sub b s)); rewrite -E map_f.
apply: (generated_ind (A := mem [seq P z | z <- [seq times k e.2.1 | e <- t, k <- members n c]])) =>
  [|_ _ /mapP[y Hy ->] /mapP[_ /allpairsP[[e k] /= [He Hk ->]] ->]].
  by have := product (b, one_pair n) (one n) one_in; rewrite /= permutation_one mulg1; apply; exact: group1.
have [V _ _ _] := Gt e He; have [Vy _ _ _] := G y Hy; have Vk := Vc _ Hk; have := allP (closed e He) y Hy.
set w := lookup n t _ => S; have [Vw Ww Ew _] : good (generated n (firsts s)) w.
  by apply: lookupP; [exact: good_one | move=> a /Gt].
have [a Ha Ea] : exists2 a, a \in t & a.2 = w.
  by apply: (lookupP (Q := fun w => exists2 a, a \in t & a.2 = w)) => [|a Ha]; [exists (b, one_pair n) | exists a].
have := sift_in Gc (valid_times (valid_times V Vy) Ww) S; rewrite !permutation_times ?valid_times // Ew => K.
have -> : P k * P e.2.1 * P y.1 = P k * (P e.2.1 * P y.1 * (P w.1)^-1) * P w.1 by rewrite !mulgA mulgKV.
have : P k * (P e.2.1 * P y.1 * (P w.1)^-1) \in generated n (firsts (fixing b s)) by rewrite groupM // -E map_f.
by rewrite -E => /mapP[k' Hk' ->]; rewrite -Ea product // -E map_f.
Qed.

Lemma size_of_members c : size_of c = Z.of_nat (size (members n c)).
Proof. by elim: c => [|[b t] rest IH] //=; rewrite size_allpairs Nat2Z.inj_mul IH. Qed.

Lemma chain_order bases s : all_good s -> check_chain n (chain n bases s) s -> Z.of_nat #|generated n (firsts s)| = size_of (chain n bases s).
Proof.
move=> G /(chain_members G)[U E]; rewrite size_of_members; congr Z.of_nat.
by rewrite -(eq_card E) (card_uniqP U) size_map.
Qed.

(* The base tells elements apart. *)
Lemma chain_rigid bases s g : all_good s -> check_chain n (chain n bases s) s -> g \in generated n (firsts s) ->
  (forall i : 'I_n, (i : nat) \in [seq l.1 | l <- chain n bases s] -> g i = i) -> g = 1.
Proof.
elim: bases s g => [|[b steps] rest IH] s g G ok.
  by have [_ <-] := chain_members G ok; rewrite /= inE permutation_one => /eqP.
have [_ E] := chain_members G ok; rewrite -E => /mapP[_ /allpairsP[[e k] /= [He Hk ->]] ->] fixed.
case/and5P: ok => lt Ut /allP Ht one_in /andP[ok _].
have [U' E'] := chain_members (fixing_good G) ok.
have Vk := members_valid (fixing_good G) Hk; have [V _ _ _] := chain_good (bases := (b, steps) :: rest) G (mem_head _ _) He.
have Kk : P k \in generated n (firsts (fixing b s)) by rewrite -E' map_f.
have Kb : P k (Ordinal lt) = Ordinal lt by apply: (@fixing_fixes (Ordinal lt) s) => [y /G[] | ].
have Eb : e = (b, one_pair n).
  have := congr1 val (fixed (Ordinal lt) (mem_head _ _)); rewrite permutation_times // permM Kb /= permutationE // (eqP (Ht e He)) => K'.
  rewrite -(nth_index (b, one_pair n) He) -[RHS](nth_index (b, one_pair n) one_in); congr nth.
  apply/eqP; rewrite -(nth_uniq 0%N _ _ Ut) ?size_map ?index_mem //.
  by rewrite !(nth_map (b, one_pair n)) ?index_mem // !nth_index // K'.
rewrite permutation_times // Eb permutation_one mulg1; apply: IH Kk _ => // [|i Hi]; first exact: fixing_good.
by have := fixed i; rewrite permutation_times // Eb permutation_one mulg1; apply; rewrite inE Hi orbT.
Qed.

(* ------------------------------------------------------------ the search *)

Lemma timesA x y z : valid n x -> valid n y -> valid n z -> times (times x y) z = times x (times y z).
Proof.
by move=> *; apply: permutation_inj; rewrite ?valid_times // !permutation_times ?valid_times // mulgA.
Qed.

Lemma powersP x m i : valid n x -> (i < m)%N -> valid n (nth [::] (powers n x m) i) /\ P (nth [::] (powers n x m) i) = P x ^+ i.
Proof.
move=> V lt; rewrite (set_nth_default (one n)) ?size_traject // /powers nth_traject //; elim: i {lt} => [|i [W E]];
  first by rewrite expg0 permutation_one valid_one.
by rewrite iterS valid_times // permutation_times // E expgSr.
Qed.

Lemma size_powers x m : size (powers n x m) = m. Proof. exact: size_traject. Qed.

Lemma fixed_pointsE x : valid n x -> fixed_points n x = #|[set i | P x i == i]|.
Proof.
move=> V; rewrite /fixed_points cardE -(size_map val) -size_filter; apply: perm_size; apply: uniq_perm.
- by rewrite filter_uniq ?iota_uniq.
- by rewrite map_inj_uniq ?enum_uniq //; exact: val_inj.
move=> p; rewrite mem_filter mem_iota /= add0n; apply/andP/mapP => [[/eqP E lt] | [i + ->]].
  by exists (Ordinal lt); rewrite ?mem_enum ?inE //; apply/eqP/val_inj; rewrite /= permutationE.
by rewrite mem_enum inE -val_eqE /= permutationE.
Qed.

Lemma signature_conjugate x y m g : valid n x -> valid n y -> P y = P x ^ g -> signature n x m = signature n y m.
Proof.
move=> Vx Vy E; apply: (@eq_from_nth _ 0%N); first by rewrite !size_map !size_powers.
move=> i; rewrite size_map size_powers => lt; rewrite !(nth_map [::]) ?size_powers //.
have [Wx Ex] := powersP Vx lt; have [Wy Ey] := powersP Vy lt; rewrite !fixed_pointsE // Ex Ey E -conjXg.
rewrite -(card_imset _ (@perm_inj _ g)); congr #|pred_of_set _|; apply/setP => j; rewrite inE; apply/imsetP/eqP => [[i0] | F].
  by rewrite inE => /eqP F ->; rewrite permJ F.
by exists (g^-1 j); rewrite ?permKV // inE; apply/eqP; apply: (@perm_inj _ g); rewrite -permJ permKV F.
Qed.

Definition conjugates (r s w k : perm_list) : bool := times r (times k w) == times (times k w) s.

(* Points that a group fixes, and one more. *)
Definition fixes (gens : seq pair) (known : seq nat) : Prop :=
  (forall p, p \in known -> p < n)%N /\ forall g, g \in generated n (firsts gens) -> forall i : 'I_n, (i : nat) \in known -> g i = i.

Lemma fixes_none gens : fixes gens [::]. Proof. by []. Qed.

Lemma fixing_more b gens known : (b < n)%N -> all_good gens -> fixes gens known -> fixes (fixing b gens) (b :: known).
Proof.
move=> lt G [small fixed]; split=> [p | g Hg i]; rewrite inE => /orP[/eqP E | H].
- by rewrite E.
- exact: small.
- by have -> : i = Ordinal lt; [apply: val_inj | apply: (@fixing_fixes (Ordinal lt) gens) => [y /G[] | ]].
by apply: fixed H; exact: (subsetP (fixing_sub b gens)).
Qed.

(* The elements of one entry of a table, if the search counts enough below it. *)
Lemma count_entry r s mr ms b steps rest gens known plan w (e : nat * pair) : valid n r -> valid n s -> valid n w -> all_good gens ->
  check_chain n (chain n ((b, steps) :: rest) gens) gens ->
  fixes gens known ->
  let c := chain n rest (fixing b gens) in
  let plans := constraints (powers n r mr) (powers n s ms) (chain n ((b, steps) :: rest) gens) known plan in
  (forall w', valid n w' -> count (conjugates r s w') (members n c) <= search r s c (behead plans) w')%N ->
  e \in orbit_table n b gens steps ->
  (count (conjugates r s w) [seq times k e.2.1 | k <- members n c] <=
    if all (keeps w e.2.1) (head [::] plans) then search r s c (behead plans) (times e.2.1 w) else 0)%N.
Proof.
move=> Vr Vs Vw G ok known_ok c plans below He; have := ok; rewrite /=; case/and5P=> lt _ _ _ /andP[ok' _].
have [Ve _ _ _] : good (generated n (firsts gens)) e.2 by exact: (chain_good (bases := (b, steps) :: rest) G (mem_head _ _)).
have [_ Ec] := chain_members (fixing_good G) ok'.
have Vc k : k \in members n c -> valid n k by exact: members_valid (fixing_good G).
have [small' fixed'] := fixing_more lt G known_ok.
rewrite count_map; have [|] := boolP (all _ _) => [_ | /allPn[_ /mapP[x + ->]]].
  rewrite (eq_in_count (a2 := conjugates r s (times e.2.1 w))) => [|k Hk]; last by rewrite /conjugates /= timesA // Vc.
  by apply: below; exact: valid_times.
rewrite mem_filter => /andP[/and4P[Hp Hq lr ls] _] no; rewrite (eq_in_count (a2 := pred0)) ?count_pred0 // => k Hk.
apply/negP => /eqP K; case/negP: no; have Vk := Vc _ Hk; rewrite size_powers in lr; rewrite size_powers in ls.
have [Wr Er] := powersP Vr lr; have [Ws Es] := powersP Vs ls.
have Vg : valid n (times (times k e.2.1) w) by rewrite !valid_times.
have {K} : P r * P (times (times k e.2.1) w) = P (times (times k e.2.1) w) * P s by rewrite -!permutation_times // K.
set g := P (times _ w) => K; have {}K : P r ^+ x.2 * g = g * P s ^+ x.2.
  by have -> : P s = P r ^ g; [rewrite conjgE K mulKg | rewrite -conjXg -conjgC].
have gE p (ltp : (p < n)%N) : p \in b :: known -> nth 0%N w (nth 0%N e.2.1 p) = g (Ordinal ltp).
  move=> Kp; have -> : g (Ordinal ltp) = P w (P e.2.1 (Ordinal ltp)); last by rewrite !permutationE.
  by rewrite /g !permutation_times ?valid_times // !permM (fixed' (P k)) // -Ec map_f.
rewrite /= (gE _ (small' _ Hp) Hp) (gE _ (small' _ Hq) Hq).
have := congr1 (fun h : {perm 'I_n} => h (Ordinal (small' _ Hp))) K; rewrite !permM -Er -Es => E.
have -> : nth 0%N (nth [::] (powers n s ms) x.2) (g (Ordinal (small' _ Hp))) =
    P (nth [::] (powers n s ms) x.2) (g (Ordinal (small' _ Hp))) by rewrite (permutationE _ Ws).
rewrite -E -[X in _ == (X == _)](permutationE (Ordinal (small' _ Hp)) Wr).
by rewrite (inj_eq val_inj) (inj_eq perm_inj) -val_eqE.
Qed.

Lemma count_search r s mr ms bases gens known plan w : valid n r -> valid n s -> valid n w -> all_good gens ->
  check_chain n (chain n bases gens) gens ->
  fixes gens known ->
  (count (conjugates r s w) (members n (chain n bases gens)) <=
    search r s (chain n bases gens) (constraints (powers n r mr) (powers n s ms) (chain n bases gens) known plan) w)%N.
Proof.
move=> Vr Vs; elim: bases gens known plan w => [|[b steps] rest IH] gens known plan w Vw G ok known_ok.
  by rewrite /= addn0 /conjugates; have -> : times (one n) w = w by apply: permutation_inj;
    rewrite ?valid_times ?valid_one // permutation_times ?valid_one // permutation_one mul1g.
have entry e := count_entry (e := e) (mr := mr) (ms := ms) (plan := plan) Vr Vs Vw G ok known_ok.
have := ok; rewrite /=; case/and5P=> lt _ _ _ /andP[ok' _].
have {}entry e := entry e (fun w' Vw' => IH _ _ (behead plan) w' Vw' (fixing_good G) ok' (fixing_more lt G known_ok)).
elim: orbit_table entry => [|e t IHt] H //=; rewrite count_cat leq_add //; first by apply: H; exact: mem_head.
by apply: IHt => a Ha; apply: H; rewrite inE Ha orbT.
Qed.

(* What a chain says of an element: the entry of its table that it goes through, and what remains fixes the base point. *)
Lemma chain_split b steps rest gens g (lt : (b < n)%N) : all_good gens -> check_chain n (chain n ((b, steps) :: rest) gens) gens ->
  g \in generated n (firsts gens) ->
  exists e k, [/\ e \in orbit_table n b gens steps, k \in members n (chain n rest (fixing b gens)), g = P (times k e.2.1),
                 (g (Ordinal lt) : nat) = e.1 & e.1 = b -> g \in generated n (firsts (fixing b gens))].
Proof.
move=> G ok; have [_ E] := chain_members G ok; rewrite -E => /mapP[_ /allpairsP[[e k] /= [He Hk ->]] ->].
case/and5P: ok => _ Ut /allP Ht one_in /andP[ok' _]; exists e, k; have [_ E'] := chain_members (fixing_good G) ok'.
have Vk := members_valid (fixing_good G) Hk; have [V _ _ _] := chain_good (bases := (b, steps) :: rest) G (mem_head _ _) He.
have Kk : P k \in generated n (firsts (fixing b gens)) by rewrite -E' map_f.
have Kb : P k (Ordinal lt) = Ordinal lt by apply: (@fixing_fixes (Ordinal lt) gens) => [y /G[] | ].
split=> //; first by rewrite permutation_times // permM Kb permutationE //; apply/eqP/Ht.
move=> Eb; have -> : e = (b, one_pair n).
  rewrite -(nth_index (b, one_pair n) He) -[RHS](nth_index (b, one_pair n) one_in); congr nth.
  by apply/eqP; rewrite -(nth_uniq 0%N _ _ Ut) ?size_map ?index_mem // !(nth_map (b, one_pair n)) ?index_mem // !nth_index // Eb.
by rewrite permutation_times ?valid_one // permutation_one mulg1.
Qed.

Lemma centralizer_step r b steps rest gens mr known plan orbits : valid n r -> all_good gens ->
  check_chain n (chain n ((b, steps) :: rest) gens) gens -> fixes gens known ->
  (Z.of_nat #|generated n (firsts (fixing b gens)) :&: 'C[P r]| <=
    centralizer_bound n r (chain n rest (fixing b gens))
      (constraints (powers n r mr) (powers n r mr) (chain n rest (fixing b gens)) (b :: known) (behead plan)) (behead orbits))%Z ->
  (Z.of_nat #|generated n (firsts gens) :&: 'C[P r]| <=
    centralizer_bound n r (chain n ((b, steps) :: rest) gens)
      (constraints (powers n r mr) (powers n r mr) (chain n ((b, steps) :: rest) gens) known plan) orbits)%Z.
Proof.
move=> Vr G ok known_ok below; have /and5P[lt Ut _ _ /andP[ok' _]] := ok.
set D := (generated n (firsts gens) :&: 'C[P r])%G; rewrite -[in X in (X <= _)%Z](card_orbit_stab 'P D (Ordinal lt)) Nat2Z.inj_mul.
rewrite [in X in (_ <= X)%Z]/=; set t := orbit_table n b gens steps in Ut *; set c := chain n rest (fixing b gens) in below *.
set plans := _ :: constraints _ _ c _ _.
have commutes g : g \in D -> P r * g = g * P r by case/setIP=> _ /cent1P.
have named y : y \in orbit 'P D (Ordinal lt) -> (y : nat) \in [seq e.1 | e <- t & counted n r c plans (head [::] orbits) e].
  case/orbitP=> g Dg <-; have /setIP[Hg _] := Dg; have [e [k [He Hk Eg Ei _]]] := chain_split lt G ok Hg.
  apply/mapP; exists e; last by rewrite -Ei /= apermE.
  rewrite mem_filter He andbT; apply/orP; right; rewrite -lt0n.
  have few w' : valid n w' -> (count (conjugates r r w') (members n c) <= search r r c (behead plans) w')%N.
    by move=> Vw'; apply: count_search => //; [exact: fixing_good | exact: fixing_more].
  apply: leq_trans (count_entry Vr Vr valid_one G ok known_ok few He); rewrite -has_count; apply/hasP.
  have [V _ _ _] := chain_good (bases := (b, steps) :: rest) G (mem_head _ _) He; have Vk := members_valid (fixing_good G) Hk.
  exists (times k e.2.1); first exact: map_f; apply/eqP/permutation_inj; rewrite ?valid_times ?valid_one //.
  by rewrite !(permutation_times (x := r), permutation_times (y := r), permutation_times (y := one n)) ?valid_times ?valid_one // permutation_one mulg1 -Eg commutes.
apply: Z.mul_le_mono_nonneg; try exact: Nat2Z.is_nonneg.
  apply/Nat2Z.inj_le/leP; rewrite -size_filter -(size_map fst) cardE -(size_map val); apply: uniq_leq_size.
    by rewrite map_inj_uniq ?enum_uniq //; exact: val_inj.
  by move=> _ /mapP[y + ->]; rewrite mem_enum => /named.
apply: Z.le_trans below; apply/Nat2Z.inj_le/leP/subset_leq_card/subsetP => g /setIP[/setIP[Hg Cg] /astab1P Fg].
have [e [k [_ _ _ Ei rest_of]]] := chain_split lt G ok Hg; rewrite inE Cg andbT; apply: rest_of.
by rewrite -Ei -[g _]/('P%act (Ordinal lt) g) Fg.
Qed.

Theorem centralizer_bounded r mr bases gens plan orbits : valid n r -> all_good gens -> check_chain n (chain n bases gens) gens ->
  (Z.of_nat #|generated n (firsts gens) :&: 'C[P r]| <=
    centralizer_bound n r (chain n bases gens) (constraints (powers n r mr) (powers n r mr) (chain n bases gens) [::] plan) orbits)%Z.
Proof.
move=> Vr; have := fixes_none gens; move: [::] gens plan orbits; elim: bases => [|[b steps] rest IH] known gens plan orbits known_ok G ok.
  have /= <- := chain_order G ok; apply/Nat2Z.inj_le/leP/subset_leq_card; exact: subsetIl.
apply: centralizer_step => //; have /and5P[lt _ _ _ /andP[ok' _]] := ok.
by apply: IH => //; [exact: fixing_more | exact: fixing_good].
Qed.

Theorem search_bound r s mr ms bases gens plan : valid n r -> valid n s -> all_good gens -> check_chain n (chain n bases gens) gens ->
  (#|[set g in generated n (firsts gens) | (P r * g == g * P s)%g]| <=
    search r s (chain n bases gens) (constraints (powers n r mr) (powers n s ms) (chain n bases gens) [::] plan) (one n))%N.
Proof.
move=> Vr Vs G ok; apply: (leq_trans _ (count_search mr ms plan Vr Vs valid_one G ok (fixes_none gens))).
have [U E] := chain_members G ok; have E' : [set g in generated n (firsts gens) | P r * g == g * P s] =i
  [seq P k | k <- members n (chain n bases gens) & conjugates r s (one n) k].
  move=> g; rewrite inE -E; apply/andP/mapP => [[/mapP[k Hk ->] /eqP K] | [k]].
    exists k => //; rewrite mem_filter Hk andbT; have Vk := members_valid G Hk; apply/eqP/permutation_inj; rewrite ?valid_times ?valid_one //.
    by rewrite !permutation_times ?valid_times ?valid_one // permutation_one !mulg1.
  rewrite mem_filter => /andP[/eqP K Hk] ->; have Vk := members_valid G Hk; split; first exact: map_f.
  by apply/eqP; move: (congr1 P K); rewrite !permutation_times ?valid_times ?valid_one // permutation_one !mulg1.
by apply: leq_trans (eq_leq (eq_card E')) _; apply: leq_trans (card_size _) _; rewrite size_map size_filter.
Qed.

End Permutations.
