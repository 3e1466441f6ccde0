// The compression function of SHA-256.
#include "sha256_blocks.hpp"

#include <array>
#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace intertwine::sha256_detail {
namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) constexpr std::array<std::uint32_t, 64> round_constants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

}  // namespace

void compress_portable(std::uint32_t* state, const std::byte* blocks, std::size_t count) {
  for (; count > 0; --count, blocks += 64) {
    std::array<std::uint32_t, 64> w;
    for (std::size_t t = 0; t < 16; ++t)
      w[t] = std::to_integer<std::uint32_t>(blocks[4 * t]) << 24 |
             std::to_integer<std::uint32_t>(blocks[4 * t + 1]) << 16 |
             std::to_integer<std::uint32_t>(blocks[4 * t + 2]) << 8 | std::to_integer<std::uint32_t>(blocks[4 * t + 3]);
    for (std::size_t t = 16; t < 64; ++t) {
      const std::uint32_t before = w[t - 15], last = w[t - 2];
      w[t] = w[t - 16] + (std::rotr(before, 7) ^ std::rotr(before, 18) ^ before >> 3) + w[t - 7] +
             (std::rotr(last, 17) ^ std::rotr(last, 19) ^ last >> 10);
    }
    auto [a, b, c, d, e, f, g, h] =
        std::array{state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]};
    for (std::size_t t = 0; t < 64; ++t) {
      const std::uint32_t one = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) +
                                round_constants[t] + w[t];
      const std::uint32_t two = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    const std::uint32_t words[] = {a, b, c, d, e, f, g, h};
    for (std::size_t k = 0; k < 8; ++k) state[k] += words[k];
  }
}

#if defined(__x86_64__)
namespace {

#define INTERTWINE_SHA __attribute__((target("sha,sse4.1,ssse3"), always_inline)) inline

// The state as the instructions want it: (a, b, e, f) and (c, d, g, h) [Gulley, Gopal, Yap, Feghali, Guilford & Wolrich
// 2013].
struct State {
  __m128i abef, cdgh;
};

// Four rounds, with words of the schedule.
INTERTWINE_SHA void four_rounds(State& state, __m128i words, const std::uint32_t* constants) {
  const __m128i added = _mm_add_epi32(words, _mm_load_si128(reinterpret_cast<const __m128i*>(constants)));
  state.cdgh = _mm_sha256rnds2_epu32(state.cdgh, state.abef, added);
  state.abef = _mm_sha256rnds2_epu32(state.abef, state.cdgh, _mm_shuffle_epi32(added, 0x0E));
}

// The words of four rounds from those of the sixteen before, oldest first; they take the place of the oldest.
INTERTWINE_SHA void next_words(__m128i& oldest, __m128i older, __m128i newer, __m128i newest) {
  const __m128i sum = _mm_add_epi32(_mm_sha256msg1_epu32(oldest, older), _mm_alignr_epi8(newest, newer, 4));
  oldest = _mm_sha256msg2_epu32(sum, newest);
}

__attribute__((target("sha,sse4.1,ssse3"))) void compress_x86(std::uint32_t* state, const std::byte* blocks,
                                                              std::size_t count) {
  const __m128i to_big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const auto load = [](const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); };
  const __m128i badc = _mm_shuffle_epi32(load(state), 0xB1), hgfe = _mm_shuffle_epi32(load(state + 4), 0x1B);
  State now{_mm_alignr_epi8(badc, hgfe, 8), _mm_blend_epi16(hgfe, badc, 0xF0)};
  for (; count > 0; --count, blocks += 64) {
    const State before = now;
    const std::uint32_t* constants = round_constants.data();
    __m128i a = _mm_shuffle_epi8(load(blocks), to_big_endian), b = _mm_shuffle_epi8(load(blocks + 16), to_big_endian),
            c = _mm_shuffle_epi8(load(blocks + 32), to_big_endian),
            d = _mm_shuffle_epi8(load(blocks + 48), to_big_endian);
    for (int sixteen = 0; sixteen < 3; ++sixteen, constants += 16) {
      // In this order the words are there when the rounds, each of which waits for the one before, come to them.
      four_rounds(now, a, constants);
      next_words(a, b, c, d);
      four_rounds(now, b, constants + 4);
      next_words(b, c, d, a);
      four_rounds(now, c, constants + 8);
      next_words(c, d, a, b);
      four_rounds(now, d, constants + 12);
      next_words(d, a, b, c);
    }
    four_rounds(now, a, constants);
    four_rounds(now, b, constants + 4);
    four_rounds(now, c, constants + 8);
    four_rounds(now, d, constants + 12);
    now = {_mm_add_epi32(now.abef, before.abef), _mm_add_epi32(now.cdgh, before.cdgh)};
  }
  const __m128i feba = _mm_shuffle_epi32(now.abef, 0x1B), dchg = _mm_shuffle_epi32(now.cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#undef INTERTWINE_SHA

bool has_instructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  constexpr unsigned ssse3 = 1U << 9, sse41 = 1U << 19, sha = 1U << 29;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & ssse3) == 0 || (c & sse41) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & sha) != 0;
}

}  // namespace

Compress compress_with_instructions() {
  static const Compress found = has_instructions() ? compress_x86 : nullptr;
  return found;
}
#else
Compress compress_with_instructions() { return nullptr; }
#endif

}  // namespace intertwine::sha256_detail
