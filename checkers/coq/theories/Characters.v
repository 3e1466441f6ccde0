(* Tables of characters of permutation groups: an accepted table has the group's order, its conjugacy classes with their sizes, and rows that are
   orthonormal and multiply as the classes do.

   The first part, up to `table_of_group`, is what one has to read to know what is claimed; `accepted_characters` at the end says that the checker
   in the second part accepts nothing else. *)

From Coq Require Import ZArith Lia FMapPositive.
From mathcomp Require Import all_ssreflect ssralg ssrint.
From IntertwineCheck Require Import Words Tied Sparse Elimination.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Local Open Scope ring_scope.
Delimit Scope Z_scope with Z.

(* ------------------------------------------------------------ what is claimed *)

(* Permutations of 0, ..., n - 1 as lists of images; (x y)(p) = x(y(p)). *)
Definition perm := seq nat.
Definition after (x y : perm) : perm := [seq nth 0%N x p | p <- y].
Definition one (n : nat) : perm := iota 0 n.

(* A number is a sum of c_j times z^j, z a root of unity. *)
Definition number := seq Z.

Record character_table := CharacterTable {
  degree : nat;
  generators : seq (perm * perm);   (* each with its inverse *)
  order : Z;
  representatives : seq perm;       (* of the classes, the first of the identity *)
  sizes : seq Z;                    (* of the classes *)
  roots : nat;                      (* z is a primitive root of unity of this order *)
  rows : seq (seq number)           (* rows, each with a value for every class *)
}.

Section Statement.

Variable t : character_table.

(* The elements of the group that the generators make, with their inverses. *)
Inductive element : perm -> perm -> Prop :=
  | element_one : element (one (degree t)) (one (degree t))
  | element_after g gi h hi : (g, gi) \in generators t -> element h hi -> element (after g h) (after hi gi).

Definition in_group (x : perm) : Prop := exists xi, element x xi.
Definition conjugate (x y : perm) : Prop := exists h hi, element h hi /\ y = after (after h x) hi.

Definition representative (k : nat) : perm := nth [::] (representatives t) k.
Definition class_size (k : nat) : Z := nth 0%Z (sizes t) k.

(* The list of all elements, and the number of the class of each. *)
Definition lists (E : seq perm) (class : perm -> nat) : Prop :=
  [/\ uniq E /\ (forall x, x \in E <-> in_group x), Z.of_nat (size E) = order t,
      (forall x, in_group x -> (class x < size (representatives t))%N),
      (forall x k, in_group x -> (k < size (representatives t))%N -> conjugate (representative k) x <-> class x = k) &
      (forall k, (k < size (representatives t))%N -> Z.of_nat (count (fun x => class x == k) E) = class_size k)].

(* How many x of class a have a y of class b with x y = the representative of class c. *)
Definition products (E : seq perm) (class : perm -> nat) (a b c : nat) : nat :=
  count (fun x => (class x == a) && has (fun y => (class y == b) && (after x y == representative c)) E) E.

Section Values.

Variables (R : ringType) (z : R).

Fixpoint value (x : number) : R := if x is c :: rest then integer R c + z * value rest else 0.
Definition entry (i k : nat) : R := value (nth [::] (nth [::] (rows t) i) k).
Definition weight (k : nat) : R := integer R (class_size k).
Definition classes : seq nat := iota 0 (size (representatives t)).

(* The map that takes the sum of class k to (size of k) (value at k) / (degree) is a homomorphism of the centre of the group algebra; the rows are
   orthonormal; degrees are positive integers. *)
Definition multiplies (E : seq perm) (class : perm -> nat) (i : nat) : Prop :=
  forall a b, a \in classes -> b \in classes ->
    weight a * entry i a * (weight b * entry i b) = entry i 0 * \sum_(c <- classes) (products E class a b c)%:R * (weight c * entry i c).

Definition orthonormal (inverse : nat -> nat) : Prop :=
  forall i j, i \in classes -> j \in classes ->
    \sum_(c <- classes) weight c * (entry i c * entry j (inverse c)) = if i == j then integer R (order t) else 0.

Definition positive_degree (i : nat) : Prop := exists d, (0 < d)%Z /\ entry i 0 = integer R d.

End Values.

Definition primitive (R : ringType) (z : R) : Prop := z ^+ roots t = 1 /\ forall d, (0 < d < roots t)%N -> z ^+ d <> 1.

