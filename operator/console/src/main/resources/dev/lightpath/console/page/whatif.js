/** What `simulate-fault` says of one thing, asked for by a person. */
import { html, nothing } from "./vendor/lit-html/lit-html.js";
import { get } from "./api.js";

/** @type {Map<string, {lines?: string[], error?: string, asking: boolean, at: number}>} */
const answers = new Map();

/** @param {import("./main.js").Page} page @param {string} fault as TYPE/NAME */
export function whatIf(page, fault) {
  if (!page.session.can.includes("what-if")) {
    return html`<p class="dim">What would happen if ${fault} failed: <code>kubectl lightpath simulate-fault ${fault}</code></p>`;
  }
  const answer = answers.get(fault);
  const ask = async () => {
    answers.set(fault, { asking: true, at: Date.now() });
    page.update();
    try {
      const { lines } = await get("what-if?fault=" + encodeURIComponent(fault));
      answers.set(fault, { lines, asking: false, at: Date.now() });
    } catch (e) {
      answers.set(fault, { error: /** @type {Error} */ (e).message, asking: false, at: Date.now() });
    }
    page.update();
  };
  return html`<section class="what-if" aria-label=${"What if " + fault + " failed"}>
    <button @click=${ask} ?disabled=${answer?.asking}>What if ${fault} failed?</button>
    <div aria-live="polite">${answer?.asking ? html`<p class="dim">Simulating with the operator's own planner …</p>` : nothing}
    ${answer?.error ? html`<p class="alarm">${answer.error}</p>` : nothing}
    ${answer?.lines ? html`<pre tabindex="0">${answer.lines.join("\n")}</pre><p class="dim">Simulated at ${new Date(answer.at).toLocaleTimeString()}. Nothing was changed.</p>` : nothing}</div></section>`;
}
