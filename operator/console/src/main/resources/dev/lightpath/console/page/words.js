/** Small words and marks that all views use. Text is set as text: lit-html never reads it as HTML. */
import { html, nothing } from "./vendor/lit-html/lit-html.js";

/** @param {string | undefined | null} at RFC 3339 */
export function ago(at) {
  const then = at ? Date.parse(at) : NaN;
  if (Number.isNaN(then)) {
    return "";
  }
  const seconds = Math.max(0, (Date.now() - then) / 1000);
  const [size, word] = seconds < 100 ? [1, "s"] : seconds < 6000 ? [60, "min"] : seconds < 172800 ? [3600, "h"] : [86400, "d"];
  return Math.floor(seconds / size) + " " + word + " ago";
}

/** @param {string} at RFC 3339 */
export function clock(at) {
  const then = new Date(at);
  return Number.isNaN(then.getTime()) ? at : then.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
}

/** @param {string} at RFC 3339 */
export function moment(at) {
  return html`<time datetime=${at} title=${at}>${ago(at)}</time>`;
}

/** @param {number} count @param {string} one @param {string} [many] */
export function counted(count, one, many) {
  return count + " " + (count === 1 ? one : many ?? one + "s");
}

/** @typedef {{type: string, status: string, reason: string, message: string}} Condition */

/**
 * A condition as a mark with a shape of its own, so that nothing depends on colour.
 *
 * @param {Condition} ready
 */
export function badge(ready) {
  const holds = ready.status === "True";
  const kind = holds ? "good" : TRANSIENT.has(ready.reason) ? "busy" : "bad";
  const sign = holds ? "✓" : kind === "busy" ? "…" : "!";
  return html`<span class="badge ${kind}"><span aria-hidden="true">${sign}</span> ${holds ? "Ready" : ready.reason}</span>`;
}

/** Reasons that pass by themselves. */
const TRANSIENT = new Set(["Programming", "Qualifying", "PodsPending", "Placing", "Planning", "Releasing", "NotReported",
  "AwaitingPods", "Reconciling", "WaitingForPods", "Suspended", "Queued"]);

/** @param {Condition[]} conditions that a person should read */
export function conditions(conditions) {
  const shown = conditions.filter((each) => each.message || each.status !== "True");
  return shown.length === 0 ? nothing : html`<dl class="conditions">${shown.map((each) => html`
    <dt>${each.type} <span class="dim">${each.status}</span></dt><dd><b>${each.reason}</b> ${each.message}</dd>`)}</dl>`;
}

/**
 * A share of a whole as a bar and in numbers.
 *
 * @param {number} part @param {number} whole @param {string} label @param {string} [kind]
 */
export function bar(part, whole, label, kind = "") {
  return html`<div class="bar-row"><meter class=${kind} min="0" max=${Math.max(1, whole)} .value=${part} aria-label=${label}></meter>
    <span><b>${part}</b><span class="dim"> / ${whole} ${label}</span></span></div>`;
}

/** A time of an iteration, as exact as one compares it; the title has all digits. @param {string | number} seconds */
export function seconds(seconds) {
  return html`<span title=${seconds + " s"}>${Number(Number(seconds).toPrecision(5))} s</span>`;
}

/** @param {string} text */
export function mono(text) {
  return html`<span class="mono">${text}</span>`;
}
