(* intertwine-check FILE...: reads table files with proofs and says which of them the verified checker accepts. *)

open Proof_file

let check path =
  let file = Safetensors.read path in
  if Safetensors.text file "intertwine.format" <> "tied-table" then Safetensors.damaged "intertwine.format is not tied-table";
  (match String.split_on_char '.' (Safetensors.text file "intertwine.version") with
   | "1" :: _ -> ()
   | _ -> Safetensors.damaged "intertwine.version is not 1");
  match Safetensors.text file "intertwine.kind" with
  | "signed-orbit" -> Tied_table.check file
  | "sparse-basis" -> Sparse_table.check file
  | kind -> Safetensors.damaged "the kind %s is not known here" kind

(* 0: accepted, 1: refused, 2: not read. *)
let report path =
  let printable = String.map (fun c -> if ' ' <= c && c <= '~' then c else '?') in (* it may hold text of the file *)
  let say status word why = Printf.printf "%s: %s: %s\n%!" path word (printable why); status in
  match check path with
  | verdict -> say 0 "accepted" verdict
  | exception Refused why -> say 1 "refused" why
  | exception Safetensors.Damaged why -> say 2 "not read" why
  | exception Json.Malformed why -> say 2 "not read" why
  | exception Sys_error why -> say 2 "not read" why
  | exception End_of_file -> say 2 "not read" "the file ended early"
  | exception Stack_overflow -> say 2 "not read" "the stack is too small (ulimit -s)"
  | exception Out_of_memory -> say 2 "not read" "there is not enough memory"

let () =
  match List.tl (Array.to_list Sys.argv) with
  | [] | ["--help"] | ["-h"] ->
    print_string
      "usage: intertwine-check FILE...\n\n\
       For each .safetensors table with a proof one line: accepted, refused, or not read.\n\
       Exit status: 0 if all are accepted, 1 if one is refused, 2 if one cannot be read.\n";
    exit (if Array.length Sys.argv = 1 then 2 else 0)
  | files -> exit (List.fold_left (fun status path -> max status (report path)) 0 files)
