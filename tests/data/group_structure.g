# Computes group_structure.json from groups.json with GAP. In this folder:
#   python3 -c 'import json; print("GROUPS := [" + ",".join("[\"%s\",%d,[%s]]" % (x["name"], x["degree"],
#     ",".join(x["generators"])) for x in json.load(open("groups.json"))) + "];")' > groups.g
#   gap -q -A --quitonbreak group_structure.g < /dev/null
# Points are 1-based; GAP's products are read left to right, on which nothing here depends.
Read("groups.g");   # GROUPS := [ [ name, degree, [ generators ] ], ... ];
Reset(GlobalMersenneTwister, 20240607);
BoolText := b -> String(b);
CycleText := function(g) if IsOne(g) then return "()"; fi; return Filtered(String(g), c -> c <> ' '); end;
ListText := function(l, f) return Concatenation("[", JoinStringsWithSeparator(List(l, f), ","), "]"); end;
QuoteText := s -> Concatenation("\"", s, "\"");
out := OutputTextFile("group_structure.json", false);
SetPrintFormattingStatus(out, false);
PrintTo(out, "{\"system\":\"GAP ", GAPInfo.Version, "\",\"script\":\"group_structure.g\",\"groups\":[\n");
for k in [1 .. Length(GROUPS)] do
  name := GROUPS[k][1]; n := GROUPS[k][2]; gens := GROUPS[k][3];
  G := Group(gens, ());
  S := SymmetricGroup(n);
  inside := List([1 .. 3], i -> PseudoRandom(G));
  outside := [];
  for i in [1 .. 12] do
    if i mod 3 = 0 then x := Random(S); elif n > 2 then
      a := Random(1, n); b := Random(Difference([1 .. n], [a])); c := Random(Difference([1 .. n], [a, b]));
      if i mod 3 = 1 then x := PseudoRandom(G) * (a, b); else x := PseudoRandom(G) * (a, b, c); fi;
    else x := (); fi;
    if not x in G and Length(outside) < 4 then Add(outside, x); fi;
  od;
  sets := [];
  for i in [1 .. 3] do
    size := Random(1, n);
    set := Set(List([1 .. size], j -> Random(1, n)));
    if Length(set) <= 24 then Add(sets, [set, Size(Stabilizer(G, set, OnSets))]); fi;
  od;
  x := PseudoRandom(G);
  for p in Reversed(Set(Factors(Order(x)))) do if Order(x) > 1 then y := x^(Order(x)/p); fi; od;
  if IsOne(x) then y := x; fi;
  N := NormalClosure(G, Subgroup(G, [y]));
  AppendTo(out, "{\"name\":", QuoteText(name), ",\"order\":", QuoteText(String(Size(G))),
    ",\"derived_series\":", ListText(DerivedSeriesOfGroup(G), H -> QuoteText(String(Size(H)))),
    ",\"centre\":", QuoteText(String(Size(Centre(G)))), ",\"abelian\":", BoolText(IsAbelian(G)),
    ",\"solvable\":", BoolText(IsSolvableGroup(G)), ",\"perfect\":", BoolText(IsPerfectGroup(G)),
    ",\"simple\":", BoolText(Size(G) > 1 and IsSimpleGroup(G)));
  if Size(G) <= 100000 then AppendTo(out, ",\"exponent\":", QuoteText(String(Exponent(G)))); fi;
  AppendTo(out, ",\"inside\":", ListText(inside, g -> QuoteText(CycleText(g))), ",\"outside\":", ListText(outside, g -> QuoteText(CycleText(g))),
    ",\"closure_of\":", QuoteText(CycleText(y)), ",\"closure\":", QuoteText(String(Size(N))),
    ",\"set_stabilizers\":", ListText(sets, s -> Concatenation("{\"set\":", ListText(s[1], String), ",\"order\":", QuoteText(String(s[2])), "}")),
    "}");
  if k < Length(GROUPS) then AppendTo(out, ",\n"); fi;
  Print(name, " ", Runtime(), "\n");
od;
AppendTo(out, "\n]}\n");
CloseStream(out);
QUIT;
