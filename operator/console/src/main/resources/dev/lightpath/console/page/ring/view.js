/** A ring or line: the drawing, a legend, and what is known of the position that is selected. */
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { address } from "../api.js";
import { actButtons } from "../acts.js";
import { tenantColour, tenantLetter, tenantName } from "../palette.js";
import { badge, conditions, counted } from "../words.js";
import { whatIf } from "../whatif.js";
import { RingCanvas, dark, foreign } from "./canvas.js";

/** @typedef {import("./canvas.js").Picture} Picture */
/** @typedef {import("./canvas.js").Seat} Seat */

/** @param {string} fabric @returns {import("../main.js").View} */
export function ringView(fabric) {
  /** @type {RingCanvas | null} */
  let drawing = null;
  /** @type {Picture | null} */
  let picture = null;
  return {
    address: address("ring", fabric),
    kinds: ["fabrics", "slices", "nodes", "light"],
    title: "Ring " + fabric,
    wide: true,
    render: (doc, page) => {
      picture = doc;
      return render(doc, page, () => drawing?.fit(), (position) => drawing?.reveal(position, true));
    },
    painted: (root, doc, page) => {
      const canvas = root.querySelector("canvas");
      if (canvas && (!drawing || drawing.canvas !== canvas)) {
        drawing?.close();
        const tip = /** @type {HTMLElement} */ (root.querySelector(".tip"));
        drawing = new RingCanvas(canvas, {
          selected: (position) => page.set("node", position < 0 ? "" : named(picture, position)),
          hovered: (position, x, y) => hover(tip, picture, position, x, y),
        });
      }
      if (drawing) {
        const seat = selected(doc, page);
        const fresh = seat && drawing.selected !== seat.position;
        drawing.selected = seat ? seat.position : -1;
        drawing.show(doc);
        if (fresh) {
          drawing.reveal(seat.position);
        }
      }
    },
    closed: () => drawing?.close(),
  };
}

/** How an address names a position: by its node, else by number. @param {Picture | null} picture @param {number} position */
function named(picture, position) {
  return picture?.seats[position]?.node ?? "@" + position;
}

/** @param {Picture} picture @param {import("../main.js").Page} page @returns {Seat | undefined} */
function selected(picture, page) {
  const name = page.params.get("node");
  return name ? picture.seats.find((seat) => seat.node === name || "@" + seat.position === name) : undefined;
}

/** @param {HTMLElement} tip @param {Picture | null} picture @param {number} position @param {number} x @param {number} y */
function hover(tip, picture, position, x, y) {
  const seat = position < 0 ? null : picture?.seats[position];
  tip.hidden = !seat;
  if (seat && picture) {
    tip.textContent = (seat.node ?? "no node") + " @" + seat.position + " · " + state(seat, picture);
    // a stylesheet rule, since the page's policy allows no style attributes in markup
    tip.style.setProperty("left", x + "px");
    tip.style.setProperty("top", y + "px");
  }
}

/** @param {Seat} seat @param {Picture} picture */
function state(seat, picture) {
  const words = [];
  if (seat.claimed) {
    words.push("claimed by " + seat.claimed.join(", "));
  } else if (!seat.node) {
    words.push("a position without a node");
  }
  if (seat.fault) {
    words.push((seat.quarantined ? "quarantined: " : "faulty: ") + seat.fault);
  }
  if (seat.degrading) {
    words.push("its light gets worse");
  }
  if (seat.tenant !== undefined) {
    words.push(tenantName(picture.tenants[seat.tenant]) + ", group " + seat.group);
  } else if (seat.node && !seat.fault) {
    words.push(seat.cordoned ? "cordoned" : "free");
  }
  if (dark(seat)) {
    words.push("circuits are dark");
  }
  if (foreign(seat)) {
    words.push("has foreign light");
  }
  if (seat.releasing) {
    words.push("old light is being taken down");
  }
  return words.join(" · ");
}

/**
 * @param {Picture} picture
 * @param {import("../main.js").Page} page
 * @param {() => void} fit
 * @param {(position: number) => void} reveal
 */
