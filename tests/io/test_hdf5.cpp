// HDF5 against h5py, and answers as arrays against NumPy.
#include <fmt/format.h>
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "../../src/io/containers/table_container.hpp"
#include "intertwine/error.hpp"
#include "intertwine/groups/named_groups.hpp"
#include "intertwine/io/answer_arrays.hpp"
#include "intertwine/io/npy.hpp"
#include "intertwine/io/table_file.hpp"
#include "intertwine/representations/actions.hpp"
#include "io/tables.hpp"

using namespace intertwine;
using namespace test_tables;

namespace {

/// An interpreter with h5py; nothing where there is none, which is said.
std::optional<std::string> python_with_h5py() {
  const char* given = std::getenv("INTERTWINE_TEST_PYTHON");
  std::string name = given != nullptr ? given : "python3";
  const int status = std::system((name + " -c 'import h5py, numpy' >/dev/null 2>&1").c_str());
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return name;
  WARN("no h5py at hand: HDF5 files are not tried with it");
  return std::nullopt;
}

bool runs_program(const std::string& python, const Folder& folder, const std::string& program) {
  write_file(folder / "check.py", "import sys, json, hashlib, h5py, numpy\nfolder = sys.argv[1]\n" + program);
  const int status = std::system((python + " '" + (folder / "check.py").string() + "' '" +
                                  folder.path().string() + "' 2>'" + (folder / "said").string() + "'")
                                     .c_str());
  UNSCOPED_INFO(read_file(folder / "said"));
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

TEST_CASE("tables are what they were after HDF5", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  for (const std::uint64_t params : {0, 3, 130, 40000}) {
    const WeightTable table = random_table(params > 200 ? 250 : 15, 200, params, 2, rng);
    const std::string digest = write_table(folder / "t.h5", table);
    REQUIRE(digest == intertwine::digest(table));
    REQUIRE(same(read_table(folder / "t.h5"), table));
    REQUIRE(same(read_numeric_table(folder / "t.h5"), table));
  }
  const WeightTable sparse = random_sparse_table(7, 9, 4, 2, rng);
  write_table(folder / "t.hdf5", sparse);
  REQUIRE(same(read_table(folder / "t.hdf5"), sparse));
  WeightTable wordy = random_table(3, 3, 2, 1, rng);
  wordy.metadata["note"] = std::string(200'000, 'x') + " θ";  // longer than an attribute may be
  wordy.metadata["empty"] = "";
  write_table(folder / "t.h5", wordy);
  const WeightTable read = read_table(folder / "t.h5");
  for (const auto& [key, value] : wordy.metadata) REQUIRE(read.metadata.at(key) == value);
}

TEST_CASE("a damaged HDF5 file is refused in words", "[io][quick]") {
  auto rng = test_rng();
  Folder folder;
  const WeightTable table = random_table(4, 5, 3, 1, rng);
  write_table(folder / "t.h5", table);
  const std::string whole = read_file(folder / "t.h5");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ (at % 3 == 0 ? 0xff : 1));
    write_file(folder / "d.h5", damaged);
    CAPTURE(at);
    try {
      const WeightTable found = read_table(folder / "d.h5");
      REQUIRE(same(found.weights, table.weights));  // the metadata are not in the digest
      REQUIRE(same(found.bias, table.bias));
    } catch (const FileError& e) {
      REQUIRE(std::string(e.what()).find("d.h5") != std::string::npos);
    } catch (const LimitError&) {
    }
  }
  for (std::size_t size = 0; size < whole.size(); size += 5) {
    write_file(folder / "d.h5", whole.substr(0, size));
    REQUIRE_THROWS_AS(read_table(folder / "d.h5"), FileError);
  }
  std::string circle = whole;  // the tree of the group is its own child
  const std::size_t tree = whole.find("TREE");
  for (unsigned k = 0; k < 8; ++k) circle[tree + 32 + k] = static_cast<char>(tree >> (8 * k) & 0xff);
  write_file(folder / "d.h5", circle);
  REQUIRE_THROWS_WITH(read_table(folder / "d.h5"), Catch::Contains("has no end"));
}

TEST_CASE("an HDF5 header that goes on in itself comes to an end", "[io][quick]") {
  // A superblock of version 2, the header of the root at 48, and at 80 a part that says that it goes on at 80.
  const auto number = [](std::uint64_t value, unsigned bytes) {
    std::string text;
    for (unsigned k = 0; k < bytes; ++k) text.push_back(static_cast<char>(value >> 8 * k & 255U));
    return text;
  };
  const std::string on = number(16, 1) + number(16, 2) + number(0, 1) + number(80, 8) + number(28, 8);
  std::string file = "\x89HDF\r\n\x1a\n" + number(2, 1) + number(8, 1) + number(8, 1) + number(0, 1);
  file += number(0, 8) + number(~std::uint64_t{0}, 8) + number(108, 8) + number(48, 8) + number(0, 4);
  file += "OHDR" + number(2, 1) + number(0, 1) + number(on.size(), 1) + on + number(0, 4) + number(0, 1);
  REQUIRE(file.size() == 80);
  file += "OCHK" + on + number(0, 4);
  Folder folder;
  write_file(folder / "circle.h5", file);
  REQUIRE_THROWS_WITH(read_table(folder / "circle.h5"), Catch::Contains("have no end"));
  // The same with many empty messages on the way, which are not kept over and over.
  constexpr std::uint64_t bytes = 60'000;
  const std::string far = on.substr(0, on.size() - 8) + number(bytes, 8);
  file.replace(file.find(on), on.size(), far);
  file.resize(80);
  file += "OCHK" + std::string(bytes - 8 - far.size(), '\0') + far + number(0, 4);
  write_file(folder / "circle.h5", file);
  REQUIRE_THROWS_WITH(read_table(folder / "circle.h5"), Catch::Contains("have no end"));
}

TEST_CASE("h5py reads our HDF5 files, and we read its", "[io][quick]") {
  const auto python = python_with_h5py();
  if (!python) return;
  auto rng = test_rng();
  Folder folder;
  for (const std::uint64_t params : {3, 130}) {
    const WeightTable table = random_table(15, 12, params, 2, rng);
    const std::string digest = write_table(folder / "t.h5", table);
    REQUIRE(runs_program(
        *python, folder,
        "f = h5py.File(folder + '/t.h5', 'r')\n"
        "assert sorted(f) == ['bias.code', 'weight.code', 'weight.orbit_size'], list(f)\n"
        "m = dict(f.attrs)\n"
        "assert m['intertwine.sha256'] == '" +
            digest +
            "' and m['intertwine.rep_out'] == 'perm ⊗ sign'\n"
            "a = {k: f[k][()] for k in f}\n"
            "assert a['weight.code'].shape == (15, 12) and a['weight.orbit_size'].dtype == '<i8'\n"
            "wide = {k: v.astype('<i4') if v.dtype == 'u2' else v for k, v in a.items()}\n"
            "order = sorted(wide, key=lambda k: (-wide[k].itemsize, k))\n"
            "assert hashlib.sha256(b''.join(wide[k].tobytes() for k in order)).hexdigest() == "
            "m['intertwine.sha256']\n"
            "def write(name, fixed=False, **how):\n"
            "    with h5py.File(f'{folder}/{name}.h5', 'w', **{k: v for k, v in how.items() if k == "
            "'libver'}) as g:\n"
            "        for k, v in m.items(): g.attrs[k] = numpy.bytes_(v.encode()) if fixed else v\n"
            "        for k, v in a.items(): g.create_dataset(k, data=v, **{k: v for k, v in how.items() if k "
            "!= 'libver'})\n"
            "        g['more'] = numpy.ones((2, 2), complex)\n"
            "        g.create_group('group')['x'] = 1\n"
            "write('second')\nwrite('fixed', fixed=True)\n"
            "write('latest', libver='latest')\n"
            "with h5py.File(f'{folder}/big.h5', 'w') as g:\n"
            "    for k, v in m.items(): g.attrs[k] = v\n"
            "    for k, v in a.items(): g[k] = v.astype(v.dtype.newbyteorder('>'))\n"
            "with h5py.File(f'{folder}/links.h5', 'w', track_order=True) as g:\n"
            "    for k, v in m.items(): g.attrs[k] = v\n"
            "    for k, v in a.items(): g[k] = v\n"));
    for (const char* name : {"second.h5", "fixed.h5", "latest.h5", "links.h5"}) {
      CAPTURE(name);
      REQUIRE(same(read_table(folder / name), table));
    }
    REQUIRE_THROWS_AS(read_table(folder / "big.h5"), FileError);
  }
}

TEST_CASE("arrays in chunks are read as h5py writes them", "[io][quick]") {
  const auto python = python_with_h5py();
  if (!python) return;
  auto rng = test_rng();
  Folder folder;
  const WeightTable tied = random_table(61, 47, 300, 2, rng), sparse = random_sparse_table(7, 9, 4, 2, rng);
  write_table(folder / "tied.h5", tied);
  write_table(folder / "sparse.h5", sparse);
  // Sides that divide the array's and sides that do not, chunks in one node of a tree and in several, one chunk for all.
  REQUIRE(runs_program(
      *python, folder,
      "def write(name, source, side, latest, **how):\n"
      "    with h5py.File(f'{folder}/{source}.h5') as f, h5py.File(f'{folder}/{name}.h5', 'w', "
      "libver=latest) as g:\n"
      "        for k, v in f.attrs.items(): g.attrs[k] = v\n"
      "        for k, v in f.items():\n"
      "            if v.size == 0: g[k] = v[()]\n"
      "            else: g.create_dataset(k, data=v[()], chunks=tuple(min(side, n) for n in v.shape), "
      "**how)\n"
      "ways = {'plain': {}, 'gzip': dict(compression='gzip'), 'best': dict(compression=9, shuffle=True),\n"
      "        'shuffle': dict(shuffle=True), 'sum': dict(fletcher32=True),\n"
      "        'all': dict(compression=1, shuffle=True, fletcher32=True)}\n"
      "for source in 'tied', 'sparse':\n"
      "    for way, how in ways.items():\n"
      "        for side in 1, 3, 16, 1000:\n"
      "            for latest in 'earliest', 'latest':\n"
      "                write(f'{source}-{way}-{side}-{latest}', source, side, latest, **how)\n"
      "write('lzf', 'tied', 16, 'earliest', compression='lzf')\n"
      "def other(name, latest, how):\n"
      "    with h5py.File(folder + '/tied.h5') as f, h5py.File(f'{folder}/{name}.h5', 'w', libver=latest) as "
      "g:\n"
      "        for k, v in f.attrs.items(): g.attrs[k] = v\n"
      "        for k, v in f.items(): how(g, k, v)\n"
      "grow = lambda g, k, v: g.create_dataset(k, data=v[()], maxshape=(None,) * v.ndim)\n"
      "other('grows', 'earliest', grow)\n"
      "other('grown', 'latest', grow)\n"
      "def part(g, k, v): g.create_dataset(k, v.shape, v.dtype, chunks=(8,) * v.ndim)[:8] = v[:8]\n"
      "other('gap', 'earliest', part)\n"
      "def page(g, k, v):\n"  // the first page of an index of chunks, and not the others
      "    if v.size <= 1024: return g.create_dataset(k, data=v)\n"
      "    d, (rows, rest) = g.create_dataset(k, v.shape, v.dtype, chunks=(1, 1)), divmod(1024, v.shape[1])\n"
      "    d[:rows], d[rows, :rest] = v[:rows], v[rows, :rest]\n"
      "other('page', 'latest', page)\n"));
  for (const char* name : {"tied", "sparse"})
    for (const char* way : {"plain", "gzip", "best", "shuffle", "sum", "all"})
      for (const unsigned side : {1, 3, 16, 1000})
        for (const char* latest : {"earliest", "latest"}) {
          const std::string file = fmt::format("{}-{}-{}-{}.h5", name, way, side, latest);
          CAPTURE(file);
          REQUIRE(same(read_table(folder / file), std::string(name) == "tied" ? tied : sparse));
          REQUIRE(same(read_numeric_table(folder / file), std::string(name) == "tied" ? tied : sparse));
        }
  REQUIRE(same(read_table(folder / "grows.h5"), tied));
  REQUIRE_THROWS_WITH(read_table(folder / "grown.h5"), Catch::Contains("without maxshape"));
  REQUIRE_THROWS_WITH(read_table(folder / "gap.h5"), Catch::Contains("never written"));
  REQUIRE_THROWS_WITH(read_table(folder / "page.h5"), Catch::Contains("never written"));
  REQUIRE_THROWS_WITH(read_table(folder / "lzf.h5"),
                      Catch::Contains("the filter 32000 (lzf)") && Catch::Contains("gzip"));
  REQUIRE_THROWS_AS(read_table(folder / "tied-gzip-16-earliest.h5", Task(1000, 0, {})), LimitError);

  // Whatever is damaged is refused or makes no difference.
  for (const char* file : {"tied-all-16-earliest.h5", "tied-all-16-latest.h5", "tied-plain-1000-latest.h5"}) {
    const std::string whole = read_file(folder / file);
    for (std::size_t at = rng() % 7; at < whole.size(); at += 7) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (at % 3 == 0 ? 0xff : 1));
      write_file(folder / "d.h5", damaged);
      CAPTURE(file, at);
      try {
        const WeightTable found = read_table(folder / "d.h5");
        REQUIRE(codes_of(found.weights) == codes_of(tied.weights));  // the metadata are not in the digest
        REQUIRE(codes_of(found.bias) == codes_of(tied.bias));
      } catch (const FileError& e) {
        REQUIRE(std::string(e.what()).find("d.h5") != std::string::npos);
      } catch (const LimitError&) {
      }
    }
  }
}

