(* Weight-tying tables: from the file to the verified checker. *)

open Verified
open Proof_file

let explain what = function
  | TooLarge -> Printf.sprintf "%s: the table is too large" what
  | RowImage (g, i) -> Printf.sprintf "generator %d is no signed permutation of the rows: basis vector %d" g i
  | ColumnImage (g, j) -> Printf.sprintf "generator %d is no signed permutation of the columns: basis vector %d" g j
  | CodeRange (i, j) -> Printf.sprintf "%s: the code at (%d, %d) is out of range" what i j
  | NotEquivariant (g, i, j) -> Printf.sprintf "%s: not equivariant: generator %d moves the entry (%d, %d) to one with another code" what g i j
  | Unconnected (i, j) -> Printf.sprintf "%s: not complete: the pattern at (%d, %d) is more than one orbit" what i j
  | FreeZero (i, j) -> Printf.sprintf "%s: not complete: the orbit of the zero at (%d, %d) does not meet its own negative" what i j
  | EmptyPattern k -> Printf.sprintf "%s: pattern %d is empty" what k

(* That orbit_size counts the entries of each parameter is no matter of proof: it is counted. *)
let check_orbit_sizes file (t : table) =
  let m = t.rows and n = t.columns and p = t.weights and code = t.weight_code in
  let claimed = Safetensors.(integers file (find file "weight.orbit_size" [p] ["I64"])) in
  let count = Array.make p 0 in
  for i = 0 to m - 1 do
    for j = 0 to n - 1 do
      let c = code i j in
      if c > 0 then count.(parameter p c) <- count.(parameter p c) + 1
    done
  done;
  Array.iteri (fun k c -> if c <> claimed k then refused "weight.orbit_size says %d of parameter %d, which has %d entries" (claimed k) k c) count

let table_of file =
  let open Safetensors in
  let m = number file "intertwine.rows" and n = number file "intertwine.cols" in
  let p = number file "intertwine.params" and q = number file "intertwine.bias_params" in
  let members = proof file in
  if member_text members "form" <> "signed-permutations" then damaged "the proof of a table of kind signed-orbit has the form signed-permutations";
  let g = List.length (member_texts members "generators") in
  let table name shape dtypes = integers file (find file name shape dtypes) in
  let code_type parameters wide = if (2 * parameters) + 1 <= 256 then ["U8"] else wide in
  let short = if 2 * p < 65536 then ["U16"; "I32"] else ["I32"] in
  let weight = table "weight.code" [m; n] (code_type p short) and bias = table "bias.code" [m] (code_type q ["I32"]) in
  let row = table "proof.row_images" [g; m] ["I32"] and column = table "proof.column_images" [g; n] ["I32"] in
  if p > m * n || q > m then refused "there are more parameters than entries";
  { rows = m; columns = n; generators = g;
    row_image = (fun k i -> row ((k * m) + i)); column_image = (fun k j -> column ((k * n) + j));
    weights = p; weight_code = (fun i j -> weight ((i * n) + j)); biases = q; bias_code = bias }

let check_table t =
  Option.iter (fun r -> refused "%s" (explain "weight" r)) (check_weights t (Witness.certificate (weight_problem t)));
  Option.iter (fun r -> refused "%s" (explain "bias" r)) (check_biases t (Witness.certificate (bias_problem t)))

let check file =
  let t = table_of file in
  check_table t;
  check_orbit_sizes file t;
  Printf.sprintf "the %d patterns (and %d of the bias) are a basis" t.weights t.biases
