(* Tables of several blocks: every block is read as a table by itself, and the verified checker is asked about all of them together. *)

open Verified
open Proof_file

let rec natural n = if n = 0 then O else S (natural (n - 1))
let rec to_int = function O -> 0 | S k -> 1 + to_int k

(* The arrays and metadata of block (i, j) under the names that they have in a table. *)
let view file i j =
  let open Safetensors in
  let prefix = Printf.sprintf "block.%d.%d." i j in
  let own before after (name, value) =
    let n = String.length before in
    if String.starts_with ~prefix:before name then Some (after ^ String.sub name n (String.length name - n), value) else None
  in
  { file with metadata = List.filter_map (own ("intertwine." ^ prefix) "intertwine.") file.metadata;
              tensors = List.filter_map (own prefix "") file.tensors }

(* A file has nothing of blocks beyond its parts. *)
let check_names file outs ins =
  let numbers name =
    match String.split_on_char '.' name with
    | "block" :: i :: j :: _ :: _ | "intertwine" :: "block" :: i :: j :: _ :: _ ->
      (match (int_of_string_opt i, int_of_string_opt j) with
       | Some i, Some j when i >= outs || j >= ins -> refused "it has %s, of a block beyond its parts" name
       | _ -> ())
    | _ -> ()
  in
  List.iter (fun (name, _) -> numbers name) file.Safetensors.metadata;
  List.iter (fun (name, _) -> numbers name) file.Safetensors.tensors

(* A block with the certificate that is found for it; what says why it is refused; what is checked beside the theorem. *)
type one = { block : block; certificate : block_certificate Lazy.t; check : unit -> unit; beside : unit -> unit }

let tied file =
  let t = Tied_table.table_of file in
  { block = TiedBlock t; certificate = lazy (TiedCertificate (Witness.certificate (weight_problem t), Witness.certificate (bias_problem t)));
    check = (fun () -> Tied_table.check_table t); beside = (fun () -> Tied_table.check_orbit_sizes file t) }

let sparse ?(beside = ignore) (t, prime, common) =
  let kernel size line g = Sparse_table.certificate prime common (kernel_problem size (line g)) in
  { block = SparseBlock t;
    certificate =
      lazy
        (SparseCertificates
           ( Sparse_table.certificate prime common (sparse_weight_problem t), Sparse_table.certificate prime common (sparse_bias_problem t),
             kernel t.srows t.row_entries, kernel t.scolumns t.column_entries ));
    check = (fun () -> Sparse_table.check_table t prime common); beside }

let check file =
  let text = Safetensors.text in
  let outs = Safetensors.number file "intertwine.parts_out" and ins = Safetensors.number file "intertwine.parts_in" in
  if outs < 1 || ins < 1 || outs > 256 || ins > 256 / outs then Safetensors.damaged "it has no blocks, or more than 256";
  check_names file outs ins;
  let views = Array.init outs (fun i -> Array.init ins (view file i)) in
  let kind f = text f "intertwine.kind" in
  let all_tied = Array.for_all (Array.for_all (fun f -> kind f = "signed-orbit")) views in
  (* In a file with sparse blocks the others are sparse ones with entries 1 and -1. *)
  let read f =
    Safetensors.check_format f;
    match kind f with
    | "signed-orbit" when all_tied -> tied f
    | "signed-orbit" ->
      let t = Tied_table.table_of f in
      sparse ~beside:(fun () -> Tied_table.check_orbit_sizes f t) (Sparse_table.of_tied t)
    | "sparse-basis" -> sparse (Sparse_table.table_of f)
    | kind -> Safetensors.damaged "the kind %s of a block is not known here" kind
  in
  let named i j why = Printf.sprintf "block (%d, %d): %s" i j why in
  let within i j run =
    match run () with
    | found -> found
    | exception Refused why -> raise (Refused (named i j why))
    | exception Safetensors.Damaged why -> raise (Safetensors.Damaged (named i j why))
  in
  let found = Array.mapi (fun i row -> Array.mapi (fun j f -> within i j (fun () -> read f)) row) views in
  let like i j i' j' key =
    let value i j = List.assoc_opt key views.(i).(j).Safetensors.metadata in
    if value i j <> value i' j' then refused "block (%d, %d) and block (%d, %d) differ in %s" i j i' j' key
  in
  let generators i j = member_texts (proof views.(i).(j)) "generators" in
  Array.iteri
    (fun i row ->
      Array.iteri
        (fun j _ ->
          List.iter (like i j i 0) ["intertwine.group"; "intertwine.rows"; "intertwine.multiplicity_out"; "intertwine.rep_out"; "intertwine.bias_params"];
          List.iter (like i j 0 j) ["intertwine.group"; "intertwine.cols"; "intertwine.multiplicity_in"; "intertwine.rep_in"];
          if generators i j <> generators 0 0 then refused "block (%d, %d) has other generators than block (0, 0)" i j)
        row)
    found;
  let at i j = found.(to_int i).(to_int j) in
  let t = { parts_out = natural outs; parts_in = natural ins; block_at = (fun i j -> (at i j).block) } in
  let w i j = Lazy.force (at i j).certificate in
  if not (check_blocks t w) then begin
    Array.iteri
      (fun i row ->
        Array.iteri
          (fun j b ->
            within i j b.check;
            if not (same_rows row.(0).block b.block) then refused "block (%d, %d) and block (%d, 0) differ in what generators do to rows" i j i;
            if not (same_columns found.(0).(j).block b.block) then
              refused "block (%d, %d) and block (0, %d) differ in what generators do to columns" i j j)
          row)
      found;
    refused "the blocks are not those of one group"
  end;
  Array.iteri (fun i -> Array.iteri (fun j b -> within i j b.beside)) found;
  let sum f = Array.fold_left (Array.fold_left (fun n b -> n + f b)) 0 found in
  let elements b = match b.block with TiedBlock t -> t.weights | SparseBlock t -> t.elements in
  let biases b = match b.block with TiedBlock t -> t.biases | SparseBlock t -> t.bias_elements in
  Printf.sprintf "the %d elements of %d x %d blocks (and %d of the bias) are a basis" (sum elements) outs ins
    (Array.fold_left (fun n row -> n + biases row.(0)) 0 found)
