"""Tables as HDF5, with h5py: the arrays and metadata of a safetensors file as data sets and attributes, and back.

Files have the layout of docs/formats.md: a data set in the root group for every array, and the metadata as attributes
of the root group. What a file says of itself is checked before it is believed, and arrays pass piece by piece: memory
stays below `_PIECE` bytes or so."""

from __future__ import annotations

import contextlib
import functools
import importlib
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from . import _core
from ._errors import DomainError, Error, FileError

if TYPE_CHECKING:
    import numpy as np

_SIGNATURE = b"\x89HDF\r\n\x1a\n"
_DTYPES = {"I64": "<i8", "F64": "<f8", "I32": "<i4", "U16": "<u2", "U8": "|u1"}  # in the order of the data section
_TABLES = re.compile(r"(block\.\d+\.\d+\.)?(weight|bias|isotypic|proof|diagram)\.[\w.]+", re.ASCII)
_PIECE = 1 << 26
_MOST_SAVED_BY_DEFLATE = 1100  # no stream of deflate is shorter than a 1032nd of what it holds
_MOST_NAMES = 1 << 20
_MOST_MEMORY = 4 << 30
_REFUSED = 3
_F = TypeVar("_F", bound=Callable[..., Any])


def _h5py() -> Any:
    try:
        return importlib.import_module("h5py")
    except ImportError as missing:
        raise ImportError(
            "HDF5 files need h5py: pip install h5py (or save as .safetensors, .npz or .json)"
        ) from missing


def _name(path: Any) -> str | None:
    """The name of a file; None if it is none, which the library then says."""
    try:
        name = os.fsdecode(path)
    except (TypeError, ValueError):
        return None
    return None if "\0" in name or isinstance(path, bytes) else name


def _of_safetensors(path: Path) -> tuple[dict[str, str], dict[str, np.ndarray]]:
    """The metadata and arrays of a file that the library wrote; the arrays stay in the file."""
    import numpy as np

    with open(path, "rb") as file:
        length = int.from_bytes(file.read(8), "little")
        head = json.loads(file.read(length))
    metadata, arrays = head.pop("__metadata__"), {}
    for name, entry in head.items():
        dtype, shape = np.dtype(_DTYPES[entry["dtype"]]), tuple(entry["shape"])
        start = 8 + length + entry["data_offsets"][0]
        empty = math.prod(shape) == 0
        arrays[name] = np.empty(shape, dtype) if empty else np.memmap(path, dtype, "r", start, shape)
    return metadata, arrays


@contextlib.contextmanager
def _named(plain: Path, name: str) -> Iterator[None]:
    """Errors about the file `plain`, which nobody knows, are about `name`."""
    try:
        yield
    except Error as error:
        raise type(error)(str(error).replace(str(plain), name)) from None


def _save(write: Callable[[Path], str], name: str) -> str:
    h5py, target = _h5py(), Path(name)
    try:
        # The finished file is renamed, so the folder is that of the target.
        with tempfile.TemporaryDirectory(prefix=".intertwine-", dir=target.parent) as folder:
            plain, made = Path(folder, "table.safetensors"), Path(folder, "table.h5")
            with _named(plain, name):
                digest = write(plain)
            metadata, arrays = _of_safetensors(plain)
            with h5py.File(made, "w") as file:
                for key, value in metadata.items():
                    if "\0" in value:
                        raise DomainError(
                            f"the metadata {key!r} hold a character 0, which HDF5 cannot hold; save as .safetensors or .npz"
                        )
                    file.attrs[key] = value
                for key, array in arrays.items():
                    file.create_dataset(key, data=array)
            with open(made, "rb") as file:
                os.fsync(file.fileno())
            os.chmod(made, _mode(target, plain))
            os.replace(made, target)
    except OSError as error:
        raise FileError(f"{name}: the file cannot be written: {error.strerror or error}") from error
    return digest


def _mode(target: Path, plain: Path) -> int:
    """The permissions of the file that is replaced, or those of a file that the library makes."""
    return (target if target.exists() else plain).stat().st_mode & 0o777


def _text(name: str, key: str, value: Any) -> str:
    if isinstance(value, bytes):
        value = value.decode(errors="surrogateescape")
    if not isinstance(value, str):
        raise FileError(f'{name}: the attribute "{key[:60]}" is no single string')
    if any("\ud800" <= c <= "\udfff" for c in value):
        raise FileError(f'{name}: the attribute "{key[:60]}" is no UTF-8')
    return str(value)


def _checked(h5py: Any, name: str, key: str, entry: Any) -> Any:
    """The data set, if it holds in this file what its shape says."""

    import numpy as np

    def refuse(why: str) -> FileError:
        return FileError(f'{name}: the array "{key[:60]}" {why}')

    if not isinstance(entry, h5py.Dataset) or entry.shape is None:
        raise refuse("is no data set of HDF5 with a shape")
    if entry.is_virtual or entry.external:
        raise refuse("lies in other files")
    if entry.dtype.newbyteorder("<") not in [np.dtype(d) for d in _DTYPES.values()]:
        raise refuse(f"has the type {entry.dtype}, which no table has")
    most = entry.id.get_storage_size() * (_MOST_SAVED_BY_DEFLATE if entry.chunks else 1)
    if entry.size * entry.dtype.itemsize > most:
        raise refuse("has a size that does not fit its shape, or was never written")
    if entry.chunks and math.prod(entry.chunks) * entry.dtype.itemsize > 4 * _PIECE:
        raise refuse("has chunks of more than 256 MiB; write smaller ones")
    return entry


