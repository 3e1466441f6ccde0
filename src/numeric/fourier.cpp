#include "numeric/fourier.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>
#include <utility>

#include "intertwine/numeric/machine_rates.hpp"
#include "numeric/parallel.hpp"

namespace intertwine::numeric_detail {
namespace {

using kernels::panel;

constexpr std::uint64_t most_sides = 4, least_points = 4;

// The point that follows each point along one side.
std::vector<std::uint32_t> translation(const std::vector<std::uint64_t>& sides, std::size_t side) {
  std::uint64_t points = 1, inner = 1;
  for (const std::uint64_t s : sides) points *= s;
  for (std::size_t t = side + 1; t < sides.size(); ++t) inner *= sides[t];
  std::vector<std::uint32_t> next(points);
  for (std::uint64_t g = 0; g < points; ++g)
    next[g] = static_cast<std::uint32_t>(
        g / inner % sides[side] + 1 == sides[side] ? g - (sides[side] - 1) * inner : g + inner);
  return next;
}

template <class Code>
bool invariant(std::span<const Code> codes, std::uint64_t rows, std::uint64_t cols,
               const std::vector<std::uint32_t>& next) {
  const std::uint64_t n = next.size();
  for (std::uint64_t i = 0; i < rows; ++i) {
    const Code* from = codes.data() + i * cols;
    const Code* to = codes.data() + (i / n * n + next[i % n]) * cols;
    for (std::uint64_t block = 0; block < cols; block += n)
      for (std::uint64_t h = 0; h < n; ++h)
        if (from[block + h] != to[block + next[h]]) return false;
  }
  return true;
}

bool invariant(const PatternData& pattern, const std::vector<std::uint64_t>& sides) {
  for (std::size_t side = 0; side < sides.size(); ++side) {
    const auto next = translation(sides, side);
    if (!std::visit([&](const auto& codes) { return invariant(codes, pattern.rows, pattern.cols, next); },
                    pattern.codes))
      return false;
  }
  return true;
}

// The first of the ordered factorizations of `left` by which `sides` can be completed, fewest sides first.
bool complete(const PatternData& pattern, std::uint64_t left, std::uint64_t count,
              std::vector<std::uint64_t>& sides) {
  if (count == 1) {
    sides.push_back(left);
    if (invariant(pattern, sides)) return true;
    sides.pop_back();
    return false;
  }
  for (std::uint64_t side = 2; side * 2 <= left; ++side) {
    if (left % side != 0) continue;
    sides.push_back(side);
    if (complete(pattern, left / side, count - 1, sides)) return true;
    sides.pop_back();
  }
  return false;
}

// cos and sin of -2 pi k / n.
template <class T>
void push_root(std::vector<T>& out, std::uint64_t k, std::uint64_t n) {
  const double angle = -2 * std::numbers::pi * static_cast<double>(k % n) / static_cast<double>(n);
  out.push_back(static_cast<T>(std::cos(angle)));
  out.push_back(static_cast<T>(std::sin(angle)));
}

}  // namespace

std::optional<Torus> find_torus(const PatternData& pattern) {
  const std::uint64_t common = std::gcd(pattern.rows, pattern.cols);
  if (common > (std::uint64_t{1} << 31)) return std::nullopt;
  for (std::uint64_t blocks = 1; blocks * least_points <= common; ++blocks) {
    if (common % blocks != 0) continue;
    for (std::uint64_t count = 1; count <= most_sides; ++count) {
      std::vector<std::uint64_t> sides;
      if (complete(pattern, common / blocks, count, sides)) return Torus{sides, common / blocks};
    }
  }
  return std::nullopt;
}

const std::optional<Torus>& PatternData::torus() const {
  std::call_once(torus_once_, [&] { torus_ = find_torus(*this); });
  return torus_;
}

template <class T>
TorusTransform<T>::TorusTransform(Torus torus) : torus_(std::move(torus)) {
  const std::uint64_t n = torus_.points;
  opposite_.assign(n, 0);
  std::uint64_t inner = n, outer = 1;
  for (const std::uint64_t side : torus_.sides) {
    inner /= side;
    for (std::uint64_t f = 0; f < n; ++f)
      opposite_[f] += static_cast<std::uint32_t>((side - f / inner % side) % side * inner);
    std::uint64_t left = side, stride = 1;
    for (std::uint64_t radix = 4; left > 1;) {
      if (left % radix != 0) {
        radix = radix == 4 ? 2 : radix == 2 ? 3 : radix + 2;
        if (radix * radix > left && left % 2 != 0) radix = left;  // a prime
        continue;
      }
      Stage stage{radix, left / radix, stride, inner, outer, {}, {}};
      for (std::uint64_t k = 0; k < radix; ++k) push_root(stage.roots, k, radix);
      for (std::uint64_t q = 0; q < stage.count; ++q)
        for (std::uint64_t j = 0; j < radix; ++j) push_root(stage.twiddles, q * j, left);
      operations_ += static_cast<double>(n) * (radix == 4   ? 12
                                               : radix == 2 ? 10
                                                            : 8 * static_cast<double>(radix) + 8);
      left /= radix;
      stride *= radix;
      stages_.push_back(std::move(stage));
    }
    outer *= side;
  }
  for (std::uint32_t f = 0; f < n; ++f)
    if (f <= opposite_[f]) frequencies_.push_back(f);
}

template <class T>
unsigned TorusTransform<T>::transform(Work& work, bool backwards) const {
  const auto dft = kernels::arithmetic<T>().dft;
  unsigned at = 0;
  for (const Stage& stage : stages_) {
    const std::uint64_t length = stage.stride * stage.inner * lanes,
                        step = stage.radix * stage.count * length;
    for (std::uint64_t o = 0; o < stage.outer; ++o) {
      T* parts[4] = {work.re(at) + o * step, work.im(at) + o * step, work.re(1 - at) + o * step,
                     work.im(1 - at) + o * step};
      if (backwards) {
        std::swap(parts[0], parts[1]);
        std::swap(parts[2], parts[3]);
      }
      dft({stage.radix, stage.count, length, stage.roots.data(), stage.twiddles.data(), parts[0], parts[1],
           parts[2], parts[3]});
    }
    at = 1 - at;
  }
  return at;
}

template <class T>
template <class Emit>
void TorusTransform<T>::analyse(std::uint64_t rows, const T* x, unsigned threads, const Emit& emit) const {
  const std::uint64_t n = torus_.points;
  parallel_for(threads, ceil_div(rows, 2 * lanes), [&](std::uint64_t block) {
    Work work(n);
    const std::uint64_t first = block * 2 * lanes, count = std::min(2 * lanes, rows - first);
    if (count < 2 * lanes) std::fill(work.memory.data(), work.memory.data() + 2 * work.size, T{0});
    for (std::uint64_t r = 0; r < count; ++r) {
      T* to = (r % 2 == 0 ? work.re(0) : work.im(0)) + r / 2;
      for (std::uint64_t g = 0; g < n; ++g) to[g * lanes] = x[(first + r) * n + g];
    }
    const unsigned at = transform(work, false);
    for (std::uint64_t k = 0; k < frequencies_.size(); ++k) {
      const std::uint64_t f = frequencies_[k], g = opposite_[f];
      const T *re = work.re(at) + f * lanes, *im = work.im(at) + f * lanes;
      const T *other_re = work.re(at) + g * lanes, *other_im = work.im(at) + g * lanes;
      for (std::uint64_t r = 0; r < count; ++r) {
        const std::uint64_t l = r / 2;
        if (r % 2 == 0)
          emit(k, first + r, T{0.5} * (re[l] + other_re[l]), T{0.5} * (im[l] - other_im[l]));
        else
          emit(k, first + r, T{0.5} * (im[l] + other_im[l]), T{0.5} * (other_re[l] - re[l]));
      }
    }
  });
}

template <class T>
template <class Fetch>
void TorusTransform<T>::synthesise(std::uint64_t rows, T* y, unsigned threads, const Fetch& fetch) const {
  const std::uint64_t n = torus_.points;
  parallel_for(threads, ceil_div(rows, 2 * lanes), [&](std::uint64_t block) {
    Work work(n);
    const std::uint64_t first = block * 2 * lanes, count = std::min(2 * lanes, rows - first);
    if (count < 2 * lanes) std::fill(work.memory.data(), work.memory.data() + 2 * work.size, T{0});
    for (std::uint64_t k = 0; k < frequencies_.size(); ++k) {
      const std::uint64_t f = frequencies_[k], g = opposite_[f];
      T *re = work.re(0) + f * lanes, *im = work.im(0) + f * lanes;
      T *other_re = work.re(0) + g * lanes, *other_im = work.im(0) + g * lanes;
      for (std::uint64_t r = 0; r < count; r += 2) {
        T a_re{0}, a_im{0}, b_re{0}, b_im{0};  // of row r, and of the row after it
        fetch(k, first + r, a_re, a_im);
        if (r + 1 < count) fetch(k, first + r + 1, b_re, b_im);
        re[r / 2] = a_re - b_im;
        im[r / 2] = a_im + b_re;
        if (f == g) continue;
        other_re[r / 2] = a_re + b_im;
        other_im[r / 2] = b_re - a_im;
      }
    }
    const unsigned at = transform(work, true);
    for (std::uint64_t r = 0; r < count; ++r) {
      const T* from = (r % 2 == 0 ? work.re(at) : work.im(at)) + r / 2;
      for (std::uint64_t g = 0; g < n; ++g) y[(first + r) * n + g] = from[g * lanes];
    }
  });
}

namespace {

// Where entry (row, k) of a matrix lies that is packed in tiles of rows for the kernel's product: [tile][depth][rows].
struct Tiles {
  std::uint64_t rows, depth, height;
  std::uint64_t at(std::uint64_t row, std::uint64_t k) const {
    const std::uint64_t first = row / height * height;
    return first * depth + k * std::min(height, rows - first) + (row - first);
  }
};

// C [rows][cols] = A B for packed factors.
template <class T>
void multiply_packed(const Tiles& tiles, const T* a, const T* b, T* c, std::uint64_t cols) {
  for (std::uint64_t p = 0; p * panel < cols; ++p)
    for (std::uint64_t first = 0; first < tiles.rows; first += tiles.height)
      kernels::arithmetic<T>().multiply(
          tiles.depth, a + first * tiles.depth, b + p * tiles.depth * panel, c + first * cols + p * panel,
          cols, static_cast<unsigned>(std::min(tiles.height, tiles.rows - first)),
          static_cast<unsigned>(std::min<std::uint64_t>(panel, cols - p * panel)), false);
}

// Entry (k, column) of a right factor of `depth` rows: [panel][depth][panel].
std::uint64_t panel_place(std::uint64_t depth, std::uint64_t k, std::uint64_t column) {
  return (column / panel * depth + k) * panel + column % panel;
}

std::uint64_t panels_of(std::uint64_t columns) { return ceil_div(columns, panel) * panel; }

// Few channels and blocks are multiplied as complex numbers, the batch being the vector: [frequency][channel and block][re, im][batch].
bool is_narrow(std::uint64_t in, std::uint64_t out) { return in * out <= 4; }

template <class T>
T* narrow_place(T* all, std::uint64_t k, std::uint64_t row, std::uint64_t channels, std::uint64_t batch) {
  return all + (k * channels + row % channels) * 2 * batch + row / channels;
}

// y += w x for vectors of complex numbers.
template <class T>
void add_multiple(std::uint64_t count, T re, T im, const T* x, T* y) {
  for (std::uint64_t b = 0; b < count; ++b) {
    y[b] += re * x[b] - im * x[count + b];
    y[count + b] += re * x[count + b] + im * x[b];
  }
}

// sum of x conj(y), in eight sums that are added in order.
template <class T>
std::pair<T, T> inner_product(std::uint64_t count, const T* x, const T* y) {
  constexpr std::uint64_t sums = 8;
  T re[sums] = {}, im[sums] = {};
  const auto add = [&](std::uint64_t s, std::uint64_t b) {
    re[s] += x[b] * y[b] + x[count + b] * y[count + b];
    im[s] += x[count + b] * y[b] - x[b] * y[count + b];
  };
  std::uint64_t b = 0;
  for (; b + sums <= count; b += sums)
    for (std::uint64_t s = 0; s < sums; ++s) add(s, b + s);
  for (std::uint64_t s = 0; b < count; ++b, ++s) add(s, b);
  for (std::uint64_t s = 1; s < sums; ++s) {
    re[0] += re[s];
    im[0] += im[s];
  }
  return {re[0], im[0]};
}

// Calls f(out channel and block, in channel and block, point, code) for the rows of the point 0.
template <class F>
void for_generators(const PatternData& pattern, std::uint64_t n, const F& f) {
  std::visit(
      [&](const auto& codes) {
        for (std::uint64_t i = 0; i < pattern.rows / n; ++i)
          for (std::uint64_t j = 0; j < pattern.cols; ++j)
            f(i, j / n, j % n, static_cast<std::uint64_t>(codes[i * n * pattern.cols + j]));
      },
      pattern.codes);
}

}  // namespace

template <class T>
FourierWeights<T>::FourierWeights(const PatternData& pattern,
                                  std::shared_ptr<const TorusTransform<T>> transform, Multiplicity channels,
                                  bool transpose, const T* theta, unsigned threads)
    : transform_(std::move(transform)) {
  const std::uint64_t n = transform_->points(), blocks_out = pattern.rows / n, blocks_in = pattern.cols / n;
  const std::uint64_t in = channels.in * blocks_in, out = channels.out * blocks_out;
  std::vector<T> first(out * in * n);  // W_{o i}(d): the weight of x at g + d in y at g
  for_tables<T>(pattern, channels, false, theta, 1, [&](const Tables<T>& tables) {
    parallel_for(threads, tables.count, [&](std::uint64_t c) {
      const std::uint64_t co = tables.first + c;
      for (std::uint64_t ci = 0; ci < channels.in; ++ci) {
        const T* table = tables.of(co, ci);
        for_generators(pattern, n,
                       [&](std::uint64_t i, std::uint64_t j, std::uint64_t d, std::uint64_t code) {
                         first[((co * blocks_out + i) * in + ci * blocks_in + j) * n + d] = table[code];
                       });
      }
    });
  });
  in_ = transpose ? out : in;
  out_ = transpose ? in : out;
  narrow_ = is_narrow(in_, out_);
  const std::uint64_t count = transform_->frequencies().size(), depth = 2 * in_,
                      columns = narrow_ ? out_ : panels_of(2 * out_);
  panels_ =
      Buffer<T>(checked_product({count, depth, columns, sizeof(T)}, "the transformed weights") / sizeof(T));
  if (!narrow_ && columns != 2 * out_) std::fill(panels_.data(), panels_.data() + panels_.size(), T{0});
  // y^ = conj(W^) x^; as real matrices on (re, im), with the 1/n of the way back.
  const T scale = T{1} / static_cast<T>(n);
  transform_->analyse(out * in, first.data(), threads, [&](std::uint64_t k, std::uint64_t row, T re, T im) {
    const std::uint64_t o = row / in, i = row % in;
    const T part[2][2] = {{re * scale, im * scale}, {-im * scale, re * scale}};  // [part of y][part of x]
    T* to = panels_.data() + k * depth * columns;
    if (narrow_) {
      to += 2 * (transpose ? i * in_ + o : o * in_ + i);
      to[0] = part[0][0];
      to[1] = transpose ? part[0][1] : part[1][0];
      return;
    }
    for (std::uint64_t s = 0; s < 2; ++s)
      for (std::uint64_t t = 0; t < 2; ++t)
        to[transpose ? panel_place(depth, 2 * o + s, 2 * i + t) : panel_place(depth, 2 * i + t, 2 * o + s)] =
            part[s][t];
  });
}

template <class T>
void FourierWeights<T>::multiply(std::uint64_t batch, const T* x, T* y, unsigned threads) const {
  const std::uint64_t in = in_, out = out_, count = transform_->frequencies().size();
  if (narrow_) {
    Buffer<T> spectrum(count * 2 * in * batch), product(count * 2 * out * batch);
    transform_->analyse(batch * in, x, threads, [&](std::uint64_t k, std::uint64_t row, T re, T im) {
      T* to = narrow_place(spectrum.data(), k, row, in, batch);
      to[0] = re;
      to[batch] = im;
    });
    parallel_for(threads, count, [&](std::uint64_t k) {
      T* to = product.data() + k * 2 * out * batch;
      std::fill(to, to + 2 * out * batch, T{0});
      for (std::uint64_t o = 0; o < out; ++o)
        for (std::uint64_t i = 0; i < in; ++i) {
          const T* w = panels_.data() + ((k * out + o) * in + i) * 2;
          add_multiple(batch, w[0], w[1], spectrum.data() + (k * in + i) * 2 * batch, to + o * 2 * batch);
        }
    });
    transform_->synthesise(batch * out, y, threads, [&](std::uint64_t k, std::uint64_t row, T& re, T& im) {
      const T* from = narrow_place(product.data(), k, row, out, batch);
      re = from[0];
      im = from[batch];
    });
    return;
  }
  const Tiles tiles{batch, 2 * in, kernels::arithmetic<T>().height};
  Buffer<T> spectrum(count * 2 * in * batch), product(count * 2 * out * batch);
  transform_->analyse(batch * in, x, threads, [&](std::uint64_t k, std::uint64_t row, T re, T im) {
    T* to = spectrum.data() + k * 2 * in * batch;
    to[tiles.at(row / in, 2 * (row % in))] = re;
    to[tiles.at(row / in, 2 * (row % in) + 1)] = im;
  });
  parallel_for(threads, count, [&](std::uint64_t k) {
    multiply_packed(tiles, spectrum.data() + k * 2 * in * batch,
                    panels_.data() + k * 2 * in * panels_of(2 * out), product.data() + k * 2 * out * batch,
                    2 * out);
  });
  transform_->synthesise(batch * out, y, threads, [&](std::uint64_t k, std::uint64_t row, T& re, T& im) {
    const T* from = product.data() + k * 2 * out * batch + 2 * row;
    re = from[0];
    im = from[1];
  });
}

namespace {

// As products of matrices: depth (row of the batch, part of dy).
template <class T>
void wide_correlation(const TorusTransform<T>& transform, std::uint64_t batch, std::uint64_t in, const T* x,
                      std::uint64_t out, const T* dy, T* product, unsigned threads) {
  const std::uint64_t count = transform.frequencies().size(), width = panels_of(2 * in);
  const Tiles tiles{out, 2 * batch, kernels::arithmetic<T>().height};
  Buffer<T> left(count * out * 2 * batch), right(count * 2 * batch * width);
  std::fill(right.data(), right.data() + right.size(), T{0});
  transform.analyse(batch * out, dy, threads, [&](std::uint64_t k, std::uint64_t row, T re, T im) {
    T* to = left.data() + k * out * 2 * batch;
    to[tiles.at(row % out, 2 * (row / out))] = re;
    to[tiles.at(row % out, 2 * (row / out) + 1)] = im;
  });
  transform.analyse(batch * in, x, threads, [&](std::uint64_t k, std::uint64_t row, T re, T im) {
    T* to = right.data() + k * 2 * batch * width;
    const std::uint64_t b = row / in, i = row % in;
    to[panel_place(2 * batch, 2 * b, 2 * i)] = re;
    to[panel_place(2 * batch, 2 * b, 2 * i + 1)] = im;
    to[panel_place(2 * batch, 2 * b + 1, 2 * i)] = im;
    to[panel_place(2 * batch, 2 * b + 1, 2 * i + 1)] = -re;
  });
  parallel_for(threads, count, [&](std::uint64_t k) {
    multiply_packed(tiles, left.data() + k * out * 2 * batch, right.data() + k * 2 * batch * width,
                    product + k * out * 2 * in, 2 * in);
  });
}

template <class T>
void narrow_correlation(const TorusTransform<T>& transform, std::uint64_t batch, std::uint64_t in, const T* x,
                        std::uint64_t out, const T* dy, T* product, unsigned threads) {
  const std::uint64_t count = transform.frequencies().size();
  Buffer<T> left(count * 2 * out * batch), right(count * 2 * in * batch);
  const auto analysed = [&](const T* from, std::uint64_t channels, T* to) {
    transform.analyse(batch * channels, from, threads, [&](std::uint64_t k, std::uint64_t row, T re, T im) {
      T* place = narrow_place(to, k, row, channels, batch);
      place[0] = re;
      place[batch] = im;
    });
  };
  analysed(dy, out, left.data());
  analysed(x, in, right.data());
  for (std::uint64_t k = 0; k < count; ++k)
    for (std::uint64_t o = 0; o < out; ++o)
      for (std::uint64_t i = 0; i < in; ++i, product += 2)
        std::tie(product[0], product[1]) = inner_product(batch, right.data() + (k * in + i) * 2 * batch,
                                                         left.data() + (k * out + o) * 2 * batch);
}

}  // namespace

template <class T>
void fourier_gradient(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                      std::uint64_t batch, const T* x, const T* dy, T* dtheta, unsigned threads) {
  const std::uint64_t n = transform.points(), blocks_out = pattern.rows / n, blocks_in = pattern.cols / n;
  const std::uint64_t in = channels.in * blocks_in, out = channels.out * blocks_out;
  const std::uint64_t count = transform.frequencies().size();
  Buffer<T> product(count * out * in * 2);  // c^ = sum over the batch of x^ conj(dy^)
  if (is_narrow(in, out))
    narrow_correlation(transform, batch, in, x, out, dy, product.data(), threads);
  else
    wide_correlation(transform, batch, in, x, out, dy, product.data(), threads);
  std::vector<T> sums(out * in * n);  // over the entries that translations move to each other
  transform.synthesise(out * in, sums.data(), threads, [&](std::uint64_t k, std::uint64_t row, T& re, T& im) {
    const T* from = product.data() + (k * out * in + row) * 2;
    re = from[0];
    im = from[1];
  });
  const std::uint64_t pairs = channels.in * channels.out, P = pattern.params;
  const T scale = T{1} / static_cast<T>(n);
  std::fill(dtheta, dtheta + P * pairs, T{0});
  parallel_for(threads, pairs, [&](std::uint64_t pair) {
    const std::uint64_t co = pair / channels.in, ci = pair % channels.in;
    for_generators(pattern, n, [&](std::uint64_t i, std::uint64_t j, std::uint64_t d, std::uint64_t code) {
      if (code == 0) return;
      const T sum = sums[((co * blocks_out + i) * in + ci * blocks_in + j) * n + d] * scale;
      dtheta[(code <= P ? code - 1 : code - 1 - P) * pairs + pair] += code <= P ? sum : -sum;
    });
  });
}

template <class T>
double fourier_operations(const PatternData& pattern, const TorusTransform<T>& transform,
                          Multiplicity channels, std::uint64_t batch) {
  const double in = static_cast<double>(channels.in * (pattern.cols / transform.points()));
  const double out = static_cast<double>(channels.out * (pattern.rows / transform.points()));
  const double rows = static_cast<double>(batch), count = static_cast<double>(transform.frequencies().size());
  return rows * (in + out) / 2 * transform.operations() + 8 * count * rows * in * out;
}

template <class T>
double fourier_seconds(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                       std::uint64_t batch) {
  const double flops = machine_rate<T>(&MachineRates::flops), bytes = machine_rate<T>(&MachineRates::bytes);
  const double in = static_cast<double>(channels.in * (pattern.cols / transform.points()));
  const double out = static_cast<double>(channels.out * (pattern.rows / transform.points()));
  const bool narrow = is_narrow(static_cast<std::uint64_t>(in), static_cast<std::uint64_t>(out));
  const double padded =
      narrow ? 8 * out : static_cast<double>(panels_of(static_cast<std::uint64_t>(2 * out)));
  const double rows = static_cast<double>(batch), count = static_cast<double>(transform.frequencies().size());
  const double lanes = 32 * (std::ceil(rows * in / 32) + std::ceil(rows * out / 32));
  const double transforms = lanes / 2 * transform.operations() / (0.3 * flops);
  const double moved = (in + out) * rows * static_cast<double>(transform.points()) * 1.2e-9;
  const double products =
      count * std::max(2 * rows * 2 * in * padded / (0.7 * flops), 2 * in * padded * sizeof(T) / bytes);
  return 1e-6 + transforms + moved + products + count * 3e-8;
}

#define INTERTWINE_FOR(T)                                                                                   \
  template class TorusTransform<T>;                                                                         \
  template class FourierWeights<T>;                                                                         \
  template void fourier_gradient(const PatternData&, const TorusTransform<T>&, Multiplicity, std::uint64_t, \
                                 const T*, const T*, T*, unsigned);                                         \
  template double fourier_operations(const PatternData&, const TorusTransform<T>&, Multiplicity,            \
                                     std::uint64_t);                                                        \
  template double fourier_seconds(const PatternData&, const TorusTransform<T>&, Multiplicity, std::uint64_t);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
#undef INTERTWINE_FOR

}  // namespace intertwine::numeric_detail
