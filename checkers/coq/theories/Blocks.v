(* Tables of several blocks: an accepted table's blocks together are a basis of all equivariant matrices between direct sums of parts, each part
   as often as one likes.

   The first part, up to `blocks_basis`, is what one has to read to know what is claimed, beside Tied.v and Sparse.v; the last theorem of the file,
   `accepted_blocks`, says that the checker in the middle accepts nothing else. *)

From Coq Require Import ZArith Uint63 Lia ZifyUint63 Wellfounded.
From mathcomp Require Import all_ssreflect ssralg ssrint matrix mxalgebra.
From IntertwineCheck Require Import Words Tied TiedProof Sparse Elimination SparseProof.

Set Implicit Arguments.
Unset Strict Implicit.
Unset Printing Implicit Defensive.

Import GRing.Theory.
Delimit Scope Z_scope with Z.
Local Open Scope ring_scope.

(* ------------------------------------------------------------ what is claimed *)

(* A block is a table by itself. *)
Inductive block := TiedBlock of table | SparseBlock of sparse.

Definition rows_of (b : block) : nat := nat_of (match b with TiedBlock t => rows t | SparseBlock t => srows t end).
Definition columns_of (b : block) : nat := nat_of (match b with TiedBlock t => columns t | SparseBlock t => scolumns t end).
Definition generators_of (b : block) : nat := nat_of (match b with TiedBlock t => generators t | SparseBlock t => sgenerators t end).
Definition weights_of (b : block) : nat := nat_of (match b with TiedBlock t => weights t | SparseBlock t => elements t end).
Definition biases_of (b : block) : nat := nat_of (match b with TiedBlock t => biases t | SparseBlock t => bias_elements t end).
Definition is_algebra (b : block) (g : nat) : bool := if b is SparseBlock t then algebra t (word g) else false.

(* Block (i, j) leads from part j of the input to part i of the output. *)
Record blocks := Blocks { parts_out : nat; parts_in : nat; block_at : nat -> nat -> block }.

Section Statement.

Variable F : fieldType.

(* The entries of what Tied.v and Sparse.v call the matrices of a generator, and the elements of the basis. *)
Definition row_entry (b : block) (g i a : nat) : F :=
  match b with
  | TiedBlock t => coefficient F (word i.+1) (- word i.+1)%uint63 (row_image t (word g) (word a))
  | SparseBlock t => \sum_(e <- row_entries t (word g) (word i) | nat_of e.1.1 == a) fraction F e
  end.

Definition column_entry (b : block) (g i a : nat) : F :=
  match b with
  | TiedBlock t => coefficient F (word i.+1) (- word i.+1)%uint63 (column_image t (word g) (word a))
  | SparseBlock t => \sum_(e <- column_entries t (word g) (word a) | nat_of e.1.1 == i) fraction F e
  end.

Definition weight_entry (b : block) (k i j : nat) : F :=
  match b with
  | TiedBlock t => coefficient F (word k.+1) (weights t + word k.+1)%uint63 (weight_code t (word i) (word j))
  | SparseBlock t => \sum_(e <- element_entries t (word i) (word j) | nat_of e.1 == k) integer F e.2
  end.

Definition bias_entry (b : block) (k i : nat) : F :=
  match b with
  | TiedBlock t => coefficient F (word k.+1) (biases t + word k.+1)%uint63 (bias_code t (word i))
  | SparseBlock t => \sum_(e <- bias_entries t (word i) | nat_of e.1 == k) integer F e.2
  end.

Variable t : blocks.

(* A part acts as the blocks (i, 0) say of their rows, and the blocks (0, j) of their columns. *)
Definition size_out (i : nat) : nat := rows_of (block_at t i 0).
Definition size_in (j : nat) : nat := columns_of (block_at t 0 j).
Definition generator_count : nat := generators_of (block_at t 0 0).
Definition in_algebra (g : nat) : bool := is_algebra (block_at t 0 0) g.
Definition acts_out (i g : nat) : 'M[F]_(size_out i) := \matrix_(a, b) row_entry (block_at t i 0) g a b.
Definition acts_in (j g : nat) : 'M[F]_(size_in j) := \matrix_(a, b) column_entry (block_at t 0 j) g a b.
Definition weight_count (i j : nat) : nat := weights_of (block_at t i j).
Definition bias_count (i : nat) : nat := biases_of (block_at t i 0).
Definition weight_element (i j k : nat) : 'M[F]_(size_out i, size_in j) := \matrix_(a, b) weight_entry (block_at t i j) k a b.
Definition bias_element (i k : nat) : 'cV[F]_(size_out i) := \matrix_(a, b) bias_entry (block_at t i 0) k a.

