"""The C interface from Python by ctypes and NumPy: ctypes_example.py LIBRARY TABLE. Exit status 77 without NumPy."""

import ctypes
import sys
import threading

try:
    import numpy as np
except ImportError:
    print("skipped: no numpy")
    sys.exit(77)


class Shape(ctypes.Structure):
    _fields_ = [(n, ctypes.c_uint64) for n in ("rows", "cols", "params", "bias_params", "out", "ins")] + [
        ("sha256", ctypes.c_char * 65)
    ]


lib = ctypes.CDLL(sys.argv[1])
lib.intertwine_last_error.restype = ctypes.c_char_p
lib.intertwine_instruction_set.restype = ctypes.c_char_p
u64, ptr = ctypes.c_uint64, ctypes.c_void_p
F32, F64, BF16, F16 = range(4)
AUTOMATIC, FASTEST, DENSE, LOOKUP, IMPLICIT = range(5)


def check(status, expected=0):
    assert status == expected, (status, lib.intertwine_last_error())


def data(array):
    return array.ctypes.data_as(ptr), u64(array.size)


assert lib.intertwine_numeric_version() >> 16 == 1
table = ptr()
check(lib.intertwine_table_open(b"/no/such/file.npz", ctypes.byref(table)), 2)
assert b"/no/such/file.npz" in lib.intertwine_last_error() and not table
check(lib.intertwine_table_open(None, ctypes.byref(table)), 1)
check(lib.intertwine_table_open(sys.argv[2].encode(), ctypes.byref(table)))
shape = Shape()
check(lib.intertwine_table_shape(table, ctypes.byref(shape)))
assert len(shape.sha256) == 64
needed, text = ctypes.c_size_t(), ctypes.create_string_buffer(4)
check(lib.intertwine_table_metadata(table, b"group", text, ctypes.c_size_t(4), ctypes.byref(needed)))
assert needed.value >= 1 and len(text.value) <= 3
check(lib.intertwine_table_metadata(table, b"no such key", text, ctypes.c_size_t(4), ctypes.byref(needed)), 1)

bigger = ptr()
check(lib.intertwine_table_repeat(table, u64(3), u64(2), ctypes.byref(bigger)))
M, N, P, Q, out, ins = shape.rows, shape.cols, shape.params, shape.bias_params, 3, 2
rng = np.random.default_rng(0)
sizes = np.zeros(P, np.int64)
check(lib.intertwine_table_orbit_sizes(bigger, *data(sizes)))
assert (sizes > 0).all()

# materialise against indexing in NumPy; the codes are read off by materialising numbers that name the parameters.
names = np.arange(1, P + 1, dtype=np.float64)
code = np.zeros((M, N))
single = ptr()
check(lib.intertwine_table_repeat(table, u64(1), u64(1), ctypes.byref(single)))
check(lib.intertwine_materialise(single, F64, *data(names), *data(code), u64(0), ctypes.c_uint(1)))
theta = rng.standard_normal((P, out, ins))
extended = np.concatenate([np.zeros((1, out, ins)), theta])
expected = np.sign(code)[None, :, None, :] * extended[np.abs(code).astype(int)].transpose(2, 0, 3, 1)
W = np.empty((out, M, ins, N))
check(lib.intertwine_materialise(bigger, F64, *data(theta), *data(W), u64(0), ctypes.c_uint(2)))
assert (W == expected).all()
theta32, W32 = theta.astype(np.float32), np.empty(W.shape, np.float32)
check(lib.intertwine_materialise(bigger, F32, *data(theta32), *data(W32), u64(0), ctypes.c_uint(1)))
assert (W32 == expected.astype(np.float32)).all()
half, Whalf = (theta32.view(np.uint32) >> 16).astype(np.uint16), np.empty(W.shape, np.uint16)
check(lib.intertwine_materialise(bigger, BF16, *data(half), *data(Whalf), u64(0), ctypes.c_uint(1)))
assert (
    (Whalf.astype(np.uint32) << 16).view(np.float32)
    == np.sign(code)[None, :, None, :]
    * np.concatenate([np.zeros((1, out, ins), np.uint32), half.astype(np.uint32) << 16])
    .view(np.float32)[np.abs(code).astype(int)]
    .transpose(2, 0, 3, 1)
).all()

