import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createLambdaService } from "@dropleaf/local-cloud/lambda/lambda-service";
import { loadTemplate } from "@dropleaf/local-cloud/template";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundleFunctions } from "../../lib/bundle/bundle.ts";
import { explainerOf } from "../../local/fault-lines.ts";
import { lambdaResources, writeStack } from "../../packages/local-cloud/test/fixture-stack.ts";

const directory = mkdtempSync(join(tmpdir(), "dropleaf-faults-"));
const functionsDirectory = join(directory, "functions");

/** Source of a function that throws in line 3. */
const code = `import { writeFault } from ${JSON.stringify(resolve("functions/core/log.ts"))};
function readReason(reason: { text: string } | undefined): string {
  if (reason === undefined) throw new TypeError("the reason is here", { cause: new Error("of this") });
  return reason.text;
}
export const handler = async (event: { thrown?: true; text: string }) => {
  try {
    return readReason(undefined) + readReason(event);
  } catch (error) {
    if (event.thrown) throw error;
    writeFault({ level: "error", operation: "say-reason", requestId: "request-1" }, error);
  }
};
`;

beforeAll(async () => {
  const file = join(directory, "say-reason.ts");
  writeFileSync(file, code);
  const source = { id: "SayReason", file, exportName: "handler" };
  await bundleFunctions([source], functionsDirectory, { hasMaps: true });
});

afterAll(() => rmSync(directory, { recursive: true }));

/** Invokes the function and returns its lines in the local log. */
async function linesOf(event: object, bundlesOf?: () => Promise<string>): Promise<string[]> {
  const bundle = readFileSync(join(functionsDirectory, "SayReason/index.mjs"), "utf8");
  const stack = writeStack(lambdaResources("SayReason"), { SayReason: bundle });
  const lines: string[] = [];
  const service = createLambdaService({
    template: loadTemplate(stack.directory),
    readSecret: () => "",
    awsEndpointUrl: "http://127.0.0.1:1",
    credentialsFor: () => ({ accessKeyId: "A", secretAccessKey: "s" }),
    log: (line) => lines.push(line),
    ...(bundlesOf && {
      extraEnvironment: { DROPLEAF_FAULT_MESSAGES: "1" },
      explainLines: (modulePath) => explainerOf(modulePath, bundlesOf),
    }),
  });
  await service.invoke(service.functionNames[0] ?? "", JSON.stringify(event));
  const isDone = () => lines.length > (bundlesOf ? 1 : 0);
  await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
  await service.stop();
  stack.remove();
  return lines;
}

const bundlesOf = async () => functionsDirectory;

test("npm start shows an error's message with its causes, and its stack in the source code", async () => {
  const lines = await linesOf({}, bundlesOf);

  expect(lines[0]).toContain('"message":"the reason is here: of this"');
  expect(lines[1]).toBe("[SayReason] TypeError: the reason is here: of this");
  expect(lines[2]).toMatch(/^\[SayReason\] {5}at readReason \(.*say-reason\.ts:3:35\)$/);
  expect(lines[3]).toMatch(/^\[SayReason\] {5}at .*handler \(.*say-reason\.ts:8:12\)$/);
});

test("an error that a handler throws has source positions too", async () => {
  const lines = await linesOf({ thrown: true }, bundlesOf);

  expect(lines.join("\n")).toContain("TypeError: the reason is here");
  expect(lines.join("\n")).toMatch(/at readReason \(.*say-reason\.ts:3:35\)/);
});

test("output after an error stays in order while the error waits for its source map", async () => {
  const lines: string[] = [];
  const { promise: map, resolve: arrive } = Promise.withResolvers<undefined>();
  const explain = explainerOf(join(functionsDirectory, "SayReason/index.mjs"), bundlesOf, () => map);
  const print = (line: string) => explain(line, (one) => lines.push(one));

  print("before");
  print('{"fault":"TypeError","at":["at a (file:///var/task/index.mjs:1:2)"]}');
  print("after");
  const whileItWaits = [...lines];
  arrive(undefined);
  await expect.poll(() => lines.at(-1)).toBe("after");

  expect(whileItWaits).toEqual(["before"]);
  expect(lines.slice(2)).toEqual(["TypeError", "    at a (file:///var/task/index.mjs:1:2)", "after"]);
});

test("without npm start a log entry has the error's position, but not its message", async () => {
  const lines = await linesOf({});

  expect(lines).toHaveLength(1);
  expect(lines[0]).not.toContain("reason is");
  expect(lines[0]).not.toContain("of this");
  expect(JSON.parse((lines[0] ?? "").replace(/^\S+ /, ""))).toEqual({
    level: "error",
    operation: "say-reason",
    requestId: "request-1",
    fault: "TypeError",
    at: expect.arrayContaining([expect.stringMatching(/index\.mjs:\d+:\d+/)]),
    build: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
});
