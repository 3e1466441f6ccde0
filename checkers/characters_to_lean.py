#!/usr/bin/env python3
"""Writes the proof in a file of irreducible representations (`irreps --proof`) as a file for Lean 4, whose kernel
checks it.

Usage: characters_to_lean.py FILE.json > Table.lean && lean Table.lean

The file needs Lean 4 alone, without Mathlib. It holds the elements of the group, its classes, the table of characters
and matrices that have them, with one theorem for each claim. Lean leaves with the exit status 0 if its kernel accepts
all. This script leaves with 1 if the claims are seen to be false, 2 if the file cannot be read, the group has more than
120 elements, or one of its numbers is too large. Standard library alone."""

import sys
from fractions import Fraction
from math import lcm

from reading import demand, document, options, printable, readable, verdict, whole

MOST_ELEMENTS, MOST_COEFFICIENT, MOST_TERMS = 120, 2**16, 2**8

PREAMBLE = """\
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
* `group`: `elements` are different permutations, the identity first. A product of an element and a generator is an
  element, and each is such a product of one that is nearer to the identity. So they are the group of the generators.
* `classes`: every element is conjugate to the representative of its class, and conjugates by generators are in the
  same class. So these are the conjugacy classes.
* `representation_i`: the matrices, divided by the number before them, multiply as the elements do, and their traces are
  row i of the table. So row i is the character of a representation.
* `orthogonality`: the rows are orthonormal, and there are as many as classes. So they are all irreducible characters.
"""

OPTIONS = """\
namespace CharacterTable
set_option maxHeartbeats 0
set_option maxRecDepth 100000
"""

DEFINITIONS = """\
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

def is_permutation (p : List Nat) : Bool :=
  both (Nat.beq (length p) degree)
    (all (fun i => Nat.beq 1 (fold (fun n x => Nat.add n (@Bool.rec (fun _ => Nat) 0 1 (Nat.beq x i))) 0 p)) points)

def increasing (l : List Nat) : Bool :=
  @List.rec Nat (fun _ => Nat → Bool) (fun _ => Bool.true)
    (fun x _ r before => both (Nat.ble before x) (r (Nat.add x 1))) l 0

/-- The images of 0, 1, … under the identity, in this order. -/
def is_identity (p : List Nat) : Bool := all_numbered (fun i x => Nat.beq x i) p

def is_element (k : Nat) : Bool := Nat.ble (Nat.add k 1) (length elements)

def group_holds : Bool :=
  both (is_identity points)
  (both (all is_element generators)
  (both (all is_permutation elements)
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
        (Nat.beq (item 0 distances k) (Nat.add 1 (item 0 distances (item 0 p 0)))))) k) parents)))))))))

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

def inner (left right : List (List (List Nat))) : Nat :=
  fold (fun a x => Nat.add a x) 0 (map_pairs (fun c x => Nat.mul (size c) x)
    (map (fun k => item 0 class_of k) representatives)
    (map_pairs (fun x y => times_mod (pack x) (conjugate y)) left right))

def orthogonality_holds : Bool :=
  both (Nat.beq (length characters) (length representatives))
  (both (all (fun row => Nat.beq (length row) (length representatives)) characters)
    (all_numbered (fun i left => all_numbered (fun j right => equal (inner left right)
      (@Bool.rec (fun _ => Nat) 0 (length elements) (Nat.beq i j))) characters) characters))

end
"""


# named_groups.py has these too, and wants NumPy.
def compose(a, b):
    return tuple(a[x] for x in b)


def inverse_of(a):
    result = [0] * len(a)
    for x, y in enumerate(a):
        result[y] = x
    return tuple(result)


