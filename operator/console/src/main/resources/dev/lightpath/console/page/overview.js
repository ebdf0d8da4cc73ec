/** Fabrics, switches and jobs at one glance, what is wrong first. */
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { address } from "./api.js";
import { badge, bar, counted, moment, seconds } from "./words.js";

/** @returns {import("./main.js").View} */
export function overview() {
  return { address: "overview", kinds: ["fabrics", "switches", "jobs", "slices", "leader"], title: "Overview", render };
}

/** @param {any} doc @param {import("./main.js").Page} page */
function render(doc, page) {
  const troubles = concerns(doc);
  const jobs = doc.jobs.filter((/** @type {any} */ job) => matches(job, page.params.get("jobs")));
  return html`
    <h1>Overview</h1>
    ${leader(doc.leader)}
    ${troubles.length === 0
      ? html`<p class="calm"><span aria-hidden="true">✓</span> ${doc.fabrics.length > 0 ? "Nothing needs a person: every fabric and switch is ready, no job waits."
        : "No job that you may see waits."}</p>`
      : html`<section aria-labelledby="concerns"><h2 id="concerns">Needs attention</h2>
        <ul class="concerns">${troubles.map((each) => html`<li class=${each.kind}>
          <a href=${each.href}>${each.what}</a> <b>${each.reason}</b> <span>${each.words}</span></li>`)}</ul></section>`}
    <section aria-labelledby="fabrics"><h2 id="fabrics">Fabrics</h2>
      <div class="cards">${doc.fabrics.map(card)}</div>
      ${doc.fabrics.length === 0 ? html`<p class="dim">No OpticalFabric that you may see.</p>` : nothing}</section>
    <section aria-labelledby="jobs"><h2 id="jobs">Jobs <span class="dim">${doc.jobs.length}</span></h2>
      ${doc.jobs.length > 8 ? html`<input type="search" aria-label="Filter jobs" placeholder="filter by name, namespace or reason"
        .value=${page.params.get("jobs") ?? ""} @input=${(/** @type {any} */ e) => page.set("jobs", e.target.value)}>` : nothing}
      <div class="scroll" tabindex="0" role="region" aria-label="Jobs"><table>
        <thead><tr><th scope="col">Job</th><th scope="col">State</th><th scope="col" class="number">GPUs</th><th scope="col" class="number">Nodes</th>
          <th scope="col" class="number">Groups</th><th scope="col" class="number">Attempt</th><th scope="col" class="number">Iteration</th><th scope="col">Fabrics</th></tr></thead>
        <tbody>${jobs.slice(0, 500).map(row)}</tbody></table></div>
      ${jobs.length > 500 ? html`<p class="dim">The first 500 of ${jobs.length}: filter by name.</p>` : nothing}
      ${doc.jobs.length === 0 ? html`<p class="dim">No TrainingJob that you may see.</p>` : nothing}</section>`;
}

/** @param {any} leader */
function leader(leader) {
  return leader && !leader.leads ? html`<p class="alarm" role="alert"><b>No operator leads${leader.renewed ? html`, since ${moment(leader.renewed)}` : nothing}.</b>
    What follows is what was known then; nothing is repaired or placed.</p>` : nothing;
}

/** @param {any} job @param {string | null} text */
function matches(job, text) {
  return !text || (job.namespace + "/" + job.name + " " + job.ready.reason).toLowerCase().includes(text.toLowerCase());
}

/** @param {any} fabric */
export function fabricHref(fabric) {
  return "#/" + address(fabric.kind === "ocs" ? "spine" : "ring", fabric.name);
}

/** @param {any} fabric */
function card(fabric) {
  const circuits = fabric.circuits;
  const gpus = fabric.gpus;
  const nodes = fabric.nodes;
  return html`<a class="card" href=${fabricHref(fabric)}>
    <header><b>${fabric.name}</b> <span class="dim">${fabric.kind === "ocs" ? "optical switches" : "ring of transceivers"}</span>${badge(fabric.ready)}</header>
    ${fabric.paused ? html`<p class="alarm">Paused: no light moves.</p>` : nothing}
    ${gpus ? bar(gpus.allocated, gpus.total, "GPUs allocated") : nothing}
    ${circuits ? bar(circuits.lit, circuits.planned, "circuits as meant", circuits.lit < circuits.planned ? "short" : "") : nothing}
    <footer>
      ${nodes ? html`<span>${counted(nodes.total, "node")}</span>` : nothing}
      ${nodes && nodes.faulty ? html`<span class="bad">△ ${nodes.faulty} faulty</span>` : nothing}
      ${circuits && circuits.foreign ? html`<span class="foreign">⬠ ${circuits.foreign} foreign</span>` : nothing}
      ${fabric.driver ? html`<span class=${fabric.driver.connected ? "dim" : "bad"}>driver ${fabric.driver.connected ? "connected" : "away"}</span>` : nothing}
    </footer></a>`;
}

/** @param {any} job */
function row(job) {
  return html`<tr><th scope="row"><a href=${"#/" + address("job", job.namespace, job.name)}>${job.namespace}/<b>${job.name}</b></a></th>
    <td>${badge(job.ready)}</td><td class="number">${job.gpus}</td><td class="number">${job.nodes ?? "–"}</td>
    <td class="number">${job.placement?.groups ?? "–"}</td><td class="number">${job.attempt ?? "–"}</td>
    <td class="number">${job.prediction?.iterationSeconds ? seconds(job.prediction.iterationSeconds) : "–"}</td><td>${job.fabrics.join(", ")}</td></tr>`;
}

/** What is wrong, as links. @param {any} doc */
function concerns(doc) {
  /** @type {{kind: string, href: string, what: string, reason: string, words: string}[]} */
  const list = [];
  for (const fabric of doc.fabrics) {
    if (fabric.ready.status !== "True") {
      list.push({ kind: "trouble", href: fabricHref(fabric), what: "fabric " + fabric.name, reason: fabric.ready.reason, words: fabric.ready.message });
    }
    for (const fault of fabric.faults.slice(0, 6)) {
      const node = fault.subject.split("/")[1];
      list.push({ kind: "trouble", href: fabric.kind === "ocs" ? fabricHref(fabric) : fabricHref(fabric) + "?node=" + encodeURIComponent(node),
        what: fault.subject, reason: fault.reason + (fault.quarantined ? ", quarantined" : ""), words: (fault.message ? fault.message + " · " : "") + "on fabric " + fabric.name });
    }
    if (fabric.faults.length > 6) {
      list.push({ kind: "trouble", href: fabricHref(fabric), what: "fabric " + fabric.name, reason: "and " + (fabric.faults.length - 6) + " more faults", words: "" });
    }
  }
  for (const osw of doc.switches) {
    if (osw.ready.status !== "True") {
      list.push({ kind: "trouble", href: "#/" + address("switch", osw.name), what: "switch " + osw.name, reason: osw.ready.reason, words: osw.ready.message });
    }
  }
  for (const job of doc.jobs) {
    if (job.ready.status !== "True" && job.ready.reason !== "Complete") {
      list.push({ kind: "wait", href: "#/" + address("job", job.namespace, job.name), what: "job " + job.namespace + "/" + job.name, reason: job.ready.reason, words: job.ready.message });
    }
  }
  return list.slice(0, 60);
}
