/-
{{title}}

Lean's kernel proves each theorem below by computing, from the definitions in this file and numbers of the type `Nat`.
The proofs are `Eq.refl Bool.true`, and no axiom is used.

A permutation is the list of the images of 0, 1, …; `a * b` applies b first. The kernel computes with such a list as
the number whose digits it has.

A number of Q(ζ), ζ = exp(2πi / order_of_root), is a list of terms [c, e] for c ζ^e, where c is natural: -1 is a power
of ζ. The kernel computes with it as Σ c B^e modulo B^order_of_root - 1, where B = 2^64. That is arithmetic with
polynomials modulo x^order_of_root - 1, as long as no coefficient reaches B: `small` bounds what is given, and no sum
below has more than 2^60. A polynomial is 0 at ζ if and only if its product with all 1 - x^(order_of_root / q) is 0, q
the prime divisors of order_of_root; `equal` compares such products.

What the theorems say, and what follows:
* `group`: the generators are permutations, and `elements` are different lists of points, the identity first. A product
  of an element and a generator is an element, and each is such a product of one that is nearer to the identity. So they
  are the group of the generators.
* `classes`: every element is conjugate to the representative of its class, and conjugates by generators are in the
  same class. So these are the conjugacy classes.
* `representation_i`: the matrices, divided by the number before them, multiply as the elements do, and their traces are
  row i of the table. So row i is the character of a representation.
* `irreducibility`: the rows have norm 1 and differ, and there are as many as classes. So they are all irreducible
  characters.
-/

namespace CharacterTable
set_option maxHeartbeats 0
set_option maxRecDepth 100000

{{data}}
noncomputable section

def both (a b : Bool) : Bool := @Bool.rec (fun _ => Bool) Bool.false b a

def fold {α β : Type} (f : β → α → β) (b : β) (l : List α) : β :=
  @List.rec α (fun _ => β → β) (fun b => b) (fun x _ r b => r (f b x)) l b

def all {α : Type} (f : α → Bool) (l : List α) : Bool :=
  @List.rec α (fun _ => Bool) Bool.true (fun x _ r => both (f x) r) l

/-- Does f hold for each pair, and are the lists equally long? -/
def all_pairs {α β : Type} (f : α → β → Bool) (l : List α) (k : List β) : Bool :=
  @List.rec α (fun _ => List β → Bool)
    (fun k => @List.rec β (fun _ => Bool) Bool.true (fun _ _ _ => Bool.false) k)
    (fun x _ r k => @List.rec β (fun _ => Bool) Bool.false (fun y ys _ => both (f x y) (r ys)) k) l k

def map_pairs {α β γ : Type} (f : α → β → γ) (l : List α) (k : List β) : List γ :=
  @List.rec α (fun _ => List β → List γ) (fun _ => List.nil)
    (fun x _ r k => @List.rec β (fun _ => List γ) List.nil (fun y ys _ => List.cons (f x y) (r ys)) k) l k

def map {α β : Type} (f : α → β) (l : List α) : List β :=
  @List.rec α (fun _ => List β) List.nil (fun x _ r => List.cons (f x) r) l

def length {α : Type} (l : List α) : Nat := fold (fun n _ => Nat.add n 1) 0 l

def item {α : Type} (default : α) (l : List α) (i : Nat) : α :=
  @List.rec α (fun _ => Nat → α) (fun _ => default)
    (fun x _ r i => @Nat.rec (fun _ => α) x (fun j _ => r j) i) l i

/-- f 0 x_0, f 1 x_1, …: do all hold? -/
def all_numbered {α : Type} (f : Nat → α → Bool) (l : List α) : Bool :=
  @List.rec α (fun _ => Nat → Bool) (fun _ => Bool.true) (fun x _ r i => both (f i x) (r (Nat.add i 1))) l 0

-- Permutations.

def degree : Nat := length (item List.nil elements 0)
def points : List Nat := item List.nil elements 0
def code (p : List Nat) : Nat := fold (fun a x => Nat.add (Nat.mul a degree) x) 0 p
def image (p i : Nat) : Nat := Nat.mod (Nat.div p (Nat.pow degree (Nat.sub (Nat.sub degree 1) i))) degree
def product (a b : Nat) : Nat := fold (fun c i => Nat.add (Nat.mul c degree) (image a (image b i))) 0 points
def element (k : Nat) : Nat := item 0 (map code elements) k
def generator (s : Nat) : Nat := element (item 0 generators s)

def is_point (x : Nat) : Bool := Nat.ble (Nat.add x 1) degree

