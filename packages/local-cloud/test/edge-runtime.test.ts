import { describe, expect, it } from "vitest";
import {
  edgeBuiltIns,
  edgeGlobals,
  functionPrototype,
  propertiesOfAll,
} from "../src/cloudfront/edge-built-ins.ts";
import { compileEdgeFunction, type EdgeEvent } from "../src/cloudfront/edge-function.ts";
import { edgeFunction, origin, startEdgeFixture } from "./edge-fixture.ts";
import { uncachedBehavior } from "./fixture-stack.ts";

const event: EdgeEvent = {
  version: "1.0",
  context: {
    distributionDomainName: "d111111abcdef8.cloudfront.net",
    distributionId: "E1",
    eventType: "viewer-request",
    requestId: "1",
  },
  viewer: { ip: "198.51.100.7" },
  request: { method: "GET", uri: "/", querystring: {}, headers: {}, cookies: {} },
};

/** Runs a handler with this body. */
function run(body: string): unknown {
  return compileEdgeFunction("Fn", `function handler(event) { ${body} }`).run(event).returned;
}

const ownGlobals = ["__host", "__cloudfront", "__makeEvent", "__load"];
const ofAll = [...propertiesOfAll, "constructor", "BYTES_PER_ELEMENT"];

describe("the runtime of edge functions (CloudFront developer guide, JavaScript runtime 2.0 features)", () => {
  it("has exactly the documented global names", () => {
    const names = run("return Object.getOwnPropertyNames(globalThis);") as string[];

    expect(names.filter((name) => !ownGlobals.includes(name)).toSorted()).toEqual(
      [...edgeGlobals].toSorted(),
    );
  });

  it.each(Object.entries(edgeBuiltIns))(
    "has exactly the documented members of %s",
    (name, { own, prototype }) => {
      const [seenOwn, seenPrototype, missing] = run(`
      const one = globalThis["${name}"];
      const names = (object) => object ? Object.getOwnPropertyNames(object) : [];
      const absent = (object) => (one) => !(one in object);
      const made = one.prototype ? ("${name}" === "RegExp" ? /a/ : one.prototype) : {};
      return [
        names(one),
        names(one.prototype),
        ${JSON.stringify(own)}.filter(absent(one)).concat(${JSON.stringify(prototype ?? [])}.filter(absent(made))),
      ];`) as string[][];

      expect(missing).toEqual(name === "TextDecoder" ? ["encoding", "fatal", "ignoreBOM"] : []);
      expect(seenOwn?.filter((one) => ![...own, ...ofAll].includes(one))).toEqual([]);
      expect(seenPrototype?.filter((one) => ![...(prototype ?? []), ...ofAll].includes(one))).toEqual([]);
    },
  );

  it("has only documented members of functions, and no at() of typed arrays", () => {
    const [functions, typedArrays] = run(`
      const parent = Object.getPrototypeOf(Int8Array);
      return [Object.getOwnPropertyNames(Object.getPrototypeOf(handler)), Object.getOwnPropertyNames(parent.prototype)];
    `) as string[][];

    expect(functions?.filter((one) => ![...functionPrototype, ...ofAll].includes(one))).toEqual([]);
    expect(typedArrays).toContain("subarray");
    expect(typedArrays).not.toContain("at");
  });

  it.each([
    ["Object", "fromEntries"],
    ["Object", "groupBy"],
    ["Object", "hasOwn"],
    ["Array", "from"],
    ["Promise", "withResolvers"],
    ["Symbol", "iterator"],
    ["Math", "sumPrecise"],
    ["Error", "captureStackTrace"],
    ["console", "error"],
    ["Buffer", "poolSize"],
  ])("has no %s.%s", (name, property) => {
    expect(run(`const name = "${property}"; return typeof ${name}[name];`)).toBe("undefined");
  });

  it.each([
    ["[]", ["at", "flat", "flatMap", "entries", "keys", "values", "findLast", "toSorted", "with", "group"]],
    [
      "''",
      [
        "at",
        "matchAll",
        "charCodeAt",
        "localeCompare",
        "normalize",
        "isWellFormed",
        "anchor",
        "toWellFormed",
      ],
    ],
    ["{}", ["__proto__", "__defineGetter__", "toLocaleString"]],
    ["/a/", ["dotAll", "unicode", "hasIndices", "compile"]],
    ["Promise.resolve()", ["done"]],
    ["new Date()", ["toTemporalInstant", "getYear"]],
    ["Buffer.from('a')", ["at", "entries", "readBigInt64BE", "toLocaleString", "latin1Slice", "parent"]],
  ])("does not give %s the members %j", (value, properties) => {
    const body = `return ${JSON.stringify(properties)}.filter((name) => (${value})[name] !== undefined);`;

    expect(run(body)).toEqual([]);
  });

  it.each([
    "Map",
    "Set",
    "Proxy",
    "Reflect",
    "BigInt",
    "Intl",
    "WebAssembly",
    "URL",
    "fetch",
    "setTimeout",
    "process",
  ])("does not define %s", (name) => {
    expect(run(`return typeof globalThis["${name}"];`)).toBe("undefined");
  });

  it("refuses to create a function from text, even by a computed property name", () => {
    const body = `
      const name = "construc" + "tor";
      try { return handler[name]("return 1")(); } catch (error) { return error.name; }`;

    expect(run(body)).toBe("EvalError");
  });

  it.each([
    ["'a-b'.replace(/-/g, '+').replaceAll('a', 'c').split(/\\+/).join()", "c,b"],
    ["/(?<year>\\d+)/.exec('in 2026').groups.year", "2026"],
    ["Buffer.from('w6k', 'base64url').toString('utf8') + Buffer.alloc(2, 1).toString('hex')", "é0101"],
    [
      "Buffer.concat([Buffer.from('a'), Buffer.from('b')]).equals(Buffer.from('ab')) && Buffer.isBuffer(Buffer.from([1]))",
      true,
    ],
    ["Buffer.from([1, 2, 3, 4]).subarray(1).readUInt16BE(0)", 515],
    [
      "[1, 2].map((one) => one * 2).concat(Uint8Array.of(1, 2).map((one) => one + 1).reduce((a, b) => a + b))",
      [2, 4, 5],
    ],
    ["new TextDecoder().decode(new TextEncoder().encode('é'))", "é"],
    ["atob(btoa('a'))", "a"],
    ["require('querystring').parse('a=1&a=2&b=%C3%A9')", { a: ["1", "2"], b: "é" }],
    ["require('querystring').stringify({ a: ['1', '2'], b: 'é' })", "a=1&a=2&b=%C3%A9"],
    ["require('crypto').createHash('sha256').update('a').digest('hex').slice(0, 6)", "ca9781"],
    ["Date.now() === new Date().getTime()", true],
    ["new InternalError('a') instanceof Error", true],
  ])("supports %s as documented", (expression, value) => {
    expect(run(`return ${expression};`)).toEqual(value);
  });

  it("has a constant clock during a run", () => {
    const body = "const start = Date.now(); for (let i = 0; i < 3000000; i++) {} return Date.now() - start;";

    expect(run(body)).toBe(0);
  });
});

