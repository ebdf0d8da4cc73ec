/** The frame of the console: addresses, the view they name, and what keeps it up to date. */
import { html, nothing, render } from "./vendor/lit-html/lit-html.js";
import { actDialog, showDialog } from "./acts.js";
import { Refused, follow, forgetToken, get, keepToken, takeToken } from "./api.js";
import { jobView } from "./job.js";
import { fabricHref, overview } from "./overview.js";
import { readMoments, replayBar, replayButton } from "./replay.js";
import { ringView } from "./ring/view.js";
import { spineView } from "./spine/view.js";
import { switchView } from "./spine/switch.js";
import { timelineView } from "./timeline.js";

/**
 * @typedef {object} Page what a view may know and do
 * @property {{where: string, who: string, can: string[]}} session
 * @property {URLSearchParams} params of the address
 * @property {string} at moment that is shown, RFC 3339; empty for now
 * @property {() => void} update renders anew
 * @property {(key: string, value: string) => void} set changes a parameter of the address
 */
/**
 * @typedef {object} View
 * @property {string} address of its document, below api/
 * @property {string} [also] address of a second document
 * @property {string[]} kinds of changes that concern it
 * @property {string} title
 * @property {boolean} [wide] whether it takes the whole window
 * @property {boolean} [always] whether its document is the same for each moment
 * @property {(doc: any, page: Page, also: any) => unknown} render
 * @property {(root: Element, doc: any, page: Page) => void} [painted] after it was rendered
 * @property {() => void} [closed]
 */

const root = /** @type {HTMLElement} */ (document.getElementById("console"));
const session = { where: "", who: "", can: /** @type {string[]} */ ([]) };
/** @type {any} */
let glance = null;
/** @type {View} */
let view = overview();
let path = "";
/** @type {any} */
let doc = null;
/** @type {any} */
let also = null;
let problem = "";
let signedOut = "";
let connection = { state: "lost", why: "connecting" };
let params = new URLSearchParams();
let loading = 0;
let pending = false;
/** Whether the stream of changes was opened, or could not be: what is read before, is read again then. */
let opened = false;

/** @type {Page} */
const page = {
  // the past cannot be acted on, and is not simulated
  get session() {
    return page.at ? { ...session, can: [] } : session;
  },
  get params() {
    return params;
  },
  get at() {
    return params.get("at") ?? "";
  },
  update,
  set(key, value) {
    value ? params.set(key, value) : params.delete(key);
    showAddress();
    if (key === "at") {
      load();
    }
    update();
  },
};

function showAddress() {
  const query = params.toString();
  history.replaceState(null, "", "#/" + path + (query ? "?" + query : ""));
}

/** @param {string} path @returns {View | null} */
function named(path) {
  const parts = path.split("/").map(decodeURIComponent);
  switch (parts[0] + "/" + parts.length) {
    case "/1": return overview();
    case "ring/2": return ringView(parts[1]);
    case "spine/2": return spineView(parts[1]);
    case "switch/2": return switchView(parts[1]);
    case "job/3": return jobView(parts[1], parts[2]);
    case "timeline/1": return timelineView();
    default: return null;
  }
}

