/** What a person may do, with what it will do and a confirmation. The server carries it out as the command line would. */
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { get, post } from "./api.js";

/** @type {Record<string, string>} */
const WORDS = { pause: "Pause", resume: "Resume", drain: "Drain", undrain: "Undrain", clear: "Clear faults", "force-release": "Force release" };

/** @typedef {{act: string, object: string, will?: string[], command?: string, done?: string[], error?: string, busy: boolean}} Asked */
/** @type {Asked | null} */
let asked = null;

/** @param {import("./main.js").Page} page @param {string} type @param {string} name @param {string[]} acts */
export function actButtons(page, type, name, acts) {
  if (!page.session.can.includes("acts")) {
    return nothing;
  }
  return acts.map((act) => html`<button class=${act === "force-release" ? "danger" : ""} @click=${() => ask(page, act, type + "/" + name)}>${WORDS[act]}</button>`);
}

/** @param {import("./main.js").Page} page @param {string} act @param {string} object */
async function ask(page, act, object) {
  /** @type {Asked} */
  const mine = { act, object, busy: true };
  asked = mine;
  page.update();
  try {
    Object.assign(mine, await get("acts?act=" + encodeURIComponent(act) + "&object=" + encodeURIComponent(object)));
  } catch (e) {
    Object.assign(mine, { error: /** @type {Error} */ (e).message });
  }
  mine.busy = false;
  page.update();
}

/** @param {import("./main.js").Page} page */
async function carryOut(page) {
  const mine = asked;
  if (!mine) {
    return;
  }
  mine.busy = true;
  page.update();
  try {
    const { lines } = await post("acts", { act: mine.act, object: mine.object });
    Object.assign(mine, { done: lines });
  } catch (e) {
    Object.assign(mine, { error: /** @type {Error} */ (e).message });
  }
  mine.busy = false;
  page.update();
}

/** @param {import("./main.js").Page} page */
export function actDialog(page) {
  const close = () => { asked = null; page.update(); };
  return html`<dialog aria-labelledby="act" @cancel=${close}>${asked ? html`
    <h2 id="act">${WORDS[asked.act]} ${asked.object}?</h2>
    ${asked.will ? html`<ul>${asked.will.map((line) => html`<li>${line}</li>`)}</ul>` : nothing}
    ${asked.command ? html`<p class="dim">The same as <code>${asked.command}</code></p>` : nothing}
    <div aria-live="assertive">${asked.error ? html`<p class="alarm">${asked.error}</p>` : nothing}
      ${asked.done ? asked.done.map((line) => html`<p class="calm">✓ ${line}</p>`) : nothing}</div>
    <footer>${asked.done || asked.error
      ? html`<button class="primary" @click=${close}>Close</button>`
      : html`<button @click=${close}>Leave it as it is</button>
        <button class="primary ${asked.act === "force-release" ? "danger" : ""}" ?disabled=${asked.busy || !asked.will} @click=${() => carryOut(page)}>${WORDS[asked.act]}</button>`}</footer>` : nothing}</dialog>`;
}

/** Opens or closes the dialog after it was rendered. @param {Element} root */
export function showDialog(root) {
  const dialog = root.querySelector("dialog");
  if (dialog && asked && !dialog.open) {
    dialog.showModal();
  } else if (dialog && !asked && dialog.open) {
    dialog.close();
  }
}
