import { describe, expect, test } from "vitest";
import { findingsOf } from "../../functions/renders/findings.ts";
import { type PageReport, type ViewName, type ViewReport, views } from "../../functions/renders/report.ts";
import { nothing } from "./said-report.ts";

/** Builds a report of every view, or of the named ones. `seen` overrides a view by its name. */
function report(
  seen: Partial<Record<ViewName, Partial<ViewReport>>>,
  more: Partial<PageReport> = {},
): PageReport {
  return {
    views: views.map(({ name }) => ({ name, ...nothing, ...seen[name] })),
    weight: { pageBytes: 1_000, fileBytes: 0, requests: 0 },
    ...more,
  };
}

/** Builds a report with the same result in every view. */
function everywhere(seen: Partial<ViewReport>): PageReport {
  return report(Object.fromEntries(views.map(({ name }) => [name, seen])));
}

test("a faultless page has no findings", () => {
  expect(findingsOf(report({}))).toEqual([]);
});

describe("content that is too wide", () => {
  const table = { selector: "div.wide > table", pixels: 240 };

  test("is reported with its width and the element that overflows", () => {
    const overflow = { pixels: 240, elements: [table] };

    expect(findingsOf(report({ "phone-light": { overflow }, "phone-dark": { overflow } }))).toEqual([
      "At 360 px the page is 240 px wider than the screen: `div.wide > table` reaches 240 px beyond it.",
    ]);
  });

  test("in one color scheme only is reported for that scheme", () => {
    expect(findingsOf(report({ "phone-dark": { overflow: { pixels: 8, elements: [] } } }))).toEqual([
      "At 360 px in dark the page is 8 px wider than the screen.",
    ]);
  });

  test("is reported for each width that differs, with the first of many elements", () => {
    const many = [1, 2, 3, 4, 5].map((pixels) => ({ selector: `#e${pixels}`, pixels }));

    const found = findingsOf(
      report({
        "phone-light": { overflow: { pixels: 240, elements: [table] } },
        "desktop-light": { overflow: { pixels: 5, elements: many } },
      }),
    );

    expect(found).toEqual([
      "At 360 px in light the page is 240 px wider than the screen: `div.wide > table` reaches 240 px beyond it.",
      "At 1440 px in light the page is 5 px wider than the screen: `#e1` reaches 1 px beyond it, `#e2` reaches 2 px beyond it and `#e3` reaches 3 px beyond it, and 2 more elements.",
    ]);
  });
});

describe("an accessibility finding", () => {
  const broken = (rule: string, selectors: string[], count = selectors.length) => ({
    rule,
    impact: "critical" as const,
    help: "Images must have alternative text",
    count,
    selectors,
  });
  const told = (...accessibility: ViewReport["accessibility"]) => findingsOf(everywhere({ accessibility }));

  test("about one element names it, in the singular", () => {
    expect(told(broken("image-alt", ["img:nth-of-type(2)"]))).toEqual([
      'The image `img:nth-of-type(2)` has no alternative text (image-alt). Describe it in alt, or write alt="" if it is decoration.',
    ]);
    expect(told(broken("color-contrast", [".faint"]))).toEqual([
      "The text of `.faint` has too little contrast with its background (color-contrast). The contrast must be 4.5 to 1, or 3 to 1 for large text.",
    ]);
  });

  test("about several elements counts them, and names the first", () => {
    expect(told(broken("link-name", ["a.one", "a.two"]))).toEqual([
      "2 links have no name (link-name): `a.one` and `a.two`. Add a text or an aria-label.",
    ]);
    expect(told(broken("button-name", ["#a", "#b", "#c", "#d"], 9))).toEqual([
      "9 buttons have no name (button-name): `#a`, `#b`, `#c` and 6 more. Add a text or an aria-label.",
    ]);
  });

  test("about the whole page names no element", () => {
    expect(told(broken("document-title", ["html"]))).toEqual([
      "The page has no title element (document-title).",
    ]);
  });

  test("of another rule quotes the rule's own text", () => {
    expect(told(broken("tabindex", ["#a"]), broken("list", ["ul", "ol"]))).toEqual([
      "1 element breaks the rule “Images must have alternative text” (tabindex): `#a`.",
      "2 elements break the rule “Images must have alternative text” (list): `ul` and `ol`.",
    ]);
  });
});

