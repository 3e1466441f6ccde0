#!/usr/bin/env python3
"""Opens interactive pictures in a headless browser and compares what they say with the table itself.

    check_pages.py PROGRAM

The program writes each table as a page and as JSON. The page is opened at entries (`#entry=3,5`); what its panel then
says is compared with the JSON: parameter, sign, size of the orbit, its first entry; the word and the cycles that it
gives are applied to that first entry here, by a few lines that know nothing of the library. Exit status 77 where there
is no Chromium.
"""

import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SUBSCRIPTS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")


def browser():
    return next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


def opened(program, page, fragment, folder, doing=None):
    """The document after its script has run, and `doing` after it, and what the browser complained about."""
    if doing:
        text = page.read_text()
        page = folder / "doing.html"
        page.write_text(text.replace("</body>", f"<script>{doing}</script></body>"))
    done = subprocess.run(
        [
            program,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--user-data-dir={folder}/profile",
            "--enable-logging=stderr",
            "--window-size=1280,860",
            "--virtual-time-budget=4000",
            "--dump-dom",
            f"file://{page}{fragment}",
        ],
        capture_output=True,
        text=True,
        timeout=120,
    )
    complaints = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    return done.stdout, complaints


def text_of(markup):
    return html.unescape(re.sub(r"<[^>]*>", "", markup))


