// ---------------------------------------------------------------------------------------------------------- elements

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes))
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value);
  made.append(...children);
  return made;
}

function swatch(colour, text = "") {
  const made = element("span", { class: "swatch", "aria-hidden": "true" }, text);
  if (colour) {
    made.style.background = colour.plain;
    made.style.color = colour.ink;
  } else {
    made.style.background = "var(--zero)";
  }
  return made;
}

function list(pairs) {
  return element("dl", {}, ...pairs.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

const linkTo = (part, e) =>
  element("button", { type: "button", class: "link", onclick: () => { keep({ part, entry: e }); } }, entryName(part, e));
const inCode = (text) => element("span", { class: "code" }, text);

// ------------------------------------------------------------------------------------------------ what is looked at

// {part, entry} or {part, parameter} or {part, zeros: true}: kept by a click, or only under the pointer.
let kept = null, pointed = null;
const looked = () => pointed ?? kept;

function litNow() {
  const at = looked();
  if (!at) return null;
  if (at.entry !== undefined) return at.part.litWith(at.entry);
  return at.zeros ? at.part.litZeros() : at.part.litBy(at.parameter);
}

function point(at) {
  if (JSON.stringify([at?.part?.name, at?.entry, at?.parameter]) ===
      JSON.stringify([pointed?.part?.name, pointed?.entry, pointed?.parameter])) return;
  pointed = at;
  show();
}

function keep(at) {
  kept = at;
  pointed = null;
  let link = " ";
  if (at?.entry !== undefined) link = at.part === W ? `#entry=${Math.floor(at.entry / W.cols)},${at.entry % W.cols}` : `#bias=${at.entry}`;
  try {
    history.replaceState(null, "", link === " " ? location.pathname + location.search : link);
  } catch (refused) {
    // Some browsers refuse this for files; the page works without.
  }
  if (at?.entry !== undefined) table.bringIntoView(at.part, at.entry);
  show();
}

/** The entry that the address names, `#entry=3,5` or `#bias=2`, counted from 0. */
function entryOfAddress() {
  const weight = /^#entry=(\d+),(\d+)$/.exec(location.hash), bias = /^#bias=(\d+)$/.exec(location.hash);
  if (weight && +weight[1] < W.rows && +weight[2] < W.cols) return { part: W, entry: +weight[1] * W.cols + +weight[2] };
  if (bias && !data.alone && +bias[1] < b.rows) return { part: b, entry: +bias[1] };
  return null;
}

function show() {
  showEntry();
  showStamps();
  showLegend();
  table.draw();
}

function placePairs(part, e) {
  const i = Math.floor(e / part.cols), j = e % part.cols;
  const pairs = [];
  if (data.rows.labels) pairs.push(["output", data.rows.labels[i]]);
  if (part === W && data.cols.labels) pairs.push(["input", data.cols.labels[j]]);
  return pairs;
}

function tiedFacts(part, e) {
  const pairs = placePairs(part, e);
  const zero = part.isZero(e), orbit = zero ? part.zeroOrbit(e) : part.parameter(e);
  const sizes = zero ? part.zeroSizes : part.sizes, first = zero ? part.zeroFirst : part.first;
  if (zero && orbit < 0) pairs.push(["why", "a structural zero: no parameter belongs here"]);
  if (orbit < 0) return pairs;
  pairs.push([part.steps ? "orbit" : "tied", counted(sizes[orbit], "entry", "entries")]);
  if (first) pairs.push(["first entry", linkTo(part, first[orbit])]);
  if (part.steps) {
    const letters = part.word(e);
    pairs.push(["carried by", inCode(wordText(letters))]);
    if (part.elements && letters.length > 0) pairs.push(["which is", inCode(part.elements.text[part.elementOf[e]])]);
  }
  if (zero) pairs.push(["why zero", `${part.zero_why[orbit]} fixes ${entryName(part, first[orbit])} and changes its sign`]);
  return pairs;
}

function sparseFacts(part, e) {
  const pairs = placePairs(part, e);
  for (const { parameter, value } of part.terms(e))
    pairs.push([part.symbol(parameter), `${value} here; ${counted(part.sizes[parameter], "entry", "entries")} of this parameter`]);
  return pairs;
}

function showEntry() {
  const at = looked(), box = byId("entry");
  if (!at) {
    byId("entry-name").textContent = "Entry";
    box.replaceChildren(element("p", { class: "note" }, data.tied
      ? "Point at an entry: all entries that share its parameter light up."
      : "Point at an entry to see the parameters that add up to it."));
    return;
  }
  const { part } = at;
  if (at.entry === undefined) {
    byId("entry-name").textContent = "Parameter";
    if (at.zeros) {
      box.replaceChildren(element("p", { class: "formula" }, swatch(null), element("span", {}, `zeros of ${part.name}`)));
      return;
    }
    const k = at.parameter, pairs = [[part.tied ? "tied" : "entries", counted(part.sizes[k], "entry", "entries")]];
    if (part.first) pairs.push(["first entry", linkTo(part, part.first[k])]);
    box.replaceChildren(element("div", { class: "formula" }, swatch(part.colour(k)), element("span", {}, part.symbol(k))), list(pairs));
    return;
  }
  const e = at.entry, zero = part.isZero(e), k = zero ? -1 : part.parameter(e);
  byId("entry-name").textContent = part === W ? "Entry of W, counted from 0" : "Entry of b, counted from 0";
  const colour = zero ? null : k < 0 ? data.several : part.colour(k);
  box.replaceChildren(
    element("div", { class: "formula" }, swatch(colour, part.isMinus(e) ? "−" : ""),
      element("span", { id: "formula" }, `${entryName(part, e)} = ${sumText(part, e)}`)),
    list(part.tied ? tiedFacts(part, e) : sparseFacts(part, e)));
}

// ------------------------------------------------------------------------------------------------------------ drawing

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const bytesOf = (hex) => [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));

function colourAt(part, e, dark) {
  if (part.isZero(e)) return null;
  const k = part.parameter(e);
  if (k < 0) return data.several;
  const colour = part.colour(k);
  return dark && part.isMinus(e) ? { plain: colour.dark, ink: colour.ink } : colour;
}

/** A picture of one pixel an entry. */
function pixels(part, paint) {
  const canvas = element("canvas", { width: part.cols, height: part.rows });
  const context = canvas.getContext("2d");
  const image = context.createImageData(part.cols, part.rows);
  const words = new Uint32Array(image.data.buffer);
  paint(words);
  context.putImageData(image, 0, 0);
  return canvas;
}
const littleEndian = new Uint8Array(new Uint32Array([1]).buffer)[0] === 1;
function pixelWord([red, green, blue], alpha = 255) {
  return (littleEndian ? (alpha << 24) | (blue << 16) | (green << 8) | red
                       : (red << 24) | (green << 16) | (blue << 8) | alpha) >>> 0;
}

/** The tables's picture, darker where entries are negative if there is no room for signs. */
const base = {
  made: new Map(),
  of(part, dark) {
    const name = `${part.name} ${dark}`;
    if (!this.made.has(name))
      this.made.set(name, pixels(part, (words) => {
        const zero = pixelWord(bytesOf(style("--zero"))), several = pixelWord(bytesOf(data.several.plain));
        const plain = data.palette.map((colour) => pixelWord(bytesOf(colour.plain)));
        const deep = data.palette.map((colour) => pixelWord(bytesOf(colour.dark)));
        for (let e = 0; e < words.length; ++e) {
          if (part.isZero(e)) { words[e] = zero; continue; }
          const k = part.parameter(e);
          words[e] = k < 0 ? several : (dark && part.isMinus(e) ? deep : plain)[(part.colour_start + k) % plain.length];
        }
      }));
    return this.made.get(name);
  },
};

/** The lit entries alone. */
const light = {
  W: null, b: null,
  of(part, lit, dark) {
    const name = `${lit.name} ${dark}`;
    if (this[part.name]?.name !== name)
      this[part.name] = {
        name, picture: pixels(part, (words) => {
          if (lit.part !== part) return;
          const zero = pixelWord(bytesOf(style("--zero")));
          for (let e = 0; e < words.length; ++e) {
            if (!lit.has(e)) continue;
            const colour = colourAt(part, e, dark);
            words[e] = colour ? pixelWord(bytesOf(colour.plain)) : zero;
          }
        }),
      };
    return this[part.name].picture;
  },
};

const table = {
  canvas: byId("table"), width: 0, height: 0, zoom: 1, x: 0, y: 0,  // x, y: what lies at the upper left corner, in cells
  gap: 20,

  layout() {
    this.left = 34 + 7 * String(W.rows - 1).length + (data.rows.blocks.length > 1 ? 6 : 0);
    this.top = 42;
    this.takeRoom();
    const box = this.canvas.getBoundingClientRect(), ratio = window.devicePixelRatio || 1;
    this.width = box.width;
    this.height = box.height;
    this.canvas.width = Math.round(box.width * ratio);
    this.canvas.height = Math.round(box.height * ratio);
    this.fit = Math.max(1e-3, Math.min((this.width - this.besideColumns) / W.cols, this.fitting));
    this.biasWidth = data.alone ? 0 : Math.min(Math.max(this.fit, 12), 34);
    this.clamp();
    this.draw();
  },
  besideColumns: 0,
  /** As wide as the whole table is at this height, and what else there is stays for the cards. */
  takeRoom() {
    const stage = this.canvas.parentElement, all = stage.parentElement, most = 56, cards = 344 + 24;
    this.besideColumns = this.left + this.gap + 46;
    const stacked = W.cols > 2 * W.rows || window.innerWidth <= 860;
    all.classList.toggle("stacked", stacked);
    if (stacked) {  // the cards go below
      this.fitting = Math.min(most, (all.clientWidth - 48 - this.besideColumns) / W.cols);
      const height = Math.max(180, Math.min(this.top + W.rows * this.fitting + 10, 0.72 * window.innerHeight));
      this.canvas.style.height = `${height}px`;
      this.fitting = Math.min(this.fitting, (height - this.top - 8) / W.rows);
      return;
    }
    this.canvas.style.height = "";
    this.fitting = Math.min((this.canvas.clientHeight - this.top - 8) / W.rows, most);
    const room = all.clientWidth - 48 - cards;
    stage.style.width = `${Math.max(Math.min(room, 420), Math.min(room, this.besideColumns + W.cols * this.fitting))}px`;
  },
  get scale() { return this.fit * this.zoom; },
  /** The window on W, in pixels. */
  get viewWidth() { return Math.min(W.cols * this.scale, this.width - this.left - this.gap - this.biasWidth - 10); },
  get viewHeight() { return Math.min(W.rows * this.scale, this.height - this.top - 6); },
  get biasLeft() { return this.left + this.viewWidth + this.gap; },
  clamp() {
    this.zoom = Math.max(1, Math.min(this.zoom, Math.max(1, 48 / this.fit)));
    this.x = Math.max(0, Math.min(this.x, W.cols - this.viewWidth / this.scale));
    this.y = Math.max(0, Math.min(this.y, W.rows - this.viewHeight / this.scale));
  },
  zoomBy(factor, px = this.left + this.viewWidth / 2, py = this.top + this.viewHeight / 2) {
    const column = this.x + (px - this.left) / this.scale, row = this.y + (py - this.top) / this.scale;
    this.zoom *= factor;
    this.clamp();
    this.x = column - (px - this.left) / this.scale;
    this.y = row - (py - this.top) / this.scale;
    this.clamp();
    this.draw();
  },
  bringIntoView(part, e) {
    const i = Math.floor(e / part.cols), rows = this.viewHeight / this.scale, cols = this.viewWidth / this.scale;
    if (i < this.y || i + 1 > this.y + rows) this.y = i + 0.5 - rows / 2;
    if (part === W) {
      const j = e % W.cols;
      if (j < this.x || j + 1 > this.x + cols) this.x = j + 0.5 - cols / 2;
    }
    this.clamp();
  },
  /** The entry under a place on the canvas, or null. */
  entryAt(px, py) {
    const i = Math.floor(this.y + (py - this.top) / this.scale);
    if (py < this.top || py >= this.top + this.viewHeight || i >= W.rows) return null;
    if (px >= this.left && px < this.left + this.viewWidth)
      return { part: W, entry: i * W.cols + Math.min(W.cols - 1, Math.floor(this.x + (px - this.left) / this.scale)) };
    if (px >= this.biasLeft && px < this.biasLeft + this.biasWidth) return { part: b, entry: i };
    return null;
  },

  draw() {
    const ratio = window.devicePixelRatio || 1, context = this.canvas.getContext("2d");
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, this.width, this.height);
    const lit = litNow(), dark = this.scale < 8;
    const bias = { left: this.biasLeft, width: this.biasWidth, x: 0, cell: this.biasWidth };
    const weights = { left: this.left, width: this.viewWidth, x: this.x, cell: this.scale };
    for (const [part, place] of data.alone ? [[W, weights]] : [[W, weights], [b, bias]]) {
      context.save();
      context.beginPath();
      context.rect(place.left, this.top, place.width, this.viewHeight);
      context.clip();
      this.drawPixels(context, base.of(part, dark), part, place);
      if (lit) {
        context.fillStyle = style("--veil");
        context.fillRect(place.left, this.top, place.width, this.viewHeight);
        // Several entries to a pixel would leave a faint one.
        for (let times = this.scale < 1 ? 4 : 1; times > 0; --times)
          this.drawPixels(context, light.of(part, lit, dark), part, place);
      }
      this.drawCells(context, part, place, lit);
      this.drawBlocks(context, part, place);
      this.drawRings(context, part, place);
      context.restore();
      context.strokeStyle = style("--border");
      context.lineWidth = 1;
      context.strokeRect(place.left - 0.5, this.top - 0.5, place.width + 1, this.viewHeight + 1);
    }
    this.drawAxes(context);
  },
  drawPixels(context, picture, part, place) {
    context.imageSmoothingEnabled = this.scale < 1;
    context.imageSmoothingQuality = "high";
    context.drawImage(picture, place.left - place.x * place.cell, this.top - this.y * this.scale,
      part.cols * place.cell, part.rows * this.scale);
  },
  /** first and last row and column (exclusive) that are seen */
  seen(part, place) {
    return {
      i0: Math.floor(this.y), i1: Math.min(part.rows, Math.ceil(this.y + this.viewHeight / this.scale)),
      j0: Math.floor(place.x), j1: Math.min(part.cols, Math.ceil(place.x + place.width / place.cell)),
    };
  },
  /** The grid, the signs, and in large cells the numbers. */
  drawCells(context, part, place, lit) {
    if (this.scale < 5) return;
    const { i0, i1, j0, j1 } = this.seen(part, place);
    const xOf = (j) => place.left + (j - place.x) * place.cell, yOf = (i) => this.top + (i - this.y) * this.scale;
    context.beginPath();
    for (let i = i0; i <= i1; ++i) { context.moveTo(place.left, Math.round(yOf(i)) - 0.5); context.lineTo(place.left + place.width, Math.round(yOf(i)) - 0.5); }
    for (let j = j0; j <= j1; ++j) { context.moveTo(Math.round(xOf(j)) - 0.5, this.top); context.lineTo(Math.round(xOf(j)) - 0.5, this.top + this.viewHeight); }
    context.strokeStyle = style("--grid");
    context.lineWidth = 1;
    context.stroke();
    if (this.scale < 8) return;
    const numbers = this.scale >= 28, at = looked();
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.font = `500 ${Math.min(14, this.scale * 0.36)}px system-ui, sans-serif`;
    for (let i = i0; i < i1; ++i)
      for (let j = j0; j < j1; ++j) {
        const e = i * part.cols + j;
        if (part.isZero(e) || (lit && !(lit.part === part && lit.has(e)))) continue;
        const x = xOf(j) + place.cell / 2, y = yOf(i) + this.scale / 2, k = part.parameter(e);
        context.fillStyle = colourAt(part, e, false).ink;
        if (numbers && at?.parameter !== undefined && !part.tied) {  // one element alone
          context.fillText(part.terms(e).find((term) => term.parameter === at.parameter).value, x, y + 0.5, place.cell - 3);
        } else if (numbers) {
          context.fillText((part.isMinus(e) ? "−" : "") + (k < 0 ? "Σ" : part.symbol(k)), x, y + 0.5, place.cell - 3);
        } else if (part.isMinus(e)) {
          const side = Math.min(place.cell, this.scale), thick = Math.max(1.5, side / 8);
          context.fillRect(x - side / 4, y - thick / 2, side / 2, thick);
        }
      }
  },
  drawBlocks(context, part, place) {
    context.strokeStyle = style("--border");
    context.lineWidth = 1.5;
    context.beginPath();
    if (this.scale * W.rows / data.rows.blocks.length >= 5)
      for (const { start } of data.rows.blocks.slice(1)) {
        const y = Math.round(this.top + (start - this.y) * this.scale) - 0.5;
        context.moveTo(place.left, y);
        context.lineTo(place.left + place.width, y);
      }
    if (part === W && this.scale * W.cols / data.cols.blocks.length >= 5)
      for (const { start } of data.cols.blocks.slice(1)) {
        const x = Math.round(place.left + (start - place.x) * place.cell) - 0.5;
        context.moveTo(x, this.top);
        context.lineTo(x, this.top + this.viewHeight);
      }
    context.stroke();
  },
  drawRings(context, part, place) {
    const at = looked();
    if (!at || at.part !== part || at.entry === undefined) return;
    const first = part.tied && (part.isZero(at.entry) ? part.zeroFirst?.[part.zeroOrbit(at.entry)] : part.first?.[part.parameter(at.entry)]);
    for (const [e, dashed] of [[first, true], [at.entry, false]]) {
      if (typeof e !== "number" || (dashed && e === at.entry)) continue;
      const i = Math.floor(e / part.cols), j = e % part.cols, more = this.scale < 6 ? 3 : 0;
      const x = place.left + (j - place.x) * place.cell - more, y = this.top + (i - this.y) * this.scale - more;
      const width = place.cell + 2 * more, height = this.scale + 2 * more;
      context.setLineDash([]);
      context.lineWidth = 4;
      context.strokeStyle = style("--halo");
      context.strokeRect(x, y, width, height);
      context.setLineDash(dashed ? [3, 3] : []);
      context.lineWidth = 2;
      context.strokeStyle = style("--ring");
      context.strokeRect(x, y, width, height);
      context.setLineDash([]);
    }
  },
  drawAxes(context) {
    const at = looked();
    const i = at?.entry === undefined ? -1 : Math.floor(at.entry / at.part.cols);
    const j = at?.entry === undefined || at.part !== W ? -1 : at.entry % W.cols;
    const soft = style("--soft"), ink = style("--ink");
    const ticks = (count, from, size, chosen, put) => {
      const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000].find((s) => s * this.scale >= (size > 999 ? 34 : 22)) ?? count;
      context.font = "11px system-ui, sans-serif";
      for (let k = Math.ceil(from / step) * step; k < count; k += step)
        if (k !== chosen && (chosen < 0 || Math.abs(k - chosen) * this.scale > 24)) { context.fillStyle = soft; put(k); }
      if (chosen >= 0) { context.fillStyle = ink; context.font = "600 12px system-ui, sans-serif"; put(chosen); }
    };
    context.textBaseline = "middle";
    context.textAlign = "right";
    ticks(W.rows, this.y, W.rows, i, (k) => {
      const y = this.top + (k + 0.5 - this.y) * this.scale;
      if (y > this.top && y < this.top + this.viewHeight) context.fillText(k, this.left - 6, y);
    });
    context.textAlign = "center";
    ticks(W.cols, this.x, W.cols, j, (k) => {
      const x = this.left + (k + 0.5 - this.x) * this.scale;
      if (x > this.left && x < this.left + this.viewWidth) context.fillText(k, x, this.top - 10);
    });
    context.fillStyle = ink;
    context.font = "600 13px system-ui, sans-serif";
    context.textAlign = "left";
    if (!data.alone) context.fillText("b", this.biasLeft + this.biasWidth / 2 - 4, this.top - 10);
    context.font = "12px system-ui, sans-serif";
    context.fillStyle = soft;
    const fits = (text, room) => {
      if (context.measureText(text).width <= room) return text;
      while (text.length > 1 && context.measureText(`${text}…`).width > room) text = text.slice(0, -1);
      return context.measureText(`${text}…`).width <= room ? `${text}…` : "";
    };
    const axis = (blocks, count, from, view, name, put) => {
      if (blocks.length < 2) { put(0, Math.min(view, count * this.scale), fits(name, view)); return; }
      blocks.forEach(({ start, size, name: own }) => {
        const begin = Math.max(0, (start - from) * this.scale), end = Math.min(view, (start + size - from) * this.scale);
        if (end - begin > 14) put(begin, end, fits(own, end - begin - 4));
      });
    };
    context.textAlign = "center";
    axis(data.cols.blocks, W.cols, this.x, this.viewWidth, `→  ${data.cols.name}`, (begin, end, text) =>
      context.fillText(text, this.left + (begin + end) / 2, this.top - 29));
    axis(data.rows.blocks, W.rows, this.y, this.viewHeight, `${data.rows.name}  ←`, (begin, end, text) => {
      context.save();
      context.translate(13, this.top + (begin + end) / 2);
      context.rotate(-Math.PI / 2);
      context.fillText(text, 0, 0);
      context.restore();
    });
  },
};

