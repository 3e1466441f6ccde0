# Checks the proofs in character tables and irreducible representations by GAP's own algorithms: orders, centralizers,
# conjugacy, homomorphisms, presentations and cyclotomic numbers. A program that characters_to_gap.py writes reads this
# file and hands over what the files say:
#   python3 checkers/characters_to_gap.py table.json irreps.json > characters.g
#   gap -o 4g -A -q characters.g < /dev/null
# It prints for every file that it is accepted, or refused and why; verdicts.g has the exit status. Base, words and
# strong generators are not looked at: GAP finds the order of the group of the generators by itself.

# The number of the class of g among those that are known to be all; a search only where cycles do not tell.
INTERTWINE_ClassOf := function(G, classes, g)
  local candidates;
  candidates := Filtered([1 .. Length(classes)], k -> CycleStructurePerm(classes[k].representative) = CycleStructurePerm(g));
  while Length(candidates) > 1 do
    if IsConjugate(G, classes[candidates[1]].representative, g) then
      return candidates[1];
    fi;
    Remove(candidates, 1);
  od;
  return candidates[1];
end;

# Are these all classes of G, each once? An empty text, or why not.
INTERTWINE_CheckClasses := function(G, order, classes)
  local k, j;
  if ForAny(classes, c -> LargestMovedPoint(c.representative) > LargestMovedPoint(G)) then
    return "a representative is no element of the group";
  fi;
  if Size(G) <> order then
    return Concatenation("the order of the group is ", String(Size(G)), ", not ", String(order));
  fi;
  if not IsOne(classes[1].representative) then
    return "class 0 is not the identity's";
  fi;
  for k in [1 .. Length(classes)] do
    if not classes[k].representative in G then
      return Concatenation("the representative of class ", String(k - 1), " is no element of the group");
    fi;
    if Size(Centralizer(G, classes[k].representative)) <> classes[k].centralizer then
      return Concatenation("the centralizer of class ", String(k - 1), " has another order");
    fi;
    if classes[k].size * classes[k].centralizer <> order or Order(classes[k].representative) <> classes[k].order then
      return Concatenation("the size of class ", String(k - 1), " or the order of its elements is not what it says");
    fi;
    for j in [1 .. k - 1] do
      if classes[j].size = classes[k].size and IsConjugate(G, classes[j].representative, classes[k].representative) then
        return Concatenation("class ", String(k - 1), " is listed twice");
      fi;
    od;
  od;
  if Sum(classes, c -> c.size) <> order then
    return Concatenation("the classes have ", String(Sum(classes, c -> c.size)), " elements");
  fi;
  return "";
end;

INTERTWINE_Product := function(G, classes, x, y)
  return Sum([1 .. Length(classes)], k -> classes[k].size * x[k] * ComplexConjugate(y[k])) / Size(G);
end;

INTERTWINE_CheckCharacterTable := function(r)
  local G, reason, n, induced, c, H, map, values, class, k, exponent, i, sum, squares, p, orders, order, images, m;
  G := Group(r.generators, ());
  reason := INTERTWINE_CheckClasses(G, r.order, r.classes);
  if reason <> "" then
    return reason;
  fi;
  n := Length(r.classes);
  induced := [];
  for c in r.linear do
    if ForAny(r.subgroups[c.subgroup + 1], g -> not g in G) then
      return "a generator of a subgroup is no element of the group";
    fi;
    H := Subgroup(G, r.subgroups[c.subgroup + 1]);
    # The value E(order)^e at a generator is of an order that divides the generator's: the least order is small.
    orders := List(c.exponents, e -> c.order / Gcd(c.order, e));
    if ForAny([1 .. Length(orders)], j -> Order(r.subgroups[c.subgroup + 1][j]) mod orders[j] <> 0) then
      return "the values at the generators of a subgroup are those of no linear character";
    fi;
    order := Lcm(Concatenation([1], orders));
    m := CycleFromList([1 .. order]);
    images := List(c.exponents, e -> m ^ (e * order / c.order));
    map := GroupHomomorphismByImages(H, Group(m), r.subgroups[c.subgroup + 1], images);
    if map = fail then
      return "the values at the generators of a subgroup are those of no linear character";
    fi;
    values := List([1 .. n], k -> 0);
    for class in ConjugacyClasses(H) do
      k := INTERTWINE_ClassOf(G, r.classes, Representative(class));
      exponent := 1 ^ Image(map, Representative(class)) - 1;
      values[k] := values[k] + Size(class) * E(order) ^ exponent * r.classes[k].centralizer / Size(H);
    od;
    Add(induced, values);
  od;
  if ForAny([r.rows, r.combinations, r.indicators], list -> Length(list) <> n)
     or ForAny(r.rows, row -> Length(row) <> n) then
    return "there are not as many characters, combinations, indicators or values as classes";
  fi;
  squares := List(r.classes, class -> INTERTWINE_ClassOf(G, r.classes, class.representative ^ 2));
  for i in [1 .. n] do
    if ForAny([1 .. n], k -> r.classes[k].order mod Conductor(r.rows[i][k]) <> 0) then
      return Concatenation("row ", String(i - 1),
                           " has a value with roots of unity of other orders than the elements of its class");
    fi;
    sum := List([1 .. n], k -> 0);
    for c in r.combinations[i] do
      sum := sum + c[2] * induced[c[1] + 1];
    od;
    if sum <> r.rows[i] then
      return Concatenation("row ", String(i - 1), " is not its combination of induced characters");
    fi;
    if INTERTWINE_Product(G, r.classes, r.rows[i], r.rows[i]) <> 1 then
      return Concatenation("row ", String(i - 1), " has the norm ", String(INTERTWINE_Product(G, r.classes, r.rows[i], r.rows[i])));
    fi;
    if not r.rows[i][1] > 0 then
      return Concatenation("row ", String(i - 1), " has the degree ", String(r.rows[i][1]));
    fi;
    if Sum([1 .. n], k -> r.classes[k].size * r.rows[i][squares[k]]) / Size(G) <> r.indicators[i] then
      return Concatenation("row ", String(i - 1), " has another indicator");
    fi;
  od;
  if Length(Set(r.rows)) < n then
    return "a row is there twice";
  fi;
  for p in r.powers do
    if List(r.classes, class -> INTERTWINE_ClassOf(G, r.classes, class.representative ^ p[1]) - 1) <> p[2] then
      return Concatenation("the power map for ", String(p[1]), " is not that of the classes");
    fi;
  od;
  return "";
