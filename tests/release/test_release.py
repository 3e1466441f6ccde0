#!/usr/bin/env python3
"""scripts/check-hardening and scripts/sbom, on small programs made here with and without the defences that they look
for.

Usage: test_release.py [PROGRAM]    with the program's own bill of materials; --hardened PROGRAM: it must have the defences as well.
Exit status 77 where compiler, readelf or dpkg are missing."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SOURCE = r"""
#include <stdio.h>
#include <string.h>
#include <zlib.h>
int main(int argc, char** argv) {
  volatile char large[1 << 16];
  char word[16];
  large[argc] = 1;
  strcpy(word, argv[0]);
  printf("%s %s %d\n", word, zlibVersion(), large[argc]);
  return 0;
}
"""
DEFENCES = {
    "position independence": ("-fPIE -pie", "-fno-pie -no-pie"),
    "RELRO": ("-Wl,-z,relro", "-Wl,-z,norelro"),
    "BIND_NOW": ("-Wl,-z,now", "-Wl,-z,lazy"),
    "stack without execution": ("-Wl,-z,noexecstack", "-Wl,-z,execstack"),
    "guards of stack frames": ("-fstack-protector-strong", "-fno-stack-protector"),
    "checked functions": ("-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2", "-U_FORTIFY_SOURCE"),
    "probes of large stack frames": ("-fstack-clash-protection", "-fno-stack-clash-protection"),
}


def script(name, *words, status=0):
    run = subprocess.run(
        [os.path.join(ROOT, "scripts", name), *words],
        text=True,
        capture_output=True,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"},
    )
    assert run.returncode == status, (name, words, run)
    return run.stdout + run.stderr


def compile_without(folder, left_out):
    """The program with all defences but one, by the words of that one."""
    path = os.path.join(folder, "program")
    flags = " ".join(off if name == left_out else on for name, (on, off) in DEFENCES.items())
    subprocess.run(
        ["cc", "-O2", "-x", "c", "-", "-o", path, *flags.split(), "-lz"], input=SOURCE, text=True, check=True
    )
    return path


def check_hardening(folder):
    assert "full RELRO" in script("check-hardening", compile_without(folder, None))
    for name in DEFENCES:
        said = script("check-hardening", compile_without(folder, name), status=1)
        assert name in said.partition("missing: ")[2], (name, said)
    assert "is no ELF file" in script("check-hardening", os.path.join(ROOT, "README.md"), status=1)


def check_bill(text, path):
    """What CycloneDX 1.5 demands of these fields, and that a component is what the machine has."""
    bill = json.loads(text)
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.5", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert bill["metadata"]["timestamp"] == "2023-11-14T22:13:20Z"
    subject = bill["metadata"]["component"]
    assert subject["components"][0]["name"] == os.path.basename(path) and subject["version"]
    references = [c["bom-ref"] for c in bill["components"]]
    assert len(set(references)) == len(references) and bill["dependencies"] == [
        {"ref": subject["bom-ref"], "dependsOn": references}
    ]
    for component in bill["components"]:
        assert component["type"] == "library" and component["name"]
        for h in component.get("hashes", []):
            assert h["alg"] == "SHA-256" and re.fullmatch("[0-9a-f]{64}", h["content"])
        if "purl" in component:
            version = subprocess.run(
                ["dpkg-query", "-W", "-f", "${Version}\n", component["name"]],
                text=True,
                stdout=subprocess.PIPE,
                check=True,
            ).stdout
            assert component["version"] in version.split() and component["purl"].startswith(
                "pkg:deb/debian/" + component["name"]
            )
        if {"name": "intertwine:use", "value": "linked"} in component["properties"]:
            assert component["hashes"], component
    return {c["name"]: c for c in bill["components"]}


def check_static_bill(folder, path):
    """What is linked statically comes from a table of sources and the folder of their licences."""
    table = os.path.join(folder, "libraries.tsv")
    os.makedirs(os.path.join(folder, "licenses", "zlib"))
    with open(table, "w") as file:
        file.write("zlib\t1:1.2.13\tlinked\tdeb\nspglib\t2.0.2\tlinked\tpypi\nlibeigen3-dev\t3.4\theaders\tdeb\n")
    with open(os.path.join(folder, "licenses", "zlib", "copyright"), "w") as file:
        file.write("License: Zlib\n")
    words = ("--sources", table, "--licenses", os.path.join(folder, "licenses"))
    parts = {c["name"]: c for c in json.loads(script("sbom", *words, path))["components"]}
    assert set(parts) == {"zlib", "spglib", "libeigen3-dev"}
    assert parts["spglib"]["purl"] == "pkg:pypi/spglib@2.0.2"
    assert parts["zlib"]["purl"] == "pkg:deb/debian/zlib@1%3A1.2.13?arch=source"
    assert parts["zlib"]["licenses"] == [{"license": {"name": "Zlib"}}]
    assert "go together" in script("sbom", *words[:2], path, status=2)


def main():
    if any(shutil.which(tool) is None for tool in ("cc", "readelf", "objdump", "dpkg-query", "ldd")):
        sys.exit(77)
    words = [word for word in sys.argv[1:] if word]  # CMake leaves out what is not built by an empty word
    with tempfile.TemporaryDirectory() as folder:
        check_hardening(folder)
        path = compile_without(folder, None)
        text = script("sbom", path)
        parts = check_bill(text, path)
        assert text == script("sbom", path)
        assert {"zlib1g", "libc6"} <= set(parts) and "libpng16-16" not in parts
        assert parts["zlib1g"]["licenses"] == [{"license": {"name": "Zlib"}}]
        check_static_bill(folder, path)
        assert "no program or shared library" in script("sbom", os.path.join(ROOT, "README.md"), status=1)
    for program in (word for word in words if not word.startswith("-")):
        parts = check_bill(script("sbom", program), program)
        assert {"libgmp10", "zlib1g"} <= set(parts) and any(name.startswith("libflint") for name in parts), sorted(
            parts
        )
        if "--hardened" in words:
            script("check-hardening", program)
    print("as promised")


main()