(* The sum of p parts of the output, summand c being part u c, and of q parts of the input, summand d being part v d. With the multiplicities of a
   file a part is there as often as its multiplicity says. *)
Section Sum.

Variables (p q : nat) (u : 'I_p -> nat) (v : 'I_q -> nat).

Definition sum_out (g : nat) := \mxdiag_c acts_out (u c) g.
Definition sum_in (g : nat) := \mxdiag_d acts_in (v d) g.

(* Every pair of summands has parameters of its own, as many as the block of their parts has elements. *)
Definition sum_weight (theta : 'I_p -> 'I_q -> nat -> F) :=
  \mxblock_(c, d) \sum_(k < weight_count (u c) (v d)) theta c d k *: weight_element (u c) (v d) k.
Definition sum_bias (beta : 'I_p -> nat -> F) := \mxcol_c \sum_(k < bias_count (u c)) beta c k *: bias_element (u c) k.

Definition sum_basis : Prop :=
  [/\ forall W, (forall g, (g < generator_count)%N -> sum_out g *m W = W *m sum_in g) <-> exists theta, W = sum_weight theta,
      forall theta, sum_weight theta = 0 -> forall c d k, (k < weight_count (u c) (v d))%N -> theta c d k = 0,
      forall b, (forall g, (g < generator_count)%N -> sum_out g *m b = if in_algebra g then 0 else b) <-> exists beta, b = sum_bias beta &
      forall beta, sum_bias beta = 0 -> forall c k, (k < bias_count (u c))%N -> beta c k = 0].

End Sum.

Definition blocks_basis : Prop :=
  forall p q (u : 'I_p -> nat) (v : 'I_q -> nat),
    (forall c, u c < parts_out t)%N -> (forall d, v d < parts_in t)%N -> sum_basis u v.

End Statement.

(* ------------------------------------------------------------ the checker *)

Local Open Scope uint63_scope.

Inductive block_certificate :=
| TiedCertificate of certificate & certificate
| SparseCertificates of sparse_certificate & sparse_certificate & (uint63 -> sparse_certificate) & (uint63 -> sparse_certificate).

Definition silent A (x : option A) : bool := if x is Some _ then false else true.

Definition check_block (b : block) (w : block_certificate) : bool :=
  match b, w with
  | TiedBlock t, TiedCertificate w b => silent (check_weights t w) && silent (check_biases t b)
  | SparseBlock t, SparseCertificates w b rows columns =>
    [&& silent (check_sparse_generators t rows columns), silent (check_sparse_weights t w) & silent (check_sparse_biases t b)]
  | _, _ => false
  end.

(* Whether two blocks have the same matrices of generators along rows, or along columns. *)
Definition everywhere (m n : uint63) (f : uint63 -> uint63 -> bool) : bool :=
  silent (scan m (fun i => scan n (fun j => if f i j then None else Some tt))).

Fixpoint same_line (x y : seq (uint63 * Z * Z)) : bool :=
  match x, y with
  | [::], [::] => true
  | e :: x', f :: y' => [&& e.1.1 =? f.1.1, (e.1.2 =? f.1.2)%Z, (e.2 =? f.2)%Z & same_line x' y']
  | _, _ => false
  end.

Definition same_generators (b c : block) : bool :=
  match b, c with
  | TiedBlock s, TiedBlock t => generators s =? generators t
  | SparseBlock s, SparseBlock t => (sgenerators s =? sgenerators t) && everywhere 1 (sgenerators s) (fun _ g => eqb (algebra s g) (algebra t g))
  | _, _ => false
  end.

Definition same_rows (b c : block) : bool :=
  same_generators b c &&
  match b, c with
  | TiedBlock s, TiedBlock t => (rows s =? rows t) && everywhere (generators s) (rows s) (fun g i => row_image s g i =? row_image t g i)
  | SparseBlock s, SparseBlock t =>
    (srows s =? srows t) && everywhere (sgenerators s) (srows s) (fun g i => same_line (row_entries s g i) (row_entries t g i))
  | _, _ => false
  end.

Definition same_columns (b c : block) : bool :=
  same_generators b c &&
  match b, c with
  | TiedBlock s, TiedBlock t =>
    (columns s =? columns t) && everywhere (generators s) (columns s) (fun g i => column_image s g i =? column_image t g i)
  | SparseBlock s, SparseBlock t =>
    (scolumns s =? scolumns t) && everywhere (sgenerators s) (scolumns s) (fun g i => same_line (column_entries s g i) (column_entries t g i))
  | _, _ => false
  end.

Section Check.

Variables (t : blocks) (w : nat -> nat -> block_certificate).

Definition check_place (i j : nat) : bool :=
  [&& same_rows (block_at t i 0) (block_at t i j), same_columns (block_at t 0 j) (block_at t i j) & check_block (block_at t i j) (w i j)].

Definition check_blocks : bool :=
  [&& (0 < parts_out t)%N, (0 < parts_in t)%N & all (fun i => all (check_place i) (iota 0 (parts_in t))) (iota 0 (parts_out t))].

End Check.

(* ------------------------------------------------------------ one block *)

Local Close Scope uint63_scope.

Opaque nat_of.

Lemma silentP A (x : option A) : silent x -> x = None. Proof. by case: x. Qed.

Lemma everywhereP m n f : everywhere m n f -> forall i j, (i < nat_of m)%N -> (j < nat_of n)%N -> f (word i) (word j).
Proof.
move/silentP/scanP => H i j /word_lt lti /word_lt ltj; move/scanP: (H _ lti) => /(_ _ ltj).
by case: (f _ _).
Qed.

Lemma same_lineP x y : same_line x y -> x = y.
Proof.
elim: x y => [|[[a n] d] x IH] [|[[b m] e] y] //= /and4P[/eqw -> /Z.eqb_eq -> /Z.eqb_eq ->].
by move/IH ->.
Qed.

Section Basis.

Variable F : fieldType.

(* is_basis of matrices that are numbered by natural numbers. *)
Definition basis_of (m n p : nat) (S : 'M[F]_(m, n) -> Prop) (E : nat -> 'M[F]_(m, n)) : Prop :=
  (forall W, S W <-> exists c : nat -> F, W = \sum_(k < p) c k *: E k) /\
  (forall c : nat -> F, \sum_(k < p) c k *: E k = 0 -> forall k, (k < p)%N -> c k = 0).

Lemma transfer m n p (S S' : 'M[F]_(m, n) -> Prop) (E : nat -> 'M[F]_(m, n)) (E' : 'I_p -> 'M[F]_(m, n)) :
  (forall W, S W <-> S' W) -> (forall k : 'I_p, E k = E' k) -> is_basis S' E' -> basis_of p S E.
Proof.
move=> ES EE [spans free]; split=> [W | c zero k lt].
  apply: (iff_trans (ES W)); apply: (iff_trans (spans W)); split=> [[c ->] | [c ->]].
    exists (fun k => if insub k is Some a then c a else 0); apply: eq_bigr => k _.
    by rewrite (valK k : insub (nat_of_ord k) = Some k) EE.
  by exists (fun k : 'I_p => c k); apply: eq_bigr => k _; rewrite EE.
apply: (free (fun k : 'I_p => c k) _ (Ordinal lt)); rewrite -[RHS]zero.
by apply: eq_bigr => a _; rewrite EE.
Qed.

Hypothesis characteristic : [char F] =i pred0.

Definition row_acts (b : block) (g : nat) : 'M[F]_(rows_of b) := \matrix_(i, a) row_entry F b g i a.
Definition column_acts (b : block) (g : nat) : 'M[F]_(columns_of b) := \matrix_(i, a) column_entry F b g i a.

Lemma char_two (x : F) : x + x = 0 -> x = 0.
Proof.
move/eqP; rewrite -mulr2n -mulr_natr mulf_eq0 => /orP[/eqP // | two].
by have := characteristic 2%N; rewrite !inE two.
Qed.

Lemma tied_rows t g : row_acts (TiedBlock t) g = row_matrix F t g. Proof. by apply/matrixP => i a; rewrite !mxE. Qed.
Lemma tied_columns t g : column_acts (TiedBlock t) g = column_matrix F t g. Proof. by apply/matrixP => i a; rewrite !mxE. Qed.
Lemma sparse_rows t g : row_acts (SparseBlock t) g = srow_matrix F t g. Proof. by apply/matrixP => i a; rewrite !mxE. Qed.
Lemma sparse_columns t g : column_acts (SparseBlock t) g = scolumn_matrix F t g. Proof. by apply/matrixP => i a; rewrite !mxE. Qed.

Definition block_claim (b : block) : Prop :=
  basis_of (weights_of b) (fun W : 'M[F]_(rows_of b, columns_of b) => forall g, (g < generators_of b)%N -> row_acts b g *m W = W *m column_acts b g)
    (fun k => \matrix_(i, j) weight_entry F b k i j) /\
  basis_of (biases_of b) (fun v : 'cV[F]_(rows_of b) => forall g, (g < generators_of b)%N -> row_acts b g *m v = if is_algebra b g then 0 else v)
    (fun k => \matrix_(i, j) bias_entry F b k i).

Lemma block_basis b w : check_block b w -> block_claim b.
Proof.
case: b w => [t [w c | ? ? ? ?] | t [? ? | w c rows columns]].
- case/andP=> /silentP Hw /silentP Hc; have [weights biases] := accepted_tied Hw Hc char_two; split.
    apply: transfer weights => [W | k]; last by apply/matrixP => i j; rewrite !mxE.
    by split=> E g lg; [rewrite -tied_rows -tied_columns | rewrite tied_rows tied_columns]; exact: E.
  apply: transfer biases => [W | k]; last by apply/matrixP => i j; rewrite !mxE.
  by split=> E g lg; [rewrite -tied_rows | rewrite tied_rows]; exact: E.
- by move/notF.
- by move/notF.
case/and3P=> /silentP Hg /silentP Hw /silentP Hc; have [_ [weights biases]] := accepted_sparse Hg Hw Hc characteristic; split.
  apply: transfer weights => [W | k]; last by apply/matrixP => i j; rewrite !mxE.
  by split=> E g lg; [rewrite -sparse_rows -sparse_columns | rewrite sparse_rows sparse_columns]; exact: E.
apply: transfer biases => [W | k]; last by apply/matrixP => i j; rewrite !mxE.
by split=> E g lg; [rewrite -sparse_rows | rewrite sparse_rows]; exact: E.
Qed.

End Basis.

Lemma same_generatorsP b c : same_generators b c ->
  generators_of b = generators_of c /\ forall g, (g < generators_of b)%N -> is_algebra b g = is_algebra c g.
Proof.
case: b c => s [] t //=; first by move/eqw; rewrite /generators_of => ->.
case/andP=> /eqw E /everywhereP H; rewrite /generators_of E; split=> // g lt.
by apply/eqP; apply: (H 0%N g) => //; rewrite E.
Qed.

Lemma same_rowsP (F : fieldType) b c : same_rows b c ->
  rows_of b = rows_of c /\ forall g i a, (g < generators_of b)%N -> (i < rows_of b)%N -> (a < rows_of b)%N -> row_entry F b g i a = row_entry F c g i a.
Proof.
case: b c => s [] t /andP[_] //= /andP[/eqw E /everywhereP H]; rewrite /rows_of /generators_of /= -E; split=> // g i a lg li la.
  by move/eqw: (H g a lg la) => ->.
by rewrite (same_lineP (H g i lg li)).
Qed.

Lemma same_columnsP (F : fieldType) b c : same_columns b c ->
  columns_of b = columns_of c /\
  forall g i a, (g < generators_of b)%N -> (i < columns_of b)%N -> (a < columns_of b)%N -> column_entry F b g i a = column_entry F c g i a.
Proof.
case: b c => s [] t /andP[_] //= /andP[/eqw E /everywhereP H]; rewrite /columns_of /generators_of /= -E; split=> // g i a lg li la.
  by move/eqw: (H g a lg la) => ->.
by rewrite (same_lineP (H g a lg la)).
Qed.

(* ------------------------------------------------------------ the theorem *)

Section Blocks.

Variables (F : fieldType) (t : blocks) (w : nat -> nat -> block_certificate).
Hypotheses (characteristic : [char F] =i pred0) (ok : check_blocks t w).

Lemma place_ok i j : (i < parts_out t)%N -> (j < parts_in t)%N -> check_place t w i j.
Proof.
move=> lti ltj; have /and3P[_ _ /allP/(_ i)] := ok; rewrite mem_iota => /(_ lti)/allP/(_ j).
by rewrite mem_iota; apply.
Qed.

Lemma same_count i j : (i < parts_out t)%N -> (j < parts_in t)%N ->
  generators_of (block_at t i j) = generator_count t /\ forall g, (g < generator_count t)%N -> is_algebra (block_at t i j) g = in_algebra t g.
Proof.
move=> lti ltj; have /and3P[_ in0 _] := ok.
have /and3P[_ /andP[/same_generatorsP[E H] _] _] := place_ok lti in0.
have /and3P[/andP[/same_generatorsP[E' H'] _] _ _] := place_ok lti ltj.
split; first exact: (esym (etrans E E')).
by move=> g lt; have lt' : (g < generators_of (block_at t i 0))%N := eq_rect _ (fun n => (g < n)%N) lt _ E; exact: (esym (etrans (H g lt) (H' g lt'))).
Qed.

Lemma place_basis i j : (i < parts_out t)%N -> (j < parts_in t)%N ->
  basis_of (weight_count t i j) (fun W => forall g, (g < generator_count t)%N -> acts_out F t i g *m W = W *m acts_in F t j g)
    (weight_element F t i j).
Proof.
move=> lti ltj; have /and3P[/(same_rowsP F)[Er Hr] /(same_columnsP F)[Ec Hc] /(block_basis characteristic)[H _]] := place_ok lti ltj.
have [Eg _] := same_count lti ltj; have /and3P[out0 in0 _] := ok.
have [Gr _] := same_count lti in0; have [Gc _] := same_count out0 ltj.
have {}Hr g : (g < generator_count t)%N -> acts_out F t i g = \matrix_(a, b) row_entry F (block_at t i j) g a b.
  move=> lt; apply/matrixP => a b; rewrite !mxE; apply: Hr; [rewrite Gr; exact: lt | exact: ltn_ord | exact: ltn_ord].
have {}Hc g : (g < generator_count t)%N -> acts_in F t j g = \matrix_(a, b) column_entry F (block_at t i j) g a b.
  move=> lt; apply/matrixP => a b; rewrite !mxE; apply: Hc; [rewrite Gc; exact: lt | exact: ltn_ord | exact: ltn_ord].
move: H Hr Hc; rewrite /row_acts /column_acts /weight_element Eg -/(weight_count t i j).
move: (acts_out F t i) (acts_in F t j); rewrite /size_out /size_in Er Ec => A B [spans free] Hr Hc; split; last exact: free.
move=> W; apply: (iff_trans _ (spans W)); split=> E g lg; have := E g lg; rewrite (Hr g lg) (Hc g lg); exact: id.
Qed.

Lemma place_bias i : (i < parts_out t)%N ->
  basis_of (bias_count t i) (fun v => forall g, (g < generator_count t)%N -> acts_out F t i g *m v = if in_algebra t g then 0 else v)
    (bias_element F t i).
Proof.
move=> lti; have /and3P[_ in0 _] := ok; have /and3P[_ _ /(block_basis characteristic)[_ [spans free]]] := place_ok lti in0.
have [Eg Ea] := same_count lti in0; split; last exact: free.
move=> v; apply: (iff_trans _ (spans v)); rewrite Eg; split=> E g lg; have := E g lg; rewrite (Ea g lg); exact: id.
Qed.

Section Sum.

Variables (p q : nat) (u : 'I_p -> nat) (v : 'I_q -> nat).
Hypotheses (u_small : forall c, (u c < parts_out t)%N) (v_small : forall d, (v d < parts_in t)%N).

Lemma sum_weights_basis :
  (forall W, (forall g, (g < generator_count t)%N -> sum_out F t u g *m W = W *m sum_in F t v g) <-> exists theta, W = sum_weight t u v theta) /\
  (forall theta : 'I_p -> 'I_q -> nat -> F, sum_weight t u v theta = 0 -> forall c d k, (k < weight_count t (u c) (v d))%N -> theta c d k = 0).
Proof.
split=> [W | theta zero c d k lt]; last first.
  have [_ free] := place_basis (u_small c) (v_small d).
  have {}zero : \sum_(k < weight_count t (u c) (v d)) theta c d k *: weight_element F t (u c) (v d) k = 0.
    by move: zero; rewrite /sum_weight -mxblock0 => /eq_mxblockP/(_ c d).
  exact: (free (theta c d) zero k lt).
have commutes : (forall g, (g < generator_count t)%N -> sum_out F t u g *m W = W *m sum_in F t v g) <->
    forall c d g, (g < generator_count t)%N -> acts_out F t (u c) g *m submxblock W c d = submxblock W c d *m acts_in F t (v d) g.
  split=> [E c d g lg | E g lg].
    by move: (E g lg); rewrite -{1 2}[W]submxblockK mul_mxdiag_mxblock mul_mxblock_mxdiag => /eq_mxblockP/(_ c d).
  by rewrite -[W]submxblockK mul_mxdiag_mxblock mul_mxblock_mxdiag; apply/eq_mxblockP => c d; exact: E.
apply: (iff_trans commutes); split=> [E | [theta ->] c d]; last first.
  rewrite mxblockK; have [spans _] := place_basis (u_small c) (v_small d); apply/spans.
  by exists (theta c d).
have ex c d : exists x : nat -> F, submxblock W c d = \sum_(k < weight_count t (u c) (v d)) x k *: weight_element F t (u c) (v d) k.
  have [spans _] := place_basis (u_small c) (v_small d); exact: (spans _).1 (E c d).
have {ex} := fun c => @fin_all_exists _ (fun=> nat -> F) _ (ex c); move/(@fin_all_exists _ (fun=> 'I_q -> nat -> F)) => [theta H].
by exists theta; rewrite -[W]submxblockK /sum_weight; apply/eq_mxblockP => c d; exact: H.
Qed.

Lemma sum_biases_basis :
  (forall b, (forall g, (g < generator_count t)%N -> sum_out F t u g *m b = if in_algebra t g then 0 else b) <-> exists beta, b = sum_bias t u beta) /\
  (forall beta : 'I_p -> nat -> F, sum_bias t u beta = 0 -> forall c k, (k < bias_count t (u c))%N -> beta c k = 0).
Proof.
split=> [b | beta zero c k lt]; last first.
  have [_ free] := place_bias (u_small c).
  have {}zero : \sum_(k < bias_count t (u c)) beta c k *: bias_element F t (u c) k = 0.
    by move: zero; rewrite /sum_bias -mxcol0 => /eq_mxcolP/(_ c).
  exact: (free (beta c) zero k lt).
have fixed : (forall g, (g < generator_count t)%N -> sum_out F t u g *m b = if in_algebra t g then 0 else b) <->
    forall c g, (g < generator_count t)%N -> acts_out F t (u c) g *m submxcol b c = if in_algebra t g then 0 else submxcol b c.
  split=> [E c g lg | E g lg].
    move: (E g lg); rewrite -{1}[b]submxcolK mul_mxdiag_mxcol; case: (in_algebra t g) => [|]; first by rewrite -mxcol0 => /eq_mxcolP/(_ c).
    by rewrite -[in RHS](submxcolK b) => /eq_mxcolP/(_ c).
  rewrite -{1}[b]submxcolK mul_mxdiag_mxcol; have := fun c => E c g lg; case: (in_algebra t g) => {}E.
    by rewrite -mxcol0; apply/eq_mxcolP.
  by rewrite -[RHS]submxcolK; apply/eq_mxcolP.
apply: (iff_trans fixed); split=> [E | [beta ->] c]; last first.
  by rewrite mxcolK; have [spans _] := place_bias (u_small c); apply/spans; exists (beta c).
have ex c : exists x : nat -> F, submxcol b c = \sum_(k < bias_count t (u c)) x k *: bias_element F t (u c) k.
  have [spans _] := place_bias (u_small c); exact: (spans _).1 (E c).
have [beta H] := @fin_all_exists _ (fun=> nat -> F) _ ex.
by exists beta; rewrite -[b]submxcolK /sum_bias; apply/eq_mxcolP => c; exact: H.
Qed.

End Sum.

End Blocks.

Theorem accepted_blocks (t : blocks) (w : nat -> nat -> block_certificate) :
  check_blocks t w -> forall F : fieldType, [char F] =i pred0 -> blocks_basis F t.
Proof.
move=> ok F characteristic p q u v u_small v_small.
have [? ?] := sum_weights_basis characteristic ok u_small v_small; have [? ?] := sum_biases_basis characteristic ok u_small.
by split.
Qed.
