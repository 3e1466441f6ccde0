// `run` and `bench-layer` as a shell sees them.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "apps/program.hpp"
#include "intertwine/io/npy.hpp"

using namespace intertwine;
using namespace test_apps;

TEST_CASE("run applies a table with given parameters", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "S3", "--in", "perm", "--out", "perm", "-o", "t.npz"}, folder.path()).status == 0);
  // W = theta_0 on the diagonal, theta_1 elsewhere; one bias.
  write_npy(folder.file("x.npy"), {{2, 3}, std::vector<double>{1, 2, 3, 0, 0, 1}});
  write_npy(folder.file("theta.npy"), {{2}, std::vector<double>{10, 1}});
  write_npy(folder.file("bias.npy"), {{1, 1}, std::vector<std::int64_t>{100}});
  for (const char* mode : {"automatic", "fastest", "dense", "lookup", "implicit"}) {
    const Run done = run({"run", "t.npz", "--input", "x.npy", "--theta", "theta.npy", "--bias", "bias.npy", "--output",
                          "y.npy", "--mode", mode, "--threads", "2", "--json"},
                         folder.path());
    CAPTURE(done.err);
    REQUIRE(done.status == 0);
    const NpyArray y = read_npy(folder.file("y.npy"));
    REQUIRE(y.dtype() == "float64");
    REQUIRE(y.shape == std::vector<std::uint64_t>{2, 3});
    REQUIRE(to_doubles(y) == std::vector<double>{115, 124, 133, 101, 101, 110});
    const auto json = nlohmann::json::parse(done.out);
    REQUIRE(json["command"] == "run");
    if (std::string(mode) == "implicit") REQUIRE(json["form"] == "implicit");
  }
}

TEST_CASE("run applies a layer of every size", "[apps][quick]") {
  Folder folder;
  for (const char* file : {"t.npz", "t.json", "t.safetensors"}) {
    REQUIRE(run({"tie", "S(n)", "perm", "perm", "-o", file}, folder.path()).status == 0);
    REQUIRE(run({"verify", file}, folder.path()).status == 0);
    // 10 x and 3 times its mean.
    write_npy(folder.file("theta.npy"), {{2}, std::vector<double>{10, 3}});
    write_npy(folder.file("bias.npy"), {{1, 1}, std::vector<std::int64_t>{100}});
    write_npy(folder.file("x.npy"), {{2, 3}, std::vector<double>{1, 2, 3, 0, 0, 1}});
    const Run done = run({"run", file, "x.npy", "--theta", "theta.npy", "--bias", "bias.npy", "-o", "y.npy", "--json"},
                         folder.path());
    CAPTURE(done.err);
    REQUIRE(done.status == 0);
    REQUIRE(to_doubles(read_npy(folder.file("y.npy"))) == std::vector<double>{116, 126, 136, 101, 101, 111});
    REQUIRE(nlohmann::json::parse(done.out)["form"] == "diagram");
  }
  // What init writes is what run takes by itself, at any size where means are taken.
  REQUIRE(run({"init", "t.npz", "-o", "theta.npy", "--dtype", "float64", "--seed", "5"}, folder.path()).status == 0);
  write_npy(folder.file("x.npy"), {{5}, std::vector<double>{1, 2, 3, 4, 5}});
  REQUIRE(run({"run", "t.npz", "x.npy", "--theta", "theta.npy", "-o", "a.npy"}, folder.path()).status == 0);
  REQUIRE(run({"run", "t.npz", "x.npy", "--seed", "5", "-o", "b.npy"}, folder.path()).status == 0);
  REQUIRE(read_npy(folder.file("a.npy")).values == read_npy(folder.file("b.npy")).values);
  REQUIRE(run({"run", "t.npz", "x.npy", "--mode", "dense"}, folder.path()).status == 2);
  REQUIRE(run({"tie", "S(n)", "trivial", "perm", "-o", "up.npz"}, folder.path()).status == 0);
  REQUIRE(run({"run", "up.npz", "x.npy", "--size", "4", "-o", "y.npy"}, folder.path()).status == 0);
  REQUIRE(read_npy(folder.file("y.npy")).shape == std::vector<std::uint64_t>{5, 4});
}