Definition table_of_group : Prop :=
  exists E class inverse,
    [/\ lists E class, representative 0 = one (degree t), size (rows t) = size (representatives t),
        (forall k, k \in classes -> exists xi, [/\ after (representative k) xi = one (degree t), in_group xi & class xi = inverse k]) &
        forall (R : idomainType) (z : R), primitive z ->
          [/\ (forall i, i \in classes -> multiplies z E class i), orthonormal z inverse & forall i, i \in classes -> positive_degree z i]].

End Statement.

(* ------------------------------------------------------------ the checker *)

(* What an untrusted program says of an element: its inverse, its class, and two ways: from the identity by multiplying with a generator, and from
   the representative by conjugating with one. Levels fall along a way. *)
Record entry_of := EntryOf {
  self : perm; inverse_of : perm; class_of : nat;
  level : nat; generator : nat; former : perm;
  conjugate_level : nat; conjugator : nat; conjugated : perm
}.

Fixpoint unary (k : nat) (p : positive) : positive := if k is k'.+1 then xI (unary k' p) else xO p.
Definition code (x : perm) : positive := foldr unary xH x.

Definition known := PositiveMap.t entry_of.
Definition lookup (m : known) (x : perm) : option entry_of :=
  if PositiveMap.find (code x) m is Some e then if self e == x then Some e else None else None.
Definition entries (m : known) : seq entry_of := map snd (PositiveMap.elements m).
Definition label (m : known) (x : perm) : nat := if lookup m x is Some e then class_of e else 0.
Definition has_label (m : known) (k : nat) (x : perm) : bool := if lookup m x is Some e then class_of e == k else false.

Definition fits (n : nat) (x : perm) : bool := (size x == n) && all (fun p => p < n)%N x.
Definition inverses (n : nat) (x y : perm) : bool := [&& fits n x, fits n y, after x y == one n & after y x == one n].

Section Checker.

Variables (t : character_table) (m : known).

Definition generator_of (k : nat) : perm * perm := nth (one (degree t), one (degree t)) (generators t) k.

Definition check_generators : bool := all (fun g => inverses (degree t) g.1 g.2) (generators t).

Definition check_entry (e : entry_of) : bool :=
  [&& inverses (degree t) (self e) (inverse_of e),
      all (fun g => (if lookup m (after g.1 (self e)) is Some _ then true else false)
                    && has_label m (class_of e) (after (after g.1 (self e)) g.2)) (generators t),
      (self e == one (degree t)) ||
      (if lookup m (former e) is Some f then
         [&& (level f < level e)%N, (generator e < size (generators t))%N & self e == after (generator_of (generator e)).1 (former e)]
       else false),
      (class_of e < size (representatives t))%N &
      (self e == representative t (class_of e)) ||
      (if lookup m (conjugated e) is Some f then
         [&& (conjugate_level f < conjugate_level e)%N, class_of f == class_of e, (conjugator e < size (generators t))%N &
             self e == after (after (generator_of (conjugator e)).1 (conjugated e)) (generator_of (conjugator e)).2]
       else false)].

Definition check_representative (k : nat) : bool :=
  if lookup m (representative t k) is Some e then
    [&& class_of e == k, (if lookup m (inverse_of e) is Some _ then true else false) &
        (Z.of_nat (count (fun f => class_of f == k) (entries m)) =? class_size t k)%Z]
  else false.

Definition check_group : bool :=
  [&& check_generators, all (fun e => Pos.eqb (code (self e.2)) e.1) (PositiveMap.elements m),
      (if lookup m (one (degree t)) is Some _ then true else false), all check_entry (entries m),
      all check_representative (iota 0 (size (representatives t))), representative t 0 == one (degree t),
      (0 < size (representatives t))%N & (Z.of_nat (size (entries m)) =? order t)%Z].

End Checker.

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

(* Why z^d + low is 0 at a primitive root of unity: it times `rest` is z^n - 1, and `rest` divides a product of z^q - 1 with 0 < q < n. *)
Record witness := Witness { low : number; rest : number; factor : number; exponents : seq nat }.

Section Rows.

Variables (t : character_table) (m : known) (w : witness).

Definition check_root : bool :=
  [&& is_zero (add (multiply (low w ++ [:: 1%Z]) (rest w)) (scale (-1) (power_minus_one (roots t)))),
      all (fun q => 0 < q < roots t)%N (exponents w) &
      is_zero (add (multiply (rest w) (factor w))
                   (scale (-1) (foldr (fun q x => multiply (power_minus_one q) x) [:: 1%Z] (exponents w))))].

