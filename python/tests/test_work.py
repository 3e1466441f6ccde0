"""Work that takes long: limits, progress, Ctrl-C, threads."""

import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import textwrap
import threading
import time
from fractions import Fraction

import intertwine
import pytest
from conftest import ROOT
from intertwine import DomainError, Group, LimitError, limits


def test_limits_of_time():
    start = time.monotonic()
    with pytest.raises(LimitError, match="limits"):
        Group("J2").irreps(seconds=0.05)
    with pytest.raises(LimitError):
        with limits(seconds=0.05):
            Group("J2").irreps()
    with limits(seconds=0.001):
        time.sleep(0.01)
        with pytest.raises(LimitError, match="time limit"):
            Group("J2").classes()
    assert time.monotonic() - start < 20
    assert Group("S4").order == 24  # the blocks are left


def test_limits_of_memory():
    V = Group("S100").rep("perm^2")
    with pytest.raises(LimitError, match="memory"):
        (V >> V).table(memory="1M")
    with limits(memory=10**6), limits(memory="1TiB"):  # the tightest holds
        with pytest.raises(LimitError, match="memory"):
            (V >> V).table()


def test_threads_change_no_answer():
    def answers():
        G, V = Group("S20"), Group("p4m(16,16)").rep("perm")
        return (
            G.character_table().to_json(),
            (V >> V).table().sha256,
            Group("S4 wr C4").character_table(seconds=100).to_json(),
        )

    one = answers()
    for threads in (1, 2, 3, 8):
        with limits(threads=threads):
            assert answers() == one
    calls = []
    with limits(threads=2, progress=lambda *a: calls.append(a)):
        Group("W(F4)").irreps(threads=3)
    assert calls
    with limits(threads=4), pytest.raises(LimitError):
        Group("J2").irreps(seconds=0.05)
    for wrong in (0, -1, 1.5, 10**9, "2"):
        with pytest.raises(DomainError, match="threads is a number from 1 to 65536"):
            limits(threads=wrong)


def test_progress(capfd):
    calls = []
    with limits(progress=lambda *a: calls.append(a)):
        Group("W(F4)").irreps()
    assert calls and all(isinstance(p, str) and isinstance(d, int) and isinstance(t, int) for p, d, t in calls)
    before = len(calls)
    with limits(progress=lambda *a: calls.append(a)):
        Group("S5").character_table(progress=False)
    assert len(calls) == before
    Group("W(F4)").irreps(progress=True)
    from intertwine._progress import Bar

    bar = Bar()
    bar._start -= 1
    bar("counting", 1, 4)
    bar("counting", 5, 0)
    bar.close()
    assert "25 %" in capfd.readouterr().err


def test_what_a_progress_function_raises_stops_the_work():
    def stop(phase, done, total):
        raise ZeroDivisionError(phase)

    with pytest.raises(ZeroDivisionError):
        Group("W(F4)").irreps(progress=stop)


# Lists are counted before they are made; what looks at no clock is judged when it is done.
@pytest.mark.parametrize(
    "work",
    [
        lambda **limit: intertwine.sf.partitions(58, **limit),
        lambda **limit: intertwine.sf.Partition([5, 4, 3, 2]).standard_tableaux(**limit),
        lambda **limit: intertwine.sf.Partition([5, 4, 3]).semistandard_tableaux(5, **limit),
        lambda **limit: intertwine.sf.Partition([5, 4, 3]).semistandard_tableaux([2] * 6, **limit),
        lambda **limit: intertwine.sf.partitions_in_box(11, 9, **limit),
        lambda **limit: intertwine.sf.partitions_inside([9] * 11, **limit),
        lambda **limit: intertwine.sf.contingency_tables([6] * 4, [6] * 4, **limit),
        lambda **limit: intertwine.sf.number_of_contingency_tables([9] * 5, [9] * 5, **limit),
    ],
)
def test_lists_know_limits(work):
    with pytest.raises(LimitError, match="time limit of 1e-05 s"):
        work(seconds=1e-5)
    with pytest.raises(LimitError, match="time limit"), limits(seconds=1e-5):
        work()
    assert work(seconds=60)


