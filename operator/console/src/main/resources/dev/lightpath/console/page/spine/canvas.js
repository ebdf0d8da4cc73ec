/** Drawings of a fabric of optical switches: the matrix of switches and pods, the pods with their circuits, and a torus. */
import { tenantColour, tenantLetter, theme } from "../palette.js";

/** @typedef {{fabric: string, topology: string, cubes?: number[], paused: boolean, readBack?: string, problem?: string,
 *   conditions: import("../words.js").Condition[], faults: {subject: string, reason: string, since: string, quarantined?: boolean}[], degrading: string[],
 *   foreign: string[], tenants: import("../palette.js").Tenant[],
 *   pods: {name: string, index: number, ports: number, gpus: number, nodes: number, placeable: boolean, tenants: number[], faults: string[]}[],
 *   switches: {name: string, plane?: number, drained: boolean, ready: import("../words.js").Condition, recorded: number, missing?: number, presence?: string, fault?: string}[],
 *   cells: {opticalSwitch: number, pod: number, ports: number, used: number, faulty: number}[],
 *   links: {from: string, to: string, there: number, back: number, tenant: number}[]}} Spine */

const LEFT = 110;
const TOP = 74;

/** @param {HTMLCanvasElement} canvas @param {number} height @returns {CanvasRenderingContext2D} */
function prepare(canvas, height) {
  const ratio = devicePixelRatio || 1;
  const width = canvas.clientWidth;
  canvas.height = Math.round(height * ratio);
  canvas.width = Math.round(width * ratio);
  canvas.dataset.height = String(height);
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  pen.setTransform(ratio, 0, 0, ratio, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

/** Size of a cell of the matrix. @param {HTMLCanvasElement} canvas @param {Spine} spine @returns {[number, number]} */
function cell(canvas, spine) {
  const width = Math.min(64, Math.max(6, (canvas.clientWidth - LEFT - 8) / Math.max(1, spine.pods.length)));
  return [width, Math.min(26, Math.max(6, 560 / Math.max(1, spine.switches.length)))];
}

/**
 * Rows are switches, columns pods; a cell fills with the ports in use. A corner marks faulty ports.
 *
 * @param {HTMLCanvasElement} canvas @param {Spine} spine
 */
export function matrix(canvas, spine) {
  const [width, height] = cell(canvas, spine);
  const pen = prepare(canvas, TOP + height * spine.switches.length + 8);
  const look = theme(canvas);
  pen.font = "11px system-ui, sans-serif";
  pen.textBaseline = "middle";
  spine.switches.forEach((of, row) => {
    if (height >= 11 || row % Math.ceil(11 / height) === 0) {
      pen.textAlign = "right";
      pen.fillStyle = of.fault || of.presence ? look.fault : look.ink;
      pen.fillText((of.fault || of.presence ? "△ " : of.drained ? "⊘ " : "") + short(of.name), LEFT - 8, TOP + row * height + height / 2);
    }
  });
  spine.pods.forEach((of, column) => {
    if (width >= 11 || column % Math.ceil(11 / width) === 0) {
      pen.save();
      pen.translate(LEFT + column * width + width / 2, TOP - 6);
      pen.rotate(-Math.PI / 3);
      pen.textAlign = "left";
      pen.fillStyle = of.faults.length ? look.fault : look.ink;
      pen.fillText((of.faults.length ? "△ " : "") + short(of.name), 0, 0);
      pen.restore();
    }
  });
  for (const each of spine.cells) {
    const x = LEFT + each.pod * width;
    const y = TOP + each.opticalSwitch * height;
    const gap = width > 10 ? 1.5 : 0.5;
    pen.fillStyle = look.faint;
    pen.fillRect(x + gap, y + gap, width - 2 * gap, height - 2 * gap);
    pen.fillStyle = spine.switches[each.opticalSwitch].drained ? look.dim : tenantColour(0);
    pen.fillRect(x + gap, y + gap, ((width - 2 * gap) * each.used) / Math.max(1, each.ports), height - 2 * gap);
    if (each.faulty > 0) {
      pen.fillStyle = look.fault;
      pen.beginPath();
      pen.moveTo(x + width - gap, y + gap);
      pen.lineTo(x + width - gap - Math.min(10, width), y + gap);
      pen.lineTo(x + width - gap, y + gap + Math.min(10, height));
      pen.fill();
    }
    if (width > 30 && height > 13) {
      pen.textAlign = "center";
      pen.fillStyle = look.ink;
      pen.fillText(each.used + "/" + each.ports, x + width / 2, y + height / 2 + 0.5);
    }
  }
}

/** What is under a point of the matrix. @param {HTMLCanvasElement} canvas @param {Spine} spine @param {number} x @param {number} y */
export function cellAt(canvas, spine, x, y) {
  const [width, height] = cell(canvas, spine);
  const column = Math.floor((x - LEFT) / width);
  const row = Math.floor((y - TOP) / height);
  if (row < 0 || row >= spine.switches.length || column >= spine.pods.length) {
    return null;
  }
  return { row, column, cell: spine.cells.find((each) => each.opticalSwitch === row && each.pod === column) };
}

/** Pods on a circle and the circuits between them, as wide as they are many. @param {HTMLCanvasElement} canvas @param {Spine} spine */
export function pods(canvas, spine) {
  const height = Math.min(560, Math.max(280, canvas.clientWidth));
  const pen = prepare(canvas, height);
  const look = theme(canvas);
  const radius = Math.min(canvas.clientWidth, height) / 2 - 56;
  const centre = [canvas.clientWidth / 2, height / 2];
  const where = new Map(spine.pods.map((pod, index) => {
    const angle = -Math.PI / 2 + (2 * Math.PI * index) / spine.pods.length;
    return [pod.name, { x: centre[0] + radius * Math.cos(angle), y: centre[1] + radius * Math.sin(angle), angle }];
  }));
  const most = Math.max(1, ...spine.links.map((link) => Math.max(link.there, link.back)));
  for (const link of spine.links) {
    const from = where.get(link.from);
    const to = where.get(link.to);
    if (from && to) {
      pen.beginPath();
      pen.moveTo(from.x, from.y);
      pen.quadraticCurveTo(centre[0] + (from.x + to.x - 2 * centre[0]) * 0.2, centre[1] + (from.y + to.y - 2 * centre[1]) * 0.2, to.x, to.y);
      pen.strokeStyle = tenantColour(link.tenant);
      pen.globalAlpha = 0.8;
      pen.lineWidth = 1 + (7 * Math.max(link.there, link.back)) / most / Math.max(1, spine.pods.length / 32);
      pen.stroke();
      pen.globalAlpha = 1;
    }
  }
  const size = Math.min(15, (Math.PI * radius) / Math.max(4, spine.pods.length) * 0.8);
  pen.font = "11px system-ui, sans-serif";
  for (const pod of spine.pods) {
    const at = /** @type {{x: number, y: number, angle: number}} */ (where.get(pod.name));
    pen.beginPath();
    pen.arc(at.x, at.y, size, 0, 2 * Math.PI);
    pen.fillStyle = pod.tenants.length ? tenantColour(pod.tenants[0]) : look.back;
    pen.fill();
    pen.lineWidth = pod.faults.length ? 3 : 1.5;
    pen.strokeStyle = pod.faults.length ? look.fault : look.free;
    pen.stroke();
    pen.textAlign = "center";
    pen.textBaseline = "middle";
    if (size > 8 && pod.tenants.length) {
      pen.fillStyle = "#0b1020";
      pen.fillText(pod.tenants.slice(0, 2).map(tenantLetter).join(""), at.x, at.y);
    }
    if (spine.pods.length <= 64) {
      pen.fillStyle = look.dim;
      pen.textAlign = Math.cos(at.angle) > 0.3 ? "left" : Math.cos(at.angle) < -0.3 ? "right" : "center";
      pen.fillText((pod.faults.length ? "△ " : "") + short(pod.name), at.x + (size + 8) * Math.cos(at.angle), at.y + (size + 12) * Math.sin(at.angle));
    }
  }
}

/** Cubes in their box, one layer beside the other; letters say whose torus they are of. @param {HTMLCanvasElement} canvas @param {Spine} spine */
export function torus(canvas, spine) {
  const [xs, ys, zs] = spine.cubes ?? [1, 1, 1];
  const size = Math.max(8, Math.min(54, (canvas.clientWidth - 20 * zs - 20) / (zs * xs)));
  const pen = prepare(canvas, ys * size + 60);
  const look = theme(canvas);
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.textBaseline = "middle";
  const byIndex = new Map(spine.pods.map((pod) => [pod.index, pod]));
  for (let z = 0; z < zs; z++) {
    const left = 10 + z * (xs * size + 20);
    pen.fillStyle = look.dim;
    pen.fillText("z = " + z, left + (xs * size) / 2, 14);
    for (let x = 0; x < xs; x++) {
      for (let y = 0; y < ys; y++) {
        const pod = byIndex.get((x * ys + y) * zs + z);
        const px = left + x * size;
        const py = 28 + y * size;
        pen.fillStyle = !pod ? look.back : pod.tenants.length ? tenantColour(pod.tenants[0]) : look.faint;
        pen.fillRect(px + 1.5, py + 1.5, size - 3, size - 3);
        if (pod?.faults.length) {
          pen.strokeStyle = look.fault;
          pen.lineWidth = 3;
          pen.strokeRect(px + 3, py + 3, size - 6, size - 6);
        }
        if (pod && size > 20) {
          pen.fillStyle = pod.tenants.length ? "#0b1020" : look.dim;
          pen.fillText((pod.faults.length ? "△" : "") + (pod.tenants.length ? tenantLetter(pod.tenants[0]) : short(pod.name)), px + size / 2, py + size / 2);
        }
      }
    }
  }
}

/** @param {string} name */
function short(name) {
  return name.length > 16 ? name.slice(0, 7) + "…" + name.slice(-7) : name;
}