def panel(document):
    """The line with the value, and the facts below it."""
    formula = re.search(r'<span id="formula">(.*?)</span>', document)
    box = document[document.index('<div id="entry">') :]
    box = box[: box.index("</section>")]
    facts = {text_of(name): text_of(value) for name, value in re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", box)}
    return (text_of(formula.group(1)) if formula else None), facts


def permutation(cycles, degree):
    images = list(range(degree))
    for cycle in re.findall(r"\(([\d,]+)\)", cycles):
        points = [int(x) - 1 for x in cycle.split(",")]
        for k, point in enumerate(points):
            images[point] = points[(k + 1) % len(points)]
    return images


def product(word, generators, degree):
    g = list(range(degree))
    if word == "the identity":
        return g
    for letter, exponent in re.findall(r"([a-z])(?:\^(-?\d+))?", word):
        x = generators[letter]
        if exponent.startswith("-"):
            x = [x.index(i) for i in range(degree)]
        for _ in range(abs(int(exponent or 1))):
            g = [g[x[i]] for i in range(degree)]
    return g


def require(holds, what):
    if not holds:
        sys.exit(f"check_pages.py: {what}")


class Table:
    def __init__(self, program, folder, group, arguments=()):
        self.page, file = folder / "table.html", folder / "table.json"
        subprocess.run(
            [program, "tie", group, *arguments, "--output", self.page, "--output", file],
            check=True,
            capture_output=True,
        )
        contents = json.loads(file.read_text())
        self.codes, self.params = contents["weight.code"], len(contents["weight.orbit_size"])
        self.cells = [(i, j) for i, row in enumerate(self.codes) for j, _ in enumerate(row)]
        metadata = json.loads(contents["metadata"]["intertwine.group"])
        self.degree = metadata["degree"]
        self.generators = {"abcdefgh"[k]: permutation(g, self.degree) for k, g in enumerate(metadata["generators"])}

    def parameter(self, cell):
        code = self.codes[cell[0]][cell[1]]
        return None if code == 0 else (code - 1) % self.params

    def check(self, document, cell, row_image, col_image):
        """The images say where a permutation takes a basis vector, as (place, sign)."""
        code, k = self.codes[cell[0]][cell[1]], self.parameter(cell)
        formula, facts = panel(document)
        sign = "−" if code > self.params else ""
        require(
            formula is not None and formula.translate(SUBSCRIPTS) == f"W[{cell[0]}, {cell[1]}] = {sign}θ{k}",
            f"{cell}: the panel says {formula}",
        )
        orbit = [other for other in self.cells if self.parameter(other) == k]
        require(facts["orbit"] == f"{len(orbit)} entries", f"{cell}: {facts} beside {len(orbit)} entries")
        require(facts["first entry"] == f"W[{orbit[0][0]}, {orbit[0][1]}]", f"{cell}: {facts} beside {orbit[0]}")
        g = product(facts["carried by"], self.generators, self.degree)
        if "which is" in facts:
            require(permutation(facts["which is"], self.degree) == g, f"{cell}: {facts} beside {g}")
        (i, one), (j, other) = row_image(g, orbit[0][0]), col_image(g, orbit[0][1])
        require((i, j) == cell and (one * other < 0) == (code > self.params), f"{cell}: {g} leads to {(i, j)}")


def main():
    program, chromium = Path(sys.argv[1]).resolve(), browser()
    if chromium is None:
        print("skipped: no Chromium here (apt-get install chromium)")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        tuples = Table(program, folder, "S4", ["--in", "perm^2", "--out", "perm^2"])
        pair = lambda g, x: (4 * g[x // 4] + g[x % 4], 1)
        for cell in [(3, 5), (0, 0), (14, 15)]:
            document, complaints = opened(chromium, tuples.page, f"#entry={cell[0]},{cell[1]}", folder)
            require(not complaints, f"{cell}: {complaints}")
            tuples.check(document, cell, pair, pair)
        require(
            "output(1,4)" in text_of(opened(chromium, tuples.page, "#entry=3,5", folder)[0]), "the labels of W[3, 5]"
        )
        formula, facts = panel(opened(chromium, tuples.page, "#bias=5", folder)[0])
        require((formula, facts["orbit"]) == ("b[5] = b₀", "4 entries"), f"b[5]: {formula}, {facts}")
        for outside in ("#entry=16,0", "#entry=-1,0", "#bias=16", "#entry=1", "#"):
            require(panel(opened(chromium, tuples.page, outside, folder)[0]) == (None, {}), f"{outside} is no entry")

        point = """const box = table.canvas.getBoundingClientRect();
            table.canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + table.left + 5.5 * table.scale,
                                                                        clientY: box.top + table.top + 3.5 * table.scale}));"""
        document, complaints = opened(chromium, tuples.page, "", folder, point)
        require(not complaints, f"pointing: {complaints}")
        tuples.check(document, (3, 5), pair, pair)
        for start, keys, cell in [
            ((3, 5), ["ArrowDown", "ArrowLeft"], (4, 4)),
            ((0, 0), ["n"], (5, 5)),
            ((5, 5), ["f"], (0, 0)),
            ((0, 15), ["ArrowLeft", "Home", "ArrowLeft", "ArrowUp"], (0, 0)),
            ((3, 5), ["Escape"], None),
        ]:
            press = "".join(
                f'table.canvas.dispatchEvent(new KeyboardEvent("keydown", {{key: "{key}"}}));' for key in keys
            )
            document, complaints = opened(chromium, tuples.page, f"#entry={start[0]},{start[1]}", folder, press)
            require(not complaints, f"{keys}: {complaints}")
            if cell is None:
                require(panel(document) == (None, {}), f"{keys}: {panel(document)}")
            else:
                tuples.check(document, cell, pair, pair)

        signed = Table(program, folder, "D4", ["--in", "perm", "--out", "perm * sign"])
        parity = lambda g: sum(g[a] > g[b] for b in range(len(g)) for a in range(b)) % 2
        for cell in [(1, 1), (3, 0), (0, 3)]:
            document, complaints = opened(chromium, signed.page, f"#entry={cell[0]},{cell[1]}", folder)
            require(not complaints, f"{cell}: {complaints}")
            if signed.parameter(cell) is None:
                formula, facts = panel(document)
                g = product(facts["why zero"].split(" = ")[0], signed.generators, 4)
                first = tuple(map(int, re.findall(r"\d+", facts["first entry"])))
                require(
                    formula.endswith("= 0") and tuple(g[x] for x in first) == first and parity(g) == 1,
                    f"{cell}: {formula}, {facts}",
                )
            else:
                signed.check(document, cell, lambda g, x: (g[x], 1 - 2 * parity(g)), lambda g, x: (g[x], 1))
        document, complaints = opened(chromium, signed.page, "", folder)
        require(not complaints and panel(document)[1] == {}, f"a page without an entry: {complaints}")

        subprocess.run(
            [program, "tie", "S5", "--in", "std", "--out", "std*std", "--output", folder / "sparse.html"],
            check=True,
            capture_output=True,
        )
        document, complaints = opened(chromium, folder / "sparse.html", "#entry=0,0", folder)
        require(not complaints and panel(document)[0].startswith("W[0, 0] = "), f"sparse: {complaints}")
    print("pages say what their tables hold")


if __name__ == "__main__":
    main()
