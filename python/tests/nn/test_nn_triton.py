"""The kernels for GPUs: every value by Triton's interpreter, the same on a GPU where there is one, and machine code for
devices by its compiler."""

import os
import pathlib
import subprocess
import sys

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")
pytest.importorskip("triton", reason="Triton is not installed")
HERE = pathlib.Path(__file__).resolve().parent


def run_kernels(file, **environment):
    """In a process of its own, since Triton looks at its variable when it is imported."""
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(HERE / file)]
    run = subprocess.run(
        command, env={**os.environ, "OMP_NUM_THREADS": "1", **environment}, cwd=HERE, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stdout[-8000:] + run.stderr[-2000:]


every_file = pytest.mark.parametrize("file", ["triton_kernels.py", "triton_points.py"])


@every_file
def test_interpreted(file):
    run_kernels(file, TRITON_INTERPRET="1")


@every_file
def test_on_a_gpu(file):
    import torch

    if not torch.cuda.is_available():
        pytest.skip("there is no GPU here")
    run_kernels(file, TRITON_INTERPRET="0")


COMPILE = """
import sys
import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from intertwine.nn import _triton as kernels

def machine_code(kernel, constants, **pointers):
    signature = {n: "constexpr" if n in constants else pointers.get(n, "i32") for n in kernel.arg_names}
    compiled = triton.compile(ASTSource(fn=kernel, signature=signature, constexprs=constants), target=GPUTarget("cuda", int(sys.argv[1]), 32))
    text = compiled.asm["ptx"]
    assert compiled.asm["cubin"] and "st.global" in text
    assert not any(line.split()[0].startswith(("atom.", "red.")) for line in text.splitlines() if line.split()), kernel
    assert compiled.metadata.shared <= 99 * 1024, compiled.metadata.shared  # what every device since 8.6 has

for t, code, index in (("fp32", "*u8", "*i32"), ("fp16", "*u16", "*i32"), ("bf16", "*u32", "*i64"), ("fp64", "*u8", "*i32")):
    wide = "fp64" if t == "fp64" else "fp32"
    acc = {"ACC": tl.float64 if t == "fp64" else tl.float32}
    p, s = "*" + t, "*" + wide
    for wide in (1, 8, 64):
        sites = {"INDEX": tl.int32 if index == "*i32" else tl.int64, "SITES": 1024 // wide, "IN": wide, "WHOLE": wide == 8}
        machine_code(kernels._materialise, {**acc, **sites}, theta=p, code=code, W=p)
        tile = {"PIECES": 4 if wide == 1 else 1, "LENGTH": 256, "TERMS": min(256, 2048 // wide), "IN": wide, "WHOLE": wide == 8}
        machine_code(kernels._add_entries, {**acc, **tile}, dW=p, entries=index, start=index, sums=s, row="i64", column="i64")
    machine_code(kernels._add_pieces, {**acc, "PIECES": 16, "PAIRS": 64}, sums=s, first=index, dtheta=p)
    for axes, wide in ((1, 16), (2, 256), (4, 1)):
        machine_code(kernels._add_up, {**acc, "AXES": axes, "ROWS": 1024 // wide, "COLUMNS": wide}, large=p, small=p, table="*i64", y=p)
    if t != "fp64":
        for size in (16, 64):
            fixed = {"PRECISION": "ieee" if size == 16 else "tf32", "WIDE": False}
            machine_code(kernels._product, {"BATCH": size, "ROWS": 80 - size, "COLUMNS": 64, **fixed}, x=p, theta=p, code=code, y=p)
            machine_code(kernels._outer, {"OUT": size, "IN": 64, "TERMS": 32, **fixed}, x=p, dy=p, entries=index, start=index, sums=s)

from intertwine.nn.geometric import _triton as kernels

def numbers(names, p):
    return {name: p for name in names.split()}

whole = "slots paths first edges ends source target kinds entries order start stop"
for p, acc in (("*fp32", tl.float32), ("*fp64", tl.float64)):
    tables = numbers(whole, "*i64")
    some = lambda names: {**tables, **numbers(names, p)}
    for size in (1, 8, 32):
        fixed = {"ACC": acc, "COMPONENTS": size, "CHANNELS": 128}
        machine_code(kernels._along_edges, fixed, **some("x w A out"))
        for both, slopes in ((True, True), (False, True), (True, False)):
            fixed = {"ACC": acc, "FROM": size, "TO": 8, "CHANNELS": 16, "BOTH": both, "SLOPES": slopes}
            machine_code(kernels._by_edge, fixed, **some("x g w A d_w d_A"))
    for directions in range(3):
        for degree in (0, 3):
            fixed = {"ACC": acc, "DEGREE": degree, "DIRECTIONS": directions, "CHANNELS": 64}
            reals = some("x a b w v1 v2 g out sums") | {"coefficients": "*fp64"}
            machine_code(kernels._at_points, {**fixed, "GIVEN": degree == 0}, **reals)
            machine_code(kernels._of_weights, fixed, **reals)
"""


@pytest.mark.parametrize("capability", ["80", "90"])
def test_compiles_for_devices_without_atomic_additions(capability, tmp_path):
    environment = {k: v for k, v in os.environ.items() if k != "TRITON_INTERPRET"}
    environment.update(TRITON_CACHE_DIR=str(tmp_path), TRITON_DEFAULT_FP_FUSION="1")
    script = tmp_path / "compile.py"  # the compiler reads the source of what it compiles
    script.write_text(COMPILE)
    run = subprocess.run([sys.executable, str(script), capability], env=environment, capture_output=True, text=True)
    if "ptxas" in run.stderr and "not found" in run.stderr.lower():
        pytest.skip("this Triton has no assembler for NVIDIA devices")
    assert run.returncode == 0, run.stderr[-4000:]


def test_check_script_says_whether_there_is_a_gpu():
    import torch

    script = HERE.parents[2] / "bench" / "python" / "check_gpu.py"
    if torch.cuda.is_available():
        run = subprocess.run([sys.executable, str(script), "--size", "300"], capture_output=True, text=True)
        assert run.returncode == 0 and "materialise" in run.stdout, run.stdout + run.stderr
        return
    for required, status in (("", 77), ("1", 1)):
        run = subprocess.run(
            [sys.executable, str(script)],
            env={**os.environ, "INTERTWINE_REQUIRE_GPU": required},
            capture_output=True,
            text=True,
        )
        assert run.returncode == status and "There is no GPU" in run.stdout, run.stderr
