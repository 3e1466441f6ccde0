(* Coq's machine words as OCaml's integers, both of 63 bits. Extraction calls this module by the name of Coq's own; only what is used is here.
   Arithmetic is modulo 2^63; the order is that of words without a sign, so a negative OCaml integer is a large word. *)

type t = int

let of_int (x : int) : t = x
let add (x : t) (y : t) : t = x + y
let sub (x : t) (y : t) : t = x - y
let mul (x : t) (y : t) : t = x * y
let l_and (x : t) (y : t) : t = x land y
let l_or (x : t) (y : t) : t = x lor y

(* Shifts by 63 and more give 0. *)
let l_sl (x : t) (k : t) : t = if 0 <= k && k < 63 then x lsl k else 0
let l_sr (x : t) (k : t) : t = if 0 <= k && k < 63 then x lsr k else 0
let equal (x : t) (y : t) : bool = x = y
let lt (x : t) (y : t) : bool = x lxor min_int < y lxor min_int
let le (x : t) (y : t) : bool = x lxor min_int <= y lxor min_int

(* x mod y without signs, x where y is 0. Below 2^62 these are OCaml's numbers; above, the quotient is that of x / 2, doubled, or one more. *)
let rem (x : t) (y : t) : t =
  if y = 0 then x
  else if x >= 0 && y > 0 then x mod y
  else if lt x y then x
  else if y < 0 then x - y
  else
    let r = x - ((x lsr 1 / y) lsl 1) * y in
    if lt r y then r else r - y
