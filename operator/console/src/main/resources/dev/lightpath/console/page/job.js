/** A job: what it waits for, what it has, how long an iteration takes, and what faults have cost it. */
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { address, get } from "./api.js";
import { actButtons } from "./acts.js";
import { happenings } from "./timeline.js";
import { badge, conditions, counted, moment, seconds } from "./words.js";

/** @param {string} namespace @param {string} name @returns {import("./main.js").View} */
export function jobView(namespace, name) {
  /** @type {{lines?: string[], error?: string, asking: boolean}} */
  let explained = { asking: false };
  return {
    address: address("job", namespace, name),
    also: "timeline",
    kinds: ["jobs", "slices", "fabrics", "events"],
    title: "Job " + name,
    render: (doc, page, timeline) => render(doc, page, timeline, explained, async () => {
      explained = { asking: true };
      page.update();
      try {
        explained = { asking: false, lines: (await get(address("explain", namespace, name))).lines };
      } catch (e) {
        explained = { asking: false, error: /** @type {Error} */ (e).message };
      }
      page.update();
    }),
  };
}

/**
 * @param {any} doc
 * @param {import("./main.js").Page} page
 * @param {any} timeline
 * @param {{lines?: string[], error?: string, asking: boolean}} explained
 * @param {() => void} explain
 */
function render(doc, page, timeline, explained, explain) {
  const tree = doc.tree;
  const parallelism = doc.parallelism;
  const own = (timeline?.happenings ?? []).filter((/** @type {any} */ each) => each.job === doc.name && (each.namespace ?? doc.namespace) === doc.namespace);
  return html`
    <header class="title"><h1>${doc.namespace}/<b>${doc.name}</b></h1>${badge(doc.ready)}<span class="dim">created ${moment(doc.created)}</span></header>
    ${doc.waits.length > 0 ? html`<section class="waits" aria-labelledby="waits"><h2 id="waits">Why it is not ready</h2>
      <ul>${doc.waits.map((/** @type {string} */ line) => html`<li>${line}</li>`)}</ul>
      ${doc.preempted ? html`<p>Job ${doc.preempted.by} took its place.</p>` : nothing}</section>` : nothing}
    <div class="columns">
      <section><h2>What it asked for</h2><dl class="facts"><dt>GPUs</dt><dd>${tree.gpus}</dd>
        <dt>Parallelism</dt><dd>tensor ${parallelism.tensor}, pipeline ${parallelism.pipeline}, data ${parallelism.data}${parallelism.expert > 1 ? ", expert " + parallelism.expert : ""}</dd>
        ${doc.scaleUp ? html`<dt>Groups on</dt><dd><a href=${"#/" + address("ring", doc.scaleUp)}>${doc.scaleUp}</a></dd>` : nothing}
        ${doc.scaleOut ? html`<dt>Circuits between pods on</dt><dd><a href=${"#/" + address("spine", doc.scaleOut)}>${doc.scaleOut}</a></dd>` : nothing}
        <dt>Priority</dt><dd>${doc.priority}${doc.priorityClass ? ` (${doc.priorityClass})` : ''}</dd>${doc.suspended ? html`<dt>Suspended</dt><dd>yes</dd>` : nothing}</dl></section>
      <section><h2>What it has</h2><dl class="facts"><dt>Nodes</dt><dd>${placed(doc) ? tree.nodes : html`none; it needs ${tree.nodes ?? "?"}`}</dd><dt>Attempt</dt><dd>${tree.attempt ?? "–"}</dd>
        ${doc.placement?.groups !== undefined ? html`<dt>Groups</dt><dd>${doc.placement.groups}</dd>` : nothing}
        ${doc.placement?.crossTorRatio ? html`<dt>Traffic leaving the rack</dt><dd>${(100 * Number(doc.placement.crossTorRatio)).toFixed(1)} %</dd>` : nothing}
        ${doc.placement?.spareNodes !== undefined ? html`<dt>Spare nodes in reach</dt><dd>${doc.placement.spareNodes}</dd>` : nothing}</dl></section>
      ${doc.prediction?.iterationSeconds ? prediction(doc.prediction) : nothing}
      ${placed(doc) ? cost(own, doc.prediction) : nothing}
    </div>
    ${tree.slices.map((/** @type {any} */ slice) => sliceOf(slice, doc, page))}
    ${tree.slices.length === 0 ? html`<p class="dim">No slice: nothing has been granted.</p>` : nothing}
    <section><h2>Why this light</h2>${page.session.can.includes("explain")
      ? html`<button @click=${explain} ?disabled=${explained.asking}>Explain</button>
        <div aria-live="polite">${explained.asking ? html`<p class="dim">Evaluating the recorded circuits …</p>` : nothing}
        ${explained.error ? html`<p class="alarm">${explained.error}</p>` : nothing}
        ${explained.lines ? html`<pre tabindex="0">${explained.lines.join("\n")}</pre>` : nothing}</div>`
      : html`<p class="dim"><code>kubectl lightpath explain tj/${doc.name} -n ${doc.namespace}</code> evaluates the circuits again.</p>`}</section>
    <section><h2>What happened</h2>${own.length === 0 ? html`<p class="dim">Nothing that is still known.</p>` : happenings(own.slice(0, 50), timeline?.recordedSince)}</section>
    <details><summary>Conditions</summary>${conditions(tree.conditions)}</details>`;
}

/** Whether a record gives it nodes. @param {any} doc */
function placed(doc) {
  return doc.tree.slices.some((/** @type {any} */ slice) => slice.groups.length > 0 || slice.pairs.length > 0);
}