Definition value_of (i k : nat) : number := nth [::] (nth [::] (rows t) i) k.

(* For class c: of every x its class and that of y with x y = the representative. *)
Definition pairs (c : nat) : seq (nat * option nat) :=
  [seq (class_of e, if lookup m (after (inverse_of e) (representative t c)) is Some f then Some (class_of f) else None) | e <- entries m].
Definition pair_count (s : seq (nat * option nat)) (a b : nat) : Z :=
  Z.of_nat (count (fun e => (e.1 == a) && (if e.2 is Some k then k == b else false)) s).

Definition all_pairs : seq (nat * seq (nat * option nat)) := [seq (c, pairs c) | c <- classes t].

Definition sum (s : seq number) : number := foldr add [::] s.

Definition check_product (s : seq (nat * seq (nat * option nat))) (a b : nat) : bool :=
  let counts := [seq (e.1, pair_count e.2 a b) | e <- s] in
  all (fun i =>
    let left := multiply (scale (class_size t a) (value_of i a)) (scale (class_size t b) (value_of i b)) in
    let right := multiply (value_of i 0) (sum [seq scale (e.2 * class_size t e.1) (value_of i e.1) | e <- counts]) in
    vanishes (low w) (add left (scale (-1) right))) (classes t).

Definition inverse_class (k : nat) : nat := if lookup m (representative t k) is Some e then label m (inverse_of e) else 0.

Definition check_orthonormal (i j : nat) : bool :=
  vanishes (low w)
    (add (sum [seq scale (class_size t c) (multiply (value_of i c) (value_of j (inverse_class c))) | c <- classes t])
         [:: if i == j then (- order t)%Z else 0%Z]).

Definition check_degree (i : nat) : bool := if value_of i 0 is d :: rest then (0 <? d)%Z && is_zero rest else false.

Definition check_rows : bool :=
  let s := all_pairs in
  [&& check_root, size (rows t) == size (representatives t), all check_degree (classes t),
      all (fun i => all (check_orthonormal i) (classes t)) (classes t) &
      all (fun a => all (check_product s a) (classes t)) (classes t)].

End Rows.

Definition check_characters (t : character_table) (m : known) (w : witness) : bool := check_group t m && check_rows t m w.

(* ------------------------------------------------------------ permutations *)

Lemma fitsP n x : fits n x -> size x = n /\ forall p, p \in x -> (p < n)%N.
Proof. by case/andP=> /eqP-> /allP H. Qed.

Lemma after_one n x : fits n x -> after x (one n) = x.
Proof. by case/fitsP=> E _; rewrite /after /one -E; exact: (mkseq_nth 0%N x). Qed.

Lemma one_after n x : fits n x -> after (one n) x = x.
Proof.
case/fitsP=> _ H; rewrite /after -[RHS]map_id; apply/eq_in_map => p /H lt.
by rewrite /one nth_iota.
Qed.

Lemma afterA n x y z : fits n y -> fits n z -> after (after x y) z = after x (after y z).
Proof.
case/fitsP=> E _ /fitsP[_ H]; rewrite /after -map_comp; apply/eq_in_map => p /H lt /=.
by rewrite (nth_map 0%N) // E.
Qed.

Lemma fits_one n : fits n (one n).
Proof. by rewrite /fits size_iota eqxx /=; apply/allP => p; rewrite mem_iota. Qed.

Lemma fits_after n x y : fits n x -> fits n y -> fits n (after x y).
Proof.
case/fitsP=> Ex Hx /fitsP[Ey Hy]; rewrite /fits size_map Ey eqxx /=; apply/allP => _ /mapP[p /Hy lt ->].
by apply: Hx; rewrite mem_nth // Ex.
Qed.

Lemma inversesP n x y : inverses n x y -> [/\ fits n x, fits n y, after x y = one n & after y x = one n].
Proof. by case/and4P=> ? ? /eqP ? /eqP ?. Qed.

(* ------------------------------------------------------------ maps *)

Lemma all_In T (f : T -> bool) s e : all f s -> List.In e s -> f e.
Proof. by elim: s => //= a s IH /andP[H /IH K] [<- | ]. Qed.

Lemma In_map T U (f : T -> U) s e : List.In e s -> List.In (f e) [seq f a | a <- s].
Proof. by elim: s => //= a s IH [-> | /IH]; [left | right]. Qed.