def test_lists_ask_for_memory():
    with pytest.raises(LimitError, match="for the partitions are more than the limit of 1.0 MiB"):
        intertwine.sf.partitions(58, memory="1MiB")
    with pytest.raises(LimitError, match="generators of G"), limits(memory="1MiB"):
        Group("S3") ** 1000
    with pytest.raises(LimitError, match=r"for a matrix of sym\(9999, perm\)"), limits(memory="200MiB"):
        Group("S3").rep("sym(9999,perm)").generator_matrices()
    table = Group("C200").character_table()
    with pytest.raises(LimitError, match=r"raise limits\(memory=...\)"), limits(memory="1MiB"):  # asked for, or seen
        table.to_sage()
    with pytest.raises(LimitError, match="for the tableaux"):
        intertwine.sf.Partition([8, 7, 6]).standard_tableaux(10**9, memory="1MiB")


def test_powers_without_end():
    a = intertwine.Cyclotomic("E(5)")
    assert a ** (2**62) == intertwine.Cyclotomic("E(5)^4")
    with pytest.raises(
        LimitError, match="the power with exponent 4611686018427387904 has more than five million digits"
    ):
        (a + 1) ** (2**62)
    with pytest.raises(LimitError, match="time limit"), limits(seconds=1e-5):
        (a + 1) ** (2**20)


def test_dense_products_of_matrices():
    rng = random.Random(5)
    rows = [[Fraction(rng.randint(-9, 9), rng.randint(1, 9)) for _ in range(40)] for _ in range(40)]
    A, few = intertwine.Matrix(rows), intertwine.Matrix.from_entries(40, 40, [(3, 5, "1/2"), (7, 3, 2)])
    assert (A @ A).tolist() == [
        [sum(x * y for x, y in zip(r, c, strict=True)) for c in zip(*rows, strict=True)] for r in rows
    ]
    assert (few @ few).entries() == [(7, 5, 1)]
    assert (few @ A).tolist()[3] == [x / 2 for x in rows[5]]
    with pytest.raises(LimitError, match="time limit"), limits(seconds=1e-5):
        A @ A
    with pytest.raises(DomainError, match="product of a 40 x 40 and a 3 x 3 matrix"):
        A @ intertwine.Matrix.identity(3)


def test_linear_algebra_of_matrices():
    A = intertwine.Matrix([[1, "1/2", 0], [2, 1, "E(3)"], [3, "3/2", "E(3)"]])
    assert A.rank() == 2
    assert A.kernel() == intertwine.Matrix([["-1/2", 1, 0]])
    assert A @ A.kernel().T == intertwine.Matrix.zero(3, 1)
    right = intertwine.Matrix([[1], [2], [3]])
    assert A @ A.solve(right) == right
    assert A.solve(intertwine.Matrix([[1], [2], [4]])) is None
    B = intertwine.Matrix([["E(5)", 1], [2, "1/3"]])
    assert B @ B.inverse() == B.inverse() @ B == intertwine.Matrix.identity(2)
    with pytest.raises(DomainError, match="inverse"):
        A.inverse()
    with pytest.raises(DomainError, match="solve: 3 equations with right sides of height 2"):
        A.solve(B)
    with pytest.raises(LimitError, match="time limit"), limits(seconds=1e-5):
        A.rank()
    assert intertwine.Matrix.identity(3).kernel().shape == (0, 3)


def limited_functions(folder):
    """What takes limits: functions by their stubs, properties by the bindings. Methods as ".name"."""
    stubs = (folder / "_core.pyi").read_text()
    functions = re.findall(r"^( *)def (\w+)\(.*seconds: ", stubs, re.MULTILINE)
    properties = re.findall(
        r'prop_limited\(\s*\w+,\s*"(\w+)"', "".join(f.read_text() for f in (ROOT / "python" / "src").glob("*.cpp"))
    )
    return {("." if indent else "") + name for indent, name in functions if not name.startswith("__")} | {
        "." + name for name in properties
    }


def test_every_function_with_limits_is_on_the_hostile_list():
    listed = (ROOT / "python" / "tests" / "hostile.txt").read_text()
    known = limited_functions(pathlib.Path(intertwine.__file__).parent)
    assert len(known) > 140 and {".irreps", "lr", ".dimension"} <= known
    assert not [
        name for name in known if not re.search(r"(?<![\w.])" * (name[0] != ".") + re.escape(name) + r"\b", listed)
    ]


