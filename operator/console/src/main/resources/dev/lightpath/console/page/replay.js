/** Shows the views as they were, at the moments that the console recorded. */
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { get } from "./api.js";
import { ago, clock } from "./words.js";

const STEP_MILLIS = 700;

/** What is recorded, the oldest first. @type {{since: string, moments: string[]}} */
let recorded = { since: "", moments: [] };
let timer = 0;

/** Reads which moments are recorded. @param {import("./main.js").Page} page */
export async function readMoments(page) {
  try {
    recorded = await get("moments");
    page.update();
  } catch {
    // the stream tells of a lost connection
  }
}

/** @param {import("./main.js").Page} page */
export function replayButton(page) {
  const begin = async () => {
    await readMoments(page);
    page.set("at", recorded.moments.at(-1) ?? "");
  };
  return html`<button class="theme" aria-pressed=${page.at ? "true" : "false"} @click=${page.at ? () => end(page) : begin}>Replay</button>`;
}

/** @param {import("./main.js").Page} page */
function end(page) {
  pause();
  page.set("at", "");
}

function pause() {
  clearInterval(timer);
  timer = 0;
}

/** @param {import("./main.js").Page} page */
export function replayBar(page) {
  if (!page.at) {
    pause();
    return nothing;
  }
  const last = recorded.moments.length - 1;
  const then = Date.parse(page.at);
  const index = recorded.moments.findLastIndex((each) => Date.parse(each) <= then);
  const go = (/** @type {number} */ to) => page.set("at", recorded.moments[Math.max(0, Math.min(last, to))] ?? page.at);
  const play = () => {
    if (timer) {
      pause();
      page.update();
      return;
    }
    let at = index >= last ? 0 : index + 1;
    go(at);
    timer = setInterval(() => {
      at++;
      if (at > last || !page.at) {
        pause();
        page.update();
      } else {
        go(at);
      }
    }, STEP_MILLIS);
  };
  return html`<div class="replay" role="group" aria-label="Replay">
    <b>As it was at <time datetime=${page.at}>${clock(page.at)}</time></b> <span class="dim">${ago(page.at)}${recorded.since ? ", recorded since " + clock(recorded.moments[0] ?? recorded.since) : ""}</span>
    <button @click=${() => go(index - 1)} ?disabled=${index <= 0} aria-label="Earlier">‹</button>
    <input type="range" min="0" max=${Math.max(0, last)} .value=${String(Math.max(0, index))} aria-label="Moment" aria-valuetext=${clock(page.at)}
      @input=${(/** @type {any} */ e) => { pause(); go(Number(e.target.value)); }}>
    <button @click=${() => go(index + 1)} ?disabled=${index >= last} aria-label="Later">›</button>
    <button @click=${play} ?disabled=${last < 1}>${timer ? "Pause" : "Play"}</button>
    <button class="primary" @click=${() => end(page)}>Back to now</button></div>`;
}
