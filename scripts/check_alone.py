#!/usr/bin/env python3
"""Parses sources one by one, as clang does with all its warnings as errors: batches of sources hide what one of them
forgot to include.

What passed is remembered by the contents of all files that it read, in ~/.cache/intertwine/alone (XDG_CACHE_HOME moves
it), so that another clone parses what changed alone.

Usage: scripts/check_alone.py FOLDER SOURCE...     FOLDER: a configured build without batches, with compile_commands.json
"""

import concurrent.futures
import functools
import hashlib
import json
import os
import shlex
import subprocess
import sys
import tempfile

ROOT = os.path.realpath(os.path.join(os.path.dirname(__file__), ".."))
CACHE = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "intertwine", "alone")


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


@functools.lru_cache(None)
def digest(path):
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


@functools.lru_cache(None)
def version(compiler):
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout


def stamp_of(entry):
    """Where it is remembered: a name by source, command and compiler, without the places of clone and build."""
    command = command_of(entry)
    text = "\n".join([version(command[0]), *command]).replace(entry["directory"], "BUILD").replace(ROOT, "ROOT")
    return os.path.join(CACHE, hashlib.sha256(text.encode()).hexdigest())


def is_known(entry):
    """Did it pass with files of these contents?"""
    try:
        with open(stamp_of(entry), encoding="utf-8") as file:
            read = json.load(file)
        return all(digest(os.path.join(entry["directory"], path.replace("ROOT", ROOT))) == of for path, of in read)
    except (OSError, ValueError):
        return False


def remember(entry, dependencies):
    words = shlex.split(dependencies.split(":", 1)[1].replace("\\\n", " "))
    places = sorted({os.path.realpath(os.path.join(entry["directory"], word)) for word in words})
    build = os.path.realpath(entry["directory"])
    read = [
        (os.path.relpath(p, build) if p.startswith(build + os.sep) else p.replace(ROOT, "ROOT"), digest(p))
        for p in places
    ]
    os.makedirs(CACHE, exist_ok=True)
    with tempfile.NamedTemporaryFile("w", dir=CACHE, delete=False, encoding="utf-8") as file:
        json.dump(read, file)
    os.replace(file.name, stamp_of(entry))


def check(entry):
    if is_known(entry):
        return 0, "", True
    with tempfile.TemporaryDirectory() as folder:
        listed = os.path.join(folder, "dependencies")
        command = [*command_of(entry), "-MD", "-MF", listed]
        done = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
        if done.returncode == 0 and not done.stderr:
            with open(listed, encoding="utf-8") as file:
                remember(entry, file.read())
    return done.returncode, done.stderr, False


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    folder, *sources = sys.argv[1:]
    with open(os.path.join(folder, "compile_commands.json"), encoding="utf-8") as file:
        known = {os.path.realpath(entry["file"]): entry for entry in json.load(file)}
    chosen = [known[os.path.realpath(source)] for source in sources if os.path.realpath(source) in known]
    bad = remembered = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for entry, (status, text, before) in zip(chosen, pool.map(check, chosen)):
            sys.stderr.write(text)
            remembered += before
            if status != 0:
                bad += 1
                print(f"check_alone: {os.path.relpath(entry['file'])} does not compile alone", file=sys.stderr)
    print(f"check_alone: {len(chosen)} sources of {len(sources)}, {remembered} as when they passed, {bad} at fault")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
