import { execFile, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { EdgeEvent } from "@dropleaf/local-cloud/cloudfront/edge-function";
import { CfnFunction } from "aws-cdk-lib/aws-cloudfront";
import { givenHostingStack } from "../lib/given-stack.ts";
import { settingsOfEachKind } from "../lib/settings-of-each-kind.ts";
import { valuesOf } from "./run-edge-function.ts";

/**
 * The runtime of CloudFront Functions is related to njs, and V8 accepts code that njs refuses. Debian has a package of njs.
 * On a machine without it the tests pass, and report that only V8 ran the functions.
 */
export const njsVersion = /^\d+\.\d+\.\d+/.exec(
  spawnSync("njs", ["-v"], { encoding: "utf8" }).stdout ?? "",
)?.[0];

/** Fields that differ between the events of a test. */
export type Sample = Pick<EdgeEvent, "request" | "response">;

export function requestOf(host: string, request: object = {}, headers: Record<string, string> = {}): Sample {
  const empty = { method: "GET", uri: "/", querystring: {}, headers: {}, cookies: {} };
  return { request: { ...empty, ...request, headers: valuesOf({ host, ...headers }) } };
}

export function eventOf(sample: Sample): EdgeEvent {
  return {
    version: "1.0",
    context: {
      distributionDomainName: "d111111abcdef8.cloudfront.net",
      distributionId: "E1",
      eventType: sample.response ? "viewer-response" : "viewer-request",
      requestId: "request-1",
    },
    viewer: { ip: "198.51.100.7" },
    ...sample,
  };
}

/** Returns the distinct code of each function for every kind of settings. */
export function artifacts(): Record<
  "viewer-request" | "blob-response" | "mcp-response" | "show-icon",
  readonly string[]
> {
  const functions = settingsOfEachKind
    .flatMap(([, settings]) => givenHostingStack(settings).node.findAll())
    .filter((one) => one instanceof CfnFunction);
  return {
    "viewer-request": codesOf(functions, "ViewerRequest"),
    "blob-response": codesOf(functions, "BlobResponse"),
    "mcp-response": codesOf(functions, "McpResponse"),
    "show-icon": codesOf(functions, "ShowIcon"),
  };
}

function codesOf(functions: readonly CfnFunction[], name: string): readonly string[] {
  const codes = functions
    .filter(({ node }) => node.path.includes(`/${name}/`))
    .map((one) => one.functionCode);
  return [...new Set(codes)];
}

const cloudfrontModule = `globalThis.chosen = [];
  export default { selectRequestOriginById: function (id) { globalThis.chosen.push(id); } };`;

/** Adds `rawQueryString` to `event.request`, as CloudFront does. */
const prepare = `
;function prepare(event) {
  var rawQuery = event.request.rawQuery;
  delete event.request.rawQuery;
  event.request.rawQueryString = function () { return rawQuery; };
  return event;
}`;

/** Runs the artifact followed by `driver`, which may call `handler(prepare(event))`, and returns the lines that njs prints. */
export async function runInNjs(code: string, driver: string): Promise<string[]> {
  const directory = await mkdtemp(join(tmpdir(), "dropleaf-njs-"));
  try {
    const file = join(directory, "function.js");
    await writeFile(join(directory, "cloudfront"), cloudfrontModule);
    await writeFile(file, `${code}${prepare}${driver}`);
    const { stdout } = await promisify(execFile)("njs", ["-p", directory, file], { maxBuffer: 1e7 });
    return stdout.trimEnd().split("\n");
  } finally {
    await rm(directory, { recursive: true });
  }
}