TEST_CASE("run applies blocks with given parameters", "[apps][quick]") {
  Folder folder;
  for (const char* file : {"t.npz", "t.json", "t.safetensors"}) {
    REQUIRE(run({"tie", "S3", "2*perm + 3*trivial", "perm", "-o", file}, folder.path()).status == 0);
    REQUIRE(run({"verify", file}, folder.path()).status == 0);
    // On the diagonal 10 and 20 for the two copies of perm, elsewhere 1 and 2; then what the invariants weigh.
    write_npy(folder.file("theta.npy"), {{7}, std::vector<double>{10, 20, 1, 2, 100, 200, 300}});
    write_npy(folder.file("bias.npy"), {{1}, std::vector<double>{1000}});
    write_npy(folder.file("x.npy"), {{1, 9}, std::vector<double>{1, 2, 3, 0, 0, 1, 1, 0, 2}});
    const Run done =
        run({"run", file, "x.npy", "--theta", "theta.npy", "--bias", "bias.npy", "-o", "y.npy"}, folder.path());
    CAPTURE(done.err);
    REQUIRE(done.status == 0);
    REQUIRE(read_npy(folder.file("y.npy")).shape == std::vector<std::uint64_t>{1, 3});
    REQUIRE(to_doubles(read_npy(folder.file("y.npy"))) == std::vector<double>{1717, 1726, 1753});
  }
  // What init writes is what run takes by itself.
  REQUIRE(run({"init", "t.npz", "-o", "theta.npy", "--dtype", "float64", "--seed", "5"}, folder.path()).status == 0);
  REQUIRE(read_npy(folder.file("theta.npy")).shape == std::vector<std::uint64_t>{7});
  REQUIRE(run({"run", "t.npz", "x.npy", "--theta", "theta.npy", "-o", "a.npy"}, folder.path()).status == 0);
  REQUIRE(run({"run", "t.npz", "x.npy", "--seed", "5", "-o", "b.npy"}, folder.path()).status == 0);
  REQUIRE(read_npy(folder.file("a.npy")).values == read_npy(folder.file("b.npy")).values);
  const auto refused = [&](std::vector<std::string> arguments, const std::string& reason) {
    const Run done = run(arguments, folder.path());
    CAPTURE(done.err);
    REQUIRE(done.status == 2);
    REQUIRE(done.err.find(reason) != std::string::npos);
  };
  refused({"run", "t.npz", "theta.npy"}, "this layer takes [..., 9]");
  refused({"run", "t.npz", "x.npy", "--theta", "x.npy"}, "needs [7]");
  refused({"run", "t.npz", "x.npy", "--size", "3"}, "--size is for layers of every size");
  refused({"bench-layer", "t.npz"}, "--single");
  refused({"tie", "S3", "2*perm + 3*trivial", "perm", "-o", "t.hpp"}, "--single");
  // Equal multiplicities make one table, and so does --single.
  REQUIRE(run({"tie", "S3", "2*perm + 2*trivial", "perm", "-o", "one.hpp"}, folder.path()).status == 0);
  REQUIRE(run({"tie", "S3", "2*perm + 3*trivial", "perm", "--single", "-o", "two.hpp"}, folder.path()).status == 0);
  REQUIRE(
      run({"tie", "D4", "2*regular + 3*trivial", "regular", "--kernel", "3x3", "-o", "k.npz"}, folder.path()).status ==
      0);
}