/** Three times of an iteration on one scale. @param {any} of */
function prediction(of) {
  const now = Number(of.iterationSeconds);
  const best = Number(of.bestSeconds ?? of.iterationSeconds);
  const bound = of.lowerBoundSeconds ? Number(of.lowerBoundSeconds) : null;
  const most = Math.max(now, best, bound ?? 0);
  const longer = best > 0 ? 100 * (now / best - 1) : 0;
  const line = (/** @type {string} */ label, /** @type {number} */ of, /** @type {string} */ kind) => html`<dt>${label}</dt>
    <dd><meter class=${kind} min="0" max=${most} .value=${of} aria-label=${label}></meter> ${seconds(of)}</dd>`;
  return html`<section><h2>One iteration</h2><dl class="facts times">
    ${line("predicted now", now, longer > 0.01 ? "short" : "")}${line("at best so far", best, "")}${bound === null ? nothing : line("no circuits can beat", bound, "bound")}</dl>
    <p>${longer > 0.01 ? html`<b class="bad">${longer.toFixed(2)} % longer</b> than at best: lost to faults or to other jobs.` : html`<span class="good">✓ as good as it ever was.</span>`}
      ${of.ports !== undefined ? html`${of.ports} of ${of.portBudget} ports in use.` : nothing} ${of.proved ? "Proved the best." : nothing}</p></section>`;
}

/** What is known of repairs: decisions after the first, and how long the light was down. @param {any[]} own @param {any} prediction */
function cost(own, prediction) {
  const repairs = own.filter((each) => each.kind === "DECISION" && !/^revision 1\b/.test(each.message));
  let dark = 0;
  let since = NaN;
  for (const each of [...own].reverse()) {
    if (each.kind === "LIGHT" && each.reason === "Dark") {
      since = Date.parse(each.at);
    } else if (each.kind === "LIGHT" && each.reason === "Lit" && !Number.isNaN(since)) {
      dark += Date.parse(each.at) - since;
      since = NaN;
    }
  }
  return html`<section><h2>What faults cost</h2><dl class="facts">
    <dt>Repairs seen</dt><dd>${repairs.length}</dd>
    <dt>Light down for</dt><dd>${Number.isNaN(since) ? (dark / 1000).toFixed(1) + " s" : html`<span class="bad">still, since ${moment(new Date(since).toISOString())}</span>`}</dd>
    ${prediction?.bestSeconds && prediction.iterationSeconds ? html`<dt>Each iteration</dt><dd>${(Number(prediction.iterationSeconds) - Number(prediction.bestSeconds)).toFixed(4)} s longer</dd>` : nothing}</dl>
    ${repairs.length > 0 ? html`<p>Last: ${repairs[0].message}, ${moment(repairs[0].at)}.</p>` : html`<p class="dim">None while this console watched.</p>`}</section>`;
}

/** @param {any} slice @param {any} doc @param {import("./main.js").Page} page */
function sliceOf(slice, doc, page) {
  const ready = slice.conditions.find((/** @type {any} */ each) => each.type === "Ready");
  const programmed = slice.programmed;
  const ring = slice.fabric === doc.scaleUp;
  return html`<section class="slice"><header class="title"><h2>On <a href=${"#/" + address(ring ? "ring" : "spine", slice.fabric)}>${slice.fabric}</a></h2>
      ${ready ? badge(ready) : nothing}<span class="dim">slice ${slice.name}, attempt ${slice.attempt}${slice.revision ? ", revision " + slice.revision : ""}</span>
      <span class="acts">${actButtons(page, "slice", doc.namespace + "/" + slice.name, ["force-release"])}</span></header>
    ${programmed ? html`<p><meter min="0" max=${Math.max(1, programmed.total)} .value=${programmed.applied} aria-label="circuits lit"></meter>
      ${programmed.applied} of ${counted(programmed.total, "circuit")} lit${programmed.failed ? html`, <b class="bad">${programmed.failed} refused</b>` : nothing}</p>` : nothing}
    ${slice.origin ? html`<p><span class="dim">Why:</span> ${slice.origin.why} <span class="dim">(${slice.origin.planner})</span></p>` : nothing}
    ${slice.groups.length > 0 ? html`<ol class="groups">${slice.groups.slice(0, 64).map((/** @type {any} */ group) => html`<li><b>${group.pod ? group.pod : "group " + group.index}</b>
      ${group.members.map((/** @type {any} */ member) => html`<a class=${"chip " + (member.fault ? "bad" : "")} title=${member.fault ?? "rank " + member.rank}
        href=${ring ? "#/" + address("ring", slice.fabric) + "?node=" + encodeURIComponent(member.node) : "#/" + address("spine", slice.fabric)}>${member.fault ? "△ " : ""}${member.node}</a>`)}</li>`)}</ol>` : nothing}
    ${slice.groups.length > 64 ? html`<p class="dim">and ${slice.groups.length - 64} more groups</p>` : nothing}
    ${slice.pairs.length > 0 ? html`<table><caption>Circuits between pods</caption><thead><tr><th scope="col">Pods</th><th scope="col" class="number">There</th><th scope="col" class="number">Back</th><th scope="col">Switches</th></tr></thead>
      <tbody>${slice.pairs.slice(0, 100).map((/** @type {any} */ pair) => html`<tr><th scope="row">${pair.from} – ${pair.to}</th><td class="number">${pair.there}</td><td class="number">${pair.back}</td>
        <td>${pair.circuits.map((/** @type {any} */ of) => html`<a class="chip" href=${"#/" + address("switch", of.switch)} title=${of.circuits.join(" ")}>${of.switch} × ${of.circuits.length}</a>`)}</td></tr>`)}</tbody></table>` : nothing}
    ${slice.releasing.length > 0 ? html`<p class="dim">Old light still to be taken down on ${slice.releasing.join(", ")}.</p>` : nothing}</section>`;
}
