(* Complete sets of irreducible matrices, .json with a proof: from the file to the verified checker. Matrices of strong
   generators and of tables are multiplied here, and nothing of that is believed. *)

open Verified_characters
open Proof_file
open Character_table

(* A value as integers and one denominator: (n, [(numerator, denominator, exponent)]). *)
let fraction what x =
  match String.split_on_char '/' (text what x) with
  | [ p ] -> (decimal what p, 1)
  | [ p; q ] ->
    let p = decimal what p and q = decimal what q in
    if q < 2 || q > 1_000_000 then damaged "%s has a denominator that is out of range" what;
    if gcd (abs p) q <> 1 then damaged "%s is not in lowest terms" what;
    (p, q)
  | _ -> damaged "%s is no rational number" what

let entry value =
  let what = "an entry of a matrix" in
  match value with
  | Json.String _ -> let p, q = fraction what value in (1, [ (p, q, 0) ])
  | _ ->
    only_keys what [ "c"; "n" ] value;
    let n = whole "the order of roots" (member what "n" value) in
    if n < 1 || n > 2000 then damaged "an entry needs roots of unity of order %d" n;
    let term = function
      | Json.List [ c; e ] ->
        let e = whole "an exponent" e and p, q = fraction what c in
        if e < 0 || e >= n then damaged "an exponent is out of range";
        (p, q, e)
      | _ -> damaged "a term of %s is no pair" what
    in
    (n, List.map term (list what (member what "c" value)))

let multiple what bound a b =
  let m = a / gcd a b * b in
  if m > bound then damaged "%s is %d, too large for this checker" what m;
  m

(* Entries over one denominator, as polynomials in a root of unity of the order `conductor`. *)
let entries conductor rows =
  let denominator_of d (_, terms) = List.fold_left (fun d (_, q, _) -> multiple "a denominator" 1_000_000 d q) d terms in
  let denominator = List.fold_left (List.fold_left denominator_of) 1 rows in
  let numerator (n, terms) =
    let term (p, q, e) =
      if abs p > max_int / 1_000_000 / 4 then damaged "an entry of a matrix is too large for this checker";
      (p * (denominator / q), e)
    in
    let x = number conductor (n, List.map term terms) in
    if List.for_all (fun c -> c = Z0) x then [] else x
  in
  (integer denominator, List.map (List.map numerator) rows)

(* Small integers of the checker as words, to cancel what a matrix and its denominator have in common. *)
exception Large

let rec word_of = function
  | XH -> 1
  | XO p -> let k = word_of p in if k > max_int / 4 then raise Large else 2 * k
  | XI p -> let k = word_of p in if k > max_int / 4 then raise Large else (2 * k) + 1

let word = function Z0 -> 0 | Zpos p -> word_of p | Zneg p -> -word_of p

let cancelled (denominator, rows) =
  match word denominator, List.map (List.map (List.map word)) rows with
  | exception Large -> (denominator, rows)
  | 1, _ -> (denominator, rows)
  | d, words ->
    let g = List.fold_left (List.fold_left (List.fold_left (fun g c -> gcd (abs c) g))) d words in
    (integer (d / g), List.map (List.map (List.map (fun c -> integer (c / g)))) words)

(* A form: the matrices of all strong generators, and of the elements of the tables. *)
let matrices_of low d group generators =
  let d = natural d in
  let times x y = cancelled (product low d x y) in
  let chain = group.chain in
  let elements = Array.of_list (List.rev chain.Chains.strong) in
  let known = Array.make (Array.length elements) None in
  List.iteri (fun k m -> known.(k) <- Some m) generators;
  let rec power m k = if k = 1 then m else let h = power (times m m) (k / 2) in if k land 1 = 1 then times h m else h in
  let letter (k, inverted) =
    let m = Option.get known.(k) in
    if not inverted then m else let n = Chains.order (fst elements.(k)) in if n = 1 then m else power m (n - 1)
  in
  List.iteri
    (fun j word ->
      let along m l = match m with None -> Some (letter l) | Some m -> Some (times (letter l) m) in
      known.(List.length generators + j) <- Some (explicit d (List.fold_left along None word)))
    (Chains.words chain);
  let level before l =
    let strong = Array.of_list (Chains.fixing before (Chains.numbered chain)) in
    let table = Array.make group.width None in
    let step (y, k) =
      let number, (x, _) = strong.(k) in
      let m = Option.get known.(number) in
      let m = match table.(y) with None -> m | Some u -> times m u in
      table.(x.(y)) <- Some m;
      (natural x.(y), m)
    in
    List.map step (List.rev l.Chains.steps)
  in
  let rec levels before = function
    | [] -> []
    | l :: rest -> let found = level before l in found :: levels (l.Chains.point :: before) rest
  in
  let strong = List.filteri (fun k _ -> k >= List.length generators) (List.map Option.get (Array.to_list known)) in
  (strong, levels [] (Array.to_list chain.Chains.levels))