TEST_CASE("HDF5 files with many attributes and links", "[io][quick]") {
  const auto python = python_with_h5py();
  if (!python) return;
  auto rng = test_rng();
  Folder folder;
  WeightTable table = random_table(5, 4, 3, 1, rng);
  // Heaps of one block and of rows of them, indices of one level and of several; and a text that is no part of them.
  for (const unsigned notes : {0, 30, 900, 4000}) {
    for (unsigned k = 0; k < notes; ++k)
      table.metadata[fmt::format("note.{}", k)] = fmt::format("text {}", k);
    write_table(folder / "t.h5", table);
    REQUIRE(runs_program(
        *python, folder,
        "with h5py.File(folder + '/t.h5') as f, h5py.File(folder + '/latest.h5', 'w', libver='latest') as "
        "g:\n"
        "    for k, v in f.attrs.items(): g.attrs[k] = v if len(v) % 2 else numpy.bytes_(v.encode())\n"
        "    for k in range(len(f.attrs)): g[f'more{k}'] = k\n"
        "    g.attrs['intertwine.long'] = numpy.bytes_(b'x' * 30000)\n"
        "    for k, v in f.items(): g[k] = v[()]\n"));
    const WeightTable read = read_table(folder / "latest.h5");
    REQUIRE(same(read.weights, table.weights));
    for (const auto& [key, value] : table.metadata) REQUIRE(read.metadata.at(key) == value);
    REQUIRE(read.metadata.at("long") == std::string(30000, 'x'));
  }
}

