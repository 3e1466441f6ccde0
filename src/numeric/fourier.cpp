// Products with patterns of a torus by Fourier transforms.
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
    next[g] = static_cast<std::uint32_t>(g / inner % sides[side] + 1 == sides[side] ? g - (sides[side] - 1) * inner
                                                                                    : g + inner);
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
bool complete(const PatternData& pattern, std::uint64_t left, std::uint64_t count, std::vector<std::uint64_t>& sides) {
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
void TorusTransform<T>::spread_out(Stage& stage) {
  const std::uint64_t length = stage.stride * stage.inner;
  for (std::uint64_t j = 0; j < stage.radix; ++j)
    for (std::uint64_t part = 0; part < 2; ++part)
      for (std::uint64_t q = 0; q < stage.count; ++q)
        stage.spread.insert(stage.spread.end(), length, stage.twiddles[2 * (q * stage.radix + j) + part]);
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
      Stage stage{radix, left / radix, stride, inner, outer, {}, {}, {}};
      for (std::uint64_t k = 0; k < radix; ++k) push_root(stage.roots, k, radix);
      for (std::uint64_t q = 0; q < stage.count; ++q)
        for (std::uint64_t j = 0; j < radix; ++j) push_root(stage.twiddles, q * j, left);
      if (kernels::is_short(stride * inner)) spread_out(stage);
      const double work = static_cast<double>(n) * (radix == 4   ? 12
                                                    : radix == 2 ? 10
                                                                 : 8 * static_cast<double>(radix) + 8);
      constexpr double emptiness = 8;  // measured on C1018, C508, C31 x C31, C64 x C2 x C2 x C2
      operations_ += work;
      single_ += work * (stage.count * stride * inner < kernels::longest_vector ? emptiness : 1);
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
    const std::uint64_t length = stage.stride * stage.inner * work.lanes, step = stage.radix * stage.count * length;
    const bool is_short = kernels::is_short(length);
    for (std::uint64_t o = 0; o < stage.outer; ++o) {
      T* parts[4] = {work.re(at) + o * step, work.im(at) + o * step, work.re(1 - at) + o * step,
                     work.im(1 - at) + o * step};
      if (backwards) {
        std::swap(parts[0], parts[1]);
        std::swap(parts[2], parts[3]);
      }
      dft({stage.radix, stage.count, length, stage.roots.data(), is_short ? stage.spread.data() : stage.twiddles.data(),
           parts[0], parts[1], parts[2], parts[3]});
    }
    if (!is_short) at = 1 - at;
  }
  return at;
}

template <class T>
double TorusTransform<T>::seconds(std::uint64_t rows, double flops) const {
  const std::uint64_t lanes = lanes_for(rows);
  if (lanes == 1) return static_cast<double>(ceil_div(rows, 2)) * single_ / (0.1 * flops);
  return static_cast<double>(lanes * ceil_div(rows, 2 * lanes)) * operations_ / (0.3 * flops);
}

template <class T>
template <class Sink>
void TorusTransform<T>::analyse(std::uint64_t rows, const T* x, unsigned threads, const Sink& sink) const {
  const std::uint64_t n = torus_.points, lanes = lanes_for(rows);
  parallel_for(threads, ceil_div(rows, 2 * lanes), [&](std::uint64_t block) {
    Work work(n, lanes);
    const std::uint64_t first = block * 2 * lanes, count = std::min(2 * lanes, rows - first);
    if (count < 2 * lanes) std::fill(work.memory.data(), work.memory.data() + 2 * work.size, T{0});
    for (std::uint64_t r = 0; r < count; ++r) {
      T* to = (r % 2 == 0 ? work.re(0) : work.im(0)) + r / 2;
      for (std::uint64_t g = 0; g < n; ++g) to[g * lanes] = x[(first + r) * n + g];
    }
    const unsigned at = transform(work, false);
    const auto sinks = each_row(first, count, sink);
    for (std::uint64_t k = 0; k < frequencies_.size(); ++k) {
      const std::uint64_t f = frequencies_[k], g = opposite_[f];
      const T *re = work.re(at) + f * lanes, *im = work.im(at) + f * lanes;
      const T *other_re = work.re(at) + g * lanes, *other_im = work.im(at) + g * lanes;
      for (std::uint64_t r = 0, l = 0; r < count; r += 2, ++l) {
        sinks[r](k, T{0.5} * (re[l] + other_re[l]), T{0.5} * (im[l] - other_im[l]));
        if (r + 1 < count) sinks[r + 1](k, T{0.5} * (im[l] + other_im[l]), T{0.5} * (other_re[l] - re[l]));
      }
    }
  });
}

