#!/usr/bin/env python3
"""scripts/metadata on this checkout and on copies with one lie each; workflows name what exists.

Usage: test_metadata.py"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FILES = [
    "CMakeLists.txt",
    "pyproject.toml",
    "CITATION.cff",
    "codemeta.json",
    "packaging/recipe.yaml",
    "packaging/Dockerfile",
    ".github/ISSUE_TEMPLATE/config.yml",
    "docs/conf.py",
    "docs/CHANGELOG.md",
]
# One lie a file, and a word of the complaint.
LIES = [
    ("CMakeLists.txt", r"(VERSION )0\.\d+\.\d+ DESC", r"\g<1>9.9.9 DESC", "CMakeLists.txt has 9.9.9"),
    ("CITATION.cff", r"^version: .*$", "version: 9.9.9", "CITATION.cff: the version is 9.9.9"),
    ("codemeta.json", r'"version": "[^"]*"', '"version": "9.9.9"', "codemeta.json: the version is 9.9.9"),
    ("packaging/recipe.yaml", r'^  version: ".*"$', '  version: "9.9.9"', "packaging/recipe.yaml: the version is 9.9.9"),
    ("CITATION.cff", r"name: The Intertwine developers", "name: Somebody", "CITATION.cff: lacks"),
    ("CITATION.cff", r"^  - symmetry$", "  - chaos", "CITATION.cff: the keywords"),
    ("codemeta.json", r"Python 3\.10 to", "Python 3.8 to", "codemeta.json: runtimePlatform"),
    ("codemeta.json", r"Apache-2\.0", "MIT", "codemeta.json: license"),
    ("pyproject.toml", r'requires-python = ">=3\.10"', 'requires-python = ">=3.9"', "requires-python"),
    ("pyproject.toml", r'^authors = .*$', "", "has no author"),
    ("packaging/Dockerfile", r"https://example\.org/\w+", "https://example.com/fork", "packaging/Dockerfile: lacks the address"),
    ("docs/conf.py", r"The Intertwine developers", "somebody", "docs/conf.py: lacks"),
]  # fmt: skip


def metadata(root, *words):
    run = subprocess.run(
        [sys.executable, os.path.join(ROOT, "scripts", "metadata"), "--root", root, *words],
        text=True,
        capture_output=True,
    )
    return run.returncode, run.stdout + run.stderr


def read(root, name):
    with open(os.path.join(root, name), encoding="utf-8") as file:
        return file.read()


def copy(folder, name):
    root = os.path.join(folder, name)
    for file in FILES:
        os.makedirs(os.path.dirname(os.path.join(root, file)), exist_ok=True)
        shutil.copy(os.path.join(ROOT, file), os.path.join(root, file))
    return root


def check_lies(folder):
    for k, (name, pattern, lie, complaint) in enumerate(LIES):
        root = copy(folder, f"lie{k}")
        changed, count = re.subn(pattern, lie, read(root, name), count=1, flags=re.MULTILINE)
        assert count == 1, (name, pattern)
        with open(os.path.join(root, name), "w", encoding="utf-8") as file:
            file.write(changed)
        status, said = metadata(root)
        assert status == 1 and complaint in said, (name, pattern, said)


def check_writing(folder):
    root = copy(folder, "new")
    assert metadata(root, "--version", "1.2.3", "--home", "https://intertwine.invalid/it") == (
        0,
        "metadata: all files agree\n",
    )
    assert json.loads(read(root, "codemeta.json"))["version"] == "1.2.3"
    assert "project(intertwine VERSION 1.2.3 " in read(root, "CMakeLists.txt")
    for name in FILES:
        assert "example.org" not in read(root, name), name
    assert "v1.2.4" in metadata(root, "--release", "v1.2.4")[1]
    assert "no section 1.2.3" in metadata(root, "--release", "v1.2.3")[1]
    with open(os.path.join(root, "docs/CHANGELOG.md"), "a", encoding="utf-8") as file:
        file.write("\n## 1.2.3\n")
    assert metadata(root, "--release", "v1.2.3")[0] == 0
    for words in (["--version", "1.2"], ["--home", "http://x"], ["--home", "https://x/"]):
        status, said = metadata(root, *words)
        assert status == 1 and said.startswith(f"metadata: {words[1]} is no "), said
    os.remove(os.path.join(root, "CITATION.cff"))
    assert "CITATION.cff cannot be read" in metadata(root)[1]


def check_workflows():
    """What they run exists, what they use from elsewhere is fixed to a commit, and none may do all."""
    folder = os.path.join(ROOT, ".github", "workflows")
    names = sorted(os.listdir(folder))
    assert names == ["build.yml", "docs.yml", "release.yml", "test.yml", "wheels.yml"]
    for name in names:
        text = read(folder, name)
        for path in re.findall(r"(?<![\w/])((?:scripts|\.ci)/[\w-]+|\./\.github/\S+\.yml)", text):
            assert os.path.exists(os.path.join(ROOT, path)), (name, path)
        for used in re.findall(r"uses: (\S+)", text):
            assert used.startswith("./") or re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", used), (name, used)
        assert "\npermissions:\n  contents: read\n" in text, name
    try:
        import yaml
    except ImportError:
        return  # CI has yamllint
    for folder, _, files in [*os.walk(os.path.join(ROOT, ".github")), *os.walk(os.path.join(ROOT, "packaging"))]:
        for name in files:
            if name.endswith((".yml", ".yaml")):
                assert isinstance(yaml.safe_load(read(folder, name)), dict), name
    assert yaml.safe_load(read(ROOT, "CITATION.cff"))["cff-version"] == "1.2.0"


def check_paper():
    """The paper of the journal: its length, and that what it cites and shows is there."""
    text = read(ROOT, "docs/paper/paper.md")
    head, body = text.split("---\n", 2)[1:]
    assert 750 <= len(re.findall(r"\w+", body)) <= 1750
    assert "The Intertwine developers" in head and "bibliography: ../references.bib" in head
    keys = re.findall(r"^@\w+\{([^,\s]+),", read(ROOT, "docs/references.bib"), re.MULTILINE)
    cited = re.findall(r"@(\w+)", body)
    assert cited and set(cited) <= set(keys), set(cited) - set(keys)
    for picture in re.findall(r"\]\((\.\./\S+)\)", body):
        assert os.path.exists(os.path.join(ROOT, "docs", "paper", picture)), picture
    for section in (
        "Summary",
        "Statement of need",
        "State of the field",
        "Software design",
        "Research impact statement",
        "AI usage disclosure",
        "References",
    ):
        assert f"\n# {section}\n" in body, section


def check_pixi():
    """pixi.toml asks conda-forge for what the recipe builds with."""
    recipe = read(ROOT, "packaging/recipe.yaml").partition("  host:\n")[2].partition("  run:\n")[0]
    wanted = set(re.findall(r"^    - ([\w-]+)", recipe, re.MULTILINE))
    table = read(ROOT, "pixi.toml").partition("[dependencies]\n")[2].partition("\n[")[0]
    asked = set(re.findall(r"^([\w-]+) = ", table, re.MULTILINE))
    assert len(wanted) > 10 and wanted | {"cmake", "ninja", "cxx-compiler"} <= asked, wanted - asked


def main():
    assert metadata(ROOT) == (0, "metadata: all files agree\n"), metadata(ROOT)[1]
    with tempfile.TemporaryDirectory() as folder:
        check_lies(folder)
        check_writing(folder)
    check_workflows()
    check_paper()
    check_pixi()
    print("as promised")


main()