class Group:
    """The elements in the order of their lists, how the generators move them, and their classes."""

    def __init__(self, generators):
        one = tuple(range(len(generators[0]))) if generators else (0,)
        found, queue = {one: (0, 0, 0)}, [one]
        for a in queue:
            for s, g in enumerate(generators):
                b = compose(a, g)
                if b not in found:
                    found[b] = (found[a][0] + 1, a, s)
                    queue.append(b)
                    readable(len(queue) <= MOST_ELEMENTS, f"groups of up to {MOST_ELEMENTS} elements are written")
        self.elements, self.order_found = sorted(found), queue
        place = {a: k for k, a in enumerate(self.elements)}
        self.place = place
        self.generators = [place[g] for g in generators]
        self.times = [[place[compose(a, g)] for g in generators] for a in self.elements]
        self.conjugates = [[place[compose(compose(inverse_of(g), a), g)] for g in generators] for a in self.elements]
        self.distances = [found[a][0] for a in self.elements]
        self.parents = [[place[found[a][1]] if found[a][0] else 0, found[a][2]] for a in self.elements]

    def classes(self, representatives):
        """For each element its class, and x with x g = r x, r the representative."""
        n = len(self.elements)
        class_of, conjugators = [None] * n, [None] * n
        for c, r in enumerate(representatives):
            demand(class_of[r] is None, "two classes are the same")
            class_of[r], conjugators[r], queue = c, 0, [r]
            for k in queue:
                for s, j in enumerate(self.conjugates[k]):  # j = s^-1 k s, so x s j = r x s where x k = r x
                    if class_of[j] is None:
                        class_of[j], conjugators[j] = c, self.times[conjugators[k]][s]
                        queue.append(j)
        demand(None not in class_of, "an element is in no class")
        return class_of, conjugators