TEST_CASE("blocks of continuous groups are run as well", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "SO(3)", "2*trivial + vector", "vector + trivial", "--proof", "-o", "t.npz"}, folder.path())
              .out.find("x [batch, 5] = 2 x trivial, vector\n") != std::string::npos);
  REQUIRE(run({"verify", "t.npz"}, folder.path()).status == 0);
  // What the two invariants weigh in the last coordinate, then the multiple of the vector.
  write_npy(folder.file("theta.npy"), {{3}, std::vector<double>{10, 20, 3}});
  write_npy(folder.file("bias.npy"), {{1}, std::vector<double>{1000}});
  write_npy(folder.file("x.npy"), {{5}, std::vector<double>{1, 2, 1, 0, 2}});
  REQUIRE(run({"run", "t.npz", "x.npy", "--theta", "theta.npy", "--bias", "bias.npy", "-o", "y.npy"}, folder.path())
              .status == 0);
  REQUIRE(to_doubles(read_npy(folder.file("y.npy"))) == std::vector<double>{3, 0, 6, 1050});
  // The picture has every block once, with a name.
  REQUIRE(run({"tie", "SO(3)", "2*trivial + vector", "vector", "-o", "t.svg", "-q"}, folder.path()).out.empty());
  REQUIRE(run({"basis", "SO(3)", "vector", "-o", "t.json", "-q"}, folder.path()).out.empty());
  const std::string picture = contents(folder.file("t.svg"));
  for (const char* part : {">3 × 4, 1 parameter, complete<", ">trivial<", ">vector<", "class=\"blocks\""})
    REQUIRE(picture.find(part) != std::string::npos);
  for (const char* in : {"vector", "2*trivial + vector"})
    REQUIRE(run({"tie", "SO(3)", in, "vector", "-o", "t.hpp"}, folder.path()).err.find("sparse") != std::string::npos);
}

TEST_CASE("random parameters are a function of the seed", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "S3", "--in", "2*perm", "--out", "4*perm^2", "-o", "t.safetensors"}, folder.path()).status == 0);
  write_npy(folder.file("x.npy"), {{5, 2, 3}, std::vector<float>(30, 1.0F)});
  const auto output = [&](const std::string& seed) {
    REQUIRE(run({"run", "t.safetensors", "--input", "x.npy", "-o", "y.npy", "--seed", seed}, folder.path()).status ==
            0);
    const NpyArray y = read_npy(folder.file("y.npy"));
    REQUIRE(y.dtype() == "float32");
    REQUIRE(y.shape == std::vector<std::uint64_t>{5, 4, 9});
    return to_doubles(y);
  };
  REQUIRE(output("1") == output("1"));
  REQUIRE(output("1") != output("2"));

  // `init` writes those that `run` takes by itself.
  REQUIRE(run({"init", "t.safetensors", "-o", "theta.npy", "--seed", "2"}, folder.path()).status == 0);
  REQUIRE(
      run({"run", "t.safetensors", "--input", "x.npy", "-o", "z.npy", "--theta", "theta.npy"}, folder.path()).status ==
      0);
  REQUIRE(to_doubles(read_npy(folder.file("z.npy"))) == output("2"));
}

