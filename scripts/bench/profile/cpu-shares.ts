import type { Profiler } from "node:inspector";

/** Where time goes, as a profile and the usage of threads tell it, in the order of the table. */
export const parts = [
  "edge",
  "gateway",
  "invocation",
  "handler and SDK",
  "AWS endpoint",
  "signatures",
  "policies",
  "table",
  "table engine",
  "S3",
  "queues, streams",
  "log",
  "sockets",
  "V8",
] as const;

/** A part of the local cloud. */
export type Part = (typeof parts)[number];

/** Of a file's code and all that it calls of Node and of packages; the first that fits. */
const partOfPath: readonly (readonly [path: RegExp, part: Part])[] = [
  [/\/(request-log|operator-access)\.ts$/, "log"],
  [/\/local\/(cloudfront\/|http-server\.ts)/, "edge"],
  [/\/local\/api-gateway\//, "gateway"],
  [/\/local\/(events\/|aws\/sqs\/|aws\/dynamodb\/(table-stream|stream-))/, "queues, streams"],
  [/\/local\/lambda\//, "invocation"],
  [/\/local\/aws\/signature\.ts$/, "signatures"],
  [/\/local\/aws\/(policy|role-policies|access-control|dynamodb\/(accesses|request-attributes))/, "policies"],
  [/\/local\/aws\/dynamodb\//, "table"],
  [/\/local\/aws\/s3\//, "S3"],
  [/\/local\/aws\//, "AWS endpoint"],
  [/\/index\.mjs$/, "handler and SDK"],
];

/** A thread that stands still, by what V8 calls it and by what waits for the edge's thread; and the profiler's own end. */
const still = new Set(["(idle)", "(root)", "#isReached", "ask", "post"]);

/** How the time in which a thread was busy is divided, in shares of 1. */
export function sharesOf(profile: Profiler.Profile): ReadonlyMap<Part, number> {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(profile.nodes.flatMap(({ id, children = [] }) => children.map((one) => [one, id])));
  const partOf = (id: number): Part => {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { url } = nodes.get(at)?.callFrame ?? { url: "" };
      const found = partOfPath.find(([path]) => path.test(url));
      if (found !== undefined) return found[1];
    }
    return nodes.get(id)?.callFrame.functionName === "(garbage collector)" ? "V8" : "sockets";
  };
  const times = new Map<Part, number>();
  let busy = 0;
  for (const [index, id] of (profile.samples ?? []).entries()) {
    if (still.has(nodes.get(id)?.callFrame.functionName ?? "")) continue;
    const time = profile.timeDeltas?.[index] ?? 0;
    const part = partOf(id);
    times.set(part, (times.get(part) ?? 0) + time);
    busy += time;
  }
  return new Map([...times].map(([part, time]) => [part, time / busy]));
}
