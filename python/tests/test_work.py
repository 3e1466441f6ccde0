"""Work that takes long: limits, progress, Ctrl-C, threads."""

import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest
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
        return (G.character_table().to_json(), (V >> V).table().sha256, Group("S4 wr C4").character_table(seconds=100).to_json())

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


INTERRUPTED = """
import os, signal, threading, time
from intertwine import Group
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs are born deaf to it
threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
start = time.monotonic()
try:
    Group("J2").irreps()
except KeyboardInterrupt:
    print("interrupted", time.monotonic() - start < 5)
assert Group("S4").order == 24
print("alive")
"""


def test_ctrl_c():
    done = subprocess.run([sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, timeout=60)
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
    times = [float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout) for _ in range(3)]
    assert min(times) < 0.1, times