TEST_CASE("run refuses what does not fit, and writes nothing", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "S3", "--in", "2*perm", "--out", "perm", "-o", "t.npz"}, folder.path()).status == 0);
  write_npy(folder.file("x.npy"), {{2, 3}, std::vector<float>(6, 1.0F)});
  write_npy(folder.file("flat.npy"), {{6}, std::vector<float>(6, 1.0F)});
  write(folder.file("junk.npy"), "no array");
  const auto refused = [&](std::vector<std::string> arguments, const std::string& reason) {
    arguments.insert(arguments.begin(), "run");
    const Run done = run(arguments, folder.path());
    CAPTURE(done.err, reason);
    REQUIRE(done.status == 2);
    REQUIRE(done.err.find(reason) != std::string::npos);
    REQUIRE(done.out.empty());
    REQUIRE(folder.names() == std::vector<std::string>{"flat.npy", "junk.npy", "t.npz", "x.npy"});
  };
  refused({"t.npz", "--input", "flat.npy", "-o", "y.npy"}, "takes [..., 2, 3]");
  refused({"t.npz", "--input", "junk.npy", "-o", "y.npy"}, "too short");
  refused({"x.npy", "--input", "x.npy", "-o", "y.npy"}, "x.npy");
  REQUIRE(run({"run", "t.npz", "--input", "x.npy"}, folder.path()).out.find("y, not written: ") == 0);
  refused({"t.npz", "--input", "x.npy", "-o", "y.npz"}, "--output");
  refused({"t.npz", "-o", "y.npy"}, "--input is missing");
  refused({"t.npz", "--input", "x.npy", "-o", "y.npy", "--theta", "x.npy"}, "needs [2, 1, 2]");
  refused({"t.npz", "--input", "x.npy", "-o", "y.npy", "--mode", "gpu"}, "no mode 'gpu'");
  refused({"t.npz", "--input", "x.npy", "-o", "y.npy", "--mode", "fft"}, "not got the form fft");
}

TEST_CASE("bench-layer measures every form", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "S3", "--in", "perm^2", "--out", "perm^2", "-o", "t.npz"}, folder.path()).status == 0);
  const Run table = run({"bench-layer", "t.npz", "--batch", "2", "--seconds", "0.001"}, folder.path());
  CAPTURE(table.err);
  REQUIRE(table.status == 0);
  for (const char* word : {"materialise", "reduce", "dense", "lookup", "implicit", "backward", "picked", "GB/s"})
    REQUIRE(table.out.find(word) != std::string::npos);
  const Run json = run({"bench-layer", "t.npz", "--batch", "1", "3", "--seconds", "0.001", "--json"}, folder.path());
  REQUIRE(json.status == 0);
  const auto document = nlohmann::json::parse(json.out);
  REQUIRE(document["measurements"].size() == 14);
  for (const auto& row : document["measurements"]) REQUIRE(row["seconds"].get<double>() > 0);
  REQUIRE(run({"bench-layer", "t.npz", "--batch", "0"}, folder.path()).status == 2);
  REQUIRE(run({"bench-layer", "t.npz", "--seconds", "0"}, folder.path()).status == 2);
}

TEST_CASE("run and bench-layer take general sparse bases", "[apps][quick]") {
  Folder folder;
  // Equivariant maps from perm to std of S_3: multiples of e_i -> e_i minus the mean, on the basis e_i - e_3.
  REQUIRE(run({"tie", "S3", "--in", "perm", "--out", "std", "-o", "t.npz"}, folder.path()).status == 0);
  write_npy(folder.file("x.npy"), {{2, 3}, std::vector<double>{3, 0, 0, 1, 1, 1}});
  write_npy(folder.file("theta.npy"), {{1, 1, 1}, std::vector<double>{1}});
  for (const char* mode : {"automatic", "fastest", "dense", "implicit"}) {
    const Run done =
        run({"run", "t.npz", "--input", "x.npy", "--theta", "theta.npy", "-o", "y.npy", "--mode", mode}, folder.path());
    CAPTURE(done.err);
    REQUIRE(done.status == 0);
    const auto y = to_doubles(read_npy(folder.file("y.npy")));
    REQUIRE(y.size() == 4);
    REQUIRE(y[0] == -2 * y[1]);  // 3 e_1 minus its mean is 2 (e_1 - e_3) - (e_2 - e_3)
    REQUIRE(y[0] != 0);
    REQUIRE(y[2] == 0);
    REQUIRE(y[3] == 0);
  }
  const Run refused = run({"run", "t.npz", "--input", "x.npy", "-o", "z.npy", "--mode", "lookup"}, folder.path());
  REQUIRE(refused.status == 2);
  REQUIRE(refused.err.find("general sparse basis") != std::string::npos);
  const Run bench = run({"bench-layer", "t.npz", "--batch", "2", "--seconds", "0.001", "--json"}, folder.path());
  REQUIRE(bench.status == 0);
  const auto document = nlohmann::json::parse(bench.out);
  REQUIRE(document["kind"] == "sparse-basis");
  std::vector<std::string> operations;
  for (const auto& row : document["measurements"]) operations.push_back(row["operation"]);
  REQUIRE(operations == std::vector<std::string>{"materialise", "reduce (sparse)", "forward, dense",
                                                 "forward, implicit", "backward, dense", "backward, implicit"});
}

