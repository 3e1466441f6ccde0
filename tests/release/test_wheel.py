"""scripts/wheel and packaging/portable: what they say of their words; with --slow the portable wheel of this machine
is built and looked at.

Usage: test_wheel.py [--slow]. Exit status 77 where the machine is no x86-64 or apt-get is missing, which the build needs."""

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
    assert "Usage: scripts/wheel [--portable]" in said and "manylinux_2_28" in said, said
    said = script("packaging/portable", "--help")
    assert "Usage: packaging/portable FOLDER" in said and "glibc 2.28" in said, said
    assert script("packaging/portable", status=1) == "portable: the folder is missing: packaging/portable FOLDER\n"
    assert "--arch is no option" in script("packaging/portable", "--arch", status=1)
    assert "'sparc' is no option of pip" in script("scripts/wheel", "--portable", "sparc", status=1)
    assert "'portable' is no option of pip" in script("scripts/wheel", "portable", status=1)
    assert "Python 3.10 or later is needed" in script("scripts/wheel", "--portable", status=1, PYTHON="/nonexistent")


def symbols(path):
    return subprocess.run(["objdump", "-T", path], text=True, capture_output=True, check=True).stdout


def check_wheel(path):
    """The name, the size, the licences, and what the extension asks of the C library and shows to others."""
    assert re.search(rf"manylinux_2_28_{platform.machine()}\.whl$", path), path
    assert os.path.getsize(path) <= LARGEST, os.path.getsize(path)
    with tempfile.TemporaryDirectory() as folder, zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert not [name for name in names if ".libs/" in name], names
        for library in ("gmp", "mpfr4", "flint", "spglib", "libpng1.6", "zlib", "fmtlib"):
            assert any(f"licenses/{library}/copyright" in name for name in names), library
        (extension,) = (name for name in names if re.search(r"/_core\.\S*so$", name))
        text = symbols(archive.extract(extension, folder))
    needed = {tuple(map(int, version.split("."))) for version in re.findall(r"\(?GLIBC_([0-9.]+)", text)}
    assert needed and max(needed)[:2] <= GLIBC, sorted(needed)
    assert "GLIBCXX" not in text and "CXXABI" not in text
    shown = [line.split()[-1] for line in text.splitlines() if " g " in line or " w " in line and "*UND*" not in line]
    assert shown == ["PyInit__core"], shown


def main():
    check_words()
    if "--slow" in sys.argv[1:]:
        if platform.machine() != "x86_64" or shutil.which("apt-get") is None or shutil.which("objdump") is None:
            sys.exit(77)
        script("scripts/wheel", "--portable")
        check_wheel(max(glob.glob(os.path.join(ROOT, "dist", "*manylinux_2_28*.whl")), key=os.path.getmtime))
    print("as promised")


main()