def check_limits(*options):
    command = [sys.executable, ROOT / "scripts" / "check-limits", "--python", *options]
    path = str(pathlib.Path(intertwine.__file__).parents[1])
    return subprocess.run(command, capture_output=True, text=True, timeout=300, env=os.environ | {"PYTHONPATH": path})


def test_limits_bind_in_every_ninth_line():
    done = check_limits("--short", "--seconds", "0.5")
    assert done.returncode == 0, done.stdout


def test_limits_that_do_not_bind_are_seen(tmp_path):
    work = {
        "sum(range(10**8))": "s of CPU too many",
        "x = bytearray(300 << 20)": "MiB",
        "raise MemoryError": "status 1",
        "open('left', 'w')": "left left",
        "open('t.json', 'w').write('[')": "left t.json",
    }
    (tmp_path / "work.txt").write_text("\n".join(["Group('S4').order", *work]))
    done = check_limits("--list", tmp_path / "work.txt", "--seconds", "0.2", "--no-signals")
    assert done.returncode == 1 and "6 commands" in done.stdout
    for line, (command, fault) in zip(done.stdout.splitlines()[:-1], work.items(), strict=True):
        assert line.startswith(command) and fault in line


INTERRUPTED = """
import fractions, os, signal, subprocess, time
from intertwine import *
from intertwine.sf import *
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
subprocess.Popen(["sh", "-c", f"sleep 0.5; kill -INT {os.getpid()}"])  # from outside: here nothing else may run
start = time.monotonic()
try:
    WORK
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 5)
assert Group("S4").order == 24
print("alive")
"""


# In the library, and while Python gets what it found.
@pytest.mark.parametrize(
    "work",
    [
        'Group("J2").irreps()',
        "partitions(78)",
        "number_of_contingency_tables([40] * 8, [40] * 8)",
        "Matrix.zero(10**9, 10**9).tolist()",
        "(lambda A: A @ A)(Matrix([[fractions.Fraction(1, i + j + 1) for i in range(600)] for j in range(600)]))",
        'Group("S8").rep("perm^4").to_gap()',
        "Matrix([[fractions.Fraction(1, i + j + 1) for i in range(2000)] for j in range(100)] * 100)",  # in the code of Fraction
    ],
)
def test_ctrl_c(work):
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED.replace("WORK", work)], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.split() == ["interrupted", "True", "alive"], done


def test_a_handler_of_signals_may_raise_what_it_likes():
    class Stop(Exception):
        pass

    def handler(*_):
        raise Stop

    old = signal.signal(signal.SIGALRM, handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Stop):
            Group("J2").irreps()
    finally:
        signal.signal(signal.SIGALRM, old)


def test_other_threads_run_meanwhile():
    ticks = []
    stop = threading.Event()

    def tick():
        while not stop.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    thread.start()
    start = time.monotonic()
    Group("M12").irreps()
    stop.set()
    thread.join()
    longest = max(b - a for a, b in zip(ticks, ticks[1:]))
    assert longest < 0.5 * (time.monotonic() - start) + 0.1


def test_many_threads_share_values():
    G = Group("S6")
    V = G.rep("perm^2")
    hom = V >> V
    answers = []

    def ask():
        answers.append((hom.dimension, hom.table().sha256, len(G.character_table()), V.matrix("(1,2,3)").trace()))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(answers) == 8 and len(set(answers)) == 1


def test_import_is_light():
    code = textwrap.dedent("""
        import sys, time
        before = set(sys.modules)
        start = time.process_time()
        import intertwine
        elapsed = time.process_time() - start
        heavy = {"numpy", "torch", "jax", "matplotlib", "sympy", "pandas"} & set(sys.modules)
        assert not heavy, heavy
        print(elapsed)
    """)
    times = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    assert min(times) < 0.1, times


# Arrays made by others may outlive the interpreter; nothing is said of it.
def test_nothing_is_said_at_the_end():
    code = """
import numpy
from intertwine import Group
V = Group("S4").rep("perm")
array = numpy.from_dlpack((V >> V).table().weight_code)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
