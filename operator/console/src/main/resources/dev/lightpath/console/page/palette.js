/** Colours after Okabe and Ito, which people with any colour vision tell apart; each goes with a letter or a shape. */

/** Of the holders of a fabric. Vermilion is for faults alone. */
const TENANTS = ["#4f9fe8", "#e69f00", "#2fb58a", "#cc79a7", "#b7a83c", "#7d8cff", "#8fc6f0", "#b98a5a"];

/** @param {number} index */
export function tenantColour(index) {
  return TENANTS[index % TENANTS.length];
}

/** A letter that goes with the colour. @param {number} index */
export function tenantLetter(index) {
  return index < 26 ? String.fromCharCode(65 + index) : String.fromCharCode(65 + (index % 26)) + Math.floor(index / 26);
}

/** @typedef {{namespace?: string, slice?: string, job?: string, attempt?: number, revision?: number, why?: string,
 *   ready?: import("./words.js").Condition}} Tenant */

/** @param {Tenant} tenant */
export function tenantName(tenant) {
  return tenant.job ? tenant.namespace + "/" + tenant.job : tenant.slice ? "static topology" : "a job that you may not see";
}

/** The colours of the page, for canvases. @param {Element} element */
export function theme(element) {
  const style = getComputedStyle(element);
  const of = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  return {
    ink: of("--ink"), dim: of("--dim"), faint: of("--faint"), line: of("--line"), back: of("--panel"), fault: of("--fault"),
    foreign: of("--foreign"), focus: of("--focus"), free: of("--free"), font: "12px system-ui, sans-serif",
  };
}
