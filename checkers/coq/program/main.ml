(* intertwine-check FILE...: reads weight tables, tables of characters and irreducible representations with proofs, and says which of them the
   verified checker accepts. *)

open Proof_file

let check path =
  let channel = open_in_bin path in
  let first = Fun.protect ~finally:(fun () -> close_in channel) (fun () -> try input_char channel with End_of_file -> ' ') in
  if first = '{' then Representations.check_json (Json.parse (Safetensors.whole path)) else
  let file = Safetensors.read path in
  Safetensors.check_format file;
  match Safetensors.text file "intertwine.kind" with
  | "signed-orbit" -> Tied_table.check file
  | "sparse-basis" -> Sparse_table.check file
  | "blocks" -> Block_table.check file
  | kind -> Safetensors.damaged "the kind %s is not known here" kind

exception Late

(* Bounds, so that a file that asks for more is not read and the next one is: seconds for each file, and three quarters of
   the memory. *)
let seconds = ref 3600

let memory =
  let first_line path = let channel = open_in_bin path in let line = input_line channel in close_in channel; line in
  match Scanf.sscanf (first_line "/proc/meminfo") "MemTotal: %d kB" Fun.id with
  | kilobytes -> kilobytes / 4 * 3 * (1024 / (Sys.word_size / 8)) (* in words *)
  | exception _ -> max_int

let watched path =
  Sys.set_signal Sys.sigalrm (Sys.Signal_handle (fun _ -> raise Late));
  ignore (Unix.alarm !seconds);
  Fun.protect ~finally:(fun () -> ignore (Unix.alarm 0)) (fun () -> check path)

(* 0: accepted, 1: refused, 2: not read. *)
let report path =
  let printable = String.map (fun c -> if ' ' <= c && c <= '~' then c else '?') in (* it may hold text of the file *)
  let say status word why = Printf.printf "%s: %s: %s\n%!" path word (printable why); status in
  match watched path with
  | verdict -> say 0 "accepted" verdict
  | exception Refused why -> say 1 "refused" why
  | exception Safetensors.Damaged why -> say 2 "not read" why
  | exception Json.Malformed why -> say 2 "not read" why
  | exception Sys_error why -> say 2 "not read" why
  | exception End_of_file -> say 2 "not read" "the file ended early"
  | exception Stack_overflow -> say 2 "not read" "the stack is too small (ulimit -s)"
  | exception Out_of_memory -> say 2 "not read" "there is not enough memory"
  | exception (Late | Fun.Finally_raised Late) ->
    say 2 "not read" (Printf.sprintf "it was not checked within %d seconds (--seconds)" !seconds)
  | exception other -> say 2 "not read" ("it is damaged: " ^ Printexc.to_string other)

let usage () =
  print_string
    "usage: intertwine-check [--seconds N] FILE...\n\n\
     For each .safetensors table, .json table of characters and .json file of irreducible representations with a proof\n\
     one line: accepted, refused, or not read.\n\
     A file that takes more than N seconds (3600) or three quarters of the memory is not read.\n\
     Exit status: 0 if all are accepted, 1 if one is refused, 2 if one cannot be read.\n"

let () =
  let whole s = match int_of_string_opt s with Some n when n > 0 && n < 1000000000 -> Some n | _ -> None in
  ignore (Gc.create_alarm (fun () -> if (Gc.quick_stat ()).Gc.heap_words > memory then raise Out_of_memory));
  let rec start = function
    | "--seconds" :: n :: rest when whole n <> None -> seconds := Option.get (whole n); start rest
    | ["--help"] | ["-h"] -> usage (); exit 0
    | [] -> usage (); exit 2
    | first :: _ when first.[0] = '-' -> usage (); exit 2
    | files -> exit (List.fold_left (fun status path -> max status (report path)) 0 files)
  in
  start (List.tl (Array.to_list Sys.argv))
