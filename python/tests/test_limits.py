"""`limits`: what it owns, whom it concerns, and what holds where nothing is stated."""

import asyncio
import contextvars
import gc
import os
import subprocess
import sys
import textwrap
import threading
import time

import intertwine
import pytest
from intertwine import Cyclotomic, DomainError, FileError, Group, LimitError, Matrix, limits


def is_limited():
    try:
        intertwine.sf.partitions(8)
    except LimitError:
        return True
    return False


def in_thread(work):
    """What it gives in a thread of its own."""
    found = []
    thread = threading.Thread(target=lambda: found.append(work()))
    thread.start()
    thread.join()
    return found[0]


def run(program):
    """What a process of its own prints: its memory is that of the program alone."""
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True, timeout=120
    ).stdout


def churn():
    """Takes what was freed, so that nobody reads it as it was."""
    gc.collect()
    return [limits(memory=10**15, progress=lambda *a: None) for _ in range(200)] + [
        bytearray(n) for n in range(0, 4000, 8)
    ]


def test_a_block_whose_object_is_dropped_has_ended():
    for _ in range(20):
        limits(memory=1).__enter__()
        churn()
        assert not is_limited()
        kept = limits(memory=1)
        assert kept.__enter__() is kept and is_limited()
        del kept
        churn()
        assert not is_limited()


def test_a_generator_may_end_in_another_thread():
    def holding():
        with limits(memory=1):
            yield
            yield

    for _ in range(10):
        generator = holding()
        next(generator)
        assert is_limited()  # as with other context variables, a generator has none of its own
        held = [generator]
        del generator
        in_thread(held.clear)
        churn()
        assert not is_limited()
        begun = holding()
        in_thread(lambda begun=begun: next(begun))  # begun there, ended here
        churn()
        assert not is_limited()
        begun.close()
        assert not is_limited()


def test_threads_have_their_own():
    with limits(memory=1):
        assert is_limited() and not in_thread(is_limited)
        context = contextvars.copy_context()
        assert in_thread(lambda: context.run(is_limited))
    assert not is_limited() and not context.run(is_limited)  # the block has ended, everywhere
    start, end = threading.Barrier(2), threading.Barrier(2)

    def limited():
        with limits(memory=1):
            start.wait(10)
            end.wait(10)
            return is_limited()

    found = []
    thread = threading.Thread(target=lambda: found.append(limited()))
    thread.start()
    start.wait(10)
    assert not is_limited()
    end.wait(10)
    thread.join()
    assert found == [True]


def test_tasks_of_asyncio_have_their_own():
    async def limited(turns):
        with limits(memory=1):
            for _ in range(turns):
                assert is_limited()
                await asyncio.sleep(0)
        assert not is_limited()

    async def free(turns):
        for _ in range(turns):
            assert not is_limited()
            await asyncio.sleep(0)

    async def everything():
        await asyncio.gather(limited(5), free(7), limited(9), free(3))
        with limits(memory=1):  # a task begins with those of who made it, as it does with all context variables
            inner = asyncio.create_task(limited(2))
            assert await asyncio.to_thread(is_limited)
            with pytest.raises(AssertionError):
                await inner
        assert not is_limited()

    asyncio.run(everything())
    assert not is_limited()


def test_blocks_nest_in_any_order_of_leaving():
    a, b = limits(memory=1), limits(memory="1TiB")
    a.__enter__(), b.__enter__(), a.__enter__()
    a.__exit__(None, None, None)
    assert is_limited()
    a.__exit__(None, None, None)
    assert not is_limited()
    b.__exit__(None, None, None)
    b.__exit__(None, None, None)  # once too often: nothing
    assert not is_limited()
    with a, a:
        assert is_limited()
    assert not is_limited()


def test_many_threads_enter_one_object():
    shared, faults = limits(memory=10**15, seconds=1000), []

    def work():
        try:
            for _ in range(200):
                with shared:
                    is_limited()
        except Exception as e:  # noqa: BLE001
            faults.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults and not is_limited()


def test_work_without_a_limit_is_bound_by_what_is_free():
    free = next(int(line.split()[1]) << 10 for line in open("/proc/meminfo") if line.startswith("MemAvailable"))
    with pytest.raises(
        LimitError,
        match=r"for a matrix of sym\(999999, perm\) are more than the limit of .*; raise limits\(memory=...\)",
    ) as told:
        Group("S3").rep("sym(999999,perm)").generator_matrices()
    number, unit = str(told.value).split("the limit of ")[1].split(";")[0].split()
    assert float(number) * {"MiB": 2**20, "GiB": 2**30, "TiB": 2**40}[unit] < 0.95 * free  # in a container less
    with limits(memory="2GiB"), pytest.raises(LimitError, match="the limit of 2.0 GiB"):  # what is stated is what holds
        Group("S3").rep("sym(999999,perm)").generator_matrices()


