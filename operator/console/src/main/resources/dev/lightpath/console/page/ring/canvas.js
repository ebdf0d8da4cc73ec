/**
 * A ring drawn on a canvas. Far away it is three bands: faults, holders, light. Nearer it shows nodes, then the circuits
 * between them. Only what is in sight is drawn, so 131 072 bundles cost no more than a screen of them.
 */
import { theme, tenantColour, tenantLetter } from "../palette.js";
import { Geometry } from "./geometry.js";

/** @typedef {{position: number, node?: string, claimed?: string[], tenant?: number, group?: number, rank?: number,
 *   wanted?: string, observed?: string, presence?: string, fault?: string, quarantined?: boolean, degrading?: string[], cordoned?: boolean,
 *   releasing?: boolean}} Seat */
/** @typedef {{fabric: string, shape: string, positions: number, reach: number, gpusPerNode: number, paused: boolean,
 *   hops: number[][], readBack?: string, problem?: string, conditions: import("../words.js").Condition[],
 *   faults: {subject: string, reason: string, since: string, quarantined?: boolean, message?: string}[],
 *   foreign: string[], tenants: import("../palette.js").Tenant[], seats: Seat[]}} Picture */

/** Pixels between two positions from which on nodes and circuits are drawn one by one. */
const SINGLE = 4;
const LABELS = 30;
/** How far out of the circle marks of faults stand, and the widest band of groups. */
const RIM = 26;

