import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { bundleEdgeFunction } from "../../../lib/edge/bundle-edge-function.ts";
import { edgeLanguageFaults } from "../../../lib/edge/edge-language.ts";

let directory = "";
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "dropleaf-edge-function-"));
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Bundles a function with the statement. Types precede it, so that its line differs from its line in the bundle. */
function bundle(statement: string, before = ""): string {
  const file = join(directory, "function.ts");
  writeFileSync(
    file,
    `${before}interface Seen { readonly value: string }
async function answer(): Promise<number> { return 1; }
// biome-ignore lint: a test
function handler(event: { a?: Seen; list: string[] }): object {
  const a: Seen = { value: "a" };
  ${statement}
  return event;
}`,
  );
  return bundleEdgeFunction(file, {});
}

// CloudFront developer guide, "JavaScript runtime 2.0 features for CloudFront Functions".
describe("the bundler refuses syntax outside the documented runtime, with its position:", () => {
  test.each([
    ["const { value } = a;", "destructuring"],
    ["const [first] = event.list;", "destructuring"],
    ["event.list.forEach(({ length }) => length);", "destructuring"],
    ["(function ({ value }) { return value; })(a);", "destructuring"],
    ["({ value: a.value } = a);", "destructuring"],
    ["for (const one of event.list) one;", "for-of"],
    ["Math.max(...[1, 2]);", "spread"],
    ["const b = { ...a };", "spread"],
    ["const b = [...event.list];", "spread"],
    ["event.a?.value;", "optional chaining"],
    ["event.a?.value.length;", "optional chaining"],
    ["event.a ?? a;", "nullish coalescing operators"],
    ["event.a ??= a;", "logical assignment operators"],
    ["event.a ||= a;", "logical assignment operators"],
    ["event.a &&= a;", "logical assignment operators"],
    ["let b = 2; b **= 2;", "the operator **="],
    ["class Page {}", "class declarations"],
    ["const Page = class {};", "class declarations"],
    ["function add(b = 1) { return b; }", "default parameters"],
    ["((b = 1) => b)();", "default parameters"],
    ["try { a; } catch { event; }", "optional 'catch' binding"],
    ["function* all() {}", "generator function declarations"],
    ["(function* () {})();", "generator function declarations"],
    ["async function inner() {}", "an async function must not be inside another function"],
    ["const inner = async () => 1;", "an async function must be a declaration"],
    ["const inner = async function () {};", "an async function must be a declaration"],
    ["String.raw`a`;", "a tagged template"],
    ["debugger;", "a debugger statement"],
    ["new.target;", "new.target"],
    ["const b = 1n;", "BigInt is forbidden"],
    ["/a/s.test(a.value);", "RegExp 's' flag"],
    ["/a/u.test(a.value);", "RegExp 'u' flag"],
    ["/(?<=a)b/.test(a.value);", "lookbehind assertions"],
    ["/(?<!a)b/.test(a.value);", "lookbehind assertions"],
    ["const b = { [a.value]: 1 };", "object[name] = value"],
    ["const b = { get() { return 1; } };", "name: function () {}"],
    ["console.log(a, event);", "console.log accepts one value"],
    ["Object.create(a, {});", "Object.create accepts no property descriptors"],
    ['require("fs");', "require() loads only crypto and querystring"],
    ['import("crypto");', "import()"],
  ])("%s", (statement, construct) => {
    const escaped = construct.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

    expect(() => bundle(statement)).toThrow(new RegExp(`function\\.ts:6:\\d+: .*${escaped}`));
  });

  test("an await in an argument, which njs refuses too", () => {
    const statement = "return event; } async function late(event: object) { return Math.abs(await answer());";

    expect(() => bundle(statement)).toThrow(/function\.ts:6:\d+: .*await is not supported in an argument/);
  });

  test.each([
    ['import { readFile } from "fs"; readFile;', 'the only import is `import cf from "cloudfront"`'],
    ["export const one = 1;", "export"],
    ["await Promise.resolve();", "'await' outside an async function"],
  ])("%s", (statement, construct) => {
    expect(() => bundle("", `${statement}\n`)).toThrow(`function.ts:1:`);
    expect(() => bundle("", `${statement}\n`)).toThrow(construct);
  });

  test("all occurrences in a file are reported in order", () => {
    const run = () => bundle("const { value } = a;\n  event.list.at(1);");

    expect(run).toThrow(/function\.ts:6:9: .*destructuring.*\n.*function\.ts:7:\d+: .*the property at/);
  });

  test("syntax that follows an import, with the correct line", () => {
    const run = () => bundle("const { value } = a; cf.edgeLocation;", 'import cf from "cloudfront";\n');

    expect(run).toThrow(/function\.ts:7:9: .*destructuring/);
  });

  test("code that cannot be parsed", () => {
    expect(() => bundle("const = 1;")).toThrow(/function\.ts:6:9: Expected identifier/);
  });
});