function render(picture, page, fit, reveal) {
  const seat = selected(picture, page);
  const ready = picture.conditions.find((each) => each.type === "Ready");
  const faults = picture.seats.filter((each) => each.fault);
  const degrading = picture.seats.filter((each) => each.degrading);
  return html`
    <header class="title"><h1>${picture.fabric}</h1>${ready ? badge(ready) : nothing}
      <span class="dim">${picture.shape} of ${picture.positions} positions, ${counted(picture.reach, "bundle")} and ${counted(picture.gpusPerNode, "GPU")} a node</span>
      <span class="dim">${picture.readBack ? html`<span title=${"changed at " + picture.readBack}>as read back from the devices</span>` : "as recorded; what the devices show is not known here"}</span>
      <span class="acts">${actButtons(page, "fabric", picture.fabric, picture.paused ? ["resume"] : ["pause", "resume"])}</span></header>
    ${picture.problem ? html`<p class="alarm" role="alert">This fabric cannot be drawn: ${picture.problem}</p>` : nothing}
    ${ready && ready.status !== "True" ? html`<p class="alarm"><b>${ready.reason}</b> ${ready.message}</p>` : nothing}
    <div class="stage">
      <div class="drawing"><canvas tabindex="0" role="application"
          aria-label=${"Ring " + picture.fabric + ": arrow keys move from node to node, F goes to the next fault, plus and minus zoom, 0 shows all"}></canvas>
        <div class="tip" hidden></div>
        <div class="tools"><button @click=${fit} title="Show all (0)">Fit</button></div>
        <p class="visually-hidden" aria-live="polite">${seat ? (seat.node ?? "position " + seat.position) + ": " + state(seat, picture) : ""}</p></div>
      <aside class="panel" aria-label="Details">
        ${seat ? node(seat, picture, page) : legend(picture)}
        ${faults.length > 0 && !seat ? html`<h3>Faulty nodes</h3><ul class="links">${faults.slice(0, 30).map((each) => html`<li>
          <button class="link" @click=${() => { page.set("node", named(picture, each.position)); reveal(each.position); }}>${each.node ?? "@" + each.position}</button>
          <span>${each.fault}${each.quarantined ? " (quarantined)" : ""}</span></li>`)}</ul>` : nothing}
        ${degrading.length > 0 && !seat ? html`<h3>Light that gets worse</h3><ul class="links">${degrading.slice(0, 30).map((each) => html`<li>
          <button class="link" @click=${() => { page.set("node", named(picture, each.position)); reveal(each.position); }}>${each.node ?? "@" + each.position}</button>
          <span>${counted((each.degrading ?? []).length, "port")}</span></li>`)}</ul>` : nothing}
        ${seat ? nothing : html`<details><summary>Conditions</summary>${conditions(picture.conditions)}</details>`}
      </aside>
    </div>`;
}

/** @param {Picture} picture */
function legend(picture) {
  const counts = picture.tenants.map((_, tenant) => picture.seats.filter((seat) => seat.tenant === tenant).length);
  return html`<h2>Who holds what</h2>
    ${picture.tenants.length === 0 ? html`<p class="dim">No job holds nodes here.</p>` : html`<ul class="legend">${picture.tenants.slice(0, 60).map((tenant, index) => html`<li>
      <svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="8" fill=${tenantColour(index)}></circle><text x="9" y="13" text-anchor="middle" font-size="11" font-weight="600" fill="#0b1020">${tenantLetter(index)}</text></svg>
      ${tenant.job ? html`<a href=${"#/" + address("job", tenant.namespace ?? "", tenant.job)}>${tenantName(tenant)}</a>` : html`<span>${tenantName(tenant)}</span>`}
      <span class="dim">${counted(counts[index], "node")}${tenant.ready && tenant.ready.status !== "True" ? ", " + tenant.ready.reason : ""}</span></li>`)}</ul>`}
    <h3>Marks</h3><ul class="legend marks">
      <li><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="6" class="mark-free"></circle></svg><span>free node</span></li>
      <li><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><rect x="3" y="3" width="12" height="12" class="mark-free"></rect></svg><span>cordoned</span></li>
      <li><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path d="M9 2 16 15H2Z" class="mark-fault"></path></svg><span>faulty</span></li>
      <li><svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true"><path d="M9 1 17 9 9 17 1 9Z" class="mark-fault"></path></svg><span>quarantined</span></li>
      <li><svg width="30" height="18" viewBox="0 0 30 18" aria-hidden="true"><path d="M1 9H29" class="mark-lit"></path></svg><span>lit circuit, in its job's colour</span></li>
      <li><svg width="30" height="18" viewBox="0 0 30 18" aria-hidden="true"><path d="M1 9H29" class="mark-dark"></path></svg><span>recorded, but dark</span></li>
      <li><svg width="30" height="18" viewBox="0 0 30 18" aria-hidden="true"><path d="M1 9H29" class="mark-foreign"></path></svg><span>foreign: no record explains it</span></li></ul>
    <p class="dim">Select a node for its bundles, and for what would happen if it or one of them failed. A letter is a job, the number beside it a group.</p>`;
}