export class RingCanvas {
  /**
   * @param {HTMLCanvasElement} canvas
   * @param {{selected: (position: number, opened: boolean) => void, hovered: (position: number, x: number, y: number) => void}} told
   */
  constructor(canvas, told) {
    this.canvas = canvas;
    this.told = told;
    this.pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    this.scale = 1;
    this.centreX = 0;
    this.centreY = 0;
    this.selected = -1;
    this.hovered = -1;
    this.fitted = false;
    this.frame = 0;
    /** @type {Map<number, {x: number, y: number}>} */
    this.fingers = new Map();
    this.moved = 0;
    /** @type {Picture | null} */
    this.picture = null;
    this.geometry = new Geometry("Ring", 1);
    this.observer = new ResizeObserver(() => this.resize());
    this.observer.observe(canvas);
    this.listen();
  }

  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }

  /** @param {Picture} picture */
  show(picture) {
    const same = this.picture && this.picture.fabric === picture.fabric && this.picture.positions === picture.positions
      && this.picture.shape === picture.shape;
    this.picture = picture;
    if (!same) {
      this.geometry = new Geometry(picture.shape, picture.positions);
      this.fitted = false;
      this.resize();
    }
    this.draw();
  }

  /** @param {number} position */
  select(position) {
    this.selected = position;
    this.draw();
  }

  resize() {
    const ratio = devicePixelRatio || 1;
    this.width = this.canvas.clientWidth;
    this.height = this.canvas.clientHeight;
    this.canvas.width = Math.round(this.width * ratio);
    this.canvas.height = Math.round(this.height * ratio);
    if (!this.fitted && this.width > 0) {
      this.fit();
    }
    this.draw();
  }

  fit() {
    this.scale = this.least();
    this.centreX = (this.width ?? 0) / 2;
    this.centreY = (this.height ?? 0) / 2;
    this.fitted = true;
    this.draw();
  }

  least() {
    return Math.max(40, Math.min(this.width ?? 0, this.height ?? 0) / 2 - RIM - 26);
  }

  /** Pixels between two neighbours. */
  spacing() {
    return this.scale * this.geometry.step;
  }

  /** @param {number} factor @param {number} x @param {number} y */
  zoom(factor, x, y) {
    const most = Math.max(this.least(), 120 / this.geometry.step);
    const scale = Math.min(most, Math.max(this.least() * 0.8, this.scale * factor));
    this.centreX = x - ((x - this.centreX) * scale) / this.scale;
    this.centreY = y - ((y - this.centreY) * scale) / this.scale;
    this.scale = scale;
    this.draw();
  }

  /** Brings a position into sight. @param {number} position @param {boolean} [near] */
  reveal(position, near) {
    if (near && this.spacing() < LABELS) {
      this.scale = Math.max(this.least(), LABELS * 1.4 / this.geometry.step);
    }
    const [x, y] = this.place(position, 0);
    const margin = 40;
    if (near || x < margin || y < margin || x > (this.width ?? 0) - margin || y > (this.height ?? 0) - margin) {
      if (this.scale > this.least() * 1.01) {
        this.centreX += (this.width ?? 0) / 2 - x;
        this.centreY += (this.height ?? 0) / 2 - y;
      }
    }
    this.draw();
  }

  /** @param {number} position @param {number} out pixels out of the circle @returns {[number, number]} */
  place(position, out) {
    return [this.centreX + this.geometry.x[position] * (this.scale + out), this.centreY + this.geometry.y[position] * (this.scale + out)];
  }

  /** The position at a point, or -1. @param {number} x @param {number} y */
  at(x, y) {
    const dx = x - this.centreX;
    const dy = y - this.centreY;
    const away = Math.hypot(dx, dy) - this.scale;
    return this.picture && away > -Math.max(24, this.spacing() / 2) && away < RIM + 14 ? this.geometry.nearest(dx, dy) : -1;
  }

  draw() {
    if (!this.frame) {
      this.frame = requestAnimationFrame(() => {
        this.frame = 0;
        this.paint();
      });
    }
  }

  paint() {
    const picture = this.picture;
    if (!picture || !this.width || !this.height) {
      return;
    }
    const began = performance.now();
    const pen = this.pen;
    const ratio = devicePixelRatio || 1;
    this.look = theme(this.canvas);
    pen.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen.clearRect(0, 0, this.width, this.height);
    pen.lineCap = "round";
    if (this.spacing() < SINGLE) {
      this.bands(picture);
    } else {
      const sight = this.sight();
      this.groups(picture, sight);
      this.circuits(picture, sight);
      this.nodes(picture, sight);
    }
    this.marks(picture);
    this.middle(picture);
    this.cursor();
    this.canvas.dataset.paintMillis = (performance.now() - began).toFixed(1);
  }

  /** Positions in sight, with a margin for what reaches in. @returns {number[]} */
  sight() {
    const sight = [];
    const margin = RIM + this.spacing() * (this.picture?.reach ?? 1);
    for (let position = 0; position < this.geometry.positions; position++) {
      const x = this.centreX + this.geometry.x[position] * this.scale;
      const y = this.centreY + this.geometry.y[position] * this.scale;
      if (x > -margin && y > -margin && x < (this.width ?? 0) + margin && y < (this.height ?? 0) + margin) {
        sight.push(position);
      }
    }
    return sight;
  }

  /** Far away: who holds what, and how much of it is lit, an arc for each run of equal positions. @param {Picture} picture */
  bands(picture) {
    const seats = picture.seats;
    const width = 9;
    this.runs(seats, (seat) => seat.tenant ?? (seat.node ? -1 : -2), (from, to, value) =>
      this.arc(from - 0.5, to + 0.5, -1, width, value >= 0 ? tenantColour(value) : value === -1 ? this.look?.free : this.look?.faint));
    this.runs(seats, (seat) => (seat.wanted ? (dark(seat) ? 2 : 1) : foreign(seat) ? 3 : 0), (from, to, value) => {
      if (value > 0) {
        this.arc(from - 0.5, to + 0.5, -13, value === 1 ? 3 : 6, value === 1 ? this.look?.dim : value === 2 ? this.look?.fault : this.look?.foreign);
      }
    });
  }

  /**
   * @param {Seat[]} seats
   * @param {(seat: Seat) => number} key
   * @param {(from: number, to: number, value: number) => void} drawn
   */
  runs(seats, key, drawn) {
    let from = 0;
    for (let position = 1; position <= seats.length; position++) {
      if (position === seats.length || key(seats[position]) !== key(seats[from])) {
        drawn(from, position - 1, key(seats[from]));
        from = position;
      }
    }
  }

  /** @param {number} from @param {number} to @param {number} out @param {number} width @param {string | undefined} colour */
  arc(from, to, out, width, colour) {
    const pen = this.pen;
    pen.beginPath();
    pen.lineCap = "butt";
    pen.arc(this.centreX, this.centreY, Math.max(1, this.scale + out), this.geometry.angle(from), this.geometry.angle(to));
    pen.lineWidth = width;
    pen.strokeStyle = colour ?? "#888";
    pen.stroke();
  }

  /** Bands of groups outside the nodes, with the holder's letter and the group's number. @param {Picture} picture @param {number[]} sight */
  groups(picture, sight) {
    const pen = this.pen;
    const out = Math.min(20, this.spacing() * 0.5) + 4;
    let run = /** @type {number[]} */ ([]);
    const flush = () => {
      if (run.length === 0) {
        return;
      }
      const seat = picture.seats[run[0]];
      const tenant = seat.tenant ?? 0;
      pen.globalAlpha = 0.75;
      this.arc(run[0] - 0.4, run[run.length - 1] + 0.4, out, 3, tenantColour(tenant));
      pen.globalAlpha = 1;
      if (run.length * this.spacing() > 34) {
        const middle = (run[0] + run[run.length - 1]) / 2;
        const angle = this.geometry.angle(middle);
        this.text(tenantLetter(tenant) + " · " + seat.group, this.centreX + Math.cos(angle) * (this.scale + out + 15),
          this.centreY + Math.sin(angle) * (this.scale + out + 15), this.look?.dim, 11);
      }
    };
    for (const position of sight) {
      const seat = picture.seats[position];
      const last = run.length === 0 ? null : picture.seats[run[run.length - 1]];
      const goesOn = last && position === last.position + 1 && seat.tenant === last.tenant && seat.group === last.group;
      if (!goesOn) {
        flush();
        run = [];
      }
      if (seat.tenant !== undefined) {
        run.push(position);
      }
    }
    flush();
  }

  /** Each circuit once, from its left end. @param {Picture} picture @param {number[]} sight */
  circuits(picture, sight) {
    for (const position of sight) {
      const seat = picture.seats[position];
      const wanted = seat.wanted;
      const observed = seat.observed ?? wanted;
      for (let bundle = 0; bundle < picture.reach; bundle++) {
        const asked = wanted?.[bundle] ?? "L";
        const shown = observed?.[bundle] ?? "L";
        for (const path of asked === shown ? [asked] : [asked, shown]) {
          const hop = path === "1" ? picture.hops[bundle][0] : path === "2" ? picture.hops[bundle][1] : 0;
          if (hop > 0) {
            const to = this.geometry.neighbour(position, hop);
            if (to >= 0) {
              const other = picture.seats[to];
              const well = path === asked && path === shown && !dark(other);
              this.link(position, hop, seat.tenant, path === asked ? (well ? "lit" : "dark") : "foreign");
            }
          } else if (hop < 0 && path !== asked && path === shown) {
            this.link(position, hop, undefined, "foreign");
          }
        }
      }
    }
  }

  /** @param {number} from @param {number} hop @param {number | undefined} tenant @param {"lit" | "dark" | "foreign"} state */
  link(from, hop, tenant, state) {
    const pen = this.pen;
    const to = this.geometry.neighbour(from, hop);
    if (to < 0) {
      return;
    }
    const [x1, y1] = this.place(from, 0);
    const [x2, y2] = this.place(to, 0);
    const angle = this.geometry.angle(from + hop / 2);
    const pull = Math.abs(hop) === 1 ? 0 : (Math.abs(hop) - 0.4) * this.spacing() * 0.75;
    const depth = Math.max(0, this.scale / Math.cos(Math.min(1.2, (Math.abs(hop) * this.geometry.step) / 2)) - pull);
    pen.beginPath();
    pen.moveTo(x1, y1);
    pen.quadraticCurveTo(this.centreX + Math.cos(angle) * depth, this.centreY + Math.sin(angle) * depth, x2, y2);
    pen.lineWidth = Math.min(5, Math.max(1.5, this.spacing() / 9));
    pen.setLineDash(state === "lit" ? [] : state === "dark" ? [3, 6] : [8, 4]);
    pen.strokeStyle = (state === "lit" ? tenantColour(tenant ?? 0) : state === "dark" ? this.look?.fault : this.look?.foreign) ?? "#888";
    pen.stroke();
    pen.setLineDash([]);
  }

  /** @param {Picture} picture @param {number[]} sight */
  nodes(picture, sight) {
    const pen = this.pen;
    const size = Math.min(13, Math.max(1.5, this.spacing() * 0.3));
    for (const position of sight) {
      const seat = picture.seats[position];
      const [x, y] = this.place(position, 0);
      pen.beginPath();
      if (!seat.node) {
        pen.moveTo(x - size / 2, y);
        pen.lineTo(x + size / 2, y);
        pen.strokeStyle = this.look?.faint ?? "#888";
        pen.lineWidth = 1.5;
        pen.stroke();
      } else {
        if (seat.fault) {
          polygon(pen, x, y, size * 1.15, seat.quarantined ? 4 : 3);
        } else if (seat.cordoned) {
          pen.rect(x - size * 0.8, y - size * 0.8, size * 1.6, size * 1.6);
        } else {
          pen.arc(x, y, size, 0, 2 * Math.PI);
        }
        pen.fillStyle = (seat.fault ? this.look?.fault : seat.tenant !== undefined ? tenantColour(seat.tenant) : this.look?.back) ?? "#888";
        pen.fill();
        pen.lineWidth = Math.max(1, Math.min(2.5, size / 4));
        pen.strokeStyle = (seat.fault ? this.look?.fault : seat.tenant !== undefined ? tenantColour(seat.tenant) : this.look?.free) ?? "#888";
        if (seat.releasing) {
          pen.setLineDash([3, 3]);
        }
        pen.stroke();
        pen.setLineDash([]);
        if (size >= 9 && seat.tenant !== undefined && !seat.fault) {
          this.text(tenantLetter(seat.tenant), x, y, "#0b1020", 11, true);
        }
      }
      if (this.spacing() >= LABELS && seat.node) {
        const inner = -size - 15;
        const [lx, ly] = this.place(position, inner);
        this.text(clipped(seat.node, Math.floor(this.spacing() / 6.3)), lx, ly, this.look?.dim, 11);
      }
    }
  }

  /** Marks of faults and foreign light outside the circle, at every distance; those that would overlap become one. @param {Picture} picture */
  marks(picture) {
    let last = -1e9;
    for (const seat of picture.seats) {
      const kind = seat.fault || seat.claimed ? "fault" : foreign(seat) ? "foreign" : dark(seat) ? "dark" : "";
      if (!kind) {
        continue;
      }
      if ((seat.position - last) * this.spacing() < 9) {
        continue;
      }
      last = seat.position;
      const out = this.spacing() < SINGLE ? 13 : Math.min(20, this.spacing() * 0.5) + 14 + (this.spacing() * 1 > 34 ? 14 : 0);
      const [x, y] = this.place(seat.position, out);
      if (x < -20 || y < -20 || x > (this.width ?? 0) + 20 || y > (this.height ?? 0) + 20) {
        continue;
      }
      const pen = this.pen;
      pen.beginPath();
      polygon(pen, x, y, 6, kind === "fault" ? (seat.quarantined ? 4 : 3) : kind === "foreign" ? 5 : 6);
      pen.fillStyle = (kind === "foreign" ? this.look?.foreign : this.look?.fault) ?? "#888";
      if (kind === "dark") {
        pen.lineWidth = 1.5;
        pen.strokeStyle = this.look?.fault ?? "#888";
        pen.stroke();
      } else {
        pen.fill();
      }
    }
  }

  /** @param {Picture} picture */
  middle(picture) {
    if (this.scale < 90 || this.scale > this.least() * 1.5) {
      return;
    }
    const faulty = picture.seats.filter((seat) => seat.fault).length;
    const held = picture.seats.filter((seat) => seat.tenant !== undefined).length;
    this.text(picture.fabric, this.centreX, this.centreY - 22, this.look?.ink, 18, true);
    this.text(picture.positions + " positions · reach " + picture.reach, this.centreX, this.centreY + 2, this.look?.dim, 12);
    this.text(held + " held · " + faulty + " faulty", this.centreX, this.centreY + 20, faulty ? this.look?.fault : this.look?.dim, 12, faulty > 0);
    if (picture.paused) {
      this.text("paused: no light moves", this.centreX, this.centreY + 40, this.look?.fault, 12, true);
    }
  }

  cursor() {
    for (const [position, colour, width] of /** @type {[number, string | undefined, number][]} */ ([[this.hovered, this.look?.dim, 1.5], [this.selected, this.look?.focus, 3]])) {
      if (position >= 0 && position < this.geometry.positions) {
        const [x, y] = this.place(position, 0);
        this.pen.beginPath();
        this.pen.arc(x, y, Math.min(13, Math.max(1.5, this.spacing() * 0.3)) + 5, 0, 2 * Math.PI);
        this.pen.strokeStyle = colour ?? "#888";
        this.pen.lineWidth = width;
        this.pen.stroke();
      }
    }
  }

  /** @param {string} text @param {number} x @param {number} y @param {string | undefined} colour @param {number} size @param {boolean} [bold] */
  text(text, x, y, colour, size, bold) {
    this.pen.font = (bold ? "600 " : "") + size + "px system-ui, sans-serif";
    this.pen.textAlign = "center";
    this.pen.textBaseline = "middle";
    this.pen.fillStyle = colour ?? "#888";
    this.pen.fillText(text, x, y);
  }

  listen() {
    const canvas = this.canvas;
    const point = (/** @type {PointerEvent | WheelEvent} */ e) => {
      const box = canvas.getBoundingClientRect();
      return { x: e.clientX - box.left, y: e.clientY - box.top };
    };
    canvas.addEventListener("wheel", (e) => {
      e.preventDefault();
      const { x, y } = point(e);
      this.zoom(Math.exp(-e.deltaY * (e.ctrlKey ? 0.01 : 0.002)), x, y);
    }, { passive: false });
    canvas.addEventListener("pointerdown", (e) => {
      canvas.setPointerCapture(e.pointerId);
      this.fingers.set(e.pointerId, point(e));
      this.moved = 0;
    });
    canvas.addEventListener("pointermove", (e) => {
      const to = point(e);
      const from = this.fingers.get(e.pointerId);
      if (!from) {
        this.hover(to);
        return;
      }
      const others = [...this.fingers].filter(([id]) => id !== e.pointerId).map(([, where]) => where);
      if (others.length > 0) {
        const before = Math.hypot(from.x - others[0].x, from.y - others[0].y);
        const now = Math.hypot(to.x - others[0].x, to.y - others[0].y);
        this.zoom(now / Math.max(1, before), (to.x + others[0].x) / 2, (to.y + others[0].y) / 2);
      } else {
        this.centreX += to.x - from.x;
        this.centreY += to.y - from.y;
      }
      this.moved += Math.hypot(to.x - from.x, to.y - from.y);
      this.fingers.set(e.pointerId, to);
      this.draw();
    });
    canvas.addEventListener("pointerup", (e) => {
      this.fingers.delete(e.pointerId);
      if (this.moved < 5) {
        const { x, y } = point(e);
        const position = this.at(x, y);
        this.select(position);
        this.told.selected(position, true);
      }
    });
    canvas.addEventListener("pointercancel", (e) => this.fingers.delete(e.pointerId));
    canvas.addEventListener("pointerleave", () => {
      this.hovered = -1;
      this.told.hovered(-1, 0, 0);
      this.draw();
    });
    canvas.addEventListener("dblclick", (e) => {
      const box = canvas.getBoundingClientRect();
      this.zoom(3, e.clientX - box.left, e.clientY - box.top);
    });
    canvas.addEventListener("keydown", (e) => this.key(e));
  }

  /** @param {{x: number, y: number}} where */
  hover({ x, y }) {
    const position = this.at(x, y);
    if (position !== this.hovered) {
      this.hovered = position;
      this.draw();
    }
    this.told.hovered(position, x, y);
  }

  /** @param {KeyboardEvent} e */
  key(e) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, PageDown: 16, PageUp: -16 }[e.key];
    if (step !== undefined && this.picture) {
      const count = this.geometry.positions;
      const to = this.selected < 0 ? 0 : (this.selected + step + count) % count;
      this.select(to);
      this.reveal(to);
      this.told.selected(to, false);
    } else if (e.key === "f" || e.key === "F") {
      this.nextFault();
    } else if (e.key === "+" || e.key === "=") {
      this.zoom(1.4, (this.width ?? 0) / 2, (this.height ?? 0) / 2);
    } else if (e.key === "-") {
      this.zoom(1 / 1.4, (this.width ?? 0) / 2, (this.height ?? 0) / 2);
    } else if (e.key === "0") {
      this.fit();
    } else {
      return;
    }
    e.preventDefault();
  }

  nextFault() {
    const seats = this.picture?.seats ?? [];
    for (let away = 1; away <= seats.length; away++) {
      const position = (this.selected + away + seats.length) % seats.length;
      if (seats[position].fault) {
        this.select(position);
        this.reveal(position, true);
        this.told.selected(position, false);
        return;
      }
    }
  }
}