class Root:
    """Numbers of Q(zeta) as lists of terms with natural coefficients, over a denominator."""

    def __init__(self, n):
        self.n = n if n % 2 == 0 else 2 * n

    def add(self, sums, coefficient, exponent):
        e = exponent % self.n if coefficient > 0 else (exponent + self.n // 2) % self.n
        sums[e] = sums.get(e, 0) + abs(coefficient)
        opposite = (e + self.n // 2) % self.n
        if opposite in sums:
            both = min(sums[e], sums[opposite])
            for k in (e, opposite):
                sums[k] -= both
                if not sums[k]:
                    del sums[k]

    def product(self, a, b):
        sums = {}
        for e, c in a.items():
            for f, d in b.items():
                self.add(sums, c * d, e + f)
        return sums

    def sum(self, numbers):
        sums = {}
        for number in numbers:
            for e, c in number.items():
                self.add(sums, c, e)
        return sums

    def of(self, value):
        n, parts = value
        sums = {}
        for c, e in parts:
            if c:
                self.add(sums, c, e * (self.n // n))
        return self.reduced(sums)

    def reduced(self, sums):
        """Fewer terms: the sum over the cosets of the roots of prime order q is 0."""
        for q in primes(self.n):
            step, count = self.n // q, {}
            for e in list(sums):
                count.setdefault(e % step, []).append(e)
            for start, found in count.items():
                if q > 2 and len(found) > q // 2 + 1:
                    least = sorted(sums[e] for e in found)[len(found) - q // 2 - 1]
                    for j in range(q):
                        self.add(sums, -least, start + j * step)
        return sums


def primes(n):
    found, q = [], 2
    while n > 1:
        if n % q == 0:
            found.append(q)
            while n % q == 0:
                n //= q
        q += 1
    return found


def terms(number):
    readable(
        len(number) < MOST_TERMS and all(c.denominator == 1 and c < MOST_COEFFICIENT for c in number.values()),
        "a number is too large for Lean",
    )
    return [[int(c), e] for e, c in sorted(number.items())]


def matrices_of(form, group, root):
    """A matrix for each element, and the denominator of all."""
    size = form.size
    generators = [[[root.of(x) for x in row] for row in rows] for rows in form.matrices]
    found = {0: [[{0: Fraction(1)} if i == j else {} for j in range(size)] for i in range(size)]}
    for a in group.order_found[1:]:
        k = group.place[a]
        before, s = group.parents[k]
        found[k] = [
            [
                root.reduced(root.sum(root.product(x, y[j]) for x, y in zip(row, generators[s], strict=True)))
                for j in range(size)
            ]
            for row in found[before]
        ]
    divisor = lcm(*(c.denominator for m in found.values() for row in m for x in row for c in x.values()), 1)
    readable(divisor < MOST_COEFFICIENT, "a denominator is too large for Lean")
    scaled = [
        [[terms({e: c * divisor for e, c in x.items()}) for x in row] for row in found[k]]
        for k in range(len(group.elements))
    ]
    return divisor, found, scaled


def written(value):
    return "[" + ", ".join(map(written, value)) + "]" if isinstance(value, list) else str(value)


def lines(name, kind, values):
    inside = ",\n  ".join(written(value) for value in values)
    return f"def {name} : {kind} := [\n  {inside}]\n"


def lean(of, name):
    demand(of.form == "representations", "tables of irreducible representations are written: irreps --proof")
    group = Group([tuple(g) for g in of.generators])
    order = len(group.elements)
    demand(order == of.order, f"the group has {order} elements, and the file says {of.order}")
    demand(all(tuple(c.representative) in group.place for c in of.classes), "a representative is not in the group")
    representatives = [group.place[tuple(c.representative)] for c in of.classes]
    class_of, conjugators = group.classes(representatives)
    n = lcm(*(x[0] for form in of.irreps for m in form.matrices for row in m for x in row), 1)
    root = Root(n)
    texts, characters = [], []
    for i, form in enumerate(of.irreps):
        divisor, matrices, scaled = matrices_of(form, group, root)
        rows = [root.reduced(root.sum(matrices[k][j][j] for j in range(form.size))) for k in representatives]
        characters.append([terms(value) for value in rows])
        kind = "List (List (List (List (List Nat))))"
        texts.append(
            f"def divisor_{i} : Nat := {divisor}\n"
            + lines(f"matrices_{i}", kind, scaled)
            + f"theorem representation_{i} :\n"
            f"    Eq (represents divisor_{i} {form.size} matrices_{i} (item List.nil characters {i})) Bool.true :=\n"
            "  Eq.refl Bool.true\n"
        )
    title = f"/-\nThe character table of {name}, proved by its irreducible representations.\n\n{PREAMBLE}-/\n"
    data = [
        lines("elements", "List (List Nat)", [list(a) for a in group.elements]),
        f"/-- Numbers of elements. -/\ndef generators : List Nat := {written(group.generators)}\n",
        "/-- Row k: the numbers of the products of element k and the generators. -/\n"
        + lines("times", "List (List Nat)", group.times),
        "/-- [p, s]: the element is p times the generator s. -/\n" + lines("parents", "List (List Nat)", group.parents),
        f"def distances : List Nat := {written(group.distances)}\n",
        f"def representatives : List Nat := {written(representatives)}\n",
        f"def class_of : List Nat := {written(class_of)}\n",
        f"/-- x with x g = r x, r the representative of g. -/\ndef conjugators : List Nat := {written(conjugators)}\n",
        "/-- Row k: s^-1 g s for element k, g, and the generators s. -/\n"
        + lines("conjugates", "List (List Nat)", group.conjugates),
        f"def order_of_root : Nat := {root.n}\n",
        f"def primes : List Nat := {written(primes(root.n))}\n",
        "/-- Row i, class by class. -/\n" + lines("characters", "List (List (List (List Nat)))", characters),
    ]
    claims = [
        f"theorem {claim} : Eq {check} Bool.true := Eq.refl Bool.true\n"
        for claim, check in (
            ("group", "group_holds"),
            ("classes", "classes_hold"),
            ("root_of_unity", "root_holds"),
            ("orthogonality", "orthogonality_holds"),
        )
    ]
    return "\n".join([title, OPTIONS, *data, DEFINITIONS, *claims, *texts, "end CharacterTable", ""])


def main(arguments):
    seconds, paths, status = options(arguments, __doc__)
    if paths is None:
        return status
    if len(paths) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    found = []
    status, words = verdict(paths[0], lambda path: found.append(lean(document(whole(path)), printable(path))), seconds)
    if status:
        print(printable(words), file=sys.stderr)
        return status
    print(found[0], end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
