import type { Profiler, Runtime } from "node:inspector";
import { SourceMap } from "node:module";

/** What a handler's time is for. */
export type CallPart =
  | "own code"
  | "signing"
  | "SDK, to and from bytes"
  | "SDK, the rest"
  | "HTTP client"
  | "validation"
  | "other packages"
  | "Node and the recorded answers"
  | "garbage";

/** Of a source that the bundle is made of; the first that fits. */
const partOfSource: readonly (readonly [source: RegExp, part: CallPart])[] = [
  [/signature-v4|platform\/sha256\.ts$|credential-provider/, "signing"],
  [/node-http-handler|platform\/early-connections\.ts$/, "HTTP client"],
  [
    /(?:smithy|aws-sdk)\/.*(?:protocol|schema|serde|cbor|codec|xml-builder|util-dynamodb)/,
    "SDK, to and from bytes",
  ],
  [/node_modules\/@(?:smithy|aws-sdk|aws)\//, "SDK, the rest"],
  [/node_modules\/zod\//, "validation"],
  [/node_modules\//, "other packages"],
  [/^functions\//, "own code"],
];

const still = new Set(["(idle)", "(root)"]);

/**
 * How the time of a bundle's thread is divided, in shares of 1: by the source that a function is of, with what it calls of
 * Node.
 *
 * @param map the bundle's source map, whose sources are relative to the root of the project
 */
export function divideCalls(profile: Profiler.Profile, map: string): ReadonlyMap<CallPart, number> {
  const sources = new SourceMap(JSON.parse(map));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])));
  const known = new Map<number, CallPart>();
  const find = (id: number): CallPart => {
    const { callFrame } = nodes.get(id) ?? {};
    if (callFrame?.functionName === "(garbage collector)") return "garbage";
    const part = callFrame?.url.endsWith("/index.mjs") ? partAt(sources, callFrame) : undefined;
    const parent = parents.get(id);
    return part ?? (parent === undefined ? "Node and the recorded answers" : partOf(parent));
  };
  const partOf = (id: number): CallPart => {
    const part = known.get(id) ?? find(id);
    known.set(id, part);
    return part;
  };
  const times = new Map<CallPart, number>();
  for (const [index, id] of (profile.samples ?? []).entries()) {
    if (still.has(nodes.get(id)?.callFrame.functionName ?? "")) continue;
    const part = partOf(id);
    times.set(part, (times.get(part) ?? 0) + (profile.timeDeltas?.[index] ?? 0));
  }
  const busy = [...times.values()].reduce((total, time) => total + time, 0);
  return new Map([...times].map(([part, time]) => [part, time / busy]));
}

/** Undefined for what the bundler has written itself. */
function partAt(sources: SourceMap, { lineNumber, columnNumber }: Runtime.CallFrame): CallPart | undefined {
  const entry = sources.findEntry(lineNumber, columnNumber);
  const source = "originalSource" in entry ? entry.originalSource : undefined;
  return partOfSource.find(([path]) => source !== undefined && path.test(source))?.[1];
}