/** Whether a circuit that is wanted was not read back. @param {Seat} seat */
export function dark(seat) {
  if (!seat.observed || !seat.wanted) {
    return false;
  }
  for (let bundle = 0; bundle < seat.wanted.length; bundle++) {
    if (seat.wanted[bundle] !== "L" && seat.observed[bundle] !== seat.wanted[bundle]) {
      return true;
    }
  }
  return false;
}

/** Whether light was read back that nobody wants. @param {Seat} seat */
export function foreign(seat) {
  if (!seat.observed) {
    return false;
  }
  for (let bundle = 0; bundle < seat.observed.length; bundle++) {
    const shown = seat.observed[bundle];
    if ((shown === "1" || shown === "2") && shown !== (seat.wanted?.[bundle] ?? "L")) {
      return true;
    }
  }
  return false;
}

/** Nodes differ at the end of their names. @param {string} name @param {number} most letters */
function clipped(name, most) {
  return name.length > most ? "…" + name.slice(1 - Math.max(3, most)) : name;
}

/** @param {CanvasRenderingContext2D} pen @param {number} x @param {number} y @param {number} size @param {number} corners */
function polygon(pen, x, y, size, corners) {
  for (let corner = 0; corner < corners; corner++) {
    const angle = -Math.PI / 2 + (2 * Math.PI * corner) / corners;
    pen[corner === 0 ? "moveTo" : "lineTo"](x + size * Math.cos(angle), y + size * Math.sin(angle));
  }
  pen.closePath();
}
