"""Training in several processes, which goes on where it was after one of them dies.

    torchrun --nproc-per-node 2 --max-restarts 1 examples/training/parallel.py --kind FSDP2 --folder checkpoints
    --kill-at 13

Each process has its share of every batch, or of the channels. Every 5 steps all of them write one checkpoint
(torch.distributed.checkpoint); a process that starts looks for the last complete one. --kill-at lets the last process
kill itself at that step, once: torchrun ends the others and starts all of them again. Nobody waits for a dead process
longer than --timeout seconds. Batches depend on the number of the step alone, so that the parameters at the end are
those of a run that nobody disturbed, to rounding.

--kind DDP keeps whole copies of parameters and optimiser, FSDP2 shares them out; with TP every process has some
channels of every layer, and sees all examples. All take the layers as they are: a table is a constant of each process
and no buffer, and the digest in every checkpoint tells whose parameters they are.
"""

from __future__ import annotations

import argparse
import datetime
import os
import pathlib
import shutil
import signal
import sys
from typing import Any

import torch
import torch.distributed as dist
import torch.distributed.checkpoint as dcp
from intertwine import Group
from intertwine.nn import Activation, Linear
from torch import Tensor, nn
from torch.distributed.checkpoint.state_dict import get_state_dict, set_state_dict
from torch.distributed.rendezvous import rendezvous

BATCH, EVERY = 32, 5


def network() -> nn.Module:
    """Six things in any order, 3 numbers each, to one number."""
    V, one = Group("S6").rep("perm"), Group("S6").rep("trivial")
    torch.manual_seed(0)  # every process begins with the same parameters
    return nn.Sequential(
        Linear(V, V, 3, 16),
        Activation(V, torch.tanh),
        Linear(V, V, 16, 16),
        Activation(V, torch.tanh),
        Linear(V, one, 16, 1),
    )


def batch(step: int) -> tuple[Tensor, Tensor]:
    """The largest distance between two of six points, and where they are."""
    x = torch.randn(BATCH, 3, 6, generator=torch.Generator().manual_seed(step))
    return x, torch.cdist(x.transpose(1, 2), x.transpose(1, 2)).amax((1, 2)).view(-1, 1, 1)


def last_checkpoint(folder: pathlib.Path) -> pathlib.Path | None:
    """Only complete ones have this name."""
    return max(folder.glob("step-*"), default=None, key=lambda path: int(path.name.split("-")[1]))


def save(folder: pathlib.Path, step: int, model: nn.Module, optimiser: torch.optim.Optimizer) -> None:
    """All processes write; it gets its name when it is complete."""
    unfinished = folder / "unfinished"
    if dist.get_rank() == 0:
        shutil.rmtree(unfinished, ignore_errors=True)  # of a run that died while it wrote
    dist.barrier()
    parameters, moments = get_state_dict(model, optimiser)
    dcp.save({"model": parameters, "optimiser": moments, "step": torch.tensor(step)}, checkpoint_id=unfinished)
    dist.barrier()
    if dist.get_rank() == 0:
        unfinished.rename(folder / f"step-{step}")
    dist.barrier()  # whoever dies from here on leaves it complete


def load(path: pathlib.Path, model: nn.Module, optimiser: torch.optim.Optimizer) -> int:
    """The number of steps that were done."""
    parameters, moments = get_state_dict(model, optimiser)
    state: dict[str, Any] = {"model": parameters, "optimiser": moments, "step": torch.tensor(0)}
    dcp.load(state, checkpoint_id=path)
    set_state_dict(model, optimiser, model_state_dict=state["model"], optim_state_dict=state["optimiser"])
    return int(state["step"])


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--kind", choices=("DDP", "FSDP2", "TP"), default="FSDP2")
    parser.add_argument("--folder", type=pathlib.Path, required=True, help="for checkpoints")
    parser.add_argument("--steps", type=int, default=30)
    parser.add_argument("--kill-at", type=int, default=-1, metavar="STEP")
    parser.add_argument(
        "--timeout", type=float, default=300, metavar="SECONDS", help="of waiting for the other processes"
    )
    given = parser.parse_args()
    if not given.timeout > 0:
        parser.error("--timeout is a positive number of seconds")
    if "RANK" not in os.environ:
        parser.error("start this with torchrun: torchrun --nproc-per-node 2 " + __file__)
    kind = "cuda" if torch.cuda.is_available() else "cpu"
    # torchrun keeps its store when it starts the processes again: under the old names they would find the addresses of
    # the dead.
    patience = datetime.timedelta(seconds=given.timeout)
    store, rank, size = next(rendezvous("env://", timeout=patience))
    store = dist.PrefixStore("attempt " + os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"), store)
    dist.init_process_group(
        "nccl" if kind == "cuda" else "gloo", store=store, rank=rank, world_size=size, timeout=patience
    )
    device = torch.device(kind, int(os.environ["LOCAL_RANK"]) if kind == "cuda" else None)
    if kind == "cuda":
        torch.cuda.set_device(device)
    if BATCH % size:
        parser.error(f"{size} processes do not share {BATCH} examples evenly")
    given.folder.mkdir(parents=True, exist_ok=True)

    model = network().to(device)
    if given.kind == "DDP":
        model = nn.parallel.DistributedDataParallel(model)
    elif given.kind == "TP":
        from intertwine.nn.parallel import ColwiseParallel, RowwiseParallel
        from torch.distributed.tensor import Replicate
        from torch.distributed.tensor.parallel import parallelize_module

        mesh = dist.init_device_mesh(kind, (size,))
        parallelize_module(
            model,
            mesh,
            {"0": ColwiseParallel(), "2": RowwiseParallel(), "4": RowwiseParallel(input_layouts=Replicate())},
        )
    else:
        from torch.distributed.fsdp import fully_shard

        mesh = dist.init_device_mesh(kind, (size,))
        for layer in model:
            if isinstance(layer, Linear):
                fully_shard(layer, mesh=mesh)
        fully_shard(model, mesh=mesh)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.01)

    begin, found = 0, last_checkpoint(given.folder)
    if found is not None:
        begin = load(found, model, optimiser)
        if rank == 0:
            print(f"going on from {found.name}", flush=True)
    for step in range(begin, given.steps):
        if step == given.kill_at and rank == size - 1 and os.environ.get("TORCHELASTIC_RESTART_COUNT", "0") == "0":
            print(f"process {rank} kills itself before step {step}", flush=True)
            os.kill(os.getpid(), signal.SIGKILL)
        mine = slice(None) if given.kind == "TP" else slice(rank * BATCH // size, (rank + 1) * BATCH // size)
        x, y = (t[mine].to(device) for t in batch(step))
        optimiser.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimiser.step()
        if (step + 1) % EVERY == 0 or step + 1 == given.steps:
            save(given.folder, step + 1, model, optimiser)
            if rank == 0:
                print(f"step {step + 1}: loss {float(loss.detach()):.4f} on the first share", flush=True)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
    # Threads of gloo that still run at Python's end can abort the process after all is done, and torchrun would call a
    # finished training failed.
    sys.stdout.flush()
    os._exit(0)