Lemma In_mem (T : eqType) (s : seq T) x : List.In x s <-> x \in s.
Proof.
elim: s => //= a s IH; rewrite inE; split=> [[-> | /IH ->] | /orP[/eqP -> | /IH]]; rewrite ?eqxx ?orbT //; by [left | right].
Qed.

Section Proof.

Variables (t : character_table) (m : known).
Hypothesis ok : check_group t m.

Let n := degree t.

Lemma ok_generators g gi : (g, gi) \in generators t -> inverses n g gi.
Proof. by case/andP: ok => K _ H; exact: (allP K (g, gi) H). Qed.

Lemma ok_entry e : List.In e (entries m) -> check_entry t m e.
Proof. by case/and5P: ok => _ _ _ H _; exact: (all_In H). Qed.

Lemma lookup_In x e : lookup m x = Some e -> List.In e (entries m) /\ self e = x.
Proof.
rewrite /lookup; case E: (PositiveMap.find _ _) => [f|] //; case: eqP => // <- [<-]; split=> //.
by apply: (In_map snd (e := (code x, f))); exact: PositiveMap.elements_correct.
Qed.

Lemma In_lookup e : List.In e (entries m) -> lookup m (self e) = Some e.
Proof.
move=> H; have [k K] : exists k, List.In (k, e) (PositiveMap.elements m).
  by move: H; rewrite /entries; elim: (PositiveMap.elements m) => //= -[k f] s IH [/= -> | /IH[k' ?]]; [exists k; left | exists k'; right].
have /= /Pos.eqb_eq E : Pos.eqb (code (self (k, e).2)) (k, e).1 by case/and5P: ok => _ H' _ _ _; exact: (all_In H').
by rewrite /lookup E (PositiveMap.elements_complete _ _ _ K) eqxx.
Qed.

Definition listed : seq perm := [seq self e | e <- entries m].

Lemma listedP x : x \in listed <-> exists e, lookup m x = Some e.
Proof.
rewrite /listed; split=> [|[e /lookup_In[H <-]]]; last by apply/In_mem; exact: In_map.
move/In_mem => H; have [e [K <-]] : exists e, List.In e (entries m) /\ self e = x.
  by move: H; elim: (entries m) => //= a s IH [<- | /IH[e [? ?]]]; [exists a; split=> //; left | exists e; split=> //; right].
by exists e; exact: In_lookup.
Qed.

Lemma listed_fits x : x \in listed -> exists xi, inverses n x xi.
Proof. by case/listedP=> e /lookup_In[/ok_entry/and5P[H _ _ _ _] <-]; exists (inverse_of e). Qed.

Lemma listed_uniq : uniq listed.
Proof.
have := PositiveMap.elements_3w m; rewrite /listed /entries.
have : forall k e, List.In (k, e) (PositiveMap.elements m) -> code (self e) = k.
  move=> k e K; have /= /Pos.eqb_eq -> // : Pos.eqb (code (self (k, e).2)) (k, e).1 by case/and5P: ok => _ H' _ _ _; exact: (all_In H').
