/**
 * Script that a hostile page runs first. It defines `hostile`, whose functions return everything that the page can find out about an
 * address, as one string. The script runs in Chromium and Firefox.
 */
export const hostileScript = `(() => {
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const attempt = (read) => { try { return read(); } catch (error) { return error.name; } };
  const heard = [];
  addEventListener("message", ({ data, origin }) => heard.push({ data, origin }));

  /** Everything that the script can read of another window or frame. */
  const look = (view) => ({
    closed: attempt(() => view.closed),
    frames: attempt(() => view.length),
    address: attempt(() => view.location.href),
    name: attempt(() => view.name),
    opener: attempt(() => String(view.opener?.location.href)),
    text: attempt(() => view.document.documentElement.outerHTML),
    ...traces(view),
  });
  /** Everything that a window keeps of the addresses that it visited. */
  const traces = (view) => ({
    referrer: attempt(() => view.document.referrer),
    length: attempt(() => view.history.length),
    entries: attempt(() => view.navigation?.entries().map(({ url, id }) => url)),
    from: attempt(() => view.navigation?.activation?.from?.url),
    resources: attempt(() => view.performance.getEntries().map(summary)),
  });
  /** A performance entry without times and sizes: pages contain random words, and only part of a file that is not an image is read. */
  const summary = (entry) => ["name", "initiatorType", "redirectCount", "responseStatus", "contentType",
    "nextHopProtocol", "type"].map((field) => entry[field]);
  performance.setResourceTimingBufferSize(100_000);
  const measured = (address) => [...new Set(performance.getEntriesByName(address).map(summary).map(String))].sort();

  const requested = async (address, options) => {
    try {
      const answer = await fetch(address, { credentials: "include", ...options });
      return [answer.type, answer.status, answer.url, answer.redirected, [...answer.headers.keys()].filter((name) => name !== "age"), await answer.text()];
    } catch (error) {
      return error.name;
    }
  };
  const inElement = (name, attribute, address, more = {}) => new Promise((resolve) => {
    const element = Object.assign(document.createElement(name), more);
    const end = (event) => setTimeout(() => {
      resolve([event, attempt(() => element.naturalWidth), attempt(() => element.sheet?.cssRules.length),
        element.contentWindow && look(element.contentWindow), attempt(() => element.getSVGDocument?.()?.documentElement.outerHTML)]);
      element.remove();
    }, 30);
    element.onload = () => end("load");
    element.onerror = () => end("error");
    setTimeout(end, 10_000, "nothing");
    element[attribute] = address;
    document.body.append(element);
  });

  globalThis.hostile = {
    /** With requests of a script, and with elements that load images, scripts and styles. */
    requests: async (address) => JSON.stringify([
      await Promise.all((new URL(address).origin === origin
        ? [{ headers: { accept: "text/html", "sec-fetch-dest": "document", "sec-fetch-mode": "navigate" } }, { redirect: "manual" },
          { mode: "same-origin", cache: "only-if-cached" }]
        : [{ mode: "cors" }, { mode: "no-cors" }, { redirect: "manual" }]
      ).map((options) => requested(address, options))),
      await Promise.all([["img", "src"], ["script", "src"], ["link", "href", { rel: "stylesheet" }]]
        .map((part) => inElement(part[0], part[1], address, part[2]))),
      measured(address),
    ]),
    /** With frames. */
    frames: async (address) => JSON.stringify([
      await Promise.all([["iframe", "src"], ["object", "data"]].map((part) => inElement(part[0], part[1], address))),
    ]),
    /** With a window that it opens, watches, sends messages and navigates back to its own page, while it repeatedly sets cookies. */
    window: async (address, cookies, home) => {
      for (const cookie of cookies) document.cookie = cookie;
      let opened = null;
      // A browser opens only a few windows at a time.
      for (let tries = 0; !opened && tries < 40; tries += 1) {
        opened = open(address, "w" + Math.random());
        if (!opened) await pause(50);
      }
      if (!opened) return JSON.stringify("no window");
      const seen = new Set();
      // On a busy machine, a window becomes unreachable some time after its address does.
      const settledMs = (sight) => (sight.includes("SecurityError") ? 4_000 : 150);
      let changedAt = performance.now();
      let first;
      for (const end = changedAt + 15_000; performance.now() < end; await pause(20)) {
        const sight = JSON.stringify(look(opened));
        first ??= sight;
        if (!seen.has(sight)) changedAt = performance.now();
        seen.add(sight);
        attempt(() => { for (const message of ["ready", "selection", "quote", "kept"]) opened.postMessage({ dropleaf: message, text: "a" }, "*"); });
        for (const cookie of cookies) document.cookie = cookie;
        if (opened.closed) break;
        if (sight !== first && performance.now() - changedAt > settledMs(sight)) break;
      }
      const { closed, frames, address: place } = look(opened);
      if (!opened.closed) {
        attempt(() => { opened.location.href = home; });
        for (const end = performance.now() + 5_000; performance.now() < end && !opened.closed; await pause(20)) {
          if (attempt(() => opened.location.href === home && opened.document.readyState) === "complete") break;
        }
        seen.add(JSON.stringify(look(opened)));
      }
      attempt(() => opened.close());
      return JSON.stringify({ seen: [...seen].map((sight) => JSON.parse(sight)), end: { closed, frames, place } });
    },
    /** State of its own window after a navigation away and back. */
    standing: () => JSON.stringify([traces(window), heard]),
    /** With everything that sends a form without a click: requests, a frame and a window. */
    send: async (address, fields) => {
      const body = new URLSearchParams(fields);
      const parts = new FormData();
      for (const [name, value] of body) parts.append(name, value);
      const frame = Object.assign(document.createElement("iframe"), { name: "f" + Math.random() });
      document.body.append(frame);
      for (const target of [frame.name, "w" + Math.random()]) {
        const form = Object.assign(document.createElement("form"), { method: "post", action: address, target });
        for (const [name, value] of body) {
          const field = document.createElement("input");
          [field.name, field.value] = [name, value];
          form.append(field);
        }
        document.body.append(form);
        HTMLFormElement.prototype.submit.call(form);
      }
      return (await Promise.all([body, parts].map((one) => requested(address, { method: "POST", mode: "no-cors", body: one })))).length;
    },
  };
})()`;

/** Cookies with which a page tries to make its host refuse requests. */
export function cookieBombs(
  slug: string,
): Readonly<Record<"no" | "9 KB of" | "20 KB of", readonly string[]>> {
  const names = ["", "tries_"].map((kind) => `__Host-dl_${kind}${slug}`);
  const paths = ["p", "d"].map((first) => `/${first}/${slug}`);
  return {
    no: [],
    // A partitioned cookie of the same name is a separate cookie.
    "9 KB of": names.flatMap((name) =>
      ["", "; Partitioned"].map((more) => `${name}=${"x".repeat(3_900)}; Secure; Path=/${more}`),
    ),
    // On the drop's paths only, so that the hostile page still loads.
    "20 KB of": paths.flatMap((path) =>
      [1, 2, 3, 4, 5, 6].map((number) => `bomb${number}=${"x".repeat(4_000)}; Path=${path}`),
    ),
  };
}