// ------------------------------------------------------------------------------------------------------------- stamps

const stampsAtOnce = 12;

/** Row i of W on the grids of its inputs. */
function showStamps() {
  if (data.stamps.length === 0) return;
  const at = looked();
  const entry = at?.part === W && at.entry !== undefined ? at.entry : -1;
  const i = at?.entry === undefined ? data.stamp_row : Math.floor(at.entry / at.part.cols), j = entry < 0 ? -1 : entry % W.cols;
  const own = data.stamps.findIndex(({ start, rows, cols }) => j >= start && j < start + rows * cols);
  const first = Math.max(0, Math.floor(own / stampsAtOnce)) * stampsAtOnce;
  const some = data.stamps.slice(first, first + stampsAtOnce);
  byId("stamps-card").hidden = false;
  byId("stamps-name").textContent = `Row ${i} of W on the ${some[0].rows} × ${some[0].cols} grid` +
    (data.rows.labels ? `: what output ${data.rows.labels[i]} reads` : "");
  const lit = litNow();
  const widest = Math.max(...some.map(({ rows, cols }) => Math.max(rows, cols)));
  const cell = Math.max(1.5, Math.min((some.length > 1 ? 92 : 248) / widest, 30));
  byId("stamps").replaceChildren(...some.map((stamp) => drawStamp(stamp, i, j, lit, cell)));
  const more = data.stamps.length - some.length;
  if (more > 0) byId("stamps").append(element("p", { class: "note" }, `and ${grouped(more)} more`));
}

