/** What happened, the newest first, and a strip of time on top to find one's way. */
import { html, nothing, svg } from "./vendor/lit-html/lit-html.js";
import { address } from "./api.js";
import { ago, clock, counted, moment } from "./words.js";

/** @typedef {{at: string, kind: string, subject: string, namespace?: string, fabric?: string, job?: string, reason: string,
 *   message: string, warning: boolean, count: number}} Happening */

/** @type {Record<string, [string, string]>} */
const KINDS = { FAULT: ["△", "fault"], HEALED: ["○", "healed"], DECISION: ["◆", "decision"], LIGHT: ["✦", "light"], STATE: ["■", "state"], EVENT: ["•", "event"], ACT: ["☛", "act"] };
const LANES = ["FAULT", "HEALED", "DECISION", "LIGHT", "STATE", "EVENT"];

/** @returns {import("./main.js").View} */
export function timelineView() {
  return { address: "timeline", kinds: ["fabrics", "jobs", "slices", "switches", "events"], title: "Timeline", always: true, render };
}

/** @param {any} doc @param {import("./main.js").Page} page */
function render(doc, page) {
  const text = (page.params.get("find") ?? "").toLowerCase();
  const kind = page.params.get("kind") ?? "";
  const until = Date.parse(page.at);
  const found = /** @type {Happening[]} */ (doc.happenings).filter((each) => (!kind || each.kind === kind)
    && (Number.isNaN(until) || Date.parse(each.at) <= until)
    && (!text || (each.subject + " " + (each.namespace ?? "") + " " + (each.job ?? "") + " " + (each.fabric ?? "") + " " + each.reason + " " + each.message).toLowerCase().includes(text)));
  return html`<h1>Timeline</h1>
    <div class="filters"><input type="search" aria-label="Find" placeholder="find a job, node, switch, reason …" .value=${page.params.get("find") ?? ""}
        @input=${(/** @type {any} */ e) => page.set("find", e.target.value)}>
      <label>Kind <select @change=${(/** @type {any} */ e) => page.set("kind", e.target.value)}><option value="" ?selected=${!kind}>all</option>
        ${Object.entries(KINDS).map(([of, [sign, word]]) => html`<option value=${of} ?selected=${kind === of}>${sign} ${word}</option>`)}</select></label>
      <span class="dim">${counted(found.length, "entry", "entries")}${doc.recordedSince ? html`, watched since ${moment(doc.recordedSince)}` : nothing}${doc.complete ? nothing : ", the newest 2000"}</span></div>
    ${strip(doc.happenings, until, (at) => page.set("at", at))}
    ${found.length === 0 ? html`<p class="dim">Nothing that fits.</p>` : happenings(found.slice(0, 400), doc.recordedSince)}
    ${found.length > 400 ? html`<p><button @click=${() => page.set("at", found[399].at)}>Older …</button></p>` : nothing}`;
}

/** @param {Happening[]} all @param {number} until @param {(at: string) => void} go */
function strip(all, until, go) {
  if (all.length === 0) {
    return nothing;
  }
  const times = all.map((each) => Date.parse(each.at)).filter((at) => !Number.isNaN(at));
  const last = Math.max(Date.now(), ...times);
  // the last hour is worth more room than the last month: older entries sit at the left edge
  const first = Math.max(Math.min(...times), last - 3600_000);
  const x = (/** @type {number} */ at) => 60 + (930 * (Math.max(at, first) - first)) / Math.max(1000, last - first);
  const click = (/** @type {MouseEvent} */ e) => {
    const box = /** @type {Element} */ (e.currentTarget).getBoundingClientRect();
    const at = first + ((((e.clientX - box.left) / box.width) * 1000 - 60) / 930) * (last - first);
    go(new Date(Math.min(last, Math.max(first, at))).toISOString());
  };
  return html`<svg class="strip" viewBox="0 0 1000 118" role="img" aria-label="When things happened; the list below says the same" @click=${click}>
    ${LANES.map((lane, row) => svg`<text x="4" y=${18 + row * 16} class="lane">${KINDS[lane][1]}</text><line x1="60" x2="990" y1=${14 + row * 16} y2=${14 + row * 16} class="lane-line"></line>`)}
    ${all.slice(0, 800).map((each) => {
      const row = LANES.indexOf(each.kind);
      return row < 0 ? nothing : svg`<circle cx=${x(Date.parse(each.at))} cy=${14 + row * 16} r="3.5" class=${"dot " + (each.warning ? "bad" : each.kind.toLowerCase())}><title>${clock(each.at)} ${each.subject}: ${each.reason}</title></circle>`;
    })}
    ${Number.isNaN(until) ? nothing : svg`<line x1=${x(until)} x2=${x(until)} y1="4" y2="100" class="until"></line>`}
    <text x="60" y="114" class="lane">${ago(new Date(first).toISOString())}</text><text x="990" y="114" text-anchor="end" class="lane">now</text></svg>`;
}

/** @param {Happening[]} list @param {string} [since] since when the console can show how it was */
export function happenings(list, since) {
  const first = Date.parse(since ?? "");
  return html`<ol class="happenings">${list.map((each) => html`<li class=${(each.warning ? "warning " : "") + each.kind.toLowerCase()}>
    <time datetime=${each.at} title=${each.at}>${clock(each.at)}<span class="dim">${ago(each.at)}</span></time>
    <span class="kind" title=${KINDS[each.kind]?.[1] ?? ""}><span aria-hidden="true">${KINDS[each.kind]?.[0] ?? ""}</span> ${KINDS[each.kind]?.[1] ?? ""}</span>
    <span class="what">${subject(each)} <b>${each.reason}</b>${each.count > 1 ? html` <span class="dim">${each.count} times</span>` : nothing} <span>${each.message}</span>${Date.parse(each.at) >= first ? then(each) : nothing}</span></li>`)}</ol>`;
}

/** A link to its subject as it was just then. @param {Happening} each */
function then(each) {
  const href = page(each);
  return href ? html` <a href=${href + (href.includes("?") ? "&" : "?") + "at=" + encodeURIComponent(each.at)}>as it was then</a>` : nothing;
}

/** @param {Happening} each */
function subject(each) {
  const href = page(each);
  return href ? html`<a href=${href}>${each.subject}</a>` : html`<span>${each.subject}</span>`;
}

/** The address of what it is about. @param {Happening} each @returns {string | null} */
function page(each) {
  const [type, ...rest] = each.subject.split("/");
  const name = rest.join("/");
  return type === "job" ? "#/" + address("job", each.namespace ?? "", name)
    : type === "switch" ? "#/" + address("switch", name)
    : type === "slice" && each.job ? "#/" + address("job", each.namespace ?? "", each.job)
    : each.fabric && (type === "node" || type === "port" || type === "device") ? "#/fabric/" + encodeURIComponent(each.fabric) + "?node=" + encodeURIComponent(rest[0])
    : each.fabric ? "#/fabric/" + encodeURIComponent(each.fabric) : null;
}
