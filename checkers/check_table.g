# Checks the proofs in weight tables by GAP's own algorithms: orbits of permutation groups for tied entries, exact ranks over Q and
# cyclotomic fields for sparse bases. A program that table_to_gap.py writes reads this file and hands over what the tables say:
#   python3 checkers/table_to_gap.py table.safetensors other.json > tables.g && gap -o 4g -A -q tables.g < /dev/null
# It prints for every file that it is accepted, or refused and why; verdicts.g has the exit status.


# The point of the entry (i, j) with a sign among 2 m n points, n columns, counted from 1.
INTERTWINE_Point := function(i, j, n, size, sign)
  local point;
  point := (i - 1) * n + j;
  if sign < 0 then
    point := point + size;
  fi;
  return point;
end;

# The orbits of the group on the entries with both signs: one that holds an entry with + and - forces 0, each pair of others is a
# dimension of all W with W[pi i, sigma j] = s_i t_j W[i, j]. `value` has k or -k for the parameter k, 0 for a zero.
INTERTWINE_CheckPattern := function(value, params, rows, columns, what)
  local m, n, size, permutations, k, images, i, j, a, b, sign, orbit, at, first, owner, opposite;
  m := Length(value);
  n := Length(value[1]);
  size := m * n;
  permutations := [];
  for k in [1 .. Length(rows)] do
    if Length(rows[k]) <> m or Length(columns[k]) <> n
       or Set(List(rows[k], AbsInt)) <> [1 .. m] or Set(List(columns[k], AbsInt)) <> [1 .. n] then
      return Concatenation("generator ", String(k - 1), " of the ", what, " is no signed permutation");
    fi;
    images := [];
    for i in [1 .. m] do
      for j in [1 .. n] do
        a := rows[k][i];
        b := columns[k][j];
        sign := SignInt(a) * SignInt(b);
        images[INTERTWINE_Point(i, j, n, size, 1)] := INTERTWINE_Point(AbsInt(a), AbsInt(b), n, size, sign);
        images[INTERTWINE_Point(i, j, n, size, -1)] := INTERTWINE_Point(AbsInt(a), AbsInt(b), n, size, -sign);
      od;
    od;
    Add(permutations, PermList(images));
  od;
  at := Concatenation(Concatenation(value), -Concatenation(value));  # of each point
  owner := BlistList([1 .. Maximum(params, 1)], []);
  for orbit in OrbitsDomain(Group(permutations, ()), [1 .. 2 * size], OnPoints) do
    first := at[orbit[1]];
    if ForAny(orbit, point -> at[point] <> first) then
      return Concatenation("the ", what, " are not unchanged under the generators: an entry and its image carry different codes");
    fi;
    opposite := (orbit[1] + size - 1) mod (2 * size) + 1;
    if opposite in orbit then
      if first <> 0 then
        return Concatenation("an entry of the ", what, " meets its own negative, so that it must be 0, and is not");
      fi;
    elif first = 0 then
      return Concatenation("an entry of the ", what, " is 0, and nothing forces that: a dimension is missing");
    elif first > 0 then  # the other orbit of the pair has the negatives
      if first > params then
        return Concatenation("a code of the ", what, " is out of range");
      elif owner[first] then
        return Concatenation("a parameter of the ", what, " is tied across two orbits of entries");
      fi;
      owner[first] := true;
    fi;
  od;
  if SizeBlist(owner) <> params then
    return Concatenation("the ", what, " have ", String(params), " parameters, and ", String(SizeBlist(owner)),
                         " orbits of entries do not vanish");
  fi;
  return true;
end;

# W is among the solutions of A W = W B for all pairs, the elements are independent, and the equations have the rank that leaves no
# more: exact, over Q or a cyclotomic field. A and B are dense.
INTERTWINE_CheckSpace := function(elements, left, right, m, n, what)
  local k, W, equations, i, j, h, row, rank;
  for W in [1 .. Length(elements)] do
    for k in [1 .. Length(left)] do
      if left[k] * elements[W] <> elements[W] * right[k] then
        return Concatenation("element ", String(W - 1), " of the ", what, " does not commute with generator ", String(k - 1));
      fi;
    od;
  od;
  if Length(elements) > 0 and RankMat(List(elements, Concatenation)) < Length(elements) then
    return Concatenation("an element of the ", what, " depends on those before it");
  fi;
  equations := [];
  for k in [1 .. Length(left)] do
    for i in [1 .. m] do
      for j in [1 .. n] do
        row := ListWithIdenticalEntries(m * n, 0);
        for h in [1 .. m] do
          row[(h - 1) * n + j] := left[k][i][h];
        od;
        for h in [1 .. n] do
          row[(i - 1) * n + h] := row[(i - 1) * n + h] - right[k][h][j];
        od;
        if ForAny(row, x -> x <> 0) then
          Add(equations, row);
        fi;
      od;
    od;
  od;
  rank := 0;
  if Length(equations) > 0 then
    rank := m * n - Length(NullspaceMat(TransposedMat(equations)));
  fi;
  if m * n - rank <> Length(elements) then
    return Concatenation("the ", what, " have ", String(Length(elements)), " elements, and the equations leave ",
                         String(m * n - rank), " dimensions: some are missing");
  fi;
  return true;