function drawStamp(stamp, i, j, lit, cell) {
  const ratio = window.devicePixelRatio || 1, width = stamp.cols * cell, height = stamp.rows * cell;
  const canvas = element("canvas", { width: Math.round((width + 2) * ratio), height: Math.round((height + 2) * ratio), "aria-hidden": "true" });
  canvas.style.width = `${width + 2}px`;
  canvas.style.height = `${height + 2}px`;
  const context = canvas.getContext("2d");
  context.setTransform(ratio, 0, 0, ratio, ratio, ratio);
  for (let r = 0; r < stamp.rows; ++r)
    for (let c = 0; c < stamp.cols; ++c) {
      const e = i * W.cols + stamp.start + r * stamp.cols + c, colour = colourAt(W, e, cell < 8);
      context.fillStyle = colour?.plain ?? style("--zero");
      context.fillRect(c * cell, r * cell, cell, cell);
      if (lit && !(lit.part === W && lit.has(e))) {
        context.fillStyle = style("--card");
        context.globalAlpha = 0.8;
        context.fillRect(c * cell, r * cell, cell, cell);
        context.globalAlpha = 1;
      } else if (colour && W.isMinus(e) && cell >= 8) {
        context.fillStyle = colour.ink;
        context.fillRect(c * cell + cell / 4, r * cell + cell / 2 - cell / 16, cell / 2, Math.max(1.5, cell / 8));
      }
    }
  context.strokeStyle = style("--grid");
  context.lineWidth = 1;
  if (cell >= 5) {
    context.beginPath();
    for (let r = 1; r < stamp.rows; ++r) { context.moveTo(0, r * cell); context.lineTo(width, r * cell); }
    for (let c = 1; c < stamp.cols; ++c) { context.moveTo(c * cell, 0); context.lineTo(c * cell, height); }
    context.stroke();
  }
  context.strokeStyle = style("--border");
  context.strokeRect(-0.5, -0.5, width + 1, height + 1);
  const place = j - stamp.start;
  if (place >= 0 && place < stamp.rows * stamp.cols) {
    context.lineWidth = 2;
    context.strokeStyle = style("--ring");
    context.strokeRect((place % stamp.cols) * cell, Math.floor(place / stamp.cols) * cell, cell, cell);
  }
  const entryUnder = (event) => {
    const box = canvas.getBoundingClientRect();
    const c = Math.floor((event.clientX - box.left - 1) / cell), r = Math.floor((event.clientY - box.top - 1) / cell);
    if (c < 0 || r < 0 || c >= stamp.cols || r >= stamp.rows) return null;
    return { part: W, entry: i * W.cols + stamp.start + r * stamp.cols + c };
  };
  canvas.addEventListener("click", (event) => { const found = entryUnder(event); if (found) keep(found); });
  const figure = element("figure", {}, canvas);
  if (data.stamps.length > 1) figure.append(element("figcaption", {}, stamp.name));
  return figure;
}

