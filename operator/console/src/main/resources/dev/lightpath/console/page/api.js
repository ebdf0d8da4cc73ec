/** How the page talks to its server: documents, one stream of changes, acts. */

const KEY = "lightpath-token";

/** What the server refused, in its own words. */
export class Refused extends Error {
  /** @param {number} status @param {string} line */
  constructor(status, line) {
    super(line);
    this.status = status;
  }
}

/** Takes the token out of the address, so that an address that is shared has none. */
export function takeToken() {
  const found = /^#token=([\w.~-]+)$/.exec(location.hash);
  if (found) {
    keepToken(found[1]);
    history.replaceState(null, "", location.pathname + "#/");
  }
}

/** For this tab only. @param {string} token */
export function keepToken(token) {
  sessionStorage.setItem(KEY, token);
}

export function forgetToken() {
  sessionStorage.removeItem(KEY);
}

/** @param {RequestInit} [more] @returns {RequestInit} */
function asked(more) {
  return { ...more, cache: "no-store", headers: { ...more?.headers, Authorization: "Bearer " + (sessionStorage.getItem(KEY) ?? "none") } };
}

/** @param {Response} answer */
async function checked(answer) {
  if (!answer.ok) {
    throw new Refused(answer.status, (await answer.text()).trim() || answer.statusText);
  }
  return answer;
}

/** @param {string} address below api/ @param {AbortSignal} [signal] */
export async function get(address, signal) {
  for (let again = 0; ; again++) {
    const answer = await fetch("api/" + address, asked({ signal }));
    if (answer.status !== 429 || again === 5) {
      return (await checked(answer)).json();
    }
    // others are being answered: it is a matter of milliseconds
    await new Promise((wake) => setTimeout(wake, 150 * (again + 1)));
  }
}

/** @param {string} address @param {object} body */
export async function post(address, body) {
  const answer = await fetch("api/" + address, asked({
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }));
  return (await checked(answer)).json();
}

/** Parts of an address, safe in a path. @param {...string} parts */
export function address(...parts) {
  return parts.map(encodeURIComponent).join("/");
}

/**
 * Follows the changes, and comes back when the connection is lost.
 *
 * @param {(what: string[]) => void} changed
 * @param {(state: "live" | "lost" | "refused", why?: string) => void} told
 */
export async function follow(changed, told) {
  let wait = 500;
  for (;;) {
    try {
      const answer = await checked(await fetch("api/live", asked({ headers: { Accept: "text/event-stream" } })));
      told("live");
      wait = 500;
      // what happened while nobody listened
      changed(["all"]);
      await read(/** @type {ReadableStream<Uint8Array>} */ (answer.body), changed);
      told("lost", "the server ended the connection");
    } catch (e) {
      if (e instanceof Refused && e.status === 401) {
        told("refused", e.message);
        return;
      }
      told("lost", e instanceof Refused ? e.message : "the server does not answer");
    }
    await new Promise((wake) => setTimeout(wake, wait));
    wait = Math.min(2 * wait, 5000);
  }
}

/** @param {ReadableStream<Uint8Array>} body @param {(what: string[]) => void} changed */
async function read(body, changed) {
  const reader = body.pipeThrough(/** @type {ReadableWritablePair<string, Uint8Array>} */ (/** @type {unknown} */ (new TextDecoderStream()))).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) {
      return;
    }
    const events = (rest + value).split("\n\n");
    rest = /** @type {string} */ (events.pop());
    for (const event of events) {
      const data = /^data: (.*)$/m.exec(event);
      if (data) {
        changed(JSON.parse(data[1]).what);
      }
    }
  }
}
