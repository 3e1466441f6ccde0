# What both of GAP's checkers share: verdicts by name, and an exit status that is 0 only if every file was accepted. The
# programs that table_to_gap.py and characters_to_gap.py write set the exit status 2 before anything else; only their
# last line changes it.

BreakOnError := false;
INTERTWINE_STATUS := rec();  # of every name: 0 accepted, 1 refused, 2 not checked

INTERTWINE_Say := function(name, words, status)
  Print(name, ": ", words, "\n");
  if IsBound(INTERTWINE_STATUS.(name)) then
    status := Maximum(status, INTERTWINE_STATUS.(name));
  fi;
  INTERTWINE_STATUS.(name) := status;
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
    if not IsBound(INTERTWINE_STATUS.(name)) then
      INTERTWINE_Say(name, "not checked: its check did not begin", 2);
    fi;
    status := Maximum(status, INTERTWINE_STATUS.(name));
  od;
  if status = 0 then
    Print("all ", Length(names), " files accepted: ", JoinStringsWithSeparator(names, ", "), "\n");
  fi;
  GAP_EXIT_CODE(status);
  QUIT_GAP(status);
end;
