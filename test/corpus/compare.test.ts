import { PNG } from "pngjs";
import { describe, expect, test } from "vitest";
import { compareVisits, findUnsteady } from "../../scripts/corpus/compare.ts";
import type { Look } from "../../scripts/corpus/look.ts";
import { type Visit, withoutAddresses } from "../../scripts/corpus/visit.ts";

const side = 100;

/** An observation of a white page whose first rows are black. */
function lookOf({ blackRows = 0, text = "Parcels", height = 800, isStill = true } = {}): Look {
  const png = new PNG({ width: side, height: side });
  png.data.fill(255);
  for (let at = 0; at < blackRows * side; at += 1) png.data.fill(0, at * 4, at * 4 + 3);
  return { picture: PNG.sync.write(png), isStill, text, size: [side, height] };
}

function visitOf(fields: Partial<Visit> = {}): Visit {
  return { looks: { open: lookOf() }, errors: [], failures: [], notices: [], problems: {}, ...fields };
}

describe("a comparison with the plain server", () => {
  test.each([
    ["no differences", visitOf(), "same", []],
    [
      "other pixels",
      visitOf({ looks: { open: lookOf({ blackRows: 1 }) } }),
      "style",
      ["open: picture 1.0 %"],
    ],
    [
      "another height below the visible part",
      visitOf({ looks: { open: lookOf({ height: 900 }) } }),
      "style",
      ["open: size 100×800 is 100×900"],
    ],
    [
      "a picture that shows something else",
      visitOf({ looks: { open: lookOf({ blackRows: 30 }) } }),
      "different",
      ["open: picture 30.0 %"],
    ],
    [
      "other text",
      visitOf({ looks: { open: lookOf({ text: "Parts" }) } }),
      "different",
      ['open: text "Parcels" is "Parts"'],
    ],
    [
      "an error in the console",
      visitOf({ errors: ["Uncaught one"] }),
      "different",
      ["console: Uncaught one"],
    ],
    [
      "a failed request",
      visitOf({ failures: [{ name: "app.js", reason: "404" }] }),
      "different",
      ["request: 404 app.js"],
    ],
    [
      "a step that fails",
      visitOf({ looks: {}, problems: { open: "no frame" } }),
      "different",
      ["open: no frame"],
    ],
  ] as const)("of a visit with %s", (_, seen, verdict, reasons) => {
    expect(compareVisits(visitOf(), seen)).toEqual({ verdict, reasons, notices: [] });
  });

  test("ignores failures that also occur on the plain server", () => {
    const truth = visitOf({ failures: [{ name: "map.js", reason: "404" }], errors: ["Uncaught one"] });
    const seen = visitOf({
      failures: [{ name: "map.js", reason: "net::ERR_BLOCKED_BY_ORB" }],
      errors: ["Uncaught one", "Refused to execute script from 'map.js'"],
    });

    expect(compareVisits(truth, seen).verdict).toBe("same");
  });

  test("ignores changes between visits of the plain server", () => {
    const truth = visitOf();
    const again = visitOf({ looks: { open: lookOf({ blackRows: 2, text: "Parcels at noon" }) } });
    const seen = visitOf({ looks: { open: lookOf({ blackRows: 4, text: "Parcels at one" }) } });

    expect(compareVisits(truth, seen).verdict).toBe("different");
    expect(compareVisits(truth, seen, findUnsteady(truth, again)).verdict).toBe("same");
  });

  test("ignores a picture that keeps moving on the plain server", () => {
    const truth = visitOf({ looks: { open: lookOf({ isStill: false }) } });
    const seen = visitOf({ looks: { open: lookOf({ blackRows: 9 }) } });

    expect(compareVisits(truth, seen).verdict).toBe("same");
  });
});

test.each([
  ["Refused http://x.localhost:1234/a/b.js?v=1", "Refused b.js"],
  ["at https://localh…q63g/assets/main.js:2:35", "at main.js:2:35"],
  ["Refused http://localhost:1234/", "Refused /"],
  ["Not allowed: blob:null/1234", "Not allowed: blob:"],
])("a console's text has no parts of URLs that differ between servers: %s", (text, expected) => {
  expect(withoutAddresses(text)).toBe(expected);
});