# fp16: numpy has it too, subnormal numbers and infinities included. Sums are float.
half = theta.astype(np.float16)
half.flat[:3] = [6e-8, -6e-5, np.inf][: half.size]
W16 = np.empty(W.shape, np.float16)
check(lib.intertwine_materialise(bigger, F16, *data(half), *data(W16), u64(0), ctypes.c_uint(1)))
extended16 = np.concatenate([np.zeros((1, out, ins), np.float16), half])
looked_up = extended16[np.abs(code).astype(int)].transpose(2, 0, 3, 1)
assert (W16 == np.where(np.sign(code)[None, :, None, :] < 0, -looked_up, looked_up)).all()
whole = rng.integers(-9, 10, W.shape)
sums32, sums64 = np.empty(theta.shape, np.float32), np.empty(theta.shape)
check(lib.intertwine_reduce(bigger, F16, *data(whole.astype(np.float16)), u64(0), *data(sums32), ctypes.c_uint(1)))
check(lib.intertwine_reduce(bigger, F64, *data(whole.astype(np.float64)), u64(0), *data(sums64), ctypes.c_uint(1)))
assert (sums32 == sums64).all()

# NaN and infinities reach their own parameter only, whatever the type.
for dtype, numbers, sums in (
    (F16, np.float16, np.float32),
    (F32, np.float32, np.float32),
    (F64, np.float64, np.float64),
):
    poisoned, got = np.ones((M, N), numbers), np.empty(P, sums)
    i, j = np.argwhere(code != 0)[0]
    poisoned[i, j] = np.nan
    check(lib.intertwine_reduce(single, dtype, *data(poisoned), u64(0), *data(got), ctypes.c_uint(1)))
    assert np.flatnonzero(np.isnan(got)).tolist() == [int(abs(code[i, j])) - 1]
    poisoned[i, j] = -np.inf
    check(lib.intertwine_reduce(single, dtype, *data(poisoned), u64(0), *data(got), ctypes.c_uint(1)))
    assert np.flatnonzero(np.isinf(got)).tolist() == [int(abs(code[i, j])) - 1]

# reduce is the adjoint.
dW, dtheta = rng.standard_normal(W.shape), np.empty(theta.shape)
check(lib.intertwine_reduce(bigger, F64, *data(dW), u64(0), *data(dtheta), ctypes.c_uint(2)))
assert np.isclose((W * dW).sum(), (theta * dtheta).sum())
found, residual = np.empty(theta.shape), ctypes.c_double(1)
check(lib.intertwine_project(bigger, F64, *data(W), *data(found), ctypes.byref(residual)))
assert residual.value < 1e-14 and np.allclose(found, theta)

# The layer, in every form, from two threads at once.
bias = rng.standard_normal((Q, out))
layer = ptr()
check(lib.intertwine_layer_new(bigger, F64, *data(theta), *data(bias), ctypes.byref(layer)))
x = rng.standard_normal((5, ins, N))
zero = np.zeros((1, ins, N))
at_zero = np.empty((1, out, M))
check(lib.intertwine_layer_apply(layer, u64(1), *data(zero), *data(at_zero), AUTOMATIC, ctypes.c_uint(1), None))
right = (W.reshape(out * M, ins * N) @ x.reshape(5, -1).T).T.reshape(5, out, M) + at_zero
problems = []


