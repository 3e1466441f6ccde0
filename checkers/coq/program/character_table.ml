(* Tables of characters, .json with a proof: from the file to the verified checker. Chains of stabilizers, conjugating elements and cyclotomic
   polynomials are found here and in `chains.ml`, and nothing of that is believed. *)

open Verified_characters
open Proof_file

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

let decimal what s =
  let digits = if s <> "" && s.[0] = '-' then String.sub s 1 (String.length s - 1) else s in
  let zeros = digits <> "" && digits.[0] = '0' && s <> "0" in
  if digits = "" || zeros || String.length digits > 17 || not (String.for_all (function '0' .. '9' -> true | _ -> false) digits)
  then damaged "%s is no integer below 10^17" what
  else int_of_string s

(* A number of JSON, and an integer in a text. *)
let whole what = function Json.Number s -> decimal what s | _ -> damaged "%s is no number" what
let in_text what = function Json.String s -> decimal what s | _ -> damaged "%s is no integer in a text" what

(* A permutation in cycles, as an array of images. *)
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
let only_keys what keys = function
  | Json.Object members when List.sort compare (List.map fst members) = keys -> ()
  | _ -> damaged "%s has other keys than %s" what (String.concat " and " keys)

let terms value =
  let coefficient x = in_text "a coefficient of a value" x in
  match value with
  | Json.String _ -> (1, [ (coefficient value, 0) ])
  | _ ->
    only_keys "a value" [ "c"; "n" ] value;
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

(* Lists of the checker. *)
let permutation x = List.map natural (Array.to_list x)
let points ys = List.map natural ys
let words chain = List.map (List.map (fun (k, inverted) -> (natural k, inverted))) (Chains.words chain)
let bases chain = List.map (fun (b, steps) -> (natural b, List.map (fun (y, k) -> (natural y, natural k)) steps)) (Chains.bases chain)

let rec to_int = function O -> 0 | S k -> 1 + to_int k

(* The class of an element, and what conjugates it to the representative: by its cycles, and where several classes have these by a search. *)
let classifier group representatives sources =
  let kinds = Hashtbl.create 64 and seen = Hashtbl.create 1024 in
  let conjugators = Array.map (fun (source, by, _) -> (Chains.conjugator group source, by)) sources in
  Array.iteri (fun k r -> Hashtbl.add kinds (Chains.cycle_type r) k) representatives;
  fun x ->
    let x = Array.of_list (List.map to_int x) in
    match Hashtbl.find_opt seen x with
    | Some found -> found
    | None ->
      let attempt found k =
        match found with
        | Some _ -> found
        | None ->
          let conjugator, by = conjugators.(k) in
          Option.map (fun g -> (k, Chains.inverted (Chains.after by g))) (conjugator x)
      in
      let found =
        match List.fold_left attempt None (Hashtbl.find_all kinds (Chains.cycle_type x)) with
        | Some (k, z) -> (natural k, points (Chains.places group z))
        | None -> (natural (Array.length representatives), [])
      in
      Hashtbl.add seen x found;
      found

(* Linear characters: an element acts on so many further points as its value has as order, by rotation. *)
let extended degree m x e = Array.append x (Array.init m (fun j -> degree + ((j + e) mod m)))

let linear degree order subgroups entry =
  let k = whole "a subgroup" (member "a linear character" "subgroup" entry) and m = whole "an order" (member "a linear character" "order" entry) in
  if k < 0 || k >= Array.length subgroups || m < 1 || m > 2000 then damaged "a linear character is out of range";
  let exponents = List.map (whole "an exponent") (list "the exponents" (member "a linear character" "exponents" entry)) in
  if List.length exponents <> List.length subgroups.(k) then damaged "a linear character has not as many exponents as its subgroup generators";
  if List.exists (fun e -> e < 0 || e >= m) exponents then damaged "an exponent is out of range";
  let chain =
    match Chains.make ~below:degree (degree + m) (List.map2 (fun x e -> extended degree m x e) subgroups.(k) exponents) with
    | Some chain -> chain
    | None -> refused "a linear character is none: an element of the subgroup would have two values"
  in
  let generator x e = ((permutation x, permutation (Chains.inverted x)), natural e) in
  { modulus = natural m; linear_generators = List.map2 generator subgroups.(k) exponents; linear_words = words chain; linear_bases = bases chain;
    index_of = integer (order / Chains.size chain) }

(* What tables of characters and files of representations have in common: generators, classes, and the claims about them. *)
type group = { size : int; width : int; images : int array list; chain : Chains.t; members : int array list; member_orders : int list; lengths : int list }

let generators_of degree what s = List.map (fun x -> cycles degree (text "a generator" x)) (list what s)

