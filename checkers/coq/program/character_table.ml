(* Tables of characters, .json with a proof: from the file to the verified checker. The group is listed here, its classes and the cyclotomic
   polynomial are found here, and nothing of that is believed. *)

open Verified_characters
open Proof_file

let most = 1_000_000 (* elements *)
let damaged = Safetensors.damaged

(* Numbers. *)
let rec positive k = if k = 1 then XH else if k land 1 = 1 then XI (positive (k lsr 1)) else XO (positive (k lsr 1))
let integer k = if k = 0 then Z0 else if k > 0 then Zpos (positive k) else Zneg (positive (-k))
let naturals = ref [||]

let natural k =
  if k >= Array.length !naturals then begin
    let longer = Array.make ((2 * k) + 64) O in
    for i = 1 to Array.length longer - 1 do longer.(i) <- S longer.(i - 1) done;
    naturals := longer
  end;
  !naturals.(k)

(* JSON. *)
let member what key = function
  | Json.Object members -> (match List.assoc_opt key members with Some value -> value | None -> damaged "%s has no %s" what key)
  | _ -> damaged "%s is no object" what

let list what = function Json.List l -> l | _ -> damaged "%s is no list" what
let text what = function Json.String s -> s | _ -> damaged "%s is no text" what

let whole what = function
  | Json.Number s | Json.String s ->
    let digits = if s <> "" && s.[0] = '-' then String.sub s 1 (String.length s - 1) else s in
    if digits = "" || String.length digits > 17 || not (String.for_all (function '0' .. '9' -> true | _ -> false) digits)
    then damaged "%s is no integer below 10^17" what
    else int_of_string s
  | _ -> damaged "%s is no integer" what

(* Permutations, as arrays of images. *)
let after x y = Array.map (fun p -> x.(p)) y

let inverted x =
  let out = Array.make (Array.length x) 0 in
  Array.iteri (fun p image -> out.(image) <- p) x;
  out

let cycles degree s =
  let x = Array.init degree Fun.id and seen = Array.make degree false in
  let cycle part =
    let points = List.map (fun p -> whole "a point" (Json.Number (String.trim p)) - 1) (String.split_on_char ',' part) in
    List.iter
      (fun p ->
        if p < 0 || p >= degree || seen.(p) then damaged "%s is no permutation of %d points" s degree;
        seen.(p) <- true)
      points;
    List.iteri (fun k p -> x.(p) <- List.nth points ((k + 1) mod List.length points)) points
  in
  let parts = String.split_on_char '(' s in
  (match parts with "" :: _ :: _ -> () | _ -> damaged "%s is no permutation in cycles" s);
  List.iter
    (fun part ->
      match String.index_opt part ')' with
      | Some k when k = String.length part - 1 -> if k > 0 then cycle (String.sub part 0 k)
      | _ -> damaged "%s is no permutation in cycles" s)
    (List.tl parts);
  x

(* Polynomials of small integers, constant term first. *)
let divided x y =
  let x = Array.copy x and n = Array.length y - 1 in
  let quotient = Array.make (max 0 (Array.length x - n)) 0 in
  for k = Array.length quotient - 1 downto 0 do
    quotient.(k) <- x.(k + n);
    for i = 0 to n do x.(k + i) <- x.(k + i) - (quotient.(k) * y.(i)) done
  done;
  quotient

let multiplied x y =
  let out = Array.make (Array.length x + Array.length y - 1) 0 in
  Array.iteri (fun i a -> Array.iteri (fun j b -> out.(i + j) <- out.(i + j) + (a * b)) y) x;
  out

let power_minus_one n = Array.init (n + 1) (fun k -> if k = 0 then -1 else if k = n then 1 else 0)

let rec cyclotomic n =
  let rec divide p d = if d = n then p else divide (if n mod d = 0 then divided p (cyclotomic d) else p) (d + 1) in
  divide (power_minus_one n) 1

let rec primes n p = if n = 1 then [] else if n mod p = 0 then p :: primes (let rec out n = if n mod p = 0 then out (n / p) else n in out n) (p + 1) else primes n (p + 1)
let numbers a = List.map integer (Array.to_list a)

let root_witness n =
  let phi = cyclotomic n in
  let rest = divided (power_minus_one n) phi and exponents = List.map (fun p -> n / p) (primes n 2) in
  let factor = divided (List.fold_left (fun x q -> multiplied x (power_minus_one q)) [| 1 |] exponents) rest in
  let low = Array.sub phi 0 (Array.length phi - 1) in
  { low = numbers low; rest = numbers rest; factor = numbers factor; exponents = List.map natural exponents }

(* A value: a text, or {"n", "c"}. *)
let terms value =
  let coefficient x = whole "a coefficient of a value" x in
  match value with
  | Json.String _ -> (1, [ (coefficient value, 0) ])
  | _ ->
    let n = whole "the order of roots" (member "a value" "n" value) in
    if n < 1 || n > 2000 then damaged "a value needs roots of unity of order %d" n;
    let term = function
      | Json.List [ c; e ] ->
        let e = whole "an exponent" e in
        if e < 0 || e >= n then damaged "an exponent is out of range";
        (coefficient c, e)
      | _ -> damaged "a term of a value is no pair"
    in
    (n, List.map term (list "the terms of a value" (member "a value" "c" value)))