TEST_CASE("tables of a torus have the form fft", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "p1(4,6)", "--in", "2*perm", "--out", "3*perm", "-o", "t.npz"}, folder.path()).status == 0);
  std::vector<double> numbers(48);
  for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = static_cast<double>(k * 7 % 11) - 5;
  write_npy(folder.file("x.npy"), {{1, 2, 24}, numbers});
  std::vector<std::vector<double>> results;
  for (const char* mode : {"dense", "fft"}) {
    const Run done = run({"run", "t.npz", "--input", "x.npy", "-o", "y.npy", "--mode", mode, "--json"}, folder.path());
    CAPTURE(done.err);
    REQUIRE(done.status == 0);
    REQUIRE(nlohmann::json::parse(done.out)["form"] == mode);
    results.push_back(to_doubles(read_npy(folder.file("y.npy"))));
  }
  for (std::size_t k = 0; k < results[0].size(); ++k) REQUIRE(results[0][k] == Approx(results[1][k]).margin(1e-12));
}

TEST_CASE("tie exports convolution kernels", "[apps][quick]") {
  Folder folder;
  const Run done = run({"tie", "D4", "--kernel", "3x3", "--in", "8*regular", "--out", "trivial + 2*sign", "-o",
                        "k.safetensors", "--json"},
                       folder.path());
  CAPTURE(done.err);
  REQUIRE(done.status == 0);
  const auto json = nlohmann::json::parse(done.out);
  REQUIRE(json["kernel"] == std::vector<int>{3, 3});
  REQUIRE(json["multiplicity_in"] == 8);
  REQUIRE(json["cols"] == 72);
  REQUIRE(json["params"] == 27);  // 9 sites for each of the three characters
  REQUIRE(run({"verify", "k.safetensors"}, folder.path()).status == 0);
  for (const char* wrong : {"3x", "x3", "0x3", "3*3", "", "99999999999999999999"}) {
    const Run refused = run({"tie", "D4", "--kernel", wrong, "-o", "z.npz"}, folder.path());
    CAPTURE(wrong, refused.err);
    REQUIRE(refused.status == (std::string(wrong).empty() ? 0 : 2));
  }
}

TEST_CASE("the isotypic form is found from what the table names", "[apps][quick]") {
  Folder folder;
  REQUIRE(run({"tie", "S4", "--in", "perm^2", "--out", "perm", "-o", "t.npz"}, folder.path()).status == 0);
  write_npy(folder.file("x.npy"), {{1, 16}, std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8, -1, -2, -3, -4, 2, 3, 5, 7}});
  const auto output = [&](const std::string& mode) {
    REQUIRE(run({"run", "t.npz", "--input", "x.npy", "-o", "y.npy", "--mode", mode}, folder.path()).status == 0);
    return to_doubles(read_npy(folder.file("y.npy")));
  };
  const auto dense = output("dense"), isotypic = output("isotypic");
  REQUIRE(dense.size() == isotypic.size());
  for (std::size_t k = 0; k < dense.size(); ++k) CHECK(isotypic[k] == Approx(dense[k]).margin(1e-10));
  const Run bench = run({"bench-layer", "t.npz", "--isotypic", "--batch", "1", "--seconds", "0.001"}, folder.path());
  REQUIRE(bench.status == 0);
  CHECK(bench.out.find("forward, isotypic") != std::string::npos);
}
