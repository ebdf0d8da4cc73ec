/** A fabric of optical switches: switches times pods, and what the circuits make of the pods. */
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { address } from "../api.js";
import { actButtons } from "../acts.js";
import { tenantColour, tenantLetter, tenantName } from "../palette.js";
import { badge, conditions, counted, moment } from "../words.js";
import { cellAt, matrix, pods, torus } from "./canvas.js";

/** @typedef {import("./canvas.js").Spine} Spine */

/** @param {string} fabric @returns {import("../main.js").View} */
export function spineView(fabric) {
  /** @type {ResizeObserver | null} */
  let observer = null;
  /** @type {Spine | null} */
  let spine = null;
  const draw = (/** @type {Element} */ root) => {
    const table = /** @type {HTMLCanvasElement | null} */ (root.querySelector("canvas.matrix"));
    const graph = /** @type {HTMLCanvasElement | null} */ (root.querySelector("canvas.pods"));
    if (spine && table && graph) {
      matrix(table, spine);
      (spine.topology === "TwistedTorus" ? torus : pods)(graph, spine);
      for (const canvas of [table, graph]) {
        canvas.style.setProperty("height", canvas.dataset.height + "px");
      }
    }
  };
  return {
    address: address("spine", fabric),
    kinds: ["fabrics", "switches", "slices", "nodes", "light"],
    title: "Switches of " + fabric,
    render: (doc, page) => render(doc, page),
    painted: (root, doc) => {
      spine = doc;
      draw(root);
      const table = /** @type {HTMLCanvasElement | null} */ (root.querySelector("canvas.matrix"));
      if (table && !observer) {
        observer = new ResizeObserver(() => draw(root));
        observer.observe(table.parentElement ?? table);
        listen(table, /** @type {HTMLElement} */ (root.querySelector(".tip")), () => spine);
      }
    },
    closed: () => observer?.disconnect(),
  };
}

/** @param {HTMLCanvasElement} canvas @param {HTMLElement} tip @param {() => Spine | null} now */
function listen(canvas, tip, now) {
  const find = (/** @type {MouseEvent} */ e) => {
    const spine = now();
    const box = canvas.getBoundingClientRect();
    return spine ? cellAt(canvas, spine, e.clientX - box.left, e.clientY - box.top) : null;
  };
  canvas.addEventListener("pointermove", (e) => {
    const found = find(e);
    const spine = now();
    tip.hidden = !found;
    if (found && spine) {
      const pod = found.column < 0 ? null : spine.pods[found.column];
      tip.textContent = spine.switches[found.row].name + (pod ? " × " + pod.name + ": "
        + (found.cell ? found.cell.used + " of " + counted(found.cell.ports, "port") + " in use" + (found.cell.faulty ? ", " + found.cell.faulty + " faulty" : "") : "not wired") : "");
      tip.style.setProperty("left", e.offsetX + "px");
      tip.style.setProperty("top", e.offsetY + "px");
    }
  });
  canvas.addEventListener("pointerleave", () => { tip.hidden = true; });
  canvas.addEventListener("click", (e) => {
    const found = find(e);
    const spine = now();
    if (found && spine) {
      location.hash = "#/" + address("switch", spine.switches[found.row].name)
        + (found.column >= 0 ? "?pod=" + encodeURIComponent(spine.pods[found.column].name) : "");
    }
  });
}

