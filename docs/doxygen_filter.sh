#!/bin/sh
# What Doxygen reads of a header: the comment at its head describes the file. Doxygen 1.9.4 does not know specializations of std::hash.
sed -e '/^template <>$/d' -e '/^struct std::hash/,/^};/d' "$1" | awk '
  NR == 1 && /^\/\/ / { print "/// \\file\n/// \\brief"; head = 1 }
  head && /^\/\/( |$)/ { gsub(/[\\@]/, "\\\\&"); sub(/^\/\//, "///") }
  !/^\/\/\// { head = 0 }
  { print }'