def _pieces(entry: Any) -> Any:
    """The contents in row-major order, a few rows at a time; of rows that are long, parts."""

    def parts(index: tuple[int, ...]) -> Any:
        shape, axis = entry.shape, len(index)
        if axis == len(shape):
            yield entry[index]
            return
        row = math.prod(shape[axis + 1 :]) * entry.dtype.itemsize
        if row > _PIECE and axis + 1 < len(shape):
            for k in range(shape[axis]):
                yield from parts((*index, k))
            return
        step = max(1, _PIECE // max(row, 1))
        if entry.chunks and entry.chunks[axis] < step:
            step -= step % entry.chunks[axis]
        for k in range(0, shape[axis], step):
            yield entry[(*index, slice(k, k + step))]

    if entry.size:
        yield from parts(())


def _unpack(name: str, plain: Path) -> None:
    """Writes what the HDF5 file `name` holds of a table as safetensors. The HDF5 library crashes on some damaged files,
    so that a process of its own reads them, which may take a bounded memory."""
    _h5py()
    package = str(Path(__file__).parents[1])
    program = f"import sys; sys.path[:] = {[package, *sys.path]!r}; from intertwine import _hdf5; _hdf5._unpack_alone(*sys.argv[1:])"
    read = subprocess.run(
        [sys.executable, "-c", program, name, str(plain)], capture_output=True, text=True, errors="replace"
    )
    if read.returncode != 0:
        lines = read.stderr.splitlines() if read.returncode == _REFUSED else []
        raise FileError(lines[-1] if lines else f"{name}: damaged: the HDF5 library cannot read it")


def _unpack_alone(name: str, plain: str) -> None:
    """The work of the process that _unpack starts: its last line says what is wrong."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_DATA, (_MOST_MEMORY, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    except (ImportError, OSError, ValueError):
        pass  # not there on every system
    try:
        _unpack_here(name, Path(plain))
    except (FileError, MemoryError) as error:
        print(
            f"{error}" if isinstance(error, FileError) else f"{name}: its HDF5 structures need too much memory",
            file=sys.stderr,
        )
        sys.exit(_REFUSED)


def _unpack_here(name: str, plain: Path) -> None:
    import numpy as np

    h5py = _h5py()
    try:
        with h5py.File(name, "r") as file:
            if len(file) > _MOST_NAMES or len(file.attrs) > _MOST_NAMES:
                raise FileError(f"{name}: more than {_MOST_NAMES} arrays or attributes are no table")
            metadata = {key: _text(name, key, file.attrs[key]) for key in file.attrs if key.startswith("intertwine.")}
            wanted = [
                key for key in file if _TABLES.fullmatch(key) and isinstance(file.get(key, getlink=True), h5py.HardLink)
            ]
            arrays = {key: _checked(h5py, name, key, file[key]) for key in wanted}
            kinds = {
                key: [np.dtype(d) for d in _DTYPES.values()].index(array.dtype.newbyteorder("<"))
                for key, array in arrays.items()
            }
            head: dict[str, Any] = {"__metadata__": metadata}
            end = 0
            order = sorted(arrays, key=lambda key: (kinds[key], key))
            for key in order:
                start, end = end, end + arrays[key].size * arrays[key].dtype.itemsize
                head[key] = {
                    "dtype": list(_DTYPES)[kinds[key]],
                    "shape": list(arrays[key].shape),
                    "data_offsets": [start, end],
                }
            text = json.dumps(head).encode()
            text += b" " * (-len(text) % 64)
            with open(plain, "wb") as out:
                out.write(len(text).to_bytes(8, "little") + text)
                for key in order:
                    for piece in _pieces(arrays[key]):
                        out.write(np.ascontiguousarray(piece, list(_DTYPES.values())[kinds[key]]).data)
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError) as error:
        if isinstance(error, Error):
            raise
        raise FileError(
            f"{name}: damaged, or not written by h5py or intertwine: {' '.join(str(error).split())}"
        ) from error


def _saving(write: _F) -> _F:
    @functools.wraps(write)
    def save(self: Any, path: Any, **limits: Any) -> str:
        name = _name(path)
        if name is None or not name.endswith((".h5", ".hdf5")):
            return str(write(self, path, **limits))
        return _save(lambda plain: write(self, plain, **limits), name)

    return save  # type: ignore[return-value]


def _loading(read: _F) -> _F:
    @functools.wraps(read)
    def load(path: Any, **limits: Any) -> Any:
        name = _name(path)
        try:
            with open(name or os.devnull, "rb") as file:
                is_hdf5 = file.read(len(_SIGNATURE)) == _SIGNATURE
        except OSError:
            is_hdf5 = False  # the library says what is wrong
        if name is None or not is_hdf5:
            return read(path, **limits)
        with tempfile.TemporaryDirectory(prefix="intertwine-") as folder:
            plain = Path(folder, "table.safetensors")
            _unpack(name, plain)
            with _named(plain, name):
                found = read(plain, **limits)  # which keeps the file open where it reads on demand
        return found

    return load  # type: ignore[return-value]


for _table in (_core.Table, _core.DiagramTable):
    _table.save = _saving(_table.save)  # type: ignore[method-assign]
load_table = _loading(_core.load_table)
load_diagrams = _loading(_core.load_diagrams)
verify = _loading(_core.verify)
