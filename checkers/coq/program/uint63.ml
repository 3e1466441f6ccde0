(* Coq's machine words as OCaml's integers, both of 63 bits. Extraction calls this module by the name of Coq's own; only what is used is here.
   Arithmetic is modulo 2^63; the order is that of words without a sign, so a negative OCaml integer is a large word. *)

type t = int

let of_int (x : int) : t = x
let add (x : t) (y : t) : t = x + y
let sub (x : t) (y : t) : t = x - y
let equal (x : t) (y : t) : bool = x = y
let lt (x : t) (y : t) : bool = x lxor min_int < y lxor min_int
let le (x : t) (y : t) : bool = x lxor min_int <= y lxor min_int