template <class T>
template <class Source>
void TorusTransform<T>::synthesise(std::uint64_t rows, T* y, unsigned threads, const Source& source) const {
  const std::uint64_t n = torus_.points, lanes = lanes_for(rows);
  parallel_for(threads, ceil_div(rows, 2 * lanes), [&](std::uint64_t block) {
    Work work(n, lanes);
    const std::uint64_t first = block * 2 * lanes, count = std::min(2 * lanes, rows - first);
    if (count + 1 < 2 * lanes) std::fill(work.memory.data(), work.memory.data() + 2 * work.size, T{0});
    const auto sources = each_row(first, count, source);
    for (std::uint64_t k = 0; k < frequencies_.size(); ++k) {
      const std::uint64_t f = frequencies_[k], g = opposite_[f];
      T *re = work.re(0) + f * lanes, *im = work.im(0) + f * lanes;
      T *other_re = work.re(0) + g * lanes, *other_im = work.im(0) + g * lanes;
      for (std::uint64_t r = 0, l = 0; r < count; r += 2, ++l) {
        const auto [a_re, a_im] = sources[r](k);
        const auto [b_re, b_im] = r + 1 < count ? sources[r + 1](k) : std::pair<T, T>{0, 0};
        re[l] = a_re - b_im;
        im[l] = a_im + b_re;
        if (f == g) continue;
        other_re[l] = a_re + b_im;
        other_im[l] = b_re - a_im;
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

// The places of the entries (row, k) of a matrix packed in tiles of rows for the kernel's product: [tile][depth][rows].
struct Tiles {
  std::uint64_t rows, depth, height;
  std::uint64_t at(std::uint64_t row, std::uint64_t k) const {
    const std::uint64_t first = row / height * height;
    return first * depth + k * std::min(height, rows - first) + (row - first);
  }
  /// Puts the parts of a number of every frequency to (row, k) and (row, k + 1) of its matrix.
  template <class T>
  auto pair(T* all, std::uint64_t row, std::uint64_t k) const {
    return [re_to = all + at(row, k), im_to = all + at(row, k + 1), step = rows * depth](std::uint64_t frequency, T re,
                                                                                         T im) {
      re_to[frequency * step] = re;
      im_to[frequency * step] = im;
    };
  }
};

// The numbers of a row in an array of pairs (re, im), `step` from one frequency to the next.
template <class T>
struct PairOf {
  const T* first;
  std::uint64_t step;
  std::pair<T, T> operator()(std::uint64_t k) const { return {first[k * step], first[k * step + 1]}; }
};

// C [rows][cols] = A B for packed factors.
template <class T>
void multiply_packed(const Tiles& tiles, const T* a, const T* b, T* c, std::uint64_t cols) {
  for (std::uint64_t p = 0; p * panel < cols; ++p)
    for (std::uint64_t first = 0; first < tiles.rows; first += tiles.height)
      kernels::arithmetic<T>().multiply(tiles.depth, a + first * tiles.depth, b + p * tiles.depth * panel,
                                        c + first * cols + p * panel, cols,
                                        static_cast<unsigned>(std::min(tiles.height, tiles.rows - first)),
                                        static_cast<unsigned>(std::min<std::uint64_t>(panel, cols - p * panel)), false);
}

// Entry (k, column) of a right factor of `depth` rows: [panel][depth][panel].
std::uint64_t panel_place(std::uint64_t depth, std::uint64_t k, std::uint64_t column) {
  return (column / panel * depth + k) * panel + column % panel;
}

std::uint64_t panels_of(std::uint64_t columns) { return ceil_div(columns, panel) * panel; }

// Few channels and blocks are multiplied as complex numbers, the batch being the vector: [frequency][channel and block][re, im][batch].
bool few_channels(std::uint64_t in, std::uint64_t out) { return in * out <= 4; }

template <class T>
class NarrowRow {
 public:
  NarrowRow(T* all, std::uint64_t row, std::uint64_t channels, std::uint64_t batch)
      : first_(all + row % channels * 2 * batch + row / channels), step_(channels * 2 * batch), batch_(batch) {}
  void operator()(std::uint64_t k, T re, T im) const {
    first_[k * step_] = re;
    first_[k * step_ + batch_] = im;
  }
  std::pair<T, T> operator()(std::uint64_t k) const { return {first_[k * step_], first_[k * step_ + batch_]}; }

 private:
  T* first_;
  std::uint64_t step_, batch_;
};

// y [+]= w x for vectors of complex numbers.
template <bool add, class T>
void multiple(std::uint64_t count, const T* w, const T* x, T* y) {
  const T re = w[0], im = w[1];
  for (std::uint64_t b = 0; b < count; ++b) {
    const T own = re * x[b] - im * x[count + b], other = re * x[count + b] + im * x[b];
    y[b] = add ? y[b] + own : own;
    y[count + b] = add ? y[count + b] + other : other;
  }
}

// sum of x conj(y), in eight sums that are added in order.
template <class T>
std::pair<T, T> inner_product(std::uint64_t count, const T* x, const T* y) {
  constexpr std::uint64_t sums = 8;
  if (count == 1) return {x[0] * y[0] + x[1] * y[1], x[1] * y[0] - x[0] * y[1]};
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
FourierWeights<T>::FourierWeights(const PatternData& pattern, std::shared_ptr<const TorusTransform<T>> transform,
                                  Multiplicity channels, bool transpose, const T* theta, unsigned threads)
    : transform_(std::move(transform)) {
  const std::uint64_t n = transform_->points(), blocks_out = pattern.rows / n, blocks_in = pattern.cols / n;
  const std::uint64_t in = channels.in * blocks_in, out = channels.out * blocks_out;
  std::vector<T> first(out * in * n);  // W_{o i}(d): the weight of x at g + d in y at g
  for_tables<T>(pattern, channels, false, theta, 1, [&](const Tables<T>& tables) {
    parallel_for(threads, tables.count, [&](std::uint64_t c) {
      const std::uint64_t co = tables.first + c;
      for (std::uint64_t ci = 0; ci < channels.in; ++ci) {
        const T* table = tables.of(co, ci);
        for_generators(pattern, n, [&](std::uint64_t i, std::uint64_t j, std::uint64_t d, std::uint64_t code) {
          first[((co * blocks_out + i) * in + ci * blocks_in + j) * n + d] = table[code];
        });
      }
    });
  });
  in_ = transpose ? out : in;
  out_ = transpose ? in : out;
  narrow_ = few_channels(in_, out_);
  const std::uint64_t count = transform_->frequencies().size(), depth = 2 * in_,
                      columns = narrow_ ? out_ : panels_of(2 * out_);
  panels_ = Buffer<T>(checked_product({count, depth, columns, sizeof(T)}, "the transformed weights") / sizeof(T));
  if (!narrow_ && columns != 2 * out_) std::fill(panels_.data(), panels_.data() + panels_.size(), T{0});
  // y^ = conj(W^) x^; as real matrices [part of y][part of x] on (re, im), with the 1/n of the way back.
  const T scale = T{1} / static_cast<T>(n), turn = transpose ? scale : -scale;
  const std::uint64_t step = depth * columns;
  if (narrow_) {
    transform_->analyse(out * in, first.data(), threads, [&](std::uint64_t row) {
      const std::uint64_t o = row / in, i = row % in;
      T* to = panels_.data() + 2 * (transpose ? i * in_ + o : o * in_ + i);
      return [=](std::uint64_t k, T re, T im) {
        to[k * step] = re * scale;
        to[k * step + 1] = im * turn;
      };
    });
    return;
  }
  transform_->analyse(out * in, first.data(), threads, [&](std::uint64_t row) {
    const std::uint64_t y_part = 2 * (transpose ? row % in : row / in), x_part = 2 * (transpose ? row / in : row % in);
    const auto place = [&](std::uint64_t s, std::uint64_t t) {
      return panels_.data() + panel_place(depth, x_part + t, y_part + s);
    };
    return [=, a = place(0, 0), b = place(0, 1), c = place(1, 0), d = place(1, 1)](std::uint64_t k, T re, T im) {
      a[k * step] = d[k * step] = re * scale;
      b[k * step] = -(im * turn);
      c[k * step] = im * turn;
    };
  });
}

template <class T>
void FourierWeights<T>::multiply(std::uint64_t batch, const T* x, T* y, unsigned threads) const {
  const std::uint64_t in = in_, out = out_, count = transform_->frequencies().size();
  Buffer<T> spectrum(count * 2 * in * batch), product(count * 2 * out * batch);
  if (narrow_) {
    transform_->analyse(batch * in, x, threads,
                        [&](std::uint64_t row) { return NarrowRow<T>(spectrum.data(), row, in, batch); });
    parallel_for(threads, count, [&](std::uint64_t k) {
      const T *w = panels_.data() + k * out * in * 2, *from = spectrum.data() + k * 2 * in * batch;
      T* to = product.data() + k * 2 * out * batch;
      for (std::uint64_t o = 0; o < out; ++o, to += 2 * batch)
        for (std::uint64_t i = 0; i < in; ++i, w += 2) {
          if (i == 0)
            multiple<false>(batch, w, from, to);
          else
            multiple<true>(batch, w, from + i * 2 * batch, to);
        }
    });
    transform_->synthesise(batch * out, y, threads,
                           [&](std::uint64_t row) { return NarrowRow<T>(product.data(), row, out, batch); });
    return;
  }
  const Tiles tiles{batch, 2 * in, kernels::arithmetic<T>().height};
  transform_->analyse(batch * in, x, threads,
                      [&](std::uint64_t row) { return tiles.pair(spectrum.data(), row / in, 2 * (row % in)); });
  parallel_for(threads, count, [&](std::uint64_t k) {
    multiply_packed(tiles, spectrum.data() + k * 2 * in * batch, panels_.data() + k * 2 * in * panels_of(2 * out),
                    product.data() + k * 2 * out * batch, 2 * out);
  });
  transform_->synthesise(batch * out, y, threads, [&](std::uint64_t row) {
    return PairOf<T>{product.data() + 2 * row, 2 * out * batch};
  });
}

namespace {

// The correlation as products of matrices: depth (row of the batch, part of dy).
template <class T>
void wide_correlation(const TorusTransform<T>& transform, std::uint64_t batch, std::uint64_t in, const T* x,
                      std::uint64_t out, const T* dy, T* product, unsigned threads) {
  const std::uint64_t count = transform.frequencies().size(), width = panels_of(2 * in);
  const Tiles tiles{out, 2 * batch, kernels::arithmetic<T>().height};
  Buffer<T> left(count * out * 2 * batch), right(count * 2 * batch * width);
  std::fill(right.data(), right.data() + right.size(), T{0});
  transform.analyse(batch * out, dy, threads,
                    [&](std::uint64_t row) { return tiles.pair(left.data(), row % out, 2 * (row / out)); });
  transform.analyse(batch * in, x, threads, [&](std::uint64_t row) {
    const std::uint64_t depth_part = 2 * (row / in), column = 2 * (row % in), step = 2 * batch * width;
    const auto place = [&](std::uint64_t s, std::uint64_t t) {
      return right.data() + panel_place(2 * batch, depth_part + s, column + t);
    };
    return [=, a = place(0, 0), b = place(0, 1), c = place(1, 0), d = place(1, 1)](std::uint64_t k, T re, T im) {
      a[k * step] = re;
      b[k * step] = c[k * step] = im;
      d[k * step] = -re;
    };
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
    transform.analyse(batch * channels, from, threads,
                      [&](std::uint64_t row) { return NarrowRow<T>(to, row, channels, batch); });
  };
  analysed(dy, out, left.data());
  analysed(x, in, right.data());
  for (std::uint64_t k = 0; k < count; ++k)
    for (std::uint64_t o = 0; o < out; ++o)
      for (std::uint64_t i = 0; i < in; ++i, product += 2)
        std::tie(product[0], product[1]) =
            inner_product(batch, right.data() + (k * in + i) * 2 * batch, left.data() + (k * out + o) * 2 * batch);
}

}  // namespace

template <class T>
void fourier_gradient(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                      std::uint64_t batch, const T* x, const T* dy, T* dtheta, unsigned threads) {
  const std::uint64_t n = transform.points(), blocks_out = pattern.rows / n, blocks_in = pattern.cols / n;
  const std::uint64_t in = channels.in * blocks_in, out = channels.out * blocks_out;
  const std::uint64_t count = transform.frequencies().size();
  Buffer<T> product(count * out * in * 2);  // c^ = sum over the batch of x^ conj(dy^)
  if (few_channels(in, out))
    narrow_correlation(transform, batch, in, x, out, dy, product.data(), threads);
  else
    wide_correlation(transform, batch, in, x, out, dy, product.data(), threads);
  std::vector<T> sums(out * in * n);  // over the entries that translations move to each other
  transform.synthesise(out * in, sums.data(), threads, [&](std::uint64_t row) {
    return PairOf<T>{product.data() + 2 * row, out * in * 2};
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
double fourier_operations(const PatternData& pattern, const TorusTransform<T>& transform, Multiplicity channels,
                          std::uint64_t batch) {
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
  const bool narrow = few_channels(static_cast<std::uint64_t>(in), static_cast<std::uint64_t>(out));
  const double padded = narrow ? 8 * out : static_cast<double>(panels_of(static_cast<std::uint64_t>(2 * out)));
  const double rows = static_cast<double>(batch), count = static_cast<double>(transform.frequencies().size());
  const double transforms = transform.seconds(batch * static_cast<std::uint64_t>(in), flops) +
                            transform.seconds(batch * static_cast<std::uint64_t>(out), flops);
  const double moved = (in + out) * rows * static_cast<double>(transform.points()) * 1.2e-9;
  const double products =
      count * std::max(2 * rows * 2 * in * padded / (0.7 * flops), 2 * in * padded * sizeof(T) / bytes);
  return 1e-6 + transforms + moved + products + count * 3e-8;
}

#define INTERTWINE_FOR(T)                                                                                             \
  template class TorusTransform<T>;                                                                                   \
  template class FourierWeights<T>;                                                                                   \
  template void fourier_gradient(const PatternData&, const TorusTransform<T>&, Multiplicity, std::uint64_t, const T*, \
                                 const T*, T*, unsigned);                                                             \
  template double fourier_operations(const PatternData&, const TorusTransform<T>&, Multiplicity, std::uint64_t);      \
  template double fourier_seconds(const PatternData&, const TorusTransform<T>&, Multiplicity, std::uint64_t);
INTERTWINE_FOR(float)
INTERTWINE_FOR(double)
#undef INTERTWINE_FOR

}  // namespace intertwine::numeric_detail