/** @param {Seat} seat @param {Picture} picture @param {import("../main.js").Page} page */
function node(seat, picture, page) {
  const tenant = seat.tenant === undefined ? null : picture.tenants[seat.tenant];
  const wanted = seat.wanted ?? "L".repeat(picture.reach);
  const observed = seat.observed ?? wanted;
  const count = picture.positions;
  const chosen = page.params.get("bundle") ?? "";
  const ofNode = (/** @type {number} */ bundle) => seat.node + "/b" + bundle;
  const known = [...wanted].some((_, bundle) => chosen === ofNode(bundle));
  const peer = (/** @type {string} */ path, /** @type {number} */ bundle) => {
    const hop = path === "1" ? picture.hops[bundle][0] : path === "2" ? picture.hops[bundle][1] : 0;
    const to = picture.shape === "Ring" ? (seat.position + hop + count) % count : seat.position + hop;
    return hop === 0 ? (path === "L" ? "loops back" : "dark") : "path " + path + " to " + (picture.seats[to]?.node ?? "@" + to);
  };
  return html`<header class="title"><h2>${seat.node ?? "Position " + seat.position}</h2><button class="close" aria-label="Close" @click=${() => page.set("node", "")}>×</button></header>
    <dl class="facts"><dt>Position</dt><dd>${seat.position}</dd>
      <dt>State</dt><dd>${seat.fault ? html`<span class="bad">${seat.quarantined ? "◇ quarantined" : "△ faulty"}</span>` : !seat.node ? "no node" : seat.cordoned ? "cordoned" : seat.tenant !== undefined ? "in use" : "free"}</dd>
      ${seat.fault ? html`<dt>Fault</dt><dd>${seat.fault}</dd>` : nothing}
      ${seat.degrading ? html`<dt>Light</dt><dd>${seat.degrading.map((line) => html`<div>◔ ${line}</div>`)}</dd>` : nothing}
      ${seat.claimed ? html`<dt>Claimed by</dt><dd>${seat.claimed.join(", ")}</dd>` : nothing}
      ${seat.presence ? html`<dt>Device</dt><dd class="bad">${seat.presence}</dd>` : nothing}
      ${tenant ? html`<dt>Job</dt><dd>${tenant.job ? html`<a href=${"#/" + address("job", tenant.namespace ?? "", tenant.job)}>${tenantName(tenant)}</a>` : tenantName(tenant)}</dd>
        <dt>Group, rank</dt><dd>${seat.group}, ${seat.rank}</dd>
        ${tenant.why ? html`<dt>Why here</dt><dd>${tenant.why}</dd>` : nothing}` : nothing}</dl>
    <table><caption>Bundles</caption><thead><tr><th scope="col">Bundle</th><th scope="col">Recorded</th><th scope="col">${picture.readBack ? "Read back" : ""}</th></tr></thead>
      <tbody>${[...wanted].map((path, bundle) => html`<tr class=${chosen === ofNode(bundle) ? "chosen" : ""}><th scope="row">${seat.node ? html`<button class="link" aria-pressed=${chosen === ofNode(bundle) ? "true" : "false"}
          @click=${() => page.set("bundle", chosen === ofNode(bundle) ? "" : ofNode(bundle))}>b${bundle}</button>` : "b" + bundle}</th><td>${peer(path, bundle)}</td>
        <td>${!picture.readBack ? nothing : observed[bundle] === path ? html`<span class="good">✓ the same</span>` : html`<span class="bad">${peer(observed[bundle], bundle)}</span>`}</td></tr>`)}</tbody></table>
    ${seat.node ? html`<div class="acts">${actButtons(page, "node", seat.node, ["clear"])}</div>${whatIf(page, known ? "port/" + chosen : "node/" + seat.node)}` : nothing}`;
}