elim: (PositiveMap.elements m) => //= -[k e] s IH H ND; inversion ND as [| ? ? out ND']; subst.
rewrite IH //; last by move=> k' e' ?; apply: H; right.
rewrite andbT; apply/negP => /In_mem K; apply: out.
have [k' [e' [K' E]]] : exists k' e', List.In (k', e') s /\ self e' = self e.
  move: K; clear -s; elim: s => //= -[k' e'] s IH [/= E | /IH[k'' [e'' [? ?]]]];
    [by exists k', e'; split=> //; left | by exists k'', e''; split=> //; right].
apply/SetoidList.InA_alt; exists (k', e'); split=> //.
have Ek : code (self e) = k := H k e (or_introl erefl).
have Ek' : code (self e') = k' := H k' e' (or_intror K').
by rewrite /PositiveMap.eq_key /PositiveMap.E.eq /= -Ek -Ek' E.
Qed.

(* The elements of the group are those listed. *)
Lemma after_inverse x xi y : inverses n x xi -> fits n y -> after x (after xi y) = y /\ after xi (after x y) = y.
Proof.
case/inversesP=> fx fxi E E' fy; split; first by rewrite -(afterA x fxi fy) E one_after.
by rewrite -(afterA xi fx fy) E' one_after.
Qed.

Lemma element_inverses x xi : element t x xi -> inverses n x xi.
Proof.
elim=> [|g gi h hi /ok_generators/inversesP[fg fgi E E'] _ /inversesP[fh fhi K K']].
  by rewrite /inverses !fits_one after_one ?fits_one // eqxx.
rewrite /inverses !fits_after //=; apply/andP; split; apply/eqP.
  by rewrite (afterA _ fh (fits_after fhi fgi)) -(afterA h fhi fgi) K one_after.
by rewrite (afterA _ fgi (fits_after fg fh)) -(afterA gi fg fh) E' one_after.
Qed.

Lemma one_listed : exists e, lookup m (one n) = Some e.
Proof. by case/and5P: ok => _ _ H _ _; move: H; rewrite -/n; case: (lookup m (one n)) => [e _|] //; exists e. Qed.

Lemma listed_after g gi x : (g, gi) \in generators t -> x \in listed -> after g x \in listed.
Proof.
move=> H /listedP[e /lookup_In[/ok_entry/and5P[_ K _ _ _] <-]]; apply/listedP.
by move/allP: K => /(_ _ H)/andP[] /=; case: (lookup m _) => [f|] // _ _; exists f.
Qed.

Lemma element_listed x xi : element t x xi -> x \in listed.
Proof. by elim=> [|g gi h hi H _]; [apply/listedP; exact: one_listed | move=> K; exact: (listed_after H K)]. Qed.

Lemma generator_in k : (k < size (generators t))%N -> (generator_of t k) \in generators t.
Proof. exact: mem_nth. Qed.

Lemma listed_element e : List.In e (entries m) -> in_group t (self e).
Proof.
have [k le] := ubnP (level e); elim: k e le => // k IH e le H.
have /and5P[_ _ K _ _] := ok_entry H; case/orP: K => [/eqP -> | ]; first by exists (one n); exact: element_one.
case E: (lookup m (former e)) => [f|] // /and3P[lt inside /eqP ->].
have [Hf <-] := lookup_In E; have [|fi Hfi] := IH f _ Hf; first exact: leq_trans lt le.
have := generator_in inside; case: (generator_of t (generator e)) => g gi G.
by exists (after fi gi); exact: element_after.
Qed.

Lemma group_listed x : x \in listed <-> in_group t x.
Proof.
by split=> [/listedP[e /lookup_In[H <-]] | [xi /element_listed]] //; exact: listed_element.
Qed.

(* Classes. *)
Lemma regrouped g h x hi gi : fits n h -> fits n x -> fits n hi -> fits n gi ->
  after (after (after g h) x) (after hi gi) = after (after g (after (after h x) hi)) gi.
Proof.
move=> fh fx fhi fgi; rewrite -(afterA _ fhi fgi); congr (after _ gi).
by rewrite (afterA g fh fx) (afterA g (fits_after fh fx) fhi).
Qed.

Lemma has_labelP k x : has_label m k x -> exists e, lookup m x = Some e /\ class_of e = k.
Proof. by rewrite /has_label; case: (lookup m x) => [e|] // /eqP; exists e. Qed.

Lemma conjugate_label x y e : lookup m x = Some e -> conjugate t x y -> exists f, lookup m y = Some f /\ class_of f = class_of e.
Proof.
move=> E [h [hi [H ->]]]; have fx : fits n x.
  by have /listed_fits[xi /inversesP[]] : x \in listed by apply/listedP; exists e.
elim: H => [|g gi {}h {}hi G H [f [F <-]]].
  by exists e; rewrite one_after // after_one.
have /inversesP[fg fgi _ _] := ok_generators G; have /inversesP[fh fhi _ _] := element_inverses H.
have [/ok_entry/and5P[_ K _ _ _] S] := lookup_In F.
move/allP: K => /(_ _ G)/andP[_ /has_labelP[f' [F' L]]]; exists f'; split=> //.
by rewrite (regrouped g fh fx fhi fgi) -F' S.
Qed.

Lemma conjugate_step g gi x y : fits n x -> (g, gi) \in generators t -> conjugate t x y -> conjugate t x (after (after g y) gi).
Proof.
move=> fx G [h [hi [H ->]]]; exists (after g h), (after hi gi); split; first exact: element_after.
have /inversesP[fg fgi _ _] := ok_generators G; have /inversesP[fh fhi _ _] := element_inverses H.
by rewrite (regrouped g fh fx fhi fgi).
Qed.