// ------------------------------------------------------------------------------------------------------------- legend

const legendLimit = 400;
const legendButtons = [];

function makeLegend() {
  const box = byId("legend");
  const add = (at, colour, symbol, count) => {
    const button = element("button", {
      type: "button", "aria-pressed": "false", title: `${symbol}: ${counted(count, "entry", "entries")}`,
      onclick: () => keep(kept && kept.part === at.part && kept.parameter === at.parameter && kept.zeros === at.zeros && kept.entry === undefined ? null : at),
      onpointerenter: () => point(at), onpointerleave: () => point(null),
    }, swatch(colour), element("span", {}, symbol), element("small", {}, `× ${grouped(count)}`));
    legendButtons.push([at, button]);
    box.append(button);
  };
  for (const part of [W, b]) {
    const zeros = part.zeros;
    if (zeros > 0 && part === W) add({ part, zeros: true }, null, "0", zeros);
    for (let n = 0; n < Math.min(part.params, legendLimit); ++n) {
      const k = part === W && data.order ? data.order[n] : n;
      add({ part, parameter: k }, part.colour(k), part.symbol(k), part.sizes[k]);
    }
    if (part.params > legendLimit) box.append(element("p", {}, `and ${grouped(part.params - legendLimit)} more ${part.letter}`));
  }
  if (data.meaning) box.append(element("p", {}, data.meaning));
  if (!data.tied) box.append(element("p", {}, swatch(data.several), " a sum of several parameters"));
  const biases = data.alone ? "" : `, ${counted(b.params, "bias", "biases")}`;
  byId("legend-name").textContent = `Parameters: ${counted(W.params, "weight", "weights")}${biases}`;
}