def is_permutation (p : List Nat) : Bool :=
  all (fun i => Nat.beq 1 (fold (fun n x => Nat.add n (@Bool.rec (fun _ => Nat) 0 1 (Nat.beq x i))) 0 p)) points

def increasing (l : List Nat) : Bool :=
  @List.rec Nat (fun _ => Nat → Bool) (fun _ => Bool.true)
    (fun x _ r before => both (Nat.ble before x) (r (Nat.add x 1))) l 0

/-- The images of 0, 1, … under the identity, in this order. -/
def is_identity (p : List Nat) : Bool := all_numbered (fun i x => Nat.beq x i) p

def is_element (k : Nat) : Bool := Nat.ble (Nat.add k 1) (length elements)

def group_holds : Bool :=
  both (is_identity points)
  (both (all is_element generators)
  (both (all (fun s => is_permutation (item List.nil elements s)) generators)
  (both (all (fun p => both (Nat.beq (length p) degree) (all is_point p)) elements)
  (both (increasing (map code elements))
  (both (all_numbered (fun k row => all_numbered
      (fun s j => Nat.beq (element j) (product (element k) (generator s))) row) times)
  (both (all (fun row => Nat.beq (length row) (length generators)) times)
  (both (Nat.beq (length times) (length elements))
  (both (Nat.beq (length parents) (length elements))
  (both (Nat.beq (item 1 distances 0) 0)
    (all_numbered (fun k p => @Nat.rec (fun _ => Bool) Bool.true (fun _ _ =>
      both (Nat.beq (item 0 (item List.nil times (item 0 p 0)) (item 0 p 1)) k)
      (both (Nat.ble 1 (item 0 distances k))
        (Nat.beq (item 0 distances k) (Nat.add 1 (item 0 distances (item 0 p 0)))))) k) parents))))))))))

-- Classes.

def classes_hold : Bool :=
  both (all is_element representatives)
  (both (all is_element conjugators)
  (both (Nat.beq (length class_of) (length elements))
  (both (Nat.beq (length conjugators) (length elements))
  (both (Nat.beq (length conjugates) (length elements))
  (both (all_numbered (fun c k => Nat.beq (item 0 class_of k) c) representatives)
  (both (all (fun c => Nat.ble (Nat.add c 1) (length representatives)) class_of)
  (both (all_numbered (fun k x => Nat.beq (product (element x) (element k))
      (product (element (item 0 representatives (item 0 class_of k))) (element x))) conjugators)
  (both (all (fun row => Nat.beq (length row) (length generators)) conjugates)
    (all_numbered (fun k row => all_numbered
      (fun s j => both (Nat.beq (product (generator s) (element j)) (product (element k) (generator s)))
        (Nat.beq (item 0 class_of j) (item 0 class_of k))) row) conjugates)))))))))

def size (c : Nat) : Nat :=
  fold (fun n x => Nat.add n (@Bool.rec (fun _ => Nat) 0 1 (Nat.beq x c))) 0 class_of

-- Numbers of Q(ζ).

def B : Nat := Nat.pow 2 64
def modulus : Nat := Nat.sub (Nat.pow B order_of_root) 1
def root (e : Nat) : Nat := Nat.pow B e
def times_mod (a b : Nat) : Nat := Nat.mod (Nat.mul a b) modulus
def pack (t : List (List Nat)) : Nat :=
  fold (fun a x => Nat.add a (Nat.mul (item 0 x 0) (root (item 0 x 1)))) 0 t
def conjugate (t : List (List Nat)) : Nat :=
  fold (fun a x => Nat.add a (Nat.mul (item 0 x 0)
    (root (Nat.mod (Nat.sub order_of_root (item 0 x 1)) order_of_root)))) 0 t
def small (t : List (List Nat)) : Bool :=
  both (Nat.ble (length t) 255)
    (all (fun x => both (Nat.ble (item 65536 x 0) 65535) (Nat.ble (Nat.add (item 0 x 1) 1) order_of_root)) t)

/-- The pair (a, b) stands for a - b, and each prime q multiplies it by 1 - x^(order_of_root / q). -/
def equal (a b : Nat) : Bool :=
  @Bool.rec (fun _ => Bool)
    (fold (fun (f : Nat → Nat → Bool) q a b =>
        f (Nat.mod (Nat.add a (Nat.mul (root (Nat.div order_of_root q)) b)) modulus)
          (Nat.mod (Nat.add b (Nat.mul (root (Nat.div order_of_root q)) a)) modulus))
      Nat.beq primes a b)
    Bool.true (Nat.beq a b)

