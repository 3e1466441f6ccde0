"""scripts/wheel and its helpers in packaging/: what they say of their words. With --slow the portable wheel of this
machine is built and looked at, or that of another one, which qemu-user tries.

Usage: test_wheel.py [--slow [x86_64|aarch64]]. PYTHON names the interpreter, as for scripts/wheel. Exit status 77 where
the machine is no x86-64 or a tool is missing."""

import glob
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LARGEST = 12_000_000  # bytes of a wheel
GLIBC = (2, 28)


def script(name, *words, status=0, **variables):
    run = subprocess.run(
        [os.path.join(ROOT, *name.split("/")), *words], text=True, capture_output=True, env={**os.environ, **variables}
    )
    assert run.returncode == status, (name, words, run)
    return run.stdout + run.stderr


def check_words():
    said = script("scripts/wheel", "--help")
    assert "Usage: scripts/wheel [--portable [--arch x86_64|aarch64]]" in said and "manylinux_2_28" in said, said
    said = script("packaging/portable", "--help")
    assert "Usage: packaging/portable [--arch x86_64|aarch64] FOLDER" in said and "glibc 2.28" in said, said
    assert script("packaging/portable", status=1) == "portable: the folder is missing: packaging/portable FOLDER\n"
    assert "--march is no option" in script("packaging/portable", "--march", status=1)
    assert "'sparc' is no option of pip" in script("scripts/wheel", "--portable", "sparc", status=1)
    said = script("packaging/emulated", "--help")
    assert "Usage: packaging/emulated [--suite trixie] aarch64 FOLDER [WHEEL]" in said and "qemu-user" in said, said
    for name, words in (
        ("scripts/wheel", ["--portable", "--arch", "sparc"]),
        ("packaging/portable", ["--arch", "sparc", "folder"]),
        ("packaging/emulated", ["sparc", "folder"]),
    ):
        said = script(name, *words, status=1)
        assert said == f"{name.split('/')[1]}: 'sparc' is no machine that it knows: take x86_64 or aarch64\n", said
    for name, words in (("scripts/wheel", ["--portable", "--arch"]), ("packaging/portable", ["--arch"])):
        assert "'' is no machine" in script(name, *words, status=1)
    assert "the folder is missing" in script("packaging/emulated", "aarch64", status=1)
    assert "there is no wheel nowhere.whl" in script("packaging/emulated", "aarch64", "folder", "nowhere.whl", status=1)
    with tempfile.TemporaryDirectory() as folder:
        old = os.path.join(folder, "python3.11")
        with open(old, "w") as file:  # what is asked is whether it is at least 3.10, and then 3.12
            file.write('#!/bin/sh\ncase $2 in *"(3, 12)"*) exit 1 ;; esac\n')
        os.chmod(old, 0o755)
        other = "x86_64" if platform.machine() == "aarch64" else "aarch64"
        said = script("scripts/wheel", "--portable", "--arch", other, status=1, PYTHON=old)
        assert "serves Python 3.12 and later: set PYTHON" in said, said
        venv = os.path.join(folder, "venv")
        said = script("scripts/python", status=1, PYTHON="/nonexistent", VENV=venv)
        assert "Python 3.10 or later is needed; set PYTHON to one" in said and not os.path.exists(venv), said
    assert "'portable' is no option of pip" in script("scripts/wheel", "portable", status=1)
    assert "Python 3.10 or later is needed" in script("scripts/wheel", "--portable", status=1, PYTHON="/nonexistent")


def symbols(path):
    """(name@version, is it from here?) of what a library shows to others or asks of them; of any machine's."""
    rows = subprocess.run(["readelf", "--dyn-syms", "--wide", path], text=True, capture_output=True, check=True).stdout
    found = [line.split() for line in rows.splitlines() if re.match(r"\s*\d+: ", line)]
    return [(row[7], row[6] != "UND") for row in found if len(row) > 7 and row[4] in ("GLOBAL", "WEAK")]


def check_wheel(path, machine):
    """The name, the size, the licences, and what the extension asks of the C library and shows to others."""
    assert re.search(rf"manylinux_2_28_{machine}\.whl$", path), path
    assert os.path.getsize(path) <= LARGEST, os.path.getsize(path)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert not [name for name in names if ".libs/" in name], names
        for library in ("gmp", "mpfr4", "flint", "spglib", "libpng1.6", "zlib", "fmtlib"):
            assert any(f"licenses/{library}/copyright" in name for name in names), library
        (extension,) = (name for name in names if re.search(r"/_core\.\S*so$", name))
        found = symbols(archive.extract(extension, folder))
    asked = [re.search(r"@([A-Z]+)_([0-9.]+)", name) for name, here in found if not here and "@" in name]
    assert asked and {match[1] for match in asked} == {"GLIBC"}, asked
    versions = {tuple(map(int, match[2].split("."))) for match in asked}
    assert max(versions)[:2] <= GLIBC, sorted(versions)
    assert [name for name, here in found if here] == ["PyInit__core"], found


def main():
    check_words()
    if "--slow" in sys.argv[1:]:
        machine = next((word for word in sys.argv[1:] if word != "--slow"), platform.machine())
        wanted = ["apt-get", "readelf"] + ([f"qemu-{machine}"] if machine != platform.machine() else [])
        if platform.machine() != "x86_64" or any(shutil.which(tool) is None for tool in wanted):
            sys.exit(77)
        script("scripts/wheel", "--portable", "--arch", machine)
        wheels = glob.glob(os.path.join(ROOT, "dist", f"*manylinux_2_28_{machine}.whl"))
        check_wheel(max(wheels, key=os.path.getmtime), machine)
    print("as promised")


main()
