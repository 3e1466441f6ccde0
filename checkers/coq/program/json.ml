(* A reader of JSON: what the headers and metadata of table files need, and nothing lenient. *)

type t =
  | Null
  | Bool of bool
  | Number of string (* as written *)
  | String of string
  | List of t list
  | Object of (string * t) list

exception Malformed of string

let malformed position what = raise (Malformed (Printf.sprintf "%s at byte %d of the JSON text" what position))

let add_code_point buffer position c =
  if c land 0x1ff800 = 0xd800 || c > 0x10ffff then malformed position "half of a surrogate pair" else Buffer.add_utf_8_uchar buffer (Uchar.of_int c)

let parse text =
  let length = String.length text in
  let position = ref 0 in
  let peek () = if !position < length then text.[!position] else '\000' in
  let expect c = if peek () = c && !position < length then incr position else malformed !position (Printf.sprintf "no '%c'" c) in
  let rec blanks () =
    match peek () with
    | ' ' | '\t' | '\n' | '\r' -> incr position; blanks ()
    | _ -> ()
  in
  let hexadecimal () =
    if !position + 4 > length then malformed !position "a short \\u";
    let digits = String.sub text !position 4 in
    if not (String.for_all (function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false) digits) then malformed !position "a wrong \\u";
    position := !position + 4;
    int_of_string ("0x" ^ digits)
  in
  let string () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec go () =
      if !position >= length then malformed !position "a string without an end";
      let c = text.[!position] in
      incr position;
      match c with
      | '"' -> ()
      | '\000' .. '\031' -> malformed !position "a control character in a string"
      | '\\' ->
        let e = peek () in
        incr position;
        (match e with
         | '"' | '\\' | '/' -> Buffer.add_char buffer e
         | 'b' -> Buffer.add_char buffer '\b'
         | 'f' -> Buffer.add_char buffer '\012'
         | 'n' -> Buffer.add_char buffer '\n'
         | 'r' -> Buffer.add_char buffer '\r'
         | 't' -> Buffer.add_char buffer '\t'
         | 'u' ->
           let high = hexadecimal () in
           if high land 0xfc00 = 0xd800 && peek () = '\\' then begin
             expect '\\'; expect 'u';
             let low = hexadecimal () in
             if low land 0xfc00 <> 0xdc00 then malformed !position "half of a surrogate pair";
             add_code_point buffer !position (0x10000 + ((high land 0x3ff) lsl 10) + (low land 0x3ff))
           end else add_code_point buffer !position high
         | _ -> malformed !position "an unknown escape");
        go ()
      | c -> Buffer.add_char buffer c; go ()
    in
    go ();
    Buffer.contents buffer
  in
  let number () =
    let from = !position in
    let rec go () =
      match peek () with
      | '0' .. '9' | '-' | '+' | '.' | 'e' | 'E' -> incr position; go ()
      | _ -> ()
    in
    go ();
    String.sub text from (!position - from)
  in
  let literal word value =
    let n = String.length word in
    if !position + n <= length && String.sub text !position n = word then (position := !position + n; value)
    else malformed !position "an unknown word"
  in
  let rec value depth =
    if depth > 32 then malformed !position "too deep a nesting";
    blanks ();
    let result =
      match peek () with
      | '{' -> Object (members '{' '}' (fun () -> blanks (); let key = string () in blanks (); expect ':'; (key, value (depth + 1))))
      | '[' -> List (members '[' ']' (fun () -> value (depth + 1)))
      | '"' -> String (string ())
      | 't' -> literal "true" (Bool true)
      | 'f' -> literal "false" (Bool false)
      | 'n' -> literal "null" Null
      | '-' | '0' .. '9' -> Number (number ())
      | _ -> malformed !position "no value"
    in
    blanks ();
    result
  and members : 'a. char -> char -> (unit -> 'a) -> 'a list = fun left right member ->
    expect left;
    blanks ();
    if peek () = right then (expect right; [])
    else
      let rec go found =
        let found = member () :: found in
        blanks ();
        if peek () = ',' then (expect ','; go found) else (expect right; List.rev found)
      in
      go []
  in
  let result = value 0 in
  if !position <> length then malformed !position "something behind the value";
  let rec no_duplicates = function
    | Object members ->
      let keys = List.map fst members in
      if List.length (List.sort_uniq compare keys) <> List.length keys then raise (Malformed "a key that occurs twice in the JSON text");
      List.iter (fun (_, v) -> no_duplicates v) members
    | List values -> List.iter no_duplicates values
    | _ -> ()
  in
  no_duplicates result;
  result
