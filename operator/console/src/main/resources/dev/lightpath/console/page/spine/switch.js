/** One optical switch, port by port. */
import { html, nothing } from "../vendor/lit-html/lit-html.js";
import { address } from "../api.js";
import { actButtons } from "../acts.js";
import { tenantColour, tenantLetter, tenantName } from "../palette.js";
import { badge, conditions, counted, moment } from "../words.js";
import { whatIf } from "../whatif.js";

/** @type {Record<string, [string, string, string]>} */
const STATES = {
  LIT: ["●", "lit", "good"], DARK: ["○", "dark", "bad"], RECORDED: ["◐", "recorded", ""], FOREIGN: ["⬠", "foreign", "foreign"], FREE: ["·", "free", "dim"],
};

/** @param {string} name @returns {import("../main.js").View} */
export function switchView(name) {
  return { address: address("switch", name), kinds: ["fabrics", "switches", "slices", "light"], title: "Switch " + name, render };
}

/** @param {any} doc @param {import("../main.js").Page} page */
function render(doc, page) {
  const ready = doc.conditions.find((/** @type {any} */ each) => each.type === "Ready");
  const pod = page.params.get("pod") ?? "";
  const port = page.params.get("port") ?? "";
  const chosen = doc.wires.find((/** @type {any} */ each) => each.ingress === port);
  const shown = doc.wires.filter((/** @type {any} */ each) => !pod || each.pod === pod);
  const measured = doc.wires.some((/** @type {any} */ each) => each.powerDbm !== undefined || each.lossDb !== undefined);
  return html`
    <header class="title"><h1>${doc.name}</h1>${ready ? badge(ready) : nothing}${doc.drained ? html`<span class="badge">⊘ drained</span>` : nothing}
      <span class="dim">switch of <a href=${"#/" + address("spine", doc.fabric)}>${doc.fabric}</a>${doc.plane === undefined ? nothing : ", plane " + doc.plane}${doc.device ? ", " + [doc.device.vendor, doc.device.model, doc.device.firmware].filter(Boolean).join(" ") : nothing}</span>
      <span class="dim">${doc.readBack ? html`<span title=${"changed at " + doc.readBack}>as read back</span>` : "as recorded; what it shows is not known here"}</span>
      <span class="acts">${actButtons(page, "switch", doc.name, [doc.drained ? "undrain" : "drain", "clear"])}</span></header>
    ${ready && ready.status !== "True" ? html`<p class="alarm"><b>${ready.reason}</b> ${ready.message}</p>` : nothing}
    ${doc.faults.map((/** @type {any} */ fault) => html`<p class="alarm">△ ${fault.subject}: ${fault.reason}${fault.message ? ": " + fault.message : ""}${fault.quarantined ? ", quarantined" : ""}, ${moment(fault.since)}</p>`)}
    <div class="stage"><section class="grow"><div class="filters"><label>Pod <select @change=${(/** @type {any} */ e) => page.set("pod", e.target.value)}>
        <option value="" ?selected=${!pod}>all</option>${[...new Set(doc.wires.map((/** @type {any} */ each) => each.pod))].map((each) => html`<option value=${each} ?selected=${each === pod}>${each}</option>`)}</select></label>
        <span class="dim">${counted(shown.length, "port")}, ${shown.filter((/** @type {any} */ each) => each.state === "LIT").length} lit, ${shown.filter((/** @type {any} */ each) => each.state === "DARK").length} dark</span></div>
      <div class="scroll tall" tabindex="0" role="region" aria-label="Ports"><table><thead><tr><th scope="col">Port</th><th scope="col">Pod</th><th scope="col">State</th><th scope="col">Leads to</th><th scope="col">Holder</th>
        ${measured ? html`<th scope="col" class="number">Power</th><th scope="col" class="number">Loss</th>` : nothing}</tr></thead>
        <tbody>${shown.slice(0, 1000).map((/** @type {any} */ each) => row(each, doc, page, measured))}</tbody></table></div></section>
      <aside class="panel" aria-label="Details">${chosen ? html`<header class="title"><h2>Port ${chosen.ingress}</h2><button class="close" aria-label="Close" @click=${() => page.set("port", "")}>×</button></header>
          <dl class="facts"><dt>Pod</dt><dd>${chosen.pod}, port ${chosen.index}</dd><dt>Leaves by</dt><dd>${chosen.egress}</dd><dt>State</dt><dd>${STATES[chosen.state][1]}</dd>
            ${chosen.fault ? html`<dt>Fault</dt><dd class="bad">${chosen.fault}</dd>` : nothing}
            ${chosen.degrading ? html`<dt>Light</dt><dd>◔ ${chosen.degrading}</dd>` : nothing}</dl>${whatIf(page, "switch/" + doc.name + "/" + chosen.ingress)}`
        : html`${whatIf(page, "switch/" + doc.name)}<details open><summary>Conditions</summary>${conditions(doc.conditions)}</details>`}</aside></div>`;
}

/** @param {any} each @param {any} doc @param {import("../main.js").Page} page @param {boolean} measured */
function row(each, doc, page, measured) {
  const [sign, word, kind] = STATES[each.state];
  const tenant = each.tenant === undefined ? null : doc.tenants[each.tenant];
  return html`<tr class=${page.params.get("port") === each.ingress ? "chosen" : ""}><th scope="row"><button class="link" @click=${() => page.set("port", each.ingress)}>${each.ingress}${each.egress === each.ingress ? nothing : " / " + each.egress}</button></th>
    <td>${each.pod}<span class="dim"> ${each.index}</span></td>
    <td>${each.fault ? html`<span class="bad">△ ${each.fault}</span>` : html`<span class=${kind}><span aria-hidden="true">${sign}</span> ${word}</span>`}${each.reserved ? html` <span class="badge">spare</span>` : nothing}${each.degrading ? html` <span class="badge" title=${each.degrading}>◔ gets worse</span>` : nothing}</td>
    <td>${each.toPort ? html`${each.toPort} <span class="dim">${each.toPod ?? ""}</span>` : "–"}</td>
    <td>${tenant ? html`<svg width="12" height="12" viewBox="0 0 18 18" aria-hidden="true"><circle cx="9" cy="9" r="8" fill=${tenantColour(each.tenant)}></circle></svg> ${tenantLetter(each.tenant)} ${tenant.job ? html`<a href=${"#/" + address("job", tenant.namespace ?? "", tenant.job)}>${tenantName(tenant)}</a>` : tenantName(tenant)}` : "–"}</td>
    ${measured ? html`<td class="number">${each.powerDbm === undefined ? "–" : each.powerDbm.toFixed(1) + " dBm"}</td><td class="number">${each.lossDb === undefined ? "–" : each.lossDb.toFixed(2) + " dB"}</td>` : nothing}</tr>`;
}