let rec gcd a b = if b = 0 then a else gcd b (a mod b)

let number order (n, terms) =
  let out = Array.make order 0 in
  List.iter (fun (c, e) -> let k = order / n * e in out.(k) <- out.(k) + c) terms;
  let last = ref order in
  while !last > 1 && out.(!last - 1) = 0 do decr last done;
  numbers (Array.sub out 0 !last)

type way = { mutable class_number : int; mutable steps : int; mutable by : int; mutable from : int array; depth : int; generator_number : int; source : int array }

(* The elements, breadth first, and their classes from the representatives. *)
let listed degree generators representatives =
  let table = Hashtbl.create 1024 and queue = Queue.create () and one = Array.init degree Fun.id in
  let key x = String.init (2 * degree) (fun i -> Char.chr (if i land 1 = 0 then x.(i / 2) land 255 else x.(i / 2) lsr 8)) in
  let add x depth generator_number source =
    if not (Hashtbl.mem table (key x)) then begin
      Hashtbl.add table (key x) (x, { class_number = -1; steps = 0; by = 0; from = one; depth; generator_number; source });
      if Hashtbl.length table > most then damaged "the group has more than %d elements, and this checker lists them" most;
      Queue.add (x, depth) queue
    end
  in
  add one 0 0 one;
  while not (Queue.is_empty queue) do
    let x, depth = Queue.pop queue in
    List.iteri (fun k (g, _) -> add (after g x) (depth + 1) k x) generators
  done;
  List.iteri
    (fun number r ->
      match Hashtbl.find_opt table (key r) with
      | Some (_, way) when way.class_number < 0 ->
        way.class_number <- number;
        Queue.add (r, 0) queue;
        while not (Queue.is_empty queue) do
          let x, steps = Queue.pop queue in
          List.iteri
            (fun k (g, gi) ->
              let y = after (after g x) gi in
              match Hashtbl.find_opt table (key y) with
              | Some (_, way) when way.class_number < 0 ->
                way.class_number <- number; way.steps <- steps + 1; way.by <- k; way.from <- x;
                Queue.add (y, steps + 1) queue
              | _ -> ())
            generators
        done
      | Some _ -> refused "representative %d is conjugate to one before it" number
      | None -> refused "representative %d is no element of the group" number)
    representatives;
  table

let check contents =
  let file = Json.parse contents in
  let proof = member "the file" "proof" file in
  if member "the proof" "form" proof <> Json.String "characters" then damaged "it has no proof of characters";
  let degree = whole "the degree" (member "the proof" "degree" proof) in
  if degree < 0 || degree > 4096 then damaged "the degree %d is too large for this checker" degree;
  let generators =
    List.map (fun s -> let g = cycles degree (text "a generator" s) in (g, inverted g)) (list "the generators" (member "the proof" "generators" proof))
  in
  let entries = list "the classes" (member "the file" "classes" file) in
  let representatives =
    List.map
      (fun entry ->
        let x = Array.of_list (List.map (whole "an image") (list "a representative" (member "a class" "representative" entry))) in
        if List.sort compare (Array.to_list x) <> List.init degree Fun.id then refused "a representative is no permutation";
        x)
      entries
  in
  let rows = List.map (fun row -> List.map terms (list "a row" row)) (list "the rows" (member "the file" "irreducibles" file)) in
  if List.exists (fun row -> List.length row <> List.length entries) rows then refused "a row has not as many values as there are classes";
  let roots = List.fold_left (List.fold_left (fun n (m, _) -> n / gcd n m * m)) 1 rows in
  if roots > 2000 then damaged "its values need roots of unity of order %d" roots;
  let table = listed degree generators representatives in
  let permutation x = List.map natural (Array.to_list x) in
  let entry x way =
    if way.class_number < 0 then refused "an element is in no class of the file";
    { self = permutation x; inverse_of = permutation (inverted x); class_of = natural way.class_number; level = natural way.depth;
      generator = natural way.generator_number; former = permutation way.source; conjugate_level = natural way.steps; conjugator = natural way.by;
      conjugated = permutation way.from }
  in
  let known = Hashtbl.fold (fun _ (x, way) known -> PositiveMap.add (code (permutation x)) (entry x way) known) table PositiveMap.empty in
  let t =
    { degree = natural degree; generators = List.map (fun (g, gi) -> (permutation g, permutation gi)) generators;
      order = integer (whole "the order" (member "the file" "order" file)); representatives = List.map permutation representatives;
      sizes = List.map (fun e -> integer (whole "a size" (member "a class" "size" e))) entries; roots = natural roots;
      rows = List.map (List.map (number roots)) rows }
  in
  let w = root_witness roots in
  if not (check_characters t known w) then
    if not (check_group t known) then refused "the order, the classes or their sizes are not those of the group"
    else if not (check_root t w) then refused "the cyclotomic polynomial was not found"
    else if not (List.for_all (check_degree t) (classes t)) then refused "a degree is no positive integer"
    else if not (List.for_all (fun i -> List.for_all (check_orthonormal t known w i) (classes t)) (classes t)) then
      refused "two rows are not orthonormal"
    else refused "a row does not multiply as the classes do, or there are not as many rows as classes";
  Printf.sprintf "order %d, %d classes with their sizes, and as many orthonormal rows that multiply as the classes do" (Hashtbl.length table)
    (List.length entries)
