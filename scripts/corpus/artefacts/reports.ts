import { artefactsOf } from "../artefact.ts";

const mocha = { mocha: "12.0.3" };
const jest = { jest: "30.5.2" };
const vitest = { vitest: "5.1.2", "@vitest/ui": "5.1.2", "@vitest/coverage-v8": "5.1.2", vite: "8.4.0" };

const vitestTest = `import { describe, expect, test } from "vitest";
import { priceOf, Queue } from "./src/parcel.ts";
describe("a parcel", () => {
  test("costs little", () => { console.log("weighed"); expect(priceOf({ id: "a", weight: 20 })).toBe(450); });
  test("costs much", () => expect(priceOf({ id: "a", weight: 20_000 })).toBe(1));
  test("waits", () => { const queue = new Queue(); queue.add({ id: "a", weight: 1 }); expect(queue.next()?.id).toBe("a"); });
});
`;
const playwrightTest = `import { test, expect } from "@playwright/test";
test("costs little", async () => { await test.step("weigh", async () => {}); expect(450).toBe(450); });
test("costs much", async ({}, info) => { await info.attach("note", { body: "heavy", contentType: "text/plain" }); expect(2000).toBe(1); });
`;

/** Writes a test's result as a file, like Allure's adapters. */
function allureResult(name: string, at: number, failure?: { message: string; trace: string }) {
  const status = failure === undefined ? "passed" : "failed";
  const start = 1_790_000_000_000;
  const inside = { attachments: [], parameters: [] };
  const uuid = `00000000-0000-4000-8000-00000000000${at}`;
  const result = {
    ...{ uuid, historyId: `h${at}`, fullName: `parcel.test.js: ${name}`, name, status, stage: "finished" },
    ...{ start: start + at * 100, stop: start + at * 100 + 50 },
    labels: [
      { name: "suite", value: "Parcels" },
      { name: "severity", value: "normal" },
    ],
    steps: [{ name: "send it", status, stage: "finished", start, stop: start + 10, steps: [], ...inside }],
    ...inside,
    links: [],
    statusDetails: failure,
  };
  return { [`allure-results/${uuid}-result.json`]: JSON.stringify(result) };
}

