import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { findFreePort } from "@dropleaf/local-cloud/free-port";
import { keepTail } from "../output-tail.ts";
import type { Findings, MeasureOptions, OverGoal, Section } from "../section.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { type LoadCase, runLoad } from "../throughput/load.ts";
import { runCases } from "../throughput/load-cases.ts";
import { type Part, parts } from "./cpu-shares.ts";
import type { ProfileAnswer, ProfileQuestion } from "./profiled-cloud.ts";

/** What the processors do for each request of the table of requests per second. */
export const profileSection: Section = {
  name: "profile",
  title: "Where the time of a request goes in the local cloud",
  minutes: 1.5,
  async measure({ overGoal = [] }: MeasureOptions): Promise<Findings> {
    const cases: ProfiledCase[] = [];
    let memory: string;
    const cloud = await startProfiledCloud();
    try {
      await runCases(cloud.address, async (load) => {
        cases.push(await profileCase(cloud, load));
      });
      memory = await tellMemory(cloud);
    } catch (cause) {
      throw new Error(`The load failed. The service said last:\n${cloud.lastLines()}`, { cause });
    } finally {
      await cloud.stop();
    }
    return {
      table: { columns: [":request", "CPU ms", ...parts].join(" | "), rows: cases.map(toRow) },
      notes: [
        "Milliseconds of the processors for a request. What a thread or the table's engine has taken is what the system counted (`/proc`); what of it was for what is estimated from samples of V8's profiler, which itself is not counted, but makes everything a little slower: the sums are above those of the table of requests per second.",
        "**Edge**: parsing requests, behaviors, cache, policies, and the thread of edge functions. **Gateway**: routes, events and responses of API Gateway. **Invocation**: giving an event to an execution environment and its response back. **Handler and SDK**: a function's bundle, with Node's HTTP client under it. **AWS endpoint**: what all services have in common. **Table**: the request to the engine and its response; **table engine**: the process of the engine itself. **Sockets**: what Node does for no part of its own. **V8**: the threads that compile code and collect garbage.",
        ...overGoal.flatMap((row) =>
          cases.filter(({ name }) => name === row.request).map((one) => explain(row, one)),
        ),
        memory,
      ],
    };
  },
};

interface ProfiledCloud {
  readonly address: string;
  ask(question: ProfileQuestion["type"]): Promise<ProfileAnswer>;
  lastLines(): string;
  stop(): Promise<void>;
}

async function startProfiledCloud(): Promise<ProfiledCloud> {
  const arguments_ = [createTemporaryDirectory(), String(await findFreePort(2))];
  const child: ChildProcess = fork(new URL("./profiled-cloud.ts", import.meta.url), arguments_, {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    // Node alone, as `npm start` runs: a loader would be in the profile.
    execArgv: [],
  });
  const tail = keepTail([child.stdout, child.stderr]);
  const kill = () => child.kill("SIGKILL");
  process.on("exit", kill);
  const ended = once(child, "exit").then(() => {
    throw new Error(`The profiled cloud ended early. It said:\n${tail.text()}`);
  });
  ended.catch(() => {});
  const nextAnswer = async () => {
    const [answer] = await Promise.race([once(child, "message"), ended]);
    return answer as ProfileAnswer;
  };
  const ready = await nextAnswer();
  return {
    address: ready.type === "ready" ? ready.address : "",
    ask(type) {
      const answer = nextAnswer();
      child.send({ type } satisfies ProfileQuestion);
      return answer;
    },
    lastLines: tail.text,
    async stop() {
      child.send({ type: "stop" } satisfies ProfileQuestion);
      await ended.catch(() => {});
      process.off("exit", kill);
    },
  };
}

interface ProfiledCase {
  readonly name: string;
  /** Milliseconds of the processors for a request, by part. */
  readonly perRequest: ReadonlyMap<Part, number>;
}

async function profileCase(cloud: ProfiledCloud, load: LoadCase): Promise<ProfiledCase> {
  let answer: ProfileAnswer | undefined;
  const { requests } = await runLoad(cloud.address, load, {
    start: async () => void (await cloud.ask("start")),
    end: async () => {
      answer = await cloud.ask("end");
    },
  });
  const cpuMs = answer?.type === "ended" ? answer.cpuMs : {};
  return { name: load.name, perRequest: new Map(parts.map((part) => [part, (cpuMs[part] ?? 0) / requests])) };
}

function toRow({ name, perRequest }: ProfiledCase): string[] {
  return [name, ...[sumOf(perRequest), ...perRequest.values()].map((ms) => ms.toFixed(2))];
}

function sumOf(perRequest: ProfiledCase["perRequest"]): number {
  return [...perRequest.values()].reduce((total, ms) => total + ms, 0);
}

/** What a row that is over its goal spends its time on, largest first: in the milliseconds that it took without a profiler. */
function explain({ request, cpuMs, cpuMsMax }: OverGoal, { perRequest }: ProfiledCase): string {
  const scale = cpuMs / sumOf(perRequest);
  const spent = [...perRequest]
    .map(([part, ms]) => ({ part, ms: ms * scale }))
    .filter(({ ms }) => ms >= 0.005)
    .sort((one, other) => other.ms - one.ms)
    .map(({ part, ms }) => `${part} ${ms.toFixed(2)}`);
  return `Over its goal, **${request}** takes ${cpuMs.toFixed(2)} ms of the processors, ${(cpuMs - cpuMsMax).toFixed(2)} more than it may: ${spent.join(", ")}.`;
}

/** What is resident after all requests, the profiler's own with it. */
async function tellMemory(cloud: ProfiledCloud): Promise<string> {
  const answer = await cloud.ask("memory");
  if (answer.type !== "memory") throw new Error(`Asked for its memory, the cloud said "${answer.type}".`);
  const { resident, children, mainHeap, threadHeaps, threads, buffers } = answer.megabytes;
  const rest = resident - children - mainHeap - threadHeaps - buffers;
  return `After these requests, with a profiler, ${resident} MB are resident: the heaps of ${threads} threads, which are environments of functions and the edge's, ${threadHeaps}, ${Math.round(threadHeaps / threads)} each; the main thread's heap ${mainHeap}; buffers ${buffers}; the table's engine ${children}; Node's own code and what V8 and the C library keep outside of the heaps ${rest}.`;
}