describe("the bundler refuses built-ins outside the documented runtime:", () => {
  test.each([
    ["Object.fromEntries([]);", "Object.fromEntries, only create, "],
    ["Object.hasOwn(a, 'value');", "Object.hasOwn"],
    ['Object["groupBy"]([], String);', "Object.groupBy"],
    ["Array.from([]);", "Array.from"],
    ["Promise.withResolvers();", "Promise.withResolvers"],
    ["Symbol.iterator;", "Symbol.iterator"],
    ["event.list.flatMap(String);", "the property flatMap"],
    ["event.list.flat();", "the property flat"],
    ["event.list.at(0);", "the property at"],
    ["event.list.entries();", "the property entries"],
    ["event.list.findLast(String);", "the property findLast"],
    ["event.list.toSorted();", "the property toSorted"],
    ["a.value.matchAll(/a/g);", "the property matchAll"],
    ["a.value.charCodeAt(0);", "the property charCodeAt"],
    ["a.value.localeCompare('b');", "the property localeCompare"],
    ["a.value.normalize();", "the property normalize"],
    ['const b = a.value["at"];', "the property at"],
    ["a.value.thatNoEngineHasYet();", "the method thatNoEngineHasYet"],
    ["(() => 1).constructor('return 1')();", "the property constructor"],
    ["new Map();", "'Map' is not defined"],
    ["new Set();", "'Set' is not defined"],
    ["new Proxy(a, {});", "'Proxy' is not defined"],
    ["Reflect.ownKeys(a);", "'Reflect' is not defined"],
    ["BigInt(1);", "'BigInt' is not defined"],
    ["new URL(a.value);", "'URL' is not defined"],
    ["fetch(a.value);", "'fetch' is not defined"],
    ["setTimeout(String, 1);", "'setTimeout' is not defined"],
    ["eval('1');", "'eval' is not defined"],
    ["new Function('return 1');", "'Function' is not defined"],
    ["process.env;", "'process' is not defined"],
    ["escape(a.value);", "'escape' is not defined"],
    ["structuredClone(a);", "'structuredClone' is not defined"],
    ["console.error(a);", "console.error, only log"],
  ])("%s", (statement, builtIn) => {
    expect(() => bundle(statement)).toThrow("function.ts:6:");
    expect(() => bundle(statement)).toThrow(builtIn);
  });
});

describe("the bundler accepts documented syntax:", () => {
  test.each([
    "let b = 1; const c = 2 ** b; var d = 1_000; b += c + d;",
    "const b = (...rest) => rest.length; b(1, 2);",
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this is code.
    "const b = `a${`b${a.value}`}\nc`;",
    "outer: for (let i = 0; i < 2; i++) { do { continue outer; } while (i); }",
    "for (const name in a) { switch (name) { case 'x': break; default: throw new Error(name); } }",
    "try { a; } catch (error) { a; } finally { a; }",
    "const b = { get c() { return 1; }, 'd-e': 2, 3: 4, f: function () { return this; } }; b.f();",
    "const b = /(?<y>a)|(?:b)|(?=c)|(?!d)[(?<=]/gimy.exec('a'); b.groups.y;",
    "Object.entries(a).concat(Object.values(a), Object.keys(a)).find((one) => one.includes('a'));",
    "'a'.replaceAll('a', 'b').padStart(2).trimEnd().codePointAt(0);",
    "Buffer.from('YQ', 'base64url').toString('utf8').startsWith('a'); atob(btoa('a'));",
    "require('crypto').createHash('sha256').update('a').digest('hex');",
    "new TextEncoder().encode('a').subarray(0, 1); console.log('a' + 1);",
    "Promise.all([answer()]).then((all) => all.length); delete event.a;",
  ])("%s", (statement) => {
    expect(() => bundle(statement)).not.toThrow();
  });

  test("shorthand properties, which it expands", () => {
    expect(bundle("const value = 1; event.list = { value };")).toMatch(/\.list=\{value:\w+\}/);
  });

  test("async functions at the top level, with their own await", () => {
    expect(() =>
      bundle(
        "return event; } async function late(event: object) { const b = await answer(); if (b) return b;",
      ),
    ).not.toThrow();
  });
});

describe("an unbundled function", () => {
  test.each([
    ["function handler(e) { return { e }; }", "property shorthands"],
    ["function handler(e) { return { m() {} }; }", "property shorthands"],
    ["function handler(e) { return { [e]: 1 }; }", "computed properties"],
    ["function handler() { return '\\u{61}'; }", "code point escape sequences"],
    ["function handler() { return `\\u{61}`; }", "code point escape sequences"],
    ["function handler(e) { if (e) { function f() {} } }", "block-scoped functions"],
    ["function handler() { return 0b1; }", "binary numeric literals"],
    ["function handler() { return 0o7; }", "octal numeric literals"],
    ["function handler() { return /(?i:a)/; }", "Invalid regular expression"],
    ["async function handler() { for await (const a of []); }", "for-of"],
    ["function handler() { return typeof URL; }", "'URL' is not defined"],
    ["function handler(e) { e.a.at(0); } // eslint-disable-line", "the property at"],
    ["var handler = function () {};", "`function handler(event)`, which is missing"],
    ["function handler() { with ({}) {} }", "'with' in strict mode"],
    ["function handler() { return (1; }", "Unexpected token"],
  ])("is refused as by AWS: %s", (code, message) => {
    expect(edgeLanguageFaults(code).map((fault) => fault.message)).toEqual([
      expect.stringContaining(message),
    ]);
  });

  test("may have an escape that only looks like unsupported syntax", () => {
    expect(edgeLanguageFaults("function handler() { return '\\\\u{61}'; }")).toEqual([]);
  });
});

test("the bundler refuses code above CloudFront's size limit", () => {
  expect(() => bundle(`a.value += "${"x".repeat(10_240)}";`)).toThrow(
    /bytes; CloudFront accepts at most 10240/,
  );
});
