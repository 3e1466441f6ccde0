# What both of GAP's checkers share: verdicts by name, and an exit status that is 0 only if every file was accepted. The
# programs that table_to_gap.py and characters_to_gap.py write set the exit status 2 before anything else; only their
# last line changes it.

BreakOnError := false;
# Names with a verdict, which may be longer than those of a record's components are, and for each the status: 0 accepted,
# 1 refused, 2 not checked.
INTERTWINE_NAMES := [];
INTERTWINE_STATUS := [];

INTERTWINE_Say := function(name, words, status)
  local at;
  Print(name, ": ", words, "\n");
  at := Position(INTERTWINE_NAMES, name);
  if at = fail then
    Add(INTERTWINE_NAMES, name);
    Add(INTERTWINE_STATUS, status);
  else
    INTERTWINE_STATUS[at] := Maximum(status, INTERTWINE_STATUS[at]);
  fi;
end;

# Each of `parts` is the name of a part and a function that gives "" where it is accepted, otherwise why not. A file is
# accepted if all are.
INTERTWINE_File := function(name, parts)
  local part, found;
  for part in parts do
    found := CALL_WITH_CATCH(part[2], []);
    if found[1] <> true or Length(found) < 2 or not IsString(found[2]) then
      INTERTWINE_Say(name, Concatenation("not checked: ", part[1], "an error stopped GAP"), 2);
      return;
    elif found[2] <> "" then
      INTERTWINE_Say(name, Concatenation("refused: ", part[1], found[2]), 1);
      return;
    fi;
  od;
  INTERTWINE_Say(name, "accepted", 0);
end;

# The last line of a program: the status is that of the worst file, and of all names each must have a verdict.
INTERTWINE_End := function(names)
  local status, name;
  status := 0;
  for name in names do
    if not name in INTERTWINE_NAMES then
      INTERTWINE_Say(name, "not checked: its check did not begin", 2);
    fi;
    status := Maximum(status, INTERTWINE_STATUS[Position(INTERTWINE_NAMES, name)]);
  od;
  if status = 0 then
    Print("all ", Length(names), " files accepted: ", JoinStringsWithSeparator(names, ", "), "\n");
  fi;
  GAP_EXIT_CODE(status);
  QUIT_GAP(status);
end;