def apply(mode):
    y, ran = np.empty((5, out, M)), ctypes.c_int(-1)
    status = lib.intertwine_layer_apply(layer, u64(5), *data(x), *data(y), mode, ctypes.c_uint(1), ctypes.byref(ran))
    if status or not np.allclose(y, right) or (mode >= DENSE and ran.value != mode):
        problems.append((mode, status, ran.value))
    # Messages belong to the thread.
    if (
        lib.intertwine_layer_apply(layer, u64(5), *data(x), *data(y), 77, ctypes.c_uint(1), None) != 1
        or b"77" not in lib.intertwine_last_error()
    ):
        problems.append("message")


threads = [threading.Thread(target=apply, args=(mode,)) for mode in range(5) for _ in range(3)]
[t.start() for t in threads]
[t.join() for t in threads]
assert not problems, problems

dy, dx, dbias = rng.standard_normal((5, out, M)), np.empty(x.shape), np.empty(bias.shape)
check(
    lib.intertwine_layer_gradients(
        layer, u64(5), *data(x), *data(dy), *data(dx), *data(dtheta), *data(dbias), AUTOMATIC, ctypes.c_uint(1)
    )
)
assert np.allclose(dx.reshape(5, -1), dy.reshape(5, -1) @ W.reshape(out * M, ins * N))
assert np.isclose((dbias * bias).sum(), (dy * at_zero).sum())
assert np.isclose((dtheta * theta).sum(), (dy * (right - at_zero)).sum())


# The same products with parameters where they lie, of arrays as they lie: channels fastest, gaps, one number for all.
class Strides(ctypes.Structure):
    _fields_ = [("batch", ctypes.c_uint64), ("channel", ctypes.c_uint64), ("entry", ctypes.c_uint64)]


