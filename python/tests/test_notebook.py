"""What notebooks and pages show, in a headless browser: drawn whole, in the colours of the parameters. Skipped where
there is no Chromium."""

import collections
import re
import shutil
import struct
import subprocess
import zlib

import pytest
from intertwine import Group, branch, load_table, verify
from intertwine.sf import Tableau

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="no Chromium here")


def shown(page, fragment="", width=1000, height=640):
    """The pixels of a page, row by row, as (red, green, blue), and its document after the script has run."""
    picture = page.with_suffix(".png")
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars", f"--user-data-dir={page.parent}/profile",
        f"--window-size={width},{height}", "--virtual-time-budget=4000", "--enable-logging=stderr",
    ]  # fmt: skip
    done = subprocess.run(
        [*command, f"--screenshot={picture}", f"file://{page}{fragment}"], capture_output=True, text=True, timeout=120
    )
    assert "CONSOLE" not in done.stderr, done.stderr
    document = subprocess.run(
        [*command, "--dump-dom", f"file://{page}{fragment}"], capture_output=True, text=True, timeout=120
    ).stdout
    return pixels(picture.read_bytes()), document


def pixels(png):
    """PNG as browsers write it: 8 bits, no interlacing."""
    data, place, width, height, kind = b"", 8, 0, 0, 0
    while place < len(png):
        (size,), name = struct.unpack(">I", png[place : place + 4]), png[place + 4 : place + 8]
        body = png[place + 8 : place + 8 + size]
        if name == b"IHDR":
            width, height, depth, kind, _, _, interlaced = struct.unpack(">IIBBBBB", body)
            assert depth == 8 and kind in (2, 6) and not interlaced
        data += body if name == b"IDAT" else b""
        place += size + 12
    step = 3 if kind == 2 else 4
    raw, before, rows = zlib.decompress(data), bytearray(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        how, row = raw[start], bytearray(raw[start + 1 : start + 1 + width * step])
        for x in range(width * step):
            left, up, corner = (row[x - step] if x >= step else 0), before[x], (before[x - step] if x >= step else 0)
            nearest = min(
                (abs(up - corner), 0, left), (abs(left - corner), 1, up), (abs(left + up - 2 * corner), 2, corner)
            )[2]
            row[x] = (row[x] + (0, left, up, (left + up) // 2, nearest)[how]) & 255
        rows.append([tuple(row[x : x + 3]) for x in range(0, width * step, step)])
        before = row
    return rows


def test_the_page_of_a_table(tmp_path):
    V = Group("S4").rep("perm^2")
    page = tmp_path / "layer.html"
    (V >> V).table().picture(page)
    rows, document = shown(page, "#entry=3,5")
    assert (len(rows), len(rows[0])) == (640, 1000)
    colour = re.search(r'id="swatch"[^>]*background(?:-color)?: ?rgb\((\d+), (\d+), (\d+)\)', document) or re.search(
        r"rgb\((\d+), (\d+), (\d+)\)", document
    )
    drawn = collections.Counter(pixel for row in rows for pixel in row)
    # 24 entries of one parameter at full strength, each some 40 pixels wide, and the others faint behind them
    assert drawn[tuple(map(int, colour.groups()))] > 24 * 20 * 20 and len(drawn) > 40


def test_what_notebooks_show(tmp_path):
    G = Group("A5")
    V = G.rep("perm")
    table = (V >> V).table()
    table.save(tmp_path / "t.safetensors")
    values = [
        G.character_table(), V.decompose(), (V >> V).certificate(), V >> V, V.character(), Tableau([[0, 1], [2]]), verify(tmp_path / "t.safetensors"),
    ]  # fmt: skip
    page = tmp_path / "notebook.html"
    page.write_text(
        "<meta charset=utf-8><body style='font-family: sans-serif'>"
        + "".join(f"<div class=value>{v._repr_html_()}</div>" for v in values)
    )
    rows, document = shown(page, height=1400)
    assert document.count("<table") == len(values) and "(1-√5)/2" in document
    # Ink from the first value to the last, and no wider than the page.
    inked = [y for y, row in enumerate(rows) if any(pixel != (255, 255, 255) for pixel in row)]
    assert inked[-1] > 600 and inked[-1] < 1400 and all(row[-1] == (255, 255, 255) for row in rows)
    assert load_table(tmp_path / "t.safetensors") == table and branch([2], "orthogonal", 3)._repr_latex_()
