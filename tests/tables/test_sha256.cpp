#include "intertwine/tables/sha256.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <string_view>
#include <vector>

#include "support/random.hpp"
#include "tables/sha256_blocks.hpp"

using namespace intertwine;

namespace {

std::string hex_of(std::string_view text) {
  Sha256 sha256;
  sha256.add(std::as_bytes(std::span(text)));
  return sha256.hex();
}

// The digest of whole blocks by one compression function: padding is the caller's.
std::array<std::uint32_t, 8> state_after(sha256_detail::Compress compress, std::span<const std::byte> blocks) {
  std::array<std::uint32_t, 8> state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  compress(state.data(), blocks.data(), blocks.size() / 64);
  return state;
}

}  // namespace

TEST_CASE("SHA-256 of the standard's examples", "[tables][quick]") {
  // FIPS 180-4, examples of the National Institute of Standards and Technology.
  REQUIRE(hex_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  REQUIRE(hex_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  REQUIRE(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  REQUIRE(hex_of("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmn"
                 "opqrsmnopq"
                 "rstnopqrstu") == "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
  REQUIRE(hex_of(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("both compression functions pass the standard's example block by block", "[tables][quick]") {
  // "abc", padded by hand.
  std::vector<std::byte> block(64);
  const std::string_view text = "abc\x80";
  std::transform(text.begin(), text.end(), block.begin(), [](char c) { return static_cast<std::byte>(c); });
  block[63] = std::byte{24};
  const std::array<std::uint32_t, 8> expected = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                                 0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  REQUIRE(state_after(sha256_detail::compress_portable, block) == expected);
  const auto fast = sha256_detail::compress_with_instructions();
  if (fast == nullptr) {
    WARN("this processor has no SHA instructions: one of two functions is tested");
    return;
  }
  REQUIRE(state_after(fast, block) == expected);
  auto rng = test_rng();
  for (const std::size_t count : {1, 2, 7, 100}) {
    std::vector<std::byte> blocks(64 * count);
    for (std::byte& b : blocks) b = static_cast<std::byte>(rng.below(256));
    REQUIRE(state_after(fast, blocks) == state_after(sha256_detail::compress_portable, blocks));
  }
}

TEST_CASE("the digest does not depend on the pieces", "[tables][quick]") {
  auto rng = test_rng();
  for (int trial = 0; trial < 200 * test_multiplier(); ++trial) {
    std::vector<std::byte> bytes(rng.below(400));
    for (std::byte& b : bytes) b = static_cast<std::byte>(rng.below(256));
    Sha256 whole, parts;
    whole.add(bytes);
    for (std::span<const std::byte> rest = bytes; !rest.empty();) {
      const std::size_t size = std::min<std::size_t>(rest.size(), rng.below(150));
      parts.add(rest.first(size));
      rest = rest.subspan(size);
    }
    const std::string digest = whole.hex();
    REQUIRE(parts.hex() == digest);
    if (bytes.empty()) continue;
    bytes[rng.below(bytes.size())] ^= std::byte{1};
    Sha256 other;
    other.add(bytes);
    REQUIRE(other.hex() != digest);
  }
}