let read_group file proof classes =
  let degree = whole "the degree" (member "the proof" "degree" proof) in
  if degree < 0 || degree > 4096 then damaged "the degree %d is too large for this checker" degree;
  let generators = generators_of degree "the generators" (member "the proof" "generators" proof) in
  let order = in_text "the order" (member "the file" "order" file) in
  let representative entry =
    let x = Array.of_list (List.map (whole "an image") (list "a representative" (member "a class" "representative" entry))) in
    if List.sort compare (Array.to_list x) <> List.init degree Fun.id then refused "a representative is no permutation";
    let n = Chains.order x in
    if n > 2000 then damaged "a representative has the order %d, too large for this checker" n;
    if whole "the order of an element" (member "a class" "element_order" entry) <> n then refused "the order of an element is not what it says";
    (x, n)
  in
  let representatives, orders = List.split (List.map representative classes) in
  let length entry =
    let size = in_text "a size" (member "a class" "size" entry) in
    let z = in_text "the order of a centralizer" (member "a class" "centralizer_order" entry) in
    if z < 1 || order mod z <> 0 || order / z <> size then
      refused "the order of a centralizer is not that of the group divided by the size of the class";
    size
  in
  let lengths = List.map length classes in
  let chain = Option.get (Chains.make ~below:degree degree generators) in
  if Chains.size chain <> order then refused "the group has the order %d, not %d" (Chains.size chain) order;
  if not (List.for_all (Chains.contains chain) representatives) then refused "a representative is no element of the group";
  { size = order; width = degree; images = generators; chain; members = representatives; member_orders = orders; lengths }

(* Claims about the group and its classes, without linear characters; `orders` are those of the roots of unity in values. *)
let group_claims group orders =
  let sources = List.map (Chains.source group.chain) group.members in
  let claim (source, by, orbits) =
    { source = permutation source; conjugator = points (Chains.places group.chain by);
      plan = List.map (List.map (fun (p, q, a) -> ((natural p, natural q), natural a))) (Chains.plan group.chain source);
      orbits = List.map (List.map natural) orbits }
  in
  let roots = Hashtbl.create 16 in
  List.iter (fun n -> if not (Hashtbl.mem roots n) then Hashtbl.add roots n (root_witness n)) orders;
  { inverse_generators = List.map (fun x -> permutation (Chains.inverted x)) group.images; strong_words = words group.chain; bases = bases group.chain;
    class_claims = List.map claim sources; linears = []; classify = classifier group.chain (Array.of_list group.members) (Array.of_list sources);
    combinations = []; roots_of = (fun n -> Hashtbl.find roots (to_int n));
    most_powers = natural (List.fold_left max 1 group.member_orders + 1) }

let explain_group t w s c =
  if not (check_group t w s c) then refused "the chain of stabilizers was not found"
  else if not (check_classes t w s c) then refused "the representatives or the sizes are not those of the classes"

let check file proof =
  let classes = list "the classes" (member "the file" "classes" file) in
  let rows = List.map (fun row -> List.map terms (list "a row" row)) (list "the rows" (member "the file" "irreducibles" file)) in
  if List.exists (fun row -> List.length row <> List.length classes) rows then refused "a row has not as many values as there are classes";
  let group = read_group file proof classes in
  let value order (n, terms) =
    if order mod n <> 0 then refused "a value at elements of order %d is given by roots of unity of order %d" order n;
    number order (n, terms)
  in
  let subgroups = Array.of_list (List.map (generators_of group.width "a subgroup") (list "the subgroups" (member "the proof" "subgroups" proof))) in
  let linears =
    List.map (linear group.width group.size subgroups) (list "the linear characters" (member "the proof" "linear_characters" proof)) in
  let combination row =
    let out = Array.make (List.length linears) 0 in
    List.iter
      (function
        | Json.List [ k; c ] ->
          let k = whole "a linear character" k in
          if k < 0 || k >= Array.length out then damaged "a combination is of a linear character that is not there";
          out.(k) <- out.(k) + in_text "a coefficient" c
        | _ -> damaged "a term of a combination is no pair")
      (list "a combination" row);
    numbers out
  in
  let t =
    { degree = natural group.width; generators = List.map permutation group.images; order = integer group.size;
      representatives = List.map permutation group.members; sizes = List.map integer group.lengths; orders = List.map natural group.member_orders;
      rows = List.map (List.map2 value group.member_orders) rows }
  in
  let combinations = List.map combination (list "the combinations" (member "the proof" "combinations" proof)) in
  if List.length combinations <> List.length rows then refused "there are not as many combinations as rows";
  let w = { (group_claims group group.member_orders) with linears; combinations } in
  if not (check_characters t w) then begin
    let s = strong_pairs t w and c = group_chain t w in
    explain_group t w s c;
    if not (List.for_all (check_linear t w c) w.linears) then refused "a linear character of a subgroup was not found to be one"
    else if not (let sums = class_sums t w in List.for_all (fun i -> List.for_all (check_value t w sums i) (all_classes t)) (all_classes t)) then
      refused "a row is not the sum of induced characters that it says"
    else refused "the rows are not orthonormal, a degree is not positive, or there are not as many rows as classes"
  end;
  Printf.sprintf "order %d, %d classes with their sizes, and the rows are the irreducible characters" group.size (List.length classes)