Lemma representative_listed k : (k < size (representatives t))%N ->
  exists e, [/\ lookup m (representative t k) = Some e, class_of e = k, (exists f, lookup m (inverse_of e) = Some f) &
                Z.of_nat (count (fun f => class_of f == k) (entries m)) = class_size t k].
Proof.
move=> lt; have : check_representative t m k.
  by case/and5P: ok => _ _ _ _ /andP[H _]; move/allP: H; apply; rewrite mem_iota.
rewrite /check_representative; case: (lookup m (representative t k)) => [e|] // /and3P[/eqP E F /Z.eqb_eq S].
by exists e; split=> //; move: F; case: (lookup m _) => [f|] //; exists f.
Qed.

Lemma label_conjugate e : List.In e (entries m) -> conjugate t (representative t (class_of e)) (self e).
Proof.
have [k le] := ubnP (conjugate_level e); elim: k e le => // k IH e le H.
have /and5P[_ _ _ small K] := ok_entry H.
have [r [R _ _ _]] := representative_listed small.
have fr : fits n (representative t (class_of e)).
  by have /listed_fits[xi /inversesP[]] : representative t (class_of e) \in listed by apply/listedP; exists r.
case/orP: K => [/eqP -> | ].
  by exists (one n), (one n); split; [exact: element_one | rewrite one_after // after_one].
case E: (lookup m (conjugated e)) => [f|] // /and4P[lt /eqP C inside /eqP ->].
have [Hf Sf] := lookup_In E; have := IH f (leq_trans lt le) Hf; rewrite C Sf => F.
by have := generator_in inside; case: (generator_of t (conjugator e)) => g gi G; exact: conjugate_step.
Qed.

Lemma label_class x k : in_group t x -> (k < size (representatives t))%N -> conjugate t (representative t k) x <-> label m x = k.
Proof.
move=> /group_listed/listedP[e E] lt; have [r [R C _ _]] := representative_listed lt.
rewrite /label E; split=> [/(conjugate_label R)[f [F L]] | <-]; first by move: F L; rewrite E C => -[->].
by have [/label_conjugate + <-] := lookup_In E.
Qed.

Lemma count_listed k : count (fun x => label m x == k) listed = count (fun e => class_of e == k) (entries m).
Proof.
rewrite /listed count_map; have : forall e, List.In e (entries m) -> lookup m (self e) = Some e by exact: In_lookup.
elim: (entries m) => //= e s IH H; rewrite IH; last by move=> f ?; apply: H; right.
by rewrite /label H //; left.
Qed.

Lemma all_lists : lists t listed (label m).
Proof.
split.
- by split; [exact: listed_uniq | exact: group_listed].
- by rewrite /listed size_map; case/and5P: ok => _ _ _ _ /and4P[_ _ _ /Z.eqb_eq].
- by move=> x /group_listed/listedP[e E]; rewrite /label E; have [/ok_entry/and5P[]] := lookup_In E.
- exact: label_class.
- by move=> k /representative_listed[e [_ _ _]]; rewrite count_listed.
Qed.

End Proof.

(* ------------------------------------------------------------ numbers *)

Lemma count_In T (P Q : pred T) s : (forall e, List.In e s -> P e = Q e) -> count P s = count Q s.
Proof. by elim: s => //= e s IH H; rewrite (H e (or_introl erefl)) IH // => f K; apply: H; right. Qed.

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

End Numbers.

(* ------------------------------------------------------------ the theorem *)

Section Table.

Variables (t : character_table) (m : known) (w : witness).
Hypothesis ok : check_group t m.
Hypothesis rows_ok : check_rows t m w.

Lemma pair_count_products a b c : (c < size (representatives t))%N ->
  pair_count (pairs t m c) a b = Z.of_nat (products t (listed m) (label m) a b c).
Proof.
move=> lt; have [r [Er _ _ _]] := representative_listed ok lt.
have fr : fits (degree t) (representative t c).
  by have /(listed_fits ok)[xi /inversesP[]] : representative t c \in listed m by apply/(listedP ok); exists r.
have L P : count P (listed m) = count (preim self P) (entries m) by exact: count_map.
rewrite /pair_count /products /pairs count_map L; congr Z.of_nat; apply: count_In => e H /=.
have /and5P[I _ _ _ _] := ok_entry ok H; have /inversesP[fe fi _ _] := I.
rewrite {1}/label (In_lookup ok H); congr (_ && _); apply/idP/hasP => [| [y Y /andP[/eqP K /eqP P]]].
  case E: (lookup m _) => [f|] // /eqP <-; exists (after (inverse_of e) (representative t c)).
    by apply/(listedP ok); exists f.
  by rewrite /label E eqxx (proj1 (after_inverse I fr)) eqxx.
have fy : fits (degree t) y by have [xi /inversesP[]] := listed_fits ok Y.
have -> : after (inverse_of e) (representative t c) = y by rewrite -P (proj2 (after_inverse I fy)).
by have [f F] := proj1 (listedP ok y) Y; move: K; rewrite /label F => ->.
Qed.

Section Values.

Variables (R : idomainType) (z : R).
Hypothesis prim : primitive t z.

Lemma low_root : value z (low w) + z ^+ size (low w) = 0.
Proof.
have /and5P[/and3P[A /allP B C] _ _ _ _] := rows_ok; case: prim => one_at other.
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

Lemma in_classes k : (k \in classes t) = (k < size (representatives t))%N.
Proof. by rewrite mem_iota. Qed.

Lemma rows_multiply i : i \in classes t -> multiplies t z (listed m) (label m) i.
Proof.
move=> I a b A B; have /and5P[_ _ _ _ /allP/(_ _ A)/allP/(_ _ B)] := rows_ok.
rewrite /check_product => /allP/(_ _ I)/(vanishesP low_root).
rewrite value_add value_scale integerN1 mulN1r => /eqP; rewrite subr_eq0 => /eqP.
rewrite !value_multiply !value_scale -[value_of t i _]/(value_of t i a) => E.
rewrite /weight /entry -!/(value_of t i _) E; congr (_ * _).
rewrite value_sum /all_pairs -map_comp big_map; apply: eq_big_seq => c; rewrite in_classes => lt /=.
by rewrite value_scale integer_mul pair_count_products // integer_nat mulrA.
Qed.

Lemma rows_orthonormal : orthonormal t z (inverse_class t m).
Proof.
move=> i j I J; have /and5P[_ _ _ /allP/(_ _ I)/allP/(_ _ J) + _] := rows_ok.
rewrite /check_orthonormal => /(vanishesP low_root); rewrite value_add value_sum /= mulr0 addr0 => /eqP.
have -> : (if i == j then (- order t)%Z else 0%Z) = (- (if i == j then order t else 0))%Z by case: (i == j).
rewrite integer_opp subr_eq0 => /eqP E; have -> : (if i == j then integer R (order t) else 0) = integer R (if i == j then order t else 0%Z) by case: (i == j).
by rewrite -E; apply: eq_bigr => c _; rewrite value_scale value_multiply.
Qed.

Lemma degrees_positive i : i \in classes t -> positive_degree t z i.
Proof.
move=> I; have /and5P[_ _ /allP/(_ _ I) + _ _] := rows_ok; rewrite /check_degree /positive_degree /entry -/(value_of t i 0).
case: (value_of t i 0) => [|d x] // /andP[/Z.ltb_lt pos zero]; exists d; split=> //=.
by rewrite (value_zero z zero) mulr0 addr0.
Qed.

End Values.

Lemma inverse_classes k : k \in classes t ->
  exists xi, [/\ after (representative t k) xi = one (degree t), in_group t xi & label m xi = inverse_class t m k].
Proof.
rewrite in_classes => lt; have [e [E _ [f F] _]] := representative_listed ok lt.
have [H S] := lookup_In E; have /and5P[/inversesP[_ _ I _] _ _ _ _] := ok_entry ok H.
exists (inverse_of e); split; first by rewrite -S.
  by apply/(group_listed ok); apply/(listedP ok); exists f.
by rewrite /inverse_class E.
Qed.

End Table.

Theorem accepted_characters (t : character_table) (m : known) (w : witness) : check_characters t m w -> table_of_group t.
Proof.
case/andP=> ok rows_ok; exists (listed m), (label m), (inverse_class t m); split.
- exact: all_lists.
- by case/and5P: ok => _ _ _ _ /and4P[_ /eqP].
- by case/and5P: rows_ok => _ /eqP.
- exact: inverse_classes.
move=> R z prim; split=> [i I | | i I]; first exact: (rows_multiply ok rows_ok prim I).
  exact: (rows_orthonormal rows_ok prim).
exact: (degrees_positive rows_ok z I).
Qed.
