import { setTimeout as sleep } from "node:timers/promises";
import type { DropResponse } from "../../functions/drops/schemas.ts";
import { withStack } from "../../scripts/bench/stack.ts";
import { htmlOfLines, samplePage } from "../support/sample-page.ts";
import { watchFunctionThreads } from "./function-threads.ts";

/** Cost of a publication with all its background work: the stream's readers, the queues and the search index. */
export interface PublicationWake {
  readonly publication: string;
  /** Processor time of all functions for each publication. */
  readonly functionsMs: number;
  readonly goalMs: number;
  /** The parts of `functionsMs`, the longest first. */
  readonly msByFunction: Readonly<Record<string, number>>;
  /** Invocations for a hundred publications. */
  readonly invocationsOf100: Readonly<Record<string, number>>;
  /**
   * Processor time of the local cloud and of the client in its process: the work of API Gateway, S3, DynamoDB and
   * Lambda in AWS.
   */
  readonly localCloudMs: number;
}

/** Concurrent publications. */
const connections = 8;

/** Publications of each kind. As many uncounted ones precede them, to start functions and compile their code. */
const measuredDefault = 80;

/** Several tokens, because a token can write only 60 times a minute. */
const tokens = 24;

/** Time without invocations after which background work is complete. Messages are batched for two seconds. */
const quietMs = 5_000;

/** Lines of `htmlOfLines` for a page of this size. */
const lines = { "10 KB": 115, "1 MB": 13_300 } as const;

interface Kind {
  readonly publication: string;
  readonly goalMs: number;
  readonly page: keyof typeof lines;
  readonly isVersion?: boolean;
}

const kinds: readonly Kind[] = [
  { publication: "10 KB", goalMs: 35, page: "10 KB" },
  { publication: "new version of 10 KB", goalMs: 40, page: "10 KB", isVersion: true },
  { publication: "1 MB", goalMs: 150, page: "1 MB" },
];

/** Publishes pages in a running service, and measures the processor time until all background work is complete. */
export async function measurePublicationWakes(measured = measuredDefault): Promise<PublicationWake[]> {
  const read = watchFunctionThreads();
  const invocations: string[] = [];
  const log = (line: string) => {
    const [, operation] = /"operation":"([\w-]+)".*"durationMs"/.exec(line) ?? [];
    if (operation !== undefined) invocations.push(operation);
  };
  return withStack(async ({ cloud, run }) => {
    const module = new URL("./signed-in-people.ts", import.meta.url);
    const signedIn = await run<string[]>(module, "signInMany", [String(tokens)]);
    const api = new PublishingClient(cloud.address, signedIn);
    const wakes: PublicationWake[] = [];
    for (const kind of kinds) {
      await api.publishMany(kind, measured);
      await quiet(invocations);
      invocations.length = 0;
      const before = await read();
      await api.publishMany(kind, measured);
      await quiet(invocations);
      const after = await read();
      const ofOne = (ms: number) => Number((ms / measured).toFixed(1));
      const parts = [...after.functions]
        .map(([name, ms]) => [name, ofOne(ms - (before.functions.get(name) ?? 0))] as const)
        .filter(([, ms]) => ms > 0)
        .toSorted(([, one], [, other]) => other - one);
      const counts = Object.entries(Object.groupBy(invocations, (operation) => operation));
      wakes.push({
        publication: kind.publication,
        functionsMs: Number(parts.reduce((sum, [, ms]) => sum + ms, 0).toFixed(1)),
        goalMs: kind.goalMs,
        msByFunction: Object.fromEntries(parts),
        invocationsOf100: Object.fromEntries(
          counts.map(([operation, all = []]) => [operation, Math.round((100 * all.length) / measured)]),
        ),
        localCloudMs: ofOne(after.localCloudMs - before.localCloudMs),
      });
    }
    return wakes;
  }, log);
}

/** Waits until no function has been invoked for a while. */
async function quiet(invocations: readonly string[]): Promise<void> {
  let count: number;
  do {
    count = invocations.length;
    await sleep(quietMs);
  } while (invocations.length > count);
}

/** Publishes different pages over several connections. */
class PublishingClient {
  readonly #address: string;
  readonly #tokens: readonly string[];
  /** A drop of each token, which gets new versions. */
  readonly #slugs: string[] = [];
  #sent = 0;

  constructor(address: string, tokens: readonly string[]) {
    this.#address = address;
    this.#tokens = tokens;
  }

  async publishMany({ page, isVersion = false }: Kind, count: number): Promise<void> {
    if (isVersion && this.#slugs.length === 0)
      for (const token of this.#tokens) this.#slugs.push((await this.#publish("POST", "", token, page)).slug);
    const numbers = Array.from({ length: count }, (_, number) => number).values();
    await Promise.all(
      Array.from({ length: connections }, async () => {
        for (const number of numbers) {
          const at = number % this.#tokens.length;
          const [token = "", slug = ""] = [this.#tokens[at], this.#slugs[at]];
          await (isVersion
            ? this.#publish("PUT", `/${slug}`, token, page)
            : this.#publish("POST", "", token, page));
        }
      }),
    );
  }

  async #publish(
    method: string,
    path: string,
    token: string,
    page: keyof typeof lines,
  ): Promise<DropResponse> {
    this.#sent += 1;
    const html = htmlOfLines(lines[page]).replace("<h1>Report", `<h1>Report ${this.#sent}`);
    const response = await fetch(`${this.#address}/api/drops${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ ...samplePage, html }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`A publication was answered ${response.status}: ${text.slice(0, 500)}`);
    return JSON.parse(text) as DropResponse;
  }
}