(* The values of the characters at the representatives: integral combinations of roots of unity. *)
let character low low_of_all q d width chain tables representatives name =
  let at r =
    let m = explicit d (image low d width chain tables r) in
    let divide c =
      let c = try word c with Large -> damaged "a trace of %s is too large for this checker" name in
      let q = try word (fst m) with Large -> damaged "a denominator of %s is too large for this checker" name in
      if c mod q <> 0 then refused "a trace of %s is no sum of roots of unity" name;
      integer (c / q)
    in
    List.map divide (reduced_number low_of_all (stretched q (trace d m)))
  in
  List.map at representatives

let check file proof =
  let group = read_group file proof (list "the classes" (member "the proof" "classes" proof)) in
  if generators_of group.width "the generators" (member "the file" "generators" file) <> group.images then
    refused "the generators of the file are not those of its proof";
  let irreps = list "the representations" (member "the file" "irreps" file) in
  let count = List.length group.members in
  if List.length irreps <> count then
    damaged "it has %d representations, and the group %d classes: only complete sets are checked" (List.length irreps) count;
  let read form =
    let name = text "a name" (member "a representation" "name" form) in
    let d = in_text "a degree" (member "a representation" "degree" form) in
    if d < 1 || d > 4096 then damaged "the degree %d is out of range" d;
    let row x =
      let row = List.map entry (list "a row of a matrix" x) in
      if List.length row <> d then refused "a matrix of %s has a row of %d entries" name (List.length row);
      row
    in
    let matrix x =
      let rows = List.map row (list "a matrix" x) in
      if List.length rows <> d then refused "a matrix of %s has %d rows" name (List.length rows);
      rows
    in
    let matrices = List.map matrix (list "the matrices" (member "a representation" "matrices" form)) in
    if List.length matrices <> List.length group.images then refused "%s has not one matrix for each generator" name;
    (name, d, matrices)
  in
  let forms = List.map read irreps in
  if List.fold_left (fun sum (_, d, _) -> sum + (d * d)) 0 forms <> group.size then
    refused "the squares of the degrees do not add up to the order";
  let common = List.fold_left (multiple "the order of all roots" 2000) 1 in
  let conductor_of (_, _, ms) = common (List.concat_map (List.concat_map (List.map fst)) ms) in
  let conductors = List.map conductor_of forms in
  let conductor = common conductors in
  let claims = group_claims group (conductor :: conductors) in
  let low n = (claims.roots_of (natural n)).low in
  let matrices = List.map2 (fun (_, _, ms) n -> List.map (entries n) ms) forms conductors in
  let forms_with = List.combine forms conductors in
  let found = List.map2 (fun ((_, d, _), n) ms -> matrices_of (low n) d group ms) forms_with matrices in
  let f =
    { points = natural group.width; group_generators = List.map permutation group.images; forms_order = integer group.size;
      conductor = natural conductor; conductors = List.map natural conductors;
      dimensions = List.map (fun (_, d, _) -> natural d) forms; matrices }
  in
  let w =
    { class_representatives = List.map permutation group.members; class_sizes = List.map integer group.lengths;
      characters = []; group_claims = claims; strong_matrices = List.map fst found; table_matrices = List.map snd found }
  in
  let t = table_of f w in
  let s = strong_pairs t claims and c = group_chain t claims in
  let values ((name, d, _), n) (_, tables) =
    character (low n) (low conductor) (natural (conductor / n)) (natural d) (natural group.width) c tables
      w.class_representatives name
  in
  let w = { w with characters = List.map2 values forms_with found } in
  if not (check_forms f w) then begin
    let t = table_of f w in
    explain_group t claims s c;
    let multiply i (name, _, _) =
      if not (check_form f w s c (natural i)) then refused "the matrices of %s do not multiply as the group does" name
    in
    List.iteri multiply forms;
    refused "the characters are not orthonormal"
  end;
  Printf.sprintf "order %d, and the %d irreducible representations over the complex numbers" group.size count

let check_json file =
  let proof = member "the file" "proof" file in
  match member "the proof" "form" proof with
  | Json.String "characters" -> Character_table.check file proof
  | Json.String "representations" -> check file proof
  | _ -> damaged "it has no proof of characters or representations"