/** @param {Spine} spine @param {import("../main.js").Page} page */
function render(spine, page) {
  const ready = spine.conditions.find((each) => each.type === "Ready");
  return html`
    <header class="title"><h1>${spine.fabric}</h1>${ready ? badge(ready) : nothing}
      <span class="dim">${topology(spine)}: ${counted(spine.switches.length, "switch", "switches")}, ${counted(spine.pods.length, "pod")}</span>
      <span class="dim">${spine.readBack ? html`<span title=${"changed at " + spine.readBack}>as read back from the switches</span>` : "as recorded; what the switches show is not known here"}</span>
      <span class="acts">${actButtons(page, "fabric", spine.fabric, spine.paused ? ["resume"] : ["pause", "resume"])}</span></header>
    ${spine.problem ? html`<p class="alarm" role="alert">This fabric cannot be drawn: ${spine.problem}</p>` : nothing}
    ${ready && ready.status !== "True" ? html`<p class="alarm"><b>${ready.reason}</b> ${ready.message}</p>` : nothing}
    ${spine.foreign.length ? html`<p class="alarm">⬠ ${counted(spine.foreign.length, "circuit")} that no record explains: <span class="mono">${spine.foreign.slice(0, 8).join(" ")}</span></p>` : nothing}
    <div class="columns wide">
      <section><h2>Switches × pods</h2><p class="dim">A cell fills with the ports in use; a corner is a faulty port. Select one for the switch, port by port.</p>
        <div class="drawing flat"><canvas class="matrix" role="img" aria-label="Ports in use by switch and pod; the list of switches says the same"></canvas><div class="tip" hidden></div></div></section>
      <section><h2>${spine.topology === "TwistedTorus" ? "Cubes" : "Circuits between pods"}</h2>
        <div class="drawing flat"><canvas class="pods" role="img" aria-label="Pods and the circuits between them; the pages of jobs list them"></canvas></div>
        <ul class="legend">${spine.tenants.slice(0, 40).map((tenant, index) => html`<li>
          <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="8" fill=${tenantColour(index)}></circle><text x="9" y="13" text-anchor="middle" font-size="11" font-weight="600" fill="#0b1020">${tenantLetter(index)}</text></svg>
          ${tenant.job ? html`<a href=${"#/" + address("job", tenant.namespace ?? "", tenant.job)}>${tenantName(tenant)}</a>` : html`<span>${tenantName(tenant)}</span>`}
          <span class="dim">${tenant.ready && tenant.ready.status !== "True" ? tenant.ready.reason : ""}</span></li>`)}</ul></section></div>
    ${spine.faults.length ? html`<section><h2>Faults</h2><ul class="links">${spine.faults.map((fault) => html`<li><span class="bad">△ ${fault.subject}</span> ${fault.reason}${fault.quarantined ? ", quarantined" : ""} <span class="dim">${moment(fault.since)}</span></li>`)}</ul></section>` : nothing}
    ${spine.degrading.length ? html`<section><h2>Light that gets worse</h2><ul class="links">${spine.degrading.slice(0, 60).map((line) => html`<li>◔ ${line}</li>`)}</ul></section>` : nothing}
    <section><h2>Switches</h2><div class="scroll" tabindex="0" role="region" aria-label="Switches"><table><thead><tr><th scope="col">Switch</th><th scope="col">State</th><th scope="col" class="number">Plane</th>
      <th scope="col" class="number">Circuits</th><th scope="col" class="number">Not lit</th><th scope="col">Device</th></tr></thead>
      <tbody>${spine.switches.map((each) => html`<tr><th scope="row"><a href=${"#/" + address("switch", each.name)}>${each.name}</a></th>
        <td>${each.fault ? html`<span class="bad">△ ${each.fault}</span>` : badge(each.ready)}${each.drained ? html` <span class="badge">⊘ drained</span>` : nothing}</td>
        <td class="number">${each.plane ?? "–"}</td><td class="number">${each.recorded}</td>
        <td class="number">${each.missing === undefined ? "?" : each.missing ? html`<b class="bad">${each.missing}</b>` : 0}</td><td>${each.presence ?? (spine.readBack ? "present" : "–")}</td></tr>`)}</tbody></table></div></section>
    <details><summary>Conditions</summary>${conditions(spine.conditions)}</details>`;
}

/** @param {Spine} spine */
function topology(spine) {
  return spine.topology === "PolarFly" ? "PolarFly" : spine.topology === "TwistedTorus" ? "twisted torus of " + (spine.cubes ?? []).join(" × ") + " cubes" : "circuits as the jobs need them";
}
