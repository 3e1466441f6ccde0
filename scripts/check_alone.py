#!/usr/bin/env python3
"""Parses sources one by one, as clang does with all its warnings as errors: batches of sources hide what one of them
forgot to include.

Usage: scripts/check_alone.py FOLDER SOURCE...     FOLDER: a configured build without batches, with compile_commands.json
"""

import concurrent.futures
import json
import os
import shlex
import subprocess
import sys


def command_of(entry):
    words, kept = shlex.split(entry["command"]), []
    while words:
        word = words.pop(0)
        if word in ("-o", "-MF", "-MT"):
            words.pop(0)
        elif word == "-Xclang" and words[0] in (
            "-include-pch",
            "-include",
        ):  # a precompiled header, and its name again on the way there
            del words[:3]
        elif word not in ("-c", "-MD"):
            kept.append(word)
    return kept[kept[0].endswith("ccache") :] + ["-fsyntax-only"]


def check(entry):
    done = subprocess.run(command_of(entry), cwd=entry["directory"], capture_output=True, text=True)
    return done.returncode, done.stderr


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    folder, *sources = sys.argv[1:]
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        known = {os.path.realpath(entry["file"]): entry for entry in json.load(file)}
    chosen = [known[os.path.realpath(source)] for source in sources if os.path.realpath(source) in known]
    bad = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry, (status, text) in zip(chosen, pool.map(check, chosen)):
            sys.stderr.write(text)
            if status != 0:
                bad += 1
                print(f"check_alone: {os.path.relpath(entry['file'])} does not compile alone", file=sys.stderr)
    print(f"check_alone: {len(chosen)} sources of {len(sources)}, {bad} at fault")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