end;

# A basis of the row vectors that matrices multiply by values.
INTERTWINE_Multiplied := function(matrices, values, degree)
  local equations;
  equations := Concatenation(List([1 .. Length(values)],
                                  i -> TransposedMat(matrices[i] - values[i] * IdentityMat(degree))));
  if Length(equations) = 0 then
    return IdentityMat(degree);
  fi;
  return NullspaceMat(TransposedMat(equations));
end;

# Matrices are transposed: GAP multiplies permutations from left to right.
INTERTWINE_CheckRepresentations := function(r)
  local G, reason, n, map, F, free, relators, words, squares, found, form, values, matrices, matrix, i;
  G := Group(r.generators, ());
  reason := INTERTWINE_CheckClasses(G, r.order, r.classes);
  if reason <> "" then
    return reason;
  fi;
  n := Length(r.classes);
  if Length(r.generators) > 0 then
    map := IsomorphismFpGroupByGenerators(G, r.generators);
    F := Image(map);
    free := FreeGeneratorsOfFpGroup(F);
    relators := RelatorsOfFpGroup(F);
    words := List(r.classes, class -> UnderlyingElement(Image(map, class.representative)));
  fi;
  squares := List(r.classes, class -> INTERTWINE_ClassOf(G, r.classes, class.representative ^ 2));
  if Length(r.forms) = 0 then
    return "there are no representations";
  fi;
  found := [];
  for form in r.forms do
    matrices := form.matrices;
    if form.degree < 1 or Length(matrices) <> Length(r.generators)
       or ForAny(matrices, A -> DimensionsMat(A) <> [form.degree, form.degree]) then
      return Concatenation("irrep ", String(form.number),
                           " has not as many matrices as there are generators, of its degree");
    fi;
    if Length(matrices) > 0 then
      if ForAny(matrices, A -> RankMat(A) < Length(A)) or ForAny(relators, w -> not IsOne(MappedWord(w, free, matrices))) then
        return Concatenation("the matrices of irrep ", String(form.number), " are no representation");
      fi;
      values := List(words, w -> TraceMat(MappedWord(w, free, matrices)));
    else
      values := [form.degree];
    fi;
    if INTERTWINE_Product(G, r.classes, values, values) <> 1 then
      return Concatenation("irrep ", String(form.number), " is not irreducible");
    fi;
    if values in found then
      return Concatenation("irrep ", String(form.number), " is equivalent to another");
    fi;
    if Sum([1 .. n], k -> r.classes[k].size * values[squares[k]]) / Size(G) <> form.indicator then
      return Concatenation("irrep ", String(form.number), " has another indicator");
    fi;
    matrix := function(g)
      if Length(matrices) = 0 then  # the trivial group
        return IdentityMat(form.degree);
      fi;
      return MappedWord(UnderlyingElement(Image(map, g)), free, matrices);
    end;
    if IsBound(form.seed) then
      if ForAll(form.seed.vector, x -> x = 0) then
        return Concatenation("the vector of the seed of irrep ", String(form.number), " is 0");
      fi;
      for i in [1 .. Length(form.seed.elements)] do
        if not form.seed.elements[i] in G then
          return Concatenation("a generator of the seed of irrep ", String(form.number), " is no element of the group");
        fi;
        if form.seed.vector * matrix(form.seed.elements[i]) <> form.seed.values[i] * form.seed.vector then
          return Concatenation("an element of the seed of irrep ", String(form.number),
                               " does not multiply its vector by its value");
        fi;
      od;
      if Length(INTERTWINE_Multiplied(List(form.seed.elements, matrix), form.seed.values, form.degree)) <> 1 then
        return Concatenation("the seed of irrep ", String(form.number), " is not single");
      fi;
    fi;
    Add(found, values);
  od;
  return "";
end;

INTERTWINE_CheckCharacters := function(r)
  if r.form = "characters" then
    return INTERTWINE_CheckCharacterTable(r);
  fi;
  return INTERTWINE_CheckRepresentations(r);
end;