/** Test and coverage reports. */
export const reports = artefactsOf("report", {
  "istanbul-html": {
    packages: { nyc: "18.0.0", ...mocha },
    samples: ["scripts"],
    run: ["nyc --reporter=html --report-dir=out mocha parcel.test.js || true"],
    inner: "a:has-text('parcel.js')",
    click: "th.file, th[data-col=file]",
  },
  "istanbul-html-spa": {
    packages: { nyc: "18.0.0", ...mocha },
    samples: ["scripts"],
    run: ["nyc --reporter=html-spa --report-dir=out mocha parcel.test.js || true"],
    click: "text=Flat",
  },
  "c8-lcov-report": {
    packages: { c8: "12.0.0", ...mocha },
    samples: ["scripts"],
    run: ["c8 --reporter=lcov --reports-dir=cover mocha parcel.test.js || true", "mv cover/lcov-report out"],
    inner: "a:has-text('label.js')",
  },
  "vitest-html": {
    packages: vitest,
    samples: ["module"],
    files: { "parcel.test.ts": vitestTest },
    run: ["vitest run parcel.test.ts --reporter=html || true", "mv .vitest out"],
    click: "text=parcel.test.ts",
  },
  "vitest-coverage": {
    packages: vitest,
    samples: ["module"],
    files: { "parcel.test.ts": vitestTest },
    run: [
      "vitest run parcel.test.ts --coverage.enabled --coverage.reporter=html --coverage.reportOnFailure --coverage.reportsDirectory=out || true",
    ],
    inner: "a:has-text('parcel.ts')",
  },
  "playwright-report": {
    packages: { "@playwright/test": "1.65.1" },
    files: { "parcel.spec.ts": playwrightTest },
    run: [
      "PLAYWRIGHT_HTML_OUTPUT_DIR=out PLAYWRIGHT_HTML_OPEN=never playwright test --reporter=html || true",
    ],
    inner: "a:has-text('costs much')",
  },
  "playwright-trace": {
    packages: { "@playwright/test": "1.65.1" },
    files: {
      "parcel.spec.ts": `import { test, expect } from "@playwright/test";
test.use({ trace: "on" });
test("asks", async ({ request }) => { await request.get("http://127.0.0.1:9/").catch(() => {}); expect(1).toBe(1); });
`,
    },
    run: [
      "PLAYWRIGHT_HTML_OUTPUT_DIR=out PLAYWRIGHT_HTML_OPEN=never playwright test --reporter=html || true",
    ],
    inner: "a:has-text('asks')",
    click: "a[href*='trace/index.html']",
  },
  mochawesome: {
    packages: { mochawesome: "8.1.1", ...mocha },
    samples: ["scripts"],
    run: [
      "mocha parcel.test.js --reporter mochawesome --reporter-options reportDir=out,reportFilename=index,json=false || true",
    ],
    click: "text=knows how many wait",
  },
  "jest-html-reporters": {
    packages: { "jest-html-reporters": "3.1.7", ...jest },
    samples: ["scripts"],
    run: [
      `jest --reporters=jest-html-reporters || true`,
      "mkdir out && mv jest_html_reporters.html out/index.html && mv jest-html-reporters-attach out/ || true",
    ],
  },
  "jest-stare": {
    packages: { "jest-stare": "2.5.3", ...jest },
    samples: ["scripts"],
    run: ["jest --reporters=jest-stare || true", "mv jest-stare out"],
    click: "#lab-summary-chart, .nav-link",
  },
  "jest-html-reporter": {
    packages: { "jest-html-reporter": "4.4.2", ...jest },
    samples: ["scripts"],
    run: ["jest --reporters=jest-html-reporter || true", "mkdir out && mv test-report.html out/index.html"],
  },
  "cucumber-html": {
    packages: { "@cucumber/cucumber": "13.3.0" },
    files: {
      "features/parcels.feature":
        "Feature: Parcels\n  Scenario: A light parcel\n    Given a parcel of 20 g\n    Then it costs 450\n",
      "features/steps.cjs": `const { Given, Then } = require("@cucumber/cucumber"); Given("a parcel of {int} g", () => {}); Then("it costs {int}", (cents) => { if (cents !== 450) throw new Error("costs"); });`,
    },
    run: ["mkdir out && cucumber-js --import features/steps.cjs --format html:out/index.html || true"],
  },
  "allure-awesome": {
    packages: { allure: "3.18.0" },
    files: {
      ...allureResult("costs little", 0),
      ...allureResult("costs much", 1, { message: "expected 2000 to be 1", trace: "at parcel.test.js:9" }),
      ...allureResult("has a label", 2),
    },
    run: ["allure awesome --output out allure-results"],
    inner: "a:has-text('costs much'), [data-testid=tree-leaf]",
  },
  "eslint-html": {
    packages: { eslint: "10.15.0", "@eslint/js": "10.0.1" },
    samples: ["scripts"],
    files: {
      "eslint.config.mjs": `import js from "@eslint/js"; export default [js.configs.recommended, { rules: { "no-var": "error", "no-undef": "warn" } }];`,
    },
    run: ["mkdir out && eslint -f html -o out/index.html '*.js' || true"],
    click: "tr:has-text('[+]')",
  },
  lighthouse: {
    packages: { lighthouse: "13.5.0" },
    samples: ["results"],
    files: {
      "report.mjs": `import { readFileSync, writeFileSync } from "node:fs"; import { ReportGenerator } from "lighthouse/report/generator/report-generator.js"; writeFileSync("out/index.html", ReportGenerator.generateReport(JSON.parse(readFileSync("lighthouse.json", "utf8")), "html"));`,
    },
    run: ["mkdir out && node report.mjs"],
    click: ".lh-audit summary",
  },
  "jscpd-html": {
    packages: { jscpd: "4.3.0" },
    samples: ["scripts"],
    run: [
      "cp parcel.js copy.js && jscpd --min-lines 3 --min-tokens 10 --reporters html --output report . || true",
      "mv report/html out",
    ],
  },
  "dependency-cruiser": {
    packages: { "dependency-cruiser": "18.7.2" },
    samples: ["scripts"],
    run: ["mkdir out && depcruise --no-config --output-type err-html label.js parcel.js > out/index.html"],
  },
});