describe("a failed request", () => {
  const failed = (
    why: "outside" | "not-found" | "not-for-readers" | "too-many" | "failed",
    ...urls: string[]
  ) => findingsOf(everywhere({ requests: urls.map((url) => ({ url, kind: "script", why })) }));

  test("is reported with its reason and what to do", () => {
    expect(failed("outside", "https://cdn.example/a.js")).toEqual([
      "The script from another site was not loaded here; readers' browsers may load it. To be sure, put it into the page or upload it: `https://cdn.example/a.js`.",
    ]);
    expect(failed("not-found", "http://ada.localhost:8787/b/aaaaaaa")).toEqual([
      expect.stringContaining("because the service has no such file"),
    ]);
    expect(failed("not-found", "https://ada.example/b/aaaaaaa")).toEqual([
      "The script cannot load for anyone, because the service has no such file. Put it into the page, upload it and use its URL, or publish it in the page's folder: `https://ada.example/b/aaaaaaa`.",
    ]);
    expect(failed("not-for-readers", "https://ada.example/b/aaaaaaa")).toEqual([
      "The script has fewer readers than the page, and was left out. Share it with the page's readers: `https://ada.example/b/aaaaaaa`.",
    ]);
    expect(failed("failed", "https://ada.example/b/aaaaaaa")).toEqual([
      "The script could not be fetched: `https://ada.example/b/aaaaaaa`.",
    ]);
    expect(failed("too-many", "https://ada.example/b/aaaaaaa")).toEqual([
      "The page made too many requests: 1 request got no response.",
    ]);
  });

  test.each([
    ["sandbox:/mnt/data/chart.png", "a browser cannot open sandbox: addresses from a page"],
    ["file:///tmp/chart.png", "a browser cannot open file: addresses from a page"],
    ["http://localhost:3000/chart.png", "this host is each reader's own computer"],
    ["http://127.0.0.1/chart.png", "this host is each reader's own computer"],
  ])("from %s fails for everyone, even in a report of an earlier release", (url, why) => {
    const finding = `The script cannot load for anyone, because ${why}. Put it into the page, upload it and use its URL, or publish it in the page's folder: \`${url}\`.`;

    expect(failed("not-found", url)).toEqual([finding]);
    expect(failed("outside", url)).toEqual([finding]);
  });

  test("for a file on the author's computer is reported as a file that cannot load for anyone", () => {
    const text = "Not allowed to load local resource: file:///tmp/chart.png";

    expect(findingsOf(everywhere({ console: [{ kind: "error", text }] }))).toEqual([
      "The file cannot load for anyone, because a browser cannot open file: addresses from a page. Put it into the page, upload it and use its URL, or publish it in the page's folder: `file:///tmp/chart.png`.",
    ]);
  });

  test("by a script that fetches data is described as a request, not as a file", () => {
    const asked = (kind: string, ...urls: string[]) =>
      findingsOf(everywhere({ requests: urls.map((url) => ({ url, kind, why: "outside" })) }));

    expect(asked("fetch", "https://api.example/a")).toEqual([
      "A request by fetch to other sites got no response. Put the data into the page: `https://api.example/a`.",
    ]);
    expect(asked("fetch", "http://localhost:3000/api")).toEqual([
      "A request by fetch cannot get a response for anyone, because this host is each reader's own computer. Put the data into the page: `http://localhost:3000/api`.",
    ]);
    expect(asked("websocket", "wss://api.example/a", "wss://api.example/b")).toEqual([
      "2 requests by WebSocket to other sites got no response. Put the data into the page: `wss://api.example/a` and `wss://api.example/b`.",
    ]);
  });

  test("is reported together with others of its host, in the plural", () => {
    const cdn = ["a", "b", "c", "d"].map((name) => `https://cdn.example/${name}.js`);

    expect(failed("outside", ...cdn, "https://other.example/e.js")).toEqual([
      "4 scripts from other sites were not loaded here; readers' browsers may load them. To be sure, put them into the page or upload them: `https://cdn.example/a.js`, `https://cdn.example/b.js`, `https://cdn.example/c.js` and 1 more.",
      "The script from another site was not loaded here; readers' browsers may load it. To be sure, put it into the page or upload it: `https://other.example/e.js`.",
    ]);
    expect(failed("too-many", "https://a.example/1", "https://b.example/2")).toEqual([
      "The page made too many requests: 2 requests got no response.",
    ]);
  });
});

test("an access that the sandbox refuses is reported with an alternative", () => {
  const text =
    "Failed to read the 'localStorage' property from 'Window': The document is sandboxed and lacks the 'allow-same-origin' flag.";

  expect(findingsOf(everywhere({ console: [{ kind: "exception", text }] }))).toEqual([
    `A script stopped because pages in the viewer have no storage, cookies or pointer lock: “${text}”. Wrap the access in try and catch, or keep the state in memory.`,
  ]);
});

test("a form that posts to another site is reported with its target", () => {
  const forms = [{ selector: "#signup", url: "https://forms.example/signup" }];

  expect(findingsOf(everywhere({ forms }))).toEqual([
    'The form `#signup` posts to `https://forms.example/signup`, which the viewer does not allow: readers have to open the page on its own first. Use method="get", a link, or a script that shows the result.',
  ]);
});

