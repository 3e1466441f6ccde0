(* Certificates for weight-tying tables, found by breadth-first search along the generators. Nothing here is trusted: what is wrong is noticed by
   the verified checker, and a table is refused for it. *)

open Verified

let unvisited = -1

let preimages generators size image =
  let tables =
    Array.init generators (fun g ->
      let table = Array.make size size in
      for i = 0 to size - 1 do
        let i' = target size (image g i) in
        if i' >= 0 && i' < size then table.(i') <- i
      done;
      table)
  in
  fun g i -> tables.(g).(i)

(* For each entry one number: whether the path from the root to it changes the sign, the generator of the last step (from 1, or 0 at a root), the
   length of the path. *)
let search (p : problem) =
  let m = p.height and n = p.width and g = p.moves in
  let images size image = Array.init g (fun k -> Array.init size (fun i -> let x = image k i in (target size x, not (is_positive size x)))) in
  let row = images m p.row_move and column = images n p.column_move in
  let seen = Bigarray.Array1.create Bigarray.int Bigarray.c_layout (m * n) in
  Bigarray.Array1.fill seen unvisited;
  let pack level step negated = ((level * (g + 1)) + step) * 2 + Bool.to_int negated in
  let roots = Array.make p.parameters (m, n) in
  let contradictions = Hashtbl.create 16 in
  let queue = ref (Array.make 1024 0) in
  for i = 0 to m - 1 do
    for j = 0 to n - 1 do
      let start = (i * n) + j in
      if seen.{start} = unvisited then begin
        let c = p.code i j in
        seen.{start} <- pack 0 0 false;
        let fresh =
          c = 0
          || (let k = parameter p.parameters c in
              roots.(k) = (m, n) && (roots.(k) <- (i, j); true))
        in
        if fresh then begin
          let contradiction = ref None in
          !queue.(0) <- start;
          let first = ref 0 and last = ref 1 in
          while !first < !last do
            let e = !queue.(!first) in
            incr first;
            let a = e / n and b = e mod n in
            let level = seen.{e} / 2 / (g + 1) and negated = seen.{e} land 1 = 1 in
            for k = 0 to g - 1 do
              let a', s = row.(k).(a) and b', t = column.(k).(b) in
              let f = (a' * n) + b' and sign = negated <> (s <> t) in
              if seen.{f} = unvisited then begin
                seen.{f} <- pack (level + 1) (k + 1) sign;
                if !last = Array.length !queue then queue := Array.append !queue (Array.make !last 0);
                !queue.(!last) <- f;
                incr last
              end else if c = 0 && !contradiction = None && (seen.{f} land 1 = 1) <> sign then contradiction := Some (a, b, k)
            done
          done;
          Option.iter (Hashtbl.add contradictions start) !contradiction
        end
      end
    done
  done;
  (seen, roots, contradictions)

let certificate (p : problem) : certificate =
  let m = p.height and n = p.width and g = p.moves in
  let row_preimage = preimages g m p.row_move and column_preimage = preimages g n p.column_move in
  let found = lazy (search p) in
  let at i j = let seen, _, _ = Lazy.force found in seen.{(i * n) + j} / 2 in
  let step i j = at i j mod (g + 1) in
  let rec path i j rest =
    match step i j with
    | 0 -> rest
    | s -> path (row_preimage (s - 1) i) (column_preimage (s - 1) j) ((s - 1) :: rest)
  in
  { row_preimage; column_preimage; step;
    level = (fun i j -> at i j / (g + 1));
    root = (fun k -> let _, roots, _ = Lazy.force found in roots.(k));
    loop =
      (fun i j ->
        let _, _, contradictions = Lazy.force found in
        match Hashtbl.find_opt contradictions ((i * n) + j) with
        | None -> ([], [])
        | Some (a, b, k) -> (path a b [k], path (target m (p.row_move k a)) (target n (p.column_move k b)) [])) }