def test_files_ask_for_their_disk(tmp_path):
    table = (Group("S4").rep("perm^2") >> Group("S4").rep("perm^2")).table()
    for name in ("t.safetensors", "t.npz", "t.h5", "t.json"):
        with (
            limits(disk=100),
            pytest.raises(
                LimitError, match=rf"for .*{name} are more than the limit of 100 bytes; raise limits\(disk=...\)"
            ),
        ):
            table.save(tmp_path / name)
    assert list(tmp_path.iterdir()) == []
    with limits(disk="1MiB"), limits(disk="1GiB"):
        table.save(tmp_path / "t.npz")
    with pytest.raises(DomainError, match="disk is a positive number of bytes"):
        limits(disk=0)
    V = Group("S1000").rep("perm^2")  # 10^12 entries
    large = (V >> V).table()
    with pytest.raises(
        LimitError, match="iB for .*large.safetensors are more than the .* that its file system has free"
    ):
        large.save(tmp_path / "large.safetensors")
    assert not (tmp_path / "large.safetensors").exists()


def test_names_of_files_need_not_be_utf8(tmp_path):
    table = (Group("S4").rep("perm") >> Group("S4").rep("perm")).table()
    name = os.fsdecode(os.fsencode(tmp_path) + b"/t\xfc.json")
    table.save(name)
    assert intertwine.load_table(name).sha256 == table.sha256 and intertwine.verify(name).params == 2
    with open(name, "ab") as file:
        file.write(b"]")
    with pytest.raises(FileError, match="not valid JSON"):
        intertwine.verify(name)
    with pytest.raises(FileError):
        intertwine.verify(name + "x")


@pytest.mark.parametrize(
    "work",
    [
        "Group('space(P2_1/c,1,2,1000000)')",
        "(E(997) + E(991) + 1) ** 3",
        "sf.plethysm([2, 2, 2], [5, 4])",
        "sf.lr([12, 10, 8, 6, 4, 2], [12, 10, 8, 6, 4, 2])",
        "sf.schur_coproduct([9, 8, 7, 6, 5, 4, 3, 2, 1])",
        "sf.s[9, 8, 7, 6, 5, 4, 3, 2, 1] * sf.s[9, 8, 7, 6, 5, 4, 3]",
    ],
)
def test_large_work_stays_near_its_memory(work):
    """At most 64 MiB more than the limit: what grows asks before it does."""
    said = run(f"""
        import resource
        from intertwine import E, Group, LimitError, limits, sf
        peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10
        before = peak()
        try:
            with limits(memory="150MiB"):
                {work}
        except LimitError as error:
            print("150.0 MiB" in str(error), peak() - before < 150 + 64)
    """)
    assert said.split() == ["True", "True"]


@pytest.mark.parametrize("work", ["Group('space(P2_1/c,1,2,1000000)')", "Group('D1000000').rep('coordinates')"])
def test_late_work_ends_near_its_time(work):
    """On an idle machine it is half a second; a busy one gets time."""
    said = run(f"""
        import time
        from intertwine import Group, LimitError, limits
        begun = time.process_time()
        try:
            with limits(seconds=1):
                {work}
        except LimitError:
            print(time.process_time() - begun < 4)
    """)
    assert said.split() == ["True"]


def test_decompositions_of_long_cycles_end_near_their_time():
    """The ranks of elements of C3000 take longer than the limit by themselves."""
    said = run("""
        import time
        from intertwine import Group, LimitError, limits
        V = Group("C3000").rep("regular")
        begun = time.process_time()
        try:
            with limits(seconds=0.5):
                V.decompose()
        except LimitError:
            print(time.process_time() - begun < 3)
    """)
    assert said.split() == ["True"]


@pytest.mark.parametrize("text", ["+".join(["1/7*E(9)"] * 100_000), "sqrt(2-2*cos(3800*pi/4001))"], ids=["sum", "root"])
@pytest.mark.parametrize("read", [Cyclotomic, lambda text: Matrix([[text]])], ids=["number", "matrix"])
def test_long_numbers_end_near_their_time(text, read):
    """A sum of 900 kB, and a root that is sought among 4000 sines: texts ask at every term."""
    begun = time.process_time()
    with pytest.raises(LimitError, match="the time limit of 0.01 s"), limits(seconds=0.01):
        read(text)
    assert time.process_time() - begun < 1


def test_numbers_of_many_terms_ask_for_their_memory():
    with limits(memory="8MiB"), pytest.raises(LimitError, match="23.8 MiB for the terms of a cyclotomic number"):
        Cyclotomic("sqrt(99989)")


def test_identity_matrices_ask_for_their_memory():
    for n in (2**63 - 1, 10**9):
        with limits(memory="100MiB"), pytest.raises(LimitError, match="for an identity matrix are more"):
            Matrix.identity(n)
    assert Matrix.identity(2) == Matrix([[1, 0], [0, 1]])


def test_short_numbers_are_read_without_a_question():
    with limits(seconds=1e-9):
        assert Cyclotomic("1/2") == Cyclotomic("1/2+E(3)-E(3)")