end;

# How often the parameters occur.
INTERTWINE_CheckSizes := function(weights, params, sizes)
  local counts, row, x;
  counts := ListWithIdenticalEntries(params, 0);
  for row in weights do
    for x in row do
      if x <> 0 then
        counts[AbsInt(x)] := counts[AbsInt(x)] + 1;
      fi;
    od;
  od;
  if counts <> sizes then
    return "weight.orbit_size miscounts";
  fi;
  return true;
end;

# true, or why not. A generator of a group acts by an invertible matrix.
INTERTWINE_CheckTable := function(table)
  local found, one, k;
  if Length(table.rows) <> Length(table.algebra) or Length(table.columns) <> Length(table.algebra) then
    return "there are not as many images as generators";
  fi;
  one := List(table.rows, g -> [1]);
  if table.tied then
    found := INTERTWINE_CheckPattern(table.weights, table.params, table.rows, table.columns, "weights");
    if found = true then
      found := INTERTWINE_CheckPattern(table.bias, table.bias_params, table.rows, one, "bias");
    fi;
    if found = true then
      found := INTERTWINE_CheckSizes(table.weights, table.params, table.sizes);
    fi;
    return found;
  fi;
  for k in [1 .. Length(table.algebra)] do
    if not table.algebra[k] and (RankMat(table.rows[k]) < table.height or RankMat(table.columns[k]) < table.width) then
      return Concatenation("the matrix of generator ", String(k - 1),
                           " is not invertible, and a generator is an element of a group");
    fi;
  od;
  one := List(table.algebra, function(algebra)
    if algebra then
      return [[0]];
    fi;
    return [[1]];
  end);
  found := INTERTWINE_CheckSpace(table.weights, table.rows, table.columns, table.height, table.width, "weights");
  if found = true then
    found := INTERTWINE_CheckSpace(table.bias, table.rows, one, table.height, 1, "bias");
  fi;
  return found;
end;

# Signed permutations as matrices, where the images beside them are matrices.
INTERTWINE_Matrices := function(images, tied)
  if not tied then
    return images;
  fi;
  return List(images, function(image)
    local A, j;
    A := NullMat(Length(image), Length(image));
    for j in [1 .. Length(image)] do
      A[AbsInt(image[j])][j] := SignInt(image[j]);
    od;
    return A;
  end);
end;

INTERTWINE_ActAlike := function(x, xtied, y, ytied)
  return (xtied = ytied and x = y)
         or (xtied <> ytied and INTERTWINE_Matrices(x, xtied) = INTERTWINE_Matrices(y, ytied));
end;

# Of a table, or of all blocks of a file: "", or why it is refused. The blocks of a line have the same rows, and those of
# a column the same columns.
INTERTWINE_CheckTables := function(tables)
  local table, first, found, name, alike;
  for table in tables do
    name := "";
    if Length(tables) > 1 then
      name := Concatenation("block (", String(table.place[1]), ", ", String(table.place[2]), "): ");
    fi;
    found := INTERTWINE_CheckTable(table);
    if found <> true then
      return Concatenation(name, found);
    fi;
    for first in tables do
      alike := first.algebra = table.algebra;
      if first.place = [table.place[1], 0] then
        alike := alike and INTERTWINE_ActAlike(first.rows, first.tied, table.rows, table.tied);
      fi;
      if first.place = [0, table.place[2]] then
        alike := alike and INTERTWINE_ActAlike(first.columns, first.tied, table.columns, table.tied);
      fi;
      if not alike then
        return Concatenation(name, "it is not of the group of block (", String(first.place[1]), ", ",
                             String(first.place[2]), ")");
      fi;
    od;
  od;
  return "";
end;