TEST_CASE("answers as arrays", "[io][quick]") {
  const FiniteGroup A4 = alternating_group(4);
  const CharacterTable table = character_table(A4);
  const AnswerArrays characters = to_arrays(table);
  REQUIRE(characters.arrays.size() == 5);
  const auto& values = std::get<std::vector<std::complex<double>>>(characters.arrays[0].values);
  REQUIRE(values.size() == 16);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t c = 0; c < 4; ++c) REQUIRE(values[4 * i + c] == table(i, c).to_complex());
  REQUIRE(std::get<std::vector<std::int64_t>>(characters.arrays[1].values) ==
          std::vector<std::int64_t>{1, 3, 4, 4});
  const std::string npy = to_bytes(characters, Format::npy);
  REQUIRE(npy.find("'descr': '<c16'") != std::string::npos);
  REQUIRE(npy.ends_with(std::string(reinterpret_cast<const char*>(values.data()), 256)));
  REQUIRE_THROWS_AS(to_bytes(characters, Format::csv), DomainError);
  REQUIRE_THROWS_AS(to_bytes(characters, Format::npz, Task(100, 0, {})), LimitError);

  const AnswerArrays forms = to_arrays(irreducible_forms(table, BaseField::complex));
  REQUIRE_THROWS_WITH(to_bytes(forms, Format::npy), Catch::Contains("--index K"));
  const AnswerArrays one = to_arrays(irreducible_form(table, 3, BaseField::complex));
  REQUIRE(one.arrays[0].shape == std::vector<std::uint64_t>{A4.generators().size(), 3, 3});
  REQUIRE(std::holds_alternative<std::vector<double>>(one.arrays[0].values));
  REQUIRE(to_bytes(one, Format::npy).find("'<f8'") != std::string::npos);

  const Representation V = natural_permutation_representation(symmetric_group(3));
  const AnswerArrays elements = to_arrays(basis_elements(equivariant_basis(V, V)));
  REQUIRE(std::get<std::vector<double>>(elements.arrays[0].values) ==
          std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0});
  REQUIRE(elements.arrays[1].shape == std::vector<std::uint64_t>{1, 3});
  const WeightTable tied = equivariant_basis(V, V).table();
  REQUIRE(codes_to_npy(tied).ends_with("\1\2\2\2\1\2\2\2\1"));
  auto rng = test_rng();
  REQUIRE_THROWS_AS(codes_to_npy(random_sparse_table(2, 2, 1, 1, rng)), DomainError);
}