def lying(array):
    """An array of three axes, its entries and strides."""
    steps = [s // array.itemsize for s in array.strides]
    count = 1 + sum((n - 1) * s for n, s in zip(array.shape, steps))
    return array.ctypes.data_as(ptr), u64(count), ctypes.byref(Strides(*steps))


one_thread, none3 = ctypes.c_uint(1), (None, u64(0), None)
x_turned = np.ascontiguousarray(x.transpose(0, 2, 1)).transpose(0, 2, 1)
dy_gaps = np.zeros((5, out, M + 2))[:, :, :M]
dy_gaps[:] = dy
by_mode = {}
for mode in range(5):
    y_turned, dx_turned = np.empty((5, M, out)).transpose(0, 2, 1), np.empty((5, N, ins)).transpose(0, 2, 1)
    ran, dtheta2, dbias2 = ctypes.c_int(-1), np.empty(theta.shape), np.empty(bias.shape)
    check(
        lib.intertwine_apply(
            bigger,
            F64,
            u64(5),
            *lying(x_turned),
            *data(theta),
            *data(bias),
            *lying(y_turned),
            mode,
            one_thread,
            ctypes.byref(ran),
        )
    )
    assert np.allclose(y_turned, right) and (mode < DENSE or ran.value == mode)
    check(
        lib.intertwine_apply_transposed(
            bigger, F64, u64(5), *lying(dy_gaps), *data(theta), *lying(dx_turned), mode, one_thread, None
        )
    )
    assert np.allclose(dx_turned, dx)
    check(
        lib.intertwine_outer(
            bigger, F64, u64(5), *lying(x_turned), *lying(dy_gaps), *data(dtheta2), mode, one_thread, ctypes.byref(ran)
        )
    )
    assert np.allclose(dtheta2, dtheta)
    all3, all_dx = np.empty(theta.shape), np.empty(x.shape)
    check(
        lib.intertwine_gradients(
            bigger,
            F64,
            u64(5),
            *lying(x),
            *lying(dy),
            *data(theta),
            *lying(all_dx),
            *data(all3),
            *data(dbias2),
            mode,
            ctypes.c_uint(2),
            None,
        )
    )
    assert (all_dx == dx_turned).all() and (all3 == dtheta2).all() and np.allclose(dbias2, dbias)
    by_mode[mode] = y_turned
assert (by_mode[DENSE] == by_mode[LOOKUP]).all()
broadcast = np.broadcast_to(np.array(2.0), (5, out, M))
check(
    lib.intertwine_apply_transposed(
        bigger, F64, u64(5), *lying(broadcast), *data(theta), *lying(all_dx), AUTOMATIC, one_thread, None
    )
)
assert np.allclose(all_dx.reshape(5, -1), np.full((5, out * M), 2.0) @ W.reshape(out * M, ins * N))
check(
    lib.intertwine_apply(
        bigger, F64, u64(5), *lying(x), *data(theta), None, u64(0), *lying(broadcast), AUTOMATIC, one_thread, None
    ),
    1,
)
assert b"upon each other" in lib.intertwine_last_error()
check(
    lib.intertwine_apply(
        bigger, F64, u64(5), *none3, *data(theta), None, u64(0), *lying(by_mode[0]), AUTOMATIC, one_thread, None
    ),
    1,
)
check(
    lib.intertwine_apply(
        bigger, F64, u64(6), *lying(x), *data(theta), None, u64(0), *lying(by_mode[0]), AUTOMATIC, one_thread, None
    ),
    1,
)
check(
    lib.intertwine_apply(
        bigger,
        F64,
        u64(5),
        None,
        u64(x.size),
        None,
        *data(theta),
        None,
        u64(0),
        *lying(by_mode[0]),
        AUTOMATIC,
        one_thread,
        None,
    ),
    1,
)
check(
    lib.intertwine_apply(
        bigger, F16, u64(5), *lying(x), *data(theta), None, u64(0), *lying(by_mode[0]), AUTOMATIC, one_thread, None
    ),
    1,
)
check(
    lib.intertwine_apply(
        bigger, F64, u64(5), *lying(x), *data(theta), None, u64(0), *lying(by_mode[0]), 7, one_thread, None
    ),
    1,
)
check(lib.intertwine_outer(bigger, F64, u64(5), *lying(x), *lying(dy), *data(bias), AUTOMATIC, one_thread, None), 1)
check(lib.intertwine_outer(None, F64, u64(5), *lying(x), *lying(dy), *data(dtheta), AUTOMATIC, one_thread, None), 1)
check(
    lib.intertwine_gradients(
        bigger,
        F64,
        u64(5),
        *none3,
        *lying(dy),
        None,
        u64(0),
        *none3,
        None,
        u64(0),
        *data(dbias2),
        AUTOMATIC,
        one_thread,
        None,
    )
)
assert np.allclose(dbias2, dbias)

# A table made in memory has the digest of the file: the codes are read off the names of the parameters.
at_names = np.empty((1, 1, M))
check(
    lib.intertwine_apply(
        single,
        F64,
        u64(1),
        *lying(np.zeros((1, 1, N))),
        *data(names),
        *data(np.arange(1.0, Q + 1)),
        *lying(at_names),
        AUTOMATIC,
        one_thread,
        None,
    )
)
weight_codes = np.where(code >= 0, code, P - code).astype(np.int32)
bias_codes = np.where(at_names >= 0, at_names, Q - at_names).astype(np.int32)
again, described = ptr(), Shape()
check(
    lib.intertwine_table_from_codes(
        u64(M),
        u64(N),
        u64(P),
        weight_codes.ctypes.data_as(ptr),
        u64(Q),
        bias_codes.ctypes.data_as(ptr),
        ctypes.byref(again),
    )
)
check(lib.intertwine_table_shape(again, ctypes.byref(described)))
assert described.sha256 == shape.sha256 and len(shape.sha256) == 64
lib.intertwine_table_free(again)

# Wrong sizes, types and files.
y = np.empty((5, out, M))
check(lib.intertwine_layer_apply(layer, u64(4), *data(x), *data(y), DENSE, ctypes.c_uint(1), None), 1)
check(lib.intertwine_layer_apply(None, u64(5), *data(x), *data(y), DENSE, ctypes.c_uint(1), None), 1)
check(lib.intertwine_layer_apply(layer, u64(5), None, u64(x.size), *data(y), DENSE, ctypes.c_uint(1), None), 1)
other = ptr()
check(lib.intertwine_layer_new(bigger, BF16, *data(half), None, u64(0), ctypes.byref(other)), 1)
check(lib.intertwine_layer_new(bigger, F16, *data(half), None, u64(0), ctypes.byref(other)), 1)
assert b"fp16" in lib.intertwine_last_error()
check(lib.intertwine_layer_new(bigger, 9, *data(theta), None, u64(0), ctypes.byref(other)), 1)
check(lib.intertwine_materialise(bigger, 4, *data(theta), *data(W), u64(0), ctypes.c_uint(1)), 1)
check(
    lib.intertwine_materialise(bigger, F64, *data(theta), *data(W), u64(2**63), ctypes.c_uint(1)), 1
)  # a stride that overflows
check(
    lib.intertwine_table_repeat(table, u64(2**40), u64(2**40), ctypes.byref(other))
)  # too many channels are noticed when used
check(lib.intertwine_materialise(other, F64, *data(theta), *data(W), u64(0), ctypes.c_uint(1)), 1)
lib.intertwine_table_free(other)
odd = ptr(theta.ctypes.data + 1)
check(lib.intertwine_materialise(bigger, F64, odd, u64(theta.size), *data(W), u64(0), ctypes.c_uint(1)), 1)
assert b"aligned" in lib.intertwine_last_error()
check(lib.intertwine_reduce(bigger, F64, *data(W), u64(0), *data(theta[:1]), ctypes.c_uint(1)), 1)
check(lib.intertwine_materialise(bigger, F64, *data(theta), *data(W), u64(3), ctypes.c_uint(1)), 1)
codes = np.array([0, 1, 9, 2], np.int32)
check(
    lib.intertwine_table_from_codes(
        u64(2), u64(2), u64(2), codes.ctypes.data_as(ptr), u64(0), None, ctypes.byref(other)
    ),
    1,
)
check(
    lib.intertwine_table_from_codes(
        u64(2), u64(2), u64(5), codes.ctypes.data_as(ptr), u64(0), None, ctypes.byref(other)
    ),
    1,
)
assert b"no code says the parameter 2 of 5" in lib.intertwine_last_error(), lib.intertwine_last_error()
codes[2] = 4
check(
    lib.intertwine_table_from_codes(
        u64(2), u64(2), u64(2), codes.ctypes.data_as(ptr), u64(0), None, ctypes.byref(other)
    )
)
small = np.empty((2, 2), np.float32)
check(
    lib.intertwine_materialise(other, F32, *data(np.array([5, 7], np.float32)), *data(small), u64(0), ctypes.c_uint(1))
)
assert small.tolist() == [[0, 5], [-7, 7]]
# A general basis: B_0 = 2 E_01 - E_10, B_1 = E_01.
ptr3, rows3, cols3 = np.array([0, 2, 3]), np.array([0, 1, 0], np.int32), np.array([1, 0, 1], np.int32)
values = np.array([2.0, -1.0, 1.0])
general, tied = ptr(), ctypes.c_int(7)
elements = [array.ctypes.data_as(ptr) for array in (ptr3, rows3, cols3, values)]
check(
    lib.intertwine_table_from_elements(
        u64(2), u64(2), u64(2), *elements, u64(0), None, None, None, ctypes.byref(general)
    )
)
check(lib.intertwine_table_is_tied(general, ctypes.byref(tied)))
norms, square = np.empty(2), np.empty((2, 2))
check(lib.intertwine_table_squared_norms(general, *data(norms)))
assert tied.value == 0 and norms.tolist() == [5, 1]
check(lib.intertwine_materialise(general, F64, *data(np.array([5.0, 7.0])), *data(square), u64(0), ctypes.c_uint(1)))
assert square.tolist() == [[0, 17], [-5, 0]]
square16, sums16 = np.empty((2, 2), np.float16), np.empty(2, np.float32)
check(
    lib.intertwine_materialise(
        general, F16, *data(np.array([5, 7], np.float16)), *data(square16), u64(0), ctypes.c_uint(1)
    )
)
check(lib.intertwine_reduce(general, F16, *data(square16), u64(0), *data(sums16), ctypes.c_uint(1)))
assert square16.tolist() == [[0, 17], [-5, 0]] and sums16.tolist() == [39, 17]
pair = np.empty(2)
check(lib.intertwine_project(general, F64, *data(square), *data(pair), None))
assert np.allclose(pair, [5, 7])
check(lib.intertwine_table_orbit_sizes(general, None, u64(0)), 1)
values_rows = np.array([0, 1, 2], np.int32)
check(
    lib.intertwine_table_from_elements(
        u64(2),
        u64(2),
        u64(2),
        elements[0],
        values_rows.ctypes.data_as(ptr),
        *elements[2:],
        u64(0),
        None,
        None,
        None,
        ctypes.byref(ptr()),
    ),
    1,
)

# The isotypic form of circulant 2 x 2 weights: the sum and the difference.
circulant, plain, split = ptr(), ptr(), ptr()
swapped = np.array([1, 2, 2, 1], np.int32)
check(
    lib.intertwine_table_from_codes(
        u64(2), u64(2), u64(2), swapped.ctypes.data_as(ptr), u64(0), None, ctypes.byref(circulant)
    )
)
check(lib.intertwine_layer_new(circulant, F64, *data(np.array([3.0, 4.0])), None, u64(0), ctypes.byref(plain)))
blocks, change = np.array([[1, 1, 1, 1]] * 2, np.uint64), np.array([[1.0, 1.0], [1.0, -1.0]])
check(
    lib.intertwine_layer_decompose(
        plain, blocks.ctypes.data_as(ptr), u64(2), *data(change), *data(change), ctypes.byref(split)
    )
)
one, two = np.array([1.0, 10.0]), np.empty(2)
check(lib.intertwine_layer_apply(split, u64(1), *data(one), *data(two), 6, ctypes.c_uint(1), None))
assert np.allclose(two, [43, 34])
check(lib.intertwine_layer_apply(plain, u64(1), *data(one), *data(two), 6, ctypes.c_uint(1), None), 1)
blocks[0, 0] = 3
check(
    lib.intertwine_layer_decompose(
        plain, blocks.ctypes.data_as(ptr), u64(2), *data(change), *data(change), ctypes.byref(ptr())
    ),
    1,
)
for handle in (plain, split):
    lib.intertwine_layer_free(handle)
for handle in (general, circulant):
    lib.intertwine_table_free(handle)
with open(sys.argv[2], "rb") as file:
    damaged = bytearray(file.read())


def refused(content, name):
    path = f"{sys.argv[2]}.{name}"
    with open(path, "wb") as file:
        file.write(content)
    handle = ptr()
    check(lib.intertwine_table_open(path.encode(), ctypes.byref(handle)), 2)
    assert not handle


later = bytes(damaged).replace(b'"intertwine.version":"1', b'"intertwine.version":"2')
assert later != damaged
refused(later, "later")
assert b"version" in lib.intertwine_last_error()
for size in (0, 7, 100, len(damaged) - 1):
    refused(damaged[:size], "cut")
damaged[-1] ^= 1
refused(damaged, "damaged")
lib.intertwine_layer_free(layer)
for handle in (table, single, bigger, other, None):
    lib.intertwine_table_free(handle)
print("right:", lib.intertwine_instruction_set().decode())
