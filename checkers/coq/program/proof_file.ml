(* What the proofs of all kinds of tables have in common. *)

exception Refused of string

let refused format = Printf.ksprintf (fun s -> raise (Refused s)) format

(* The generators' names; how many there are is the size of the arrays. *)
let proof file =
  match Json.parse (Safetensors.text file "intertwine.proof") with
  | Json.Object members -> members
  | _ -> Safetensors.damaged "intertwine.proof is no JSON object"

let member_text members key =
  match List.assoc_opt key members with
  | Some (Json.String s) -> s
  | _ -> Safetensors.damaged "intertwine.proof has no string %S" key

let member_texts members key =
  match List.assoc_opt key members with
  | Some (Json.List l) -> List.map (function Json.String s -> s | _ -> Safetensors.damaged "%S in intertwine.proof is no list of strings" key) l
  | _ -> Safetensors.damaged "intertwine.proof has no list %S" key