function showLegend() {
  const at = looked();
  for (const [own, button] of legendButtons) {
    const zero = at?.entry !== undefined && at.part.isZero(at.entry);
    const parameters = !at ? [] : at.entry !== undefined ? at.part.terms(at.entry).map((term) => term.parameter) : [at.parameter];
    const on = at?.part === own.part && (own.zeros ? zero || at.zeros === true : parameters.includes(own.parameter));
    if (button.getAttribute("aria-pressed") !== String(on)) button.setAttribute("aria-pressed", String(on));
  }
}

// -------------------------------------------------------------------------------------------------- pointer and keys

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const at = kept?.entry !== undefined ? kept : { part: W, entry: 0 };
  const { part, entry } = at, i = Math.floor(entry / part.cols), j = part === W ? entry % W.cols : W.cols;
  const go = (row, col) => {
    row = Math.max(0, Math.min(W.rows - 1, row));
    col = Math.max(0, Math.min(data.alone ? W.cols - 1 : W.cols, col));
    keep(col === W.cols ? { part: b, entry: row } : { part: W, entry: row * W.cols + col });
  };
  const page = Math.max(1, Math.floor(table.viewHeight / table.scale) - 1);
  const fresh = kept?.entry === undefined;
  const keys = {
    ArrowLeft: () => go(i, fresh ? j : j - 1), ArrowRight: () => go(i, fresh ? j : j + 1),
    ArrowUp: () => go(fresh ? i : i - 1, j), ArrowDown: () => go(fresh ? i : i + 1, j),
    Home: () => go(i, 0), End: () => go(i, W.cols), PageUp: () => go(i - page, j), PageDown: () => go(i + page, j),
    Enter: () => keep(pointed ?? at), Escape: () => keep(null),
    n: () => {
      const { has } = part.litWith(entry), count = part.rows * part.cols;
      let next = entry;
      do next = (next + 1) % count; while (!has(next));
      keep({ part, entry: next });
    },
    f: () => {
      const zero = part.isZero(entry), first = zero ? part.zeroFirst : part.first, orbit = part.tied && zero ? part.zeroOrbit(entry) : part.parameter(entry);
      if (first && orbit >= 0) keep({ part, entry: first[orbit] });
    },
    "+": () => table.zoomBy(1.5), "=": () => table.zoomBy(1.5), "-": () => table.zoomBy(1 / 1.5),
    0: () => { table.zoom = 1; table.clamp(); table.draw(); },
  };
  const action = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!action) return;
  event.preventDefault();
  action();
}