/-- Is every divisor of order_of_root from 2 on a multiple of one of `primes`, and do these divide it? -/
def root_holds : Bool :=
  both (Nat.ble (length primes) 4)
    (both (all (fun q => both (Nat.ble 2 q) (Nat.beq (Nat.mod order_of_root q) 0)) primes)
    (@Nat.rec (fun _ => Bool) Bool.true
      (fun d r => both r (@Nat.rec (fun _ => Bool) Bool.true (fun _ _ =>
        @Bool.rec (fun _ => Bool) Bool.true
          (@Bool.rec (fun _ => Bool) Bool.true Bool.false
            (all (fun q => @Bool.rec (fun _ => Bool) Bool.true Bool.false
              (Nat.beq (Nat.mod (Nat.add d 1) q) 0)) primes))
          (Nat.beq (Nat.mod order_of_root (Nat.add d 1)) 0)) d)) order_of_root))

-- Representations and characters.

def shape (d : Nat) (m : List (List (List (List Nat)))) : Bool :=
  both (Nat.beq (length m) d) (all (fun row => both (Nat.beq (length row) d) (all small row)) m)

/-- Row of a, times the matrix b. -/
def combination (row : List Nat) (b : List (List Nat)) : List Nat :=
  fold (fun sum (x : List Nat) => map_pairs (fun s y => Nat.add s y) sum x)
    (map (fun _ => 0) (item List.nil b 0)) (map_pairs (fun x r => map (fun y => times_mod x y) r) row b)

def packed (m : List (List (List (List Nat)))) : List (List Nat) := map (fun row => map pack row) m

def trace (m : List (List Nat)) : Nat :=
  @List.rec (List Nat) (fun _ => Nat → Nat) (fun _ => 0)
    (fun row _ r i => Nat.add (item 0 row i) (r (Nat.add i 1))) m 0

/-- The matrices over `divisor` are a representation of degree d, with this character. -/
def represents (divisor d : Nat) (matrices : List (List (List (List (List Nat)))))
    (character : List (List (List Nat))) : Bool :=
  both (Nat.ble 1 divisor) (both (Nat.ble divisor 65535) (both (Nat.ble d 255)
  (both (Nat.beq (length matrices) (length elements))
  (both (all (shape d) matrices)
  (both (all small character)
  (both (all_numbered (fun i row => all_numbered (fun j x => equal x
      (@Bool.rec (fun _ => Nat) 0 divisor (Nat.beq i j))) row) (packed (item List.nil matrices 0)))
  (both (all_numbered (fun k row => all_numbered (fun s j =>
      all_pairs (fun (left : List Nat) (right : List Nat) => all_pairs (fun x y => equal x (Nat.mul divisor y))
          (combination left (packed (item List.nil matrices (item 0 generators s)))) right)
        (packed (item List.nil matrices k)) (packed (item List.nil matrices j))) row) times)
    (all_numbered (fun k m => equal (trace (packed m))
      (Nat.mul divisor (pack (item List.nil character (item 0 class_of k))))) matrices))))))))

def norm (row : List (List (List Nat))) : Nat :=
  fold (fun a x => Nat.add a x) 0 (map_pairs (fun c x => Nat.mul (size c) x)
    (map (fun k => item 0 class_of k) representatives)
    (map (fun x => times_mod (pack x) (conjugate x)) row))

/-- Is there a class where the rows have different values? -/
def differ (left right : List (List (List Nat))) : Bool :=
  @Bool.rec (fun _ => Bool) Bool.true Bool.false
    (all_pairs (fun x y => equal (pack x) (pack y)) left right)

/-- Does f hold for each item and each item behind it? -/
def all_behind {α : Type} (f : α → α → Bool) (l : List α) : Bool :=
  @List.rec α (fun _ => Bool) Bool.true (fun x behind r => both (all (f x) behind) r) l

def irreducibility_holds : Bool :=
  both (Nat.beq (length characters) (length representatives))
  (both (all (fun row => Nat.beq (length row) (length representatives)) characters)
  (both (all (fun row => equal (norm row) (length elements)) characters)
    (all_behind differ characters)))

end

theorem group : Eq group_holds Bool.true := Eq.refl Bool.true

theorem classes : Eq classes_hold Bool.true := Eq.refl Bool.true

theorem root_of_unity : Eq root_holds Bool.true := Eq.refl Bool.true

theorem irreducibility : Eq irreducibility_holds Bool.true := Eq.refl Bool.true

{{representations}}
end CharacterTable