function route() {
  const [where, query] = location.hash.replace(/^#\/?/, "").split("?");
  const before = path;
  const at = page.at;
  path = where ?? "";
  params = new URLSearchParams(query ?? "");
  if (at && !page.at) {
    // who looks at the past goes on from view to view there
    params.set("at", at);
    showAddress();
  }
  const fabric = /^fabric\/(.+)$/.exec(path);
  if (fabric) {
    const known = glance?.fabrics.find((/** @type {any} */ each) => each.name === decodeURIComponent(fabric[1]));
    location.replace(known ? fabricHref(known) + (query ? "?" + query : "") : "#/");
    return;
  }
  if (path !== before || !doc) {
    view.closed?.();
    let found = null;
    try {
      found = named(path);
    } catch {
      // a percent sign that stands for nothing
    }
    view = found ?? overview();
    problem = found ? "" : "There is no page " + path + ".";
    doc = null;
    also = null;
    document.title = view.title + " · Lightpath";
    load();
    root.querySelector("main")?.scrollTo(0, 0);
  } else if (page.at !== at) {
    load();
  }
  if (page.at && page.at !== at) {
    readMoments(page);
  }
  update();
}

/** Reads the document of the view; while it is being read, one more reading is remembered. */
async function load() {
  if (!opened) {
    return;
  }
  if (loading > 0) {
    pending = true;
    return;
  }
  const of = view;
  const at = page.at;
  const then = at ? "?at=" + encodeURIComponent(at) : "";
  loading++;
  try {
    const [first, second] = await Promise.all([get(of.address + (of.always ? "" : then)), of.also ? get(of.also + then) : null]);
    if (of === view && at === page.at) {
      doc = first;
      also = second;
      problem = problem.startsWith("There is no page") ? problem : "";
      if (of.address === "overview" && !at) {
        glance = first;
      }
    }
  } catch (e) {
    if (of === view) {
      if (e instanceof Refused && e.status === 401) {
        signedOut = e.message;
      } else if (e instanceof Refused) {
        problem = e.message;
        doc = e.status === 404 ? null : doc;
      } else if (!(e instanceof TypeError)) {
        // a lost connection is a TypeError, and told of by the stream
        problem = "The server's answer cannot be read: " + /** @type {Error} */ (e).message;
      }
    }
  } finally {
    loading--;
  }
  update();
  if (pending || of !== view || at !== page.at) {
    pending = false;
    load();
  }
}

async function refreshGlance() {
  if (view.address !== "overview" || page.at) {
    try {
      glance = await get("overview");
      update();
    } catch {
      // the stream tells of a lost connection
    }
  }
}

let scheduled = false;

function update() {
  if (!scheduled) {
    scheduled = true;
    queueMicrotask(() => {
      scheduled = false;
      paint();
    });
  }
}

function paint() {
  if (signedOut) {
    render(signIn(), root);
    return;
  }
  render(html`
    <a class="skip" href="#main" @click=${(/** @type {Event} */ e) => { e.preventDefault(); root.querySelector("main")?.focus(); }}>Skip to content</a>
    <header class="frame"><a class="brand" href="#/"><svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true"><circle cx="16" cy="16" r="11" class="brand-ring"></circle><circle cx="16" cy="5" r="4" fill="#e69f00"></circle><circle cx="6.5" cy="21.5" r="4" fill="#2fb58a"></circle><circle cx="25.5" cy="21.5" r="4" fill="#4f9fe8"></circle></svg>Lightpath</a>
      <span class="where dim" title=${session.who}>${session.where}</span>
      ${session.can.includes("acts") ? nothing : html`<span class="badge">read only</span>`}
      <span class=${"connection " + connection.state} role="status"><span aria-hidden="true">${connection.state === "live" ? "●" : "○"}</span> ${connection.state === "live" ? "live" : "connection lost"}</span>
      ${replayButton(page)}
      <button class="theme" @click=${toggleTheme} aria-label="Dark or light">◐</button></header>
    ${connection.state === "live" ? nothing : html`<p class="lost" role="alert">${connection.why}. What is shown may be old; trying again …</p>`}
    <nav aria-label="Views">${link("#/", "Overview")}${(glance?.fabrics ?? []).map((/** @type {any} */ fabric) => link(fabricHref(fabric), fabric.name, fabric.ready?.status === "True" ? "" : "!"))}
      ${link("#/timeline", "Timeline")}</nav>
    <main id="main" tabindex="-1" class=${view.wide ? "wide" : ""}>
      ${replayBar(page)}
      ${problem && !doc ? html`<h1>${view.title}</h1>` : nothing}
      ${problem ? html`<p class="alarm" role="alert">${problem}</p>` : nothing}
      ${doc ? view.render(doc, page, also) : problem ? nothing : html`<p class="dim" aria-busy="true">Reading …</p>`}</main>
    ${actDialog(page)}`, root);
  if (doc) {
    view.painted?.(root, doc, page);
  }
  showDialog(root);
}

/** @param {string} href @param {string} name @param {string} [mark] */
function link(href, name, mark = "") {
  const here = ("#/" + path) === href;
  return html`<a href=${href} aria-current=${here ? "page" : "false"}>${name}${mark ? html` <span class="bad" title="not ready">${mark}</span>` : nothing}</a>`;
}

function signIn() {
  const enter = (/** @type {SubmitEvent} */ e) => {
    e.preventDefault();
    const field = /** @type {HTMLInputElement} */ (root.querySelector("#token"));
    keepToken(field.value.trim());
    field.value = "";
    signedOut = "";
    begin();
  };
  return html`<main class="sign-in" id="main"><h1>Lightpath</h1>
    <p>This console shows what your own rights in the cluster allow, and needs a token to know you.</p>
    <form @submit=${enter}><label for="token">Token</label><input id="token" type="password" autocomplete="off" spellcheck="false" required>
      <button class="primary">Open</button></form>
    <p class="alarm" role="alert">${signedOut}</p>
    <p class="dim">From <code>kubectl lightpath console</code> open the address that it prints. With the operator's console use a token of
      the cluster: <code>kubectl create token NAME</code>. It stays in this tab and is sent to this server alone.</p></main>`;
}

function toggleTheme() {
  const dark = document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  setTheme(dark ? "light" : "dark");
  localStorage.setItem("lightpath-theme", dark ? "light" : "dark");
  update();
}

/** @param {string | null} theme */
function setTheme(theme) {
  if (theme === "dark" || theme === "light") {
    document.documentElement.dataset.theme = theme;
  }
}

async function begin() {
  try {
    Object.assign(session, await get("session"));
  } catch (e) {
    if (e instanceof Refused && (e.status === 401 || e.status === 403)) {
      signedOut = e.message;
      forgetToken();
      update();
      return;
    }
    connection = { state: "lost", why: "the server does not answer" };
    update();
    setTimeout(begin, 2000);
    return;
  }
  route();
  follow((what) => {
    const all = what.includes("all");
    opened = true;
    if (page.at) {
      readMoments(page);
    }
    if (page.at && !view.always ? all && !doc : all || what.some((kind) => view.kinds.includes(kind))) {
      load();
    }
    if (all || what.includes("fabrics")) {
      refreshGlance();
    }
  }, (state, why) => {
    connection = { state, why: why ?? "" };
    if (state === "lost" && !opened) {
      opened = true;
      load();
    }
    if (state === "refused") {
      signedOut = why ?? "";
      forgetToken();
    }
    update();
  });
}

setTheme(localStorage.getItem("lightpath-theme"));
takeToken();
addEventListener("hashchange", () => {
  if (/^#token=/.test(location.hash)) {
    takeToken();
    signedOut = "";
    begin();
  } else if (session.where) {
    route();
  }
});
// ages in words grow by themselves
setInterval(update, 10_000);
begin();