TEST_CASE("NumPy and h5py read answers", "[io][quick]") {
  const auto python = python_with_h5py();
  if (!python) return;
  Folder folder;
  const CharacterTable table = character_table(alternating_group(5));
  const AnswerArrays characters = to_arrays(table),
                     forms = to_arrays(irreducible_forms(table, BaseField::complex));
  write_file(folder / "c.npy", to_bytes(characters, Format::npy));
  write_file(folder / "c.npz", to_bytes(characters, Format::npz));
  write_file(folder / "c.h5", to_bytes(characters, Format::hdf5));
  write_file(folder / "m.npz", to_bytes(forms, Format::npz));
  write_file(folder / "m.h5", to_bytes(forms, Format::hdf5));
  REQUIRE(runs_program(
      *python, folder,
      "x, z, h = numpy.load(folder + '/c.npy'), numpy.load(folder + '/c.npz'), h5py.File(folder + '/c.h5')\n"
      "assert x.dtype == complex and (x == z['characters']).all() and (x == h['characters'][()]).all()\n"
      "n, k = z['class_sizes'], h['centralizer_orders'][()]\n"
      "assert n.sum() == 60 and (n * k == 60).all()\n"
      "assert numpy.allclose((x * n) @ x.conj().T, 60 * numpy.eye(5))  # orthogonality\n"
      "assert json.loads(json.loads(z['metadata'].item())['intertwine.classes'])[0] == '1a'\n"
      "m, f = numpy.load(folder + '/m.npz'), h5py.File(folder + '/m.h5')\n"
      "g = m['generators']\n"
      "for i in range(1, 6):\n"
      "    R = m[f'irrep.{i}']\n"
      "    assert (R == f[f'irrep.{i}'][()]).all() and R.shape[0] == len(g)\n"
      "    found, todo = {tuple(range(g.shape[1])): numpy.eye(R.shape[1])}, [tuple(range(g.shape[1]))]\n"
      "    for p in todo:  # R(s p) = R(s) R(p) on column vectors\n"
      "        for s, A in zip(g, R):\n"
      "            q = tuple(int(s[v]) for v in p)\n"
      "            if q in found: assert numpy.allclose(found[q], A @ found[p])\n"
      "            else: found[q] = A @ found[p]; todo.append(q)\n"
      "    assert len(found) == 60\n"));
}
