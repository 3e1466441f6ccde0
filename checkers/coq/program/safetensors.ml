(* A .safetensors file, held as one immutable string: an array is a place in it, so reading twice gives the same number. *)

exception Damaged of string

type tensor = { dtype : string; shape : int list; offset : int }
type file = { contents : string; metadata : (string * string) list; tensors : (string * tensor) list }

let damaged format = Printf.ksprintf (fun s -> raise (Damaged s)) format

let natural what text =
  let decimal = text <> "" && String.for_all (function '0' .. '9' -> true | _ -> false) text in
  let digits = decimal && (text = "0" || text.[0] <> '0') && String.length text <= 18 in
  if digits then int_of_string ("0u" ^ text) else damaged "%s is %S, not a natural number below 10^18" what text

let bytes_of_dtype name = function
  | "U8" | "I8" | "BOOL" -> 1
  | "I16" | "U16" | "F16" | "BF16" -> 2
  | "I32" | "U32" | "F32" -> 4
  | "I64" | "U64" | "F64" -> 8
  | dtype -> damaged "array %s has the unknown dtype %s" name dtype

(* The product of the sizes, refused where it would not fit into the file anyway. *)
let product name limit sizes = List.fold_left (fun p n -> if n > 0 && p > limit / n then damaged "array %s is larger than the file" name else p * n) 1 sizes

let whole path =
  let channel = open_in_bin path in
  Fun.protect ~finally:(fun () -> close_in channel) (fun () -> really_input_string channel (in_channel_length channel))

let read path =
  let contents = whole path in
  let total = String.length contents in
  if total < 8 then damaged "the file has %d bytes, not even the length of a header" total;
  let length = Int64.to_int (String.get_int64_le contents 0) in
  if length < 0 || length > total - 8 then damaged "the header is said to have %d bytes, in a file of %d" length total;
  let data = 8 + length in
  let members =
    match Json.parse (String.sub contents 8 length) with
    | Json.Object members -> members
    | _ -> damaged "the header is no JSON object"
  in
  let metadata =
    match List.assoc_opt "__metadata__" members with
    | None -> []
    | Some (Json.Object entries) -> List.map (function (k, Json.String v) -> (k, v) | (k, _) -> damaged "metadata %s is no string" k) entries
    | Some _ -> damaged "__metadata__ is no JSON object"
  in
  let tensor (name, value) =
    let members = match value with Json.Object m -> m | _ -> damaged "array %s is described by no JSON object" name in
    let numbers key =
      match List.assoc_opt key members with
      | Some (Json.List l) ->
        let each = function Json.Number n -> natural (Printf.sprintf "%s of array %s" key name) n | _ -> damaged "%s of %s is no list of numbers" key name in
        List.map each l
      | _ -> damaged "array %s has no list %s" name key
    in
    let dtype = match List.assoc_opt "dtype" members with Some (Json.String s) -> s | _ -> damaged "array %s has no dtype" name in
    let shape = numbers "shape" in
    match numbers "data_offsets" with
    | [first; last] when first <= last && last <= total - data && last - first = product name total (bytes_of_dtype name dtype :: shape) ->
      (name, { dtype; shape; offset = data + first })
    | _ -> damaged "array %s: offsets, shape and dtype do not agree with each other and with the size of the file" name
  in
  { contents; metadata; tensors = List.map tensor (List.filter (fun (name, _) -> name <> "__metadata__") members) }

let text file key = match List.assoc_opt key file.metadata with Some v -> v | None -> damaged "the metadata have no %s" key
let number file key = natural key (text file key)

let check_format file =
  if text file "intertwine.format" <> "tied-table" then damaged "intertwine.format is not tied-table";
  match String.split_on_char '.' (text file "intertwine.version") with
  | "1" :: _ -> ()
  | _ -> damaged "intertwine.version is not 1"

let find file name shape dtypes =
  match List.assoc_opt name file.tensors with
  | None -> damaged "there is no array %s" name
  | Some t ->
    let show l = "[" ^ String.concat ", " (List.map string_of_int l) ^ "]" in
    if not (List.mem t.dtype dtypes) then damaged "array %s is %s, not %s" name t.dtype (String.concat " or " dtypes);
    if t.shape <> shape then damaged "array %s has the shape %s, not %s" name (show t.shape) (show shape);
    t

(* Element number k of an array of integers. *)
let integers file tensor : int -> int =
  let s = file.contents and from = tensor.offset in
  match tensor.dtype with
  | "U8" -> fun k -> Char.code s.[from + k]
  | "U16" -> fun k -> String.get_uint16_le s (from + 2 * k)
  | "I32" -> fun k -> Int32.to_int (String.get_int32_le s (from + 4 * k))
  | "I64" ->
    fun k ->
      let x = String.get_int64_le s (from + 8 * k) in
      let n = Int64.to_int x in
      if Int64.of_int n <> x then damaged "an integer is beyond 62 bits: %Ld" x else n
  | dtype -> damaged "integers cannot be %s" dtype
