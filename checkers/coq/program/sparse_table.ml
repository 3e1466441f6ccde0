(* Sparse bases over Q: from the file to the verified checker. *)

open Verified
open Proof_file

let explain what = function
  | BadCertificate -> Printf.sprintf "%s: the table is too large" what
  | BadLeft (g, i) -> Printf.sprintf "generator %d has a wrong entry in row %d of its matrix on the rows" g i
  | BadRight (g, j) -> Printf.sprintf "generator %d has a wrong entry in column %d of its matrix on the columns" g j
  | BadValue (i, j) -> Printf.sprintf "%s: an element that does not exist has a value at (%d, %d)" what i j
  | NotCommuting (g, i, j) -> Printf.sprintf "%s: not equivariant: generator %d, entry (%d, %d)" what g i j
  | Dependent -> Printf.sprintf "%s: the elements are dependent modulo the prime" what
  | DimensionTooSmall d -> Printf.sprintf "%s: not complete: modulo the prime the equations leave a dimension of %d" what d

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))
let integer n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))
let rec natural n acc = if n = 0 then acc else natural (n - 1) (S acc)
let rec gcd a b = if b = 0 then a else gcd b (a mod b)

(* u with u c = 1 modulo m, where there is one; the checker multiplies again. *)
let inverse m c =
  let rec go r s u v = if s = 0 then u else let q = r / s in go s (r - (q * s)) v (u - (q * v)) in
  let u = go m (c mod m) 0 1 in
  if u < 0 then u + m else u

let largest_prime = 2147483647
let most_unknowns = 1 lsl 24

(* ptr[k] <= e < ptr[k + 1], for each k. *)
let segments name ptr count total visit =
  if ptr 0 <> 0 || ptr count <> total then Safetensors.damaged "%s does not go from 0 to %d" name total;
  for k = 0 to count - 1 do
    if ptr k > ptr (k + 1) then Safetensors.damaged "%s decreases" name
  done;
  for k = 0 to count - 1 do
    for e = ptr k to ptr (k + 1) - 1 do visit k e done
  done

let length file name =
  match List.assoc_opt name file.Safetensors.tensors with
  | Some { Safetensors.shape = [n]; _ } -> n
  | Some _ -> Safetensors.damaged "array %s has not one axis" name
  | None -> Safetensors.damaged "there is no array %s" name

let index what size i = if i < 0 || i >= size then Safetensors.damaged "%s %d is not below %d" what i size else i