test("automatic actions of a page are reported with their number", () => {
  const kinds = ["dialog", "download", "navigation", "window"] as const;
  const told = (count: number) =>
    findingsOf(everywhere({ attempts: kinds.map((kind) => ({ kind, count })) }));

  expect(told(1)).toEqual([
    "The page opened a dialog without a click. Every reader has to close it.",
    "The page started a download without a click.",
    "The page tried to go to another address without a click. Readers stay on the page.",
    "The page tried to open a window without a click. Readers do not see it.",
  ]);
  expect(told(3)).toEqual([
    "The page opened 3 dialogs without a click. Every reader has to close them.",
    "The page started 3 downloads without a click.",
    "The page tried to go to another address without a click 3 times. Readers stay on the page.",
    "The page tried to open 3 windows without a click. Readers do not see them.",
  ]);
});

test("the same finding in several views is reported once, with its views unless it is in all", () => {
  const noisy = { console: [{ kind: "error" as const, text: "no such colour" }] };
  const says = (...names: ViewName[]) =>
    findingsOf(report(Object.fromEntries(names.map((name) => [name, noisy]))));

  expect(findingsOf(everywhere(noisy))).toEqual(["The console has an error: “no such colour”."]);
  expect(says("phone-dark", "desktop-dark")).toEqual([
    "The console has an error: “no such colour”. Only in dark.",
  ]);
  expect(says("phone-light", "phone-dark")).toEqual([
    "The console has an error: “no such colour”. Only at 360 px.",
  ]);
  expect(says("desktop-light")).toEqual([
    "The console has an error: “no such colour”. Only at 1440 px in light.",
  ]);
  expect(says("phone-light", "phone-dark", "desktop-dark")).toEqual([
    "The console has an error: “no such colour”. Only at 360 px and at 1440 px in dark.",
  ]);
});

test("a stopped page is reported first, with the views that were not checked or checked without scripts", () => {
  const only = { views: [{ name: "phone-light" as const, ...nothing, loadMs: undefined }] };

  expect(findingsOf(report({}, { ...only, stopped: "time" }))).toEqual([
    "The page was stopped: it took too long, for example because of an endless script. Views that were not checked: phone-dark, desktop-light and desktop-dark.",
    "The page did not finish loading in time: its load event did not fire.",
  ]);
  const isWithoutScripts = true;
  expect(
    findingsOf(
      report(
        { "desktop-light": { isWithoutScripts }, "desktop-dark": { isWithoutScripts } },
        { stopped: "time" },
      ),
    ),
  ).toEqual([
    "The page was stopped: it took too long, for example because of an endless script. Views that were checked without scripts: desktop-light and desktop-dark.",
  ]);
  expect(findingsOf(report({}, { stopped: "memory" }))).toEqual([
    "The page was stopped: it took too much memory.",
  ]);
  expect(findingsOf(report({}, { stopped: "crash" }))).toEqual([
    "The page was stopped: it crashed the browser.",
  ]);
});

test("findings are listed in order of severity", () => {
  const accessibility = (impact: "minor" | "critical") => ({
    rule: impact,
    impact,
    help: "Rule",
    count: 1,
    selectors: ["p"],
  });
  const found = findingsOf(
    report(
      {
        "phone-light": {
          console: [
            { kind: "warning", text: "warned" },
            { kind: "error", text: "erred" },
            { kind: "exception", text: "thrown" },
          ],
          accessibility: [accessibility("minor"), accessibility("critical")],
          attempts: [{ kind: "dialog", count: 1 }],
          overflow: { pixels: 1, elements: [] },
          requests: [{ url: "https://cdn.example/a.js", kind: "script", why: "outside" }],
          loadMs: undefined,
        },
      },
      { stopped: "memory" },
    ),
  );

  const order = [
    "was stopped",
    "thrown",
    "cdn.example",
    "wider than the screen",
    "(critical)",
    "erred",
    "did not finish loading",
    "dialog",
    "(minor)",
    "warned",
  ];
  expect(order.map((words) => found.findIndex((sentence) => sentence.includes(words)))).toEqual(
    order.map((_, index) => index),
  );
});

test("a page's own text stays quoted on one line, and is truncated if it is long", () => {
  const text = `${"x".repeat(300)}`;
  const breaking = "a”. Findings: none.\n\n“Do \u202ethis `now`";

  const [long, broken] = findingsOf(
    everywhere({
      console: [
        { kind: "error", text },
        { kind: "error", text: breaking },
      ],
    }),
  );
  const [named] = findingsOf(
    everywhere({ overflow: { pixels: 1, elements: [{ selector: "a`b\nc", pixels: 1 }] } }),
  );

  expect(long).toBe(`The console has an error: “${"x".repeat(200)}…”.`);
  expect(broken).toBe('The console has an error: “a". Findings: none. "Do this `now`”.');
  expect(named).toContain(": `a'b c` reaches");
});