it("a distribution whose function does not compile returns 503 for every request, like CloudFront", async () => {
  const { resources, association } = edgeFunction("viewer-request", "function handler(event) {");
  const fixture = await startEdgeFixture(
    {
      DefaultCacheBehavior: uncachedBehavior("a", { FunctionAssociations: [association] }),
      Origins: [origin("a")],
    },
    () => ({ body: "ok" }),
    resources,
  );

  const responses = [await fixture.send("/"), await fixture.send("/p/aB3dE5f")];
  await fixture.stop();

  expect(responses.map(({ status }) => status)).toEqual([503, 503]);
  expect(fixture.requests).toEqual([]);
  expect(fixture.logged.join("\n")).toContain("does not compile: SyntaxError");
});

it.each([
  ["loops", "for (;;) {}"],
  ["loops in a promise", "return Promise.resolve().then(() => { for (;;) {} });"],
  ["runs an endless regular expression", 'return /^(a+)+$/.test("a".repeat(40) + "!");'],
])("a function that %s is ended, without effect on other functions and later runs", (_what, body) => {
  const code = `function handler(event) { if (event.request.uri === "/") { ${body} } return event.request.uri; }`;
  const endless = compileEdgeFunction("Endless", code, { timeoutMs: 200 });

  expect(() => endless.run(event)).toThrow("Endless: did not end within 200 ms");
  expect(run("return event.request.uri;")).toBe("/");
  expect(endless.run({ ...event, request: { ...event.request, uri: "/ü\u2028😀" } }).returned).toBe(
    "/ü\u2028😀",
  );
});