(* The entries of the generators' matrices, by rows or by columns; and a common multiple of the denominators. *)
let matrices file generators size axis by_column common =
  let open Safetensors in
  let name part = Printf.sprintf "proof.%s_%s" axis part in
  let count = length file (name "row") in
  let array part shape dtype = integers file (find file (name part) shape [dtype]) in
  let ptr = array "ptr" [generators + 1] "I64" in
  let row = array "row" [count] "I32" and col = array "col" [count] "I32" in
  let numerator = array "numerator" [1; count] "I64" and denominator = array "denominator" [count] "I64" in
  let lines = Array.init generators (fun _ -> Array.make size []) in
  segments (name "ptr") ptr generators count (fun g e ->
    let i = index (name "row") size (row e) and j = index (name "col") size (col e) in
    let line, place = if by_column then (j, i) else (i, j) in
    let d = denominator e in
    if d <= 0 then damaged "%s has %d" (name "denominator") d;
    if numerator e = 0 || gcd d (abs (numerator e)) <> 1 then
      damaged "an entry of proof.%s is 0 or not in lowest terms" axis;
    if e > ptr g && (row (e - 1), col (e - 1)) >= (i, j) then
      damaged "the entries of proof.%s are not in row-major order" axis;
    let factor = d / gcd !common d in
    if !common > max_int / 2 / factor then damaged "the denominators have no common multiple below 2^61";
    common := !common * factor;
    lines.(g).(line) <- ((place, integer (numerator e)), integer d) :: lines.(g).(line));
  let sorted = Array.map (Array.map (List.sort (fun ((a, _), _) ((b, _), _) -> compare a b))) lines in
  fun g i -> sorted.(g).(i)

(* F64 integers, exactly. *)
let values file name count =
  let open Safetensors in
  let t = find file name [count] ["F64"] in
  fun e ->
    let x = Int64.float_of_bits (String.get_int64_le file.contents (t.offset + (8 * e))) in
    if Float.is_integer x && Float.abs x <= 9007199254740992. then int_of_float x else damaged "%s has a value that is no integer up to 2^53" name

(* Short equations first: elimination then fills in less. *)
let certificate prime common (p : sparse_problem) =
  let weigh line size = Array.init p.smoves (fun g -> Array.init size (fun i -> List.length (line g i))) in
  let left = weigh p.left p.sheight and right = weigh p.right p.swidth in
  let weight ((g, i), j) = left.(g).(i) + right.(g).(j) in
  let constraints = ref [] and places = ref [] in
  for i = p.sheight - 1 downto 0 do
    for j = p.swidth - 1 downto 0 do
      for g = p.smoves - 1 downto 0 do constraints := ((g, i), j) :: !constraints done;
      if p.values i j <> [] then places := (i, j) :: !places
    done
  done;
  { modulus = prime; inverse = inverse prime; fuel = natural ((p.sheight * p.swidth) + p.dimension + 1) O;
    common = integer common; constraints = List.stable_sort (fun a b -> compare (weight a) (weight b)) !constraints; places = !places }

let table_of file =
  let open Safetensors in
  let m = number file "intertwine.rows" and n = number file "intertwine.cols" in
  let p = number file "intertwine.params" and q = number file "intertwine.bias_params" in
  if n > most_unknowns / max 1 m || m > most_unknowns then damaged "%d x %d unknowns are too many: elimination is for %d at most" m n most_unknowns;
  let members = proof file in
  if member_text members "form" <> "matrices" then damaged "the proof of a table of kind sparse-basis has the form matrices";
  if List.mem_assoc "root" members || List.mem_assoc "weight.basis_coordinates" file.tensors then damaged "the values lie in a field larger than Q";
  let g = List.length (member_texts members "generators") in
  if m = 0 || n = 0 then damaged "a matrix has at least one row and column";
  let kinds =
    if List.mem_assoc "generator_kinds" members then
      let is_algebra = function "group" -> false | "algebra" -> true | k -> damaged "%S is no kind of a generator" k in
      Array.of_list (List.map is_algebra (member_texts members "generator_kinds"))
    else Array.make g false
  in
  if Array.length kinds <> g then damaged "there are %d kinds of %d generators" (Array.length kinds) g;
  let common = ref 1 in
  let row_entries = matrices file g m "row" false common in
  let column_entries = matrices file g n "column" true common in
  (* The values by places; a line of the bias has one column. *)
  let elements prefix count columns =
    let total = length file (prefix ^ "basis_row") in
    let array part shape dtype = integers file (find file (prefix ^ part) shape [dtype]) in
    let ptr = array "basis_ptr" [count + 1] "I64" and row = array "basis_row" [total] "I32" in
    let col = if prefix = "weight." then array "basis_col" [total] "I32" else fun _ -> 0 in
    let value = values file (prefix ^ "basis_val") total in
    let cells = Array.make (m * columns) [] in
    segments (prefix ^ "basis_ptr") ptr count total (fun k e ->
      if value e = 0 || (e > ptr k && (row (e - 1), col (e - 1)) >= (row e, col e)) then
        damaged "%sbasis has a 0, or entries that are not in row-major order" prefix;
      let cell = (index "row" m (row e) * columns) + index "column" columns (col e) in
      cells.(cell) <- (k, integer (value e)) :: cells.(cell));
    let cells = Array.map List.rev cells in
    fun i j -> cells.((i * columns) + j)
  in
  let weight = elements "weight." p n and bias = elements "bias." q 1 in
  let prime = let p = Safetensors.natural "prime" (member_text members "prime") in if 1 < p && p <= largest_prime then p else largest_prime in
  ( { srows = m; scolumns = n; sgenerators = g; row_entries; column_entries; algebra = (fun k -> kinds.(k));
      elements = p; element_entries = weight; bias_elements = q; bias_entries = (fun i -> bias i 0) },
    prime, !common )

(* A table of tied entries as a sparse one: entries 1 and -1. *)
let of_tied (t : table) =
  if t.columns > most_unknowns / max 1 t.rows then Safetensors.damaged "%d x %d unknowns are too many beside sparse blocks" t.rows t.columns;
  let image size x =
    let i = target size x in
    if i < 0 || i >= size then refused "a generator is no signed permutation";
    (i, integer (if is_positive size x then 1 else -1))
  in
  let lines size images by_column =
    Array.init t.generators (fun g ->
      let out = Array.make size [] in
      for j = size - 1 downto 0 do
        let i, s = image size (images g j) in
        let line, place = if by_column then (j, i) else (i, j) in
        out.(line) <- ((place, s), integer 1) :: out.(line)
      done;
      out)
  in
  let rows = lines t.rows t.row_image false and columns = lines t.columns t.column_image true in
  let element p c = if c = 0 then [] else if c < 0 || c > 2 * p then refused "a code is out of range" else [ (parameter p c, integer (if c <= p then 1 else -1)) ] in
  ( { srows = t.rows; scolumns = t.columns; sgenerators = t.generators; row_entries = (fun g i -> rows.(g).(i));
      column_entries = (fun g j -> columns.(g).(j)); algebra = (fun _ -> false); elements = t.weights;
      element_entries = (fun i j -> element t.weights (t.weight_code i j)); bias_elements = t.biases;
      bias_entries = (fun i -> element t.biases (t.bias_code i)) },
    largest_prime, 1 )

let check_table t prime common =
  (* The certificate of an equation that is never asked for, of an element of a Lie algebra, is not made. *)
  let kernel size line g = certificate prime common (kernel_problem size (line g)) in
  (match check_sparse_generators t (kernel t.srows t.row_entries) (kernel t.scolumns t.column_entries) with
   | None -> ()
   | Some (g, (BadLeft _ as r)) -> refused "generator %d: %s" g (explain "its matrix" r)
   | Some (g, _) ->
     refused "generator %d is an element of a group, and acts by a matrix that is not invertible modulo the prime" g);
  let run what check problem = Option.iter (fun r -> refused "%s" (explain what r)) (check t (certificate prime common (problem t))) in
  run "weight" check_sparse_weights sparse_weight_problem;
  run "bias" check_sparse_biases sparse_bias_problem

let check file =
  let t, prime, common = table_of file in
  check_table t prime common;
  Printf.sprintf "the %d elements (and %d of the bias) are a basis" t.elements t.bias_elements