function listen() {
  const { canvas } = table;
  let drag = null;
  const place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const [px, py] = place(event);
    drag = { px, py, x: table.x, y: table.y, moved: false };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    const [px, py] = place(event);
    if (drag && (drag.moved || Math.hypot(px - drag.px, py - drag.py) > 4)) {
      drag.moved = true;
      table.x = drag.x - (px - drag.px) / table.scale;
      table.y = drag.y - (py - drag.py) / table.scale;
      table.clamp();
      table.draw();
      return;
    }
    point(table.entryAt(px, py));
  });
  canvas.addEventListener("pointerup", (event) => {
    if (drag && !drag.moved) keep(table.entryAt(...place(event)));
    drag = null;
  });
  canvas.addEventListener("pointerleave", () => { if (!drag) point(null); });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    table.zoomBy(Math.exp(-event.deltaY / 400), ...place(event));
  }, { passive: false });
  canvas.addEventListener("keydown", onKey);
  byId("zoom-in").addEventListener("click", () => table.zoomBy(1.5));
  byId("zoom-out").addEventListener("click", () => table.zoomBy(1 / 1.5));
  byId("zoom-fit").addEventListener("click", () => { table.zoom = 1; table.clamp(); table.draw(); });
  window.addEventListener("hashchange", () => { const at = entryOfAddress(); if (at) keep(at); });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    base.made.clear();
    light.W = light.b = null;
    show();
  });
  new ResizeObserver(() => table.layout()).observe(document.querySelector("main"));
}

byId("facts").replaceChildren(...list(data.facts.map(([name, value]) => [name, value])).children);
table.canvas.setAttribute("aria-label", `${data.title}: ${data.subtitle}`);
makeLegend();
listen();
table.layout();
keep(entryOfAddress());
