"use strict";
// Shows the table in #data. Every fact in it was computed by the library (src/io/html_picture.cpp describes the data); here
// they are looked up, drawn and put into words.

const data = JSON.parse(document.getElementById("data").textContent);
const byId = (id) => document.getElementById(id);

// ---------------------------------------------------------------------------------------------------------- the data

/** {bytes, data}: little-endian unsigned integers of that width, base64. */
function unpacked(packed) {
  const text = atob(packed.data);
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; ++k) bytes[k] = text.charCodeAt(k);
  if (packed.bytes === 1) return bytes;
  const numbers = new (packed.bytes === 2 ? Uint16Array : Uint32Array)(bytes.length / packed.bytes);
  const view = new DataView(bytes.buffer);
  for (let k = 0; k < numbers.length; ++k)
    numbers[k] = packed.bytes === 2 ? view.getUint16(2 * k, true) : view.getUint32(4 * k, true);
  return numbers;
}

const back = data.back && { rows: data.back.rows.map(unpacked), cols: data.back.cols.map(unpacked) };

/** One of the two families of matrices: the weights W, the bias b. */
class Part {
  constructor(part, blockNames) {
    Object.assign(this, part);
    this.blockNames = blockNames;
    this.sizes = unpacked(part.sizes);
    if (part.first) this.first = unpacked(part.first);
    if (part.codes) {
      this.codes = unpacked(part.codes);
      if (part.zero_sizes) this.zeroSizes = unpacked(part.zero_sizes);
      if (part.zero_first) this.zeroFirst = unpacked(part.zero_first);
      if (part.steps) this.steps = unpacked(part.steps);
      if (part.elements) this.elementOf = unpacked(part.elements.of);
    } else {
      this.#sortByEntry(unpacked(part.start), unpacked(part.entry), unpacked(part.value));
    }
  }

  /** From elements with their entries to entries with their elements. */
  #sortByEntry(start, entry, value) {
    const begin = new Uint32Array(this.rows * this.cols + 1);
    for (const e of entry) ++begin[e + 1];
    for (let e = 0; e < this.rows * this.cols; ++e) begin[e + 1] += begin[e];
    const next = begin.slice();
    this.termParameter = new Uint32Array(entry.length);
    this.termValue = new Uint32Array(entry.length);
    for (let k = 0; k + 1 < start.length; ++k)
      for (let at = start[k]; at < start[k + 1]; ++at) {
        const to = next[entry[at]]++;
        this.termParameter[to] = k;
        this.termValue[to] = value[at];
      }
    this.begin = begin;
    this.start = start;
    this.entries = entry;
  }

  get tied() { return this.codes !== undefined; }
  isZero(e) { return this.tied ? this.codes[e] === 0 || this.codes[e] > 2 * this.params : this.begin[e] === this.begin[e + 1]; }
  /** The number of the vanishing orbit of a zero, or -1 where the group is not known. */
  zeroOrbit(e) { return this.codes[e] > 2 * this.params ? this.codes[e] - 2 * this.params - 1 : -1; }
  /** The only parameter of an entry that is not zero; -1 for a sum of several. */
  parameter(e) {
    if (this.tied) return (this.codes[e] - 1) % this.params;
    return this.begin[e] + 1 === this.begin[e + 1] ? this.termParameter[this.begin[e]] : -1;
  }
  isMinus(e) {
    if (this.tied) return this.codes[e] > this.params && this.codes[e] <= 2 * this.params;
    return this.begin[e] + 1 === this.begin[e + 1] && this.values[this.termValue[this.begin[e]]].startsWith("-");
  }
  /** [{parameter, value}] with values as text. */
  terms(e) {
    if (this.isZero(e)) return [];
    if (this.tied) return [{ parameter: this.parameter(e), value: this.isMinus(e) ? "-1" : "1" }];
    const list = [];
    for (let t = this.begin[e]; t < this.begin[e + 1]; ++t)
      list.push({ parameter: this.termParameter[t], value: this.values[this.termValue[t]] });
    return list;
  }
  symbol(k) { return this.letter + subscript(k); }
  colour(k) { return data.palette[(this.colour_start + k) % data.palette.length]; }

  /** What lights up with an entry: a name for the set, and whether an entry is in it. */
  litWith(e) {
    if (this.tied) {
      if (!this.isZero(e)) return this.litBy(this.parameter(e));
      const code = this.codes[e];
      return { name: `${this.name} zero ${code}`, part: this, has: (x) => this.codes[x] === code };
    }
    if (this.isZero(e)) return { name: `${this.name} zero`, part: this, has: (x) => this.isZero(x) };
    const lit = new Set();
    const parameters = this.terms(e).map((term) => term.parameter);
    for (const k of parameters)
      for (let at = this.start[k]; at < this.start[k + 1]; ++at) lit.add(this.entries[at]);
    return { name: `${this.name} sum ${parameters}`, part: this, has: (x) => lit.has(x) };
  }
  litBy(k) {
    if (this.tied)
      return { name: `${this.name} ${k}`, part: this, has: (x) => this.codes[x] === k + 1 || this.codes[x] === k + 1 + this.params };
    const lit = new Set(this.entries.subarray(this.start[k], this.start[k + 1]));
    return { name: `${this.name} ${k}`, part: this, has: (x) => lit.has(x) };
  }
  litZeros() { return { name: `${this.name} zeros`, part: this, has: (x) => this.isZero(x) }; }

  /** The letters of the element that carries the first entry of the orbit to e, the last one to act first. */
  word(e) {
    const letters = [];
    while (this.steps[e] !== 0) {
      const step = this.steps[e] - 1;
      letters.push(data.letters[step]);
      const row = back.rows[step][Math.floor(e / this.cols)];
      const col = this.cols === 1 ? 0 : back.cols[step][e % this.cols];
      e = row * this.cols + col;
    }
    return letters;
  }
}

const W = new Part(data.weights, data.cols.blocks);
const b = new Part(data.bias, []);

// ---------------------------------------------------------------------------------------------------------- in words

const subscript = (k) => String(k).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, "\u202f");
const counted = (n, one, many) => `${grouped(n)} ${n === 1 ? one : many}`;

function wordText(letters) {
  if (letters.length === 0) return "the identity";
  const powers = [];
  for (const [name, exponent] of letters) {
    const last = powers[powers.length - 1];
    if (last && last[0] === name && last[1] > 0 === exponent > 0) last[1] += exponent;
    else powers.push([name, exponent]);
  }
  return powers.map(([name, exponent]) => (exponent === 1 ? name : `${name}^${exponent}`)).join("*");
}

function sumText(part, e) {
  let text = "";
  for (const { parameter, value } of part.terms(e)) {
    const sum = /.[+-]/.test(value);  // a number of several terms
    const minus = !sum && value.startsWith("-");
    const size = sum ? `(${value})` : minus ? value.slice(1) : value;
    text += text === "" ? (minus ? "−" : "") : minus ? " − " : " + ";
    text += (size === "1" ? "" : `${size} `) + part.symbol(parameter);
  }
  return text === "" ? "0" : text;
}

const entryName = (part, e) =>
  part === W ? `W[${Math.floor(e / W.cols)}, ${e % W.cols}]` : `b[${e}]`;

