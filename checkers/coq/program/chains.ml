(* Permutation groups: chains of stabilizers, and elements that conjugate. The verified checker believes nothing of what is found here. Permutations are
   arrays of images; a product applies its left factor first, as in theories/Chains.v. *)

let after x y = Array.map (fun p -> y.(p)) x (* x first *)
let one n = Array.init n Fun.id

let inverted x =
  let out = Array.make (Array.length x) 0 in
  Array.iteri (fun p image -> out.(image) <- p) x;
  out

(* The length of every point's cycle. *)
let cycle_lengths x =
  let length = Array.make (Array.length x) 0 in
  let rec cycle p first k = if p = first && k > 0 then k else cycle x.(p) first (k + 1) in
  let rec mark p k = if length.(p) = 0 then (length.(p) <- k; mark x.(p) k) in
  Array.iteri (fun p _ -> if length.(p) = 0 then mark p (cycle p p 0)) x;
  length

let cycle_type x =
  let lengths = cycle_lengths x in
  Array.sort compare lengths;
  lengths

let rec gcd a b = if b = 0 then a else gcd b (a mod b)
let order x = Array.fold_left (fun n k -> n / gcd n k * k) 1 (cycle_lengths x)

(* An element of a table: the permutation, its inverse, its word (letters from the last), and the step that led to it. *)
type entry = { u : int array; inverse : int array; word : (int * bool) list }
type level = { point : int; table : entry option array; mutable steps : (int * int) list (* from the last *); mutable length : int }

type t = { degree : int; mutable strong : (int array * int array) list; (* from the last *)
           mutable strong_words : (int * bool) list list; (* from the last *) mutable points : int list; mutable levels : level array }

(* The orbit of a point under strong generators that are given with their numbers. *)
let level degree point strong =
  let table = Array.make degree None and queue = Queue.create () in
  let l = { point; table; steps = []; length = 1 } in
  table.(point) <- Some { u = one degree; inverse = one degree; word = [] };
  Queue.add point queue;
  while not (Queue.is_empty queue) do
    let y = Queue.pop queue in
    let e = Option.get table.(y) in
    List.iteri
      (fun k (number, (x, xi)) ->
        let image = x.(y) in
        if table.(image) = None then begin
          table.(image) <- Some { u = after e.u x; inverse = after xi e.inverse; word = (number, false) :: e.word };
          l.steps <- (y, k) :: l.steps;
          l.length <- l.length + 1;
          Queue.add image queue
        end)
      strong
  done;
  l

let fixing points = List.filter (fun (_, (x, _)) -> List.for_all (fun b -> x.(b) = b) points)
let numbered c = List.mapi (fun k x -> (k, x)) (List.rev c.strong)

let rebuild c =
  let all = numbered c in
  let rec build before = function
    | [] -> []
    | b :: rest -> level c.degree b (fixing before all) :: build (b :: before) rest
  in
  c.levels <- Array.of_list (build [] c.points)

(* What is left of x from level i on, its word, and the level where it stayed. *)
let rec sift c i (x, word) =
  if i = Array.length c.levels then (x, word, i)
  else
    let l = c.levels.(i) in
    match l.table.(x.(l.point)) with
    | None -> (x, word, i)
    | Some e -> sift c (i + 1) (after x e.inverse, List.rev_append (List.rev_map (fun (k, inverted) -> (k, not inverted)) (List.rev e.word)) word)

exception Fixed (* an element other than the identity fixes all points below the bound *)
exception Larger of int array * (int * bool) list * int

let moved below x =
  let rec first p = if p = below then raise Fixed else if x.(p) <> p then p else first (p + 1) in
  first 0

(* The chain of the group that permutations generate, with base points below a bound, by [Schreier 1927; Sims 1970]. *)
let make ~below degree generators =
  let c = { degree; strong = List.rev_map (fun x -> (x, inverted x)) generators; strong_words = []; points = []; levels = [||] } in
  let is_one x = x = one degree in
  let cover x = if (not (is_one x)) && List.for_all (fun b -> x.(b) = b) c.points then c.points <- c.points @ [ moved below x ] in
  let complete i =
    let before = List.filteri (fun k _ -> k < i) c.points in
    let strong = fixing before (numbered c) in
    Array.iter
      (function
        | None -> ()
        | Some e ->
          List.iter
            (fun (number, (x, _)) ->
              let product = after e.u x in
              let x, word, stayed = sift c i (product, (number, false) :: e.word) in
              if not (is_one x) then raise (Larger (x, word, stayed)))
            strong)
      c.levels.(i).table
  in
  let rec descend i =
    if i >= 0 then
      match complete i with
      | () -> descend (i - 1)
      | exception Larger (x, word, stayed) ->
        c.strong <- (x, inverted x) :: c.strong;
        c.strong_words <- List.rev word :: c.strong_words;
        cover x;
        rebuild c;
        descend (min stayed (Array.length c.levels - 1))
  in
  match
    List.iter cover generators;
    rebuild c;
    descend (Array.length c.levels - 1)
  with
  | () -> Some c
  | exception Fixed -> None

let size c = Array.fold_left (fun n l -> if n > max_int / (l.length + 1) then max_int else n * l.length) 1 c.levels
let words c = List.rev c.strong_words
let bases c = List.map (fun l -> (l.point, List.rev l.steps)) (Array.to_list c.levels)

(* The points of the tables whose product an element is. *)
let places c x =
  let rec down i x = if i = Array.length c.levels then [] else
    let l = c.levels.(i) in
    let y = x.(l.point) in
    y :: (match l.table.(y) with Some e -> down (i + 1) (after x e.inverse) | None -> raise Not_found)
  in
  down 0 x

let contains c x = let rest, _, _ = sift c 0 (x, []) in rest = one c.degree

(* What a search from r compares at each level: (p, q, a), where r^a takes p to q, or does not. *)
let plan c r =
  let lengths = cycle_lengths r in
  let rec without p n = if n mod p = 0 then without p (n / p) else n in
  let rec divisors n p = if n = 1 then [] else if n mod p = 0 then p :: divisors (without p n) (p + 1) else divisors n (p + 1) in
  let level known b =
    let n = lengths.(b) in
    let rec meet p q k = if k = n then None else if p = q then Some k else meet r.(p) q (k + 1) in
    let own = (b, b, n) :: List.map (fun p -> (b, b, n / p)) (divisors n 2) in
    List.filter_map (fun p -> Option.map (fun a -> (p, b, a)) (meet p b 0)) known @ own
  in
  let rec along known = function [] -> [] | l :: rest -> level known l.point :: along (l.point :: known) rest in
  along [] (Array.to_list c.levels)

exception Expensive

(* A search for g with r g = g s, below a level and below a point of its table, which gives up after so many steps. *)
let searcher ?(steps = max_int) c r =
  let left = ref steps and plan = Array.of_list (plan c r) in
  let most = Array.fold_left (List.fold_left (fun m (_, _, a) -> max m a)) 0 plan in
  let all_powers x =
    let out = Array.make (most + 1) (one c.degree) in
    for a = 1 to most do out.(a) <- after out.(a - 1) x done;
    out
  in
  let source = all_powers r in
  fun s ->
  let powers = all_powers s in
  let rec search i w =
    if i = Array.length c.levels then if after r w = after w s then Some w else None
    else
      let rec over y = if y = c.degree then None else match entry i w y with None -> over (y + 1) | found -> found in
      over 0
  and entry i w y =
    let keeps u (p, q, a) = (powers.(a).(w.(u.(p))) = w.(u.(q))) = (source.(a).(p) = q) in
    match c.levels.(i).table.(y) with
    | Some e when List.for_all (keeps e.u) plan.(i) ->
      decr left;
      if !left < 0 then raise Expensive else search (i + 1) (after e.u w)
    | _ -> None
  in
  (search, entry)

(* An element g with r g = g s. *)
let conjugator c r =
  let searches = searcher c r in
  fun s -> fst (searches s) 0 (one c.degree)

(* For each base point its orbit under the elements that commute with r and fix the base points before it. *)
let commuting_orbits ?steps c r =
  let _, entry = searcher ?steps c r r in
  let elements = ref [] in (* they commute with r, and fix the base points before the present one *)
  let orbit i =
    let b = c.levels.(i).point in
    let reached = Array.make c.degree false in
    let rec reach y = if not reached.(y) then begin reached.(y) <- true; List.iter (fun g -> reach g.(y)) !elements end in
    reach b;
    for y = 0 to c.degree - 1 do
      if not reached.(y) then
        match entry i (one c.degree) y with
        | None -> ()
        | Some g ->
          elements := g :: !elements;
          let old = List.filter (fun y -> reached.(y)) (List.init c.degree Fun.id) in
          List.iter (fun y -> reached.(y) <- false) old;
          List.iter reach old
    done;
    List.filter (fun y -> reached.(y)) (List.init c.degree Fun.id)
  in
  (* From the last level: what commutes and fixes more points serves the levels before it. *)
  List.rev (List.map orbit (List.rev (List.init (Array.length c.levels) Fun.id)))

(* A conjugate z^-1 r z from which a search is short, its cycles holding many base points; z; and its orbits. *)
let source c r =
  let state = Random.State.make [| 1 |] in
  let random () =
    Array.fold_right
      (fun l x ->
        let rec pick () = match l.table.(Random.State.int state c.degree) with Some e -> e.u | None -> pick () in
        after x (pick ()))
      c.levels (one c.degree)
  in
  let cost x =
    let lengths = cycle_lengths x and covered = Hashtbl.create 16 in
    Array.fold_left
      (fun (nodes, level) l ->
        let b = l.point in
        let level =
          if Hashtbl.mem covered b then level
          else begin
            let alike = Array.fold_left (fun k n -> if n = lengths.(b) then k + 1 else k) 0 lengths in
            let rec cover p = if not (Hashtbl.mem covered p) then (Hashtbl.add covered p (); cover x.(p)) in
            cover b;
            level *. float l.length *. float alike /. float c.degree
          end
        in
        (nodes +. level, level))
      (0., 1.) c.levels
    |> fst
  in
  let conjugate z = let x = after (after (inverted z) r) z in (cost x, (x, z)) in
  let cheapest = List.stable_sort (fun (a, _) (b, _) -> compare a b) (List.map conjugate (one c.degree :: List.init 400 (fun _ -> random ()))) in
  let some = List.filteri (fun k _ -> k < 40) cheapest in
  let rec tried steps = function
    | [] -> tried (4 * steps) some
    | (_, (x, z)) :: rest -> (match commuting_orbits ~steps c x with orbits -> (x, z, orbits) | exception Expensive -> tried steps rest)
  in
  tried 1000 some
