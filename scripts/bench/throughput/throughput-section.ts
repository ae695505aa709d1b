import { join, resolve } from "node:path";
import { usageOfTree } from "../process-tree.ts";
import type { Findings, MeasureOptions, Section } from "../section.ts";
import { startService } from "../service-process.ts";
import { createTemporaryDirectory } from "../temporary-directory.ts";
import { alternately, type PassTurn } from "./alternately.ts";
import {
  beforeFile,
  type CpuByCase,
  isWithin,
  readBefore,
  recordedCommit,
  type Standing,
  standingOf,
} from "./beside-htmlbin.ts";
import { startFloorServer } from "./floor-server.ts";
import { connections, measuredSeconds } from "./load.ts";
import { runCases } from "./load-cases.ts";
import { type MeasuredLoad, measureLoad } from "./measured-load.ts";

const projectDirectory = resolve(import.meta.dirname, "../../..");
const floorName = "floor";
/** As many megabytes as the local cloud is to be content with. */
const residentMegabytesMax = 1000;

/** What the whole local cloud carries on this machine. */
export const throughputSection: Section = {
  name: "throughput",
  title: "Requests per second through the local cloud",
  minutes: 1.5,
  async measure({ before: beforeCheckout }: MeasureOptions): Promise<Findings> {
    const checkouts = [projectDirectory, ...(beforeCheckout === undefined ? [] : [beforeCheckout])];
    // Each row of one right after that of the other: both meet the machine as it is then.
    const [now, then] = await alternately(
      checkouts.map((checkout) => (passTurn) => measureCheckout(checkout, passTurn)),
    );
    if (now === undefined) throw new Error("There is a measurement of each checkout.");
    const { loads, freshMegabytes, residentMegabytes } = now;
    const floor = await measureFloor();
    loads.set(floorName, floor);
    then?.loads.set(floorName, floor);
    const before = then === undefined ? readBefore() : cpuByCase(then.loads);
    const slowness = (floor.cpuMs ?? Number.NaN) / (before[floorName] ?? Number.NaN);
    const rows = [...loads].map(([name, load]) => ({ name, load, standing: standingAt(name, load) }));
    function standingAt(name: string, { cpuMs }: MeasuredLoad): Standing | undefined {
      return cpuMs === undefined ? undefined : standingOf(name, cpuMs, before, slowness);
    }
    return {
      table: {
        columns:
          ":request | requests | per second | p50 ms | p99 ms | CPU ms | target | beside htmlbin | goal | :verdict",
        rows: rows.map(toRow),
      },
      notes: [
        `\`npm start\` in one process group, the load in another, both on this machine: ${connections} connections that stay open, each sending its next request when the last is answered, for ${measuredSeconds} s a row, after some hundreds that are not counted. **CPU ms** is what a request takes of the processors, in all processes of the service and not in the one that sends, which takes ${floor.loadCpuMs.toFixed(2)} ms more. **Floor** is a server of Node's in a process of its own that answers nothing but 10 KB.`,
        `**Beside htmlbin**: requests a second, ours ÷ htmlbin's. htmlbin cannot be run here. What there is is one run of both on another machine, and the code of that time (commit ${recordedCommit}), which was measured here as well: the ratio of then, times what a request took then of this machine's processors, ÷ what it takes now. **Target** is what it may take for the ratio to be the goal. Where the two measurements here were not made at one time, the floor's time tells how much slower the machine was in one of them (now ${slowness.toFixed(2)} × as slow).`,
        `Resident memory of all processes: ${freshMegabytes} MB when ready, ${residentMegabytes} MB after these requests (target: at most ${residentMegabytesMax} MB, ${residentMegabytes <= residentMegabytesMax ? "within" : "over"}). Where the time of each row goes: the next table.`,
      ],
      overGoal: rows.flatMap(({ name, load: { cpuMs }, standing }) =>
        cpuMs === undefined || standing === undefined || isWithin(standing)
          ? []
          : [{ request: name, cpuMs, cpuMsMax: standing.cpuMsMax }],
      ),
      ...(beforeCheckout === undefined ? {} : { dataFiles: { [beforeFile]: before } }),
    };
  },
};

interface MeasuredCheckout {
  readonly loads: Map<string, MeasuredLoad>;
  readonly freshMegabytes: number;
  readonly residentMegabytes: number;
}

async function measureCheckout(directory: string, passTurn: PassTurn): Promise<MeasuredCheckout> {
  const temporaryDirectory = createTemporaryDirectory();
  const dataDirectory = join(temporaryDirectory, "data");
  const service = await startService({
    projectDirectory: directory,
    dataDirectory,
    temporaryDirectory,
    // The earlier code draws no pages, and has no setting that says so.
    areRendered: directory !== projectDirectory,
  });
  const residentMegabytes = () => Math.round(usageOfTree(service.pid)?.residentMegabytes ?? Number.NaN);
  const freshMegabytes = residentMegabytes();
  const loads = new Map<string, MeasuredLoad>();
  try {
    await runCases(service.address, async (load) => {
      loads.set(load.name, await measureLoad(service, load));
      await passTurn();
    });
    return { loads, freshMegabytes, residentMegabytes: residentMegabytes() };
  } catch (cause) {
    throw new Error(`The load failed. The service said last:\n${service.lastLines()}`, { cause });
  } finally {
    await service.stop();
  }
}

async function measureFloor(): Promise<MeasuredLoad> {
  const server = await startFloorServer();
  try {
    const requestAt = () => ({ method: "GET", path: "/" }) as const;
    return await measureLoad(server, { name: floorName, expectedStatus: 200, requestAt });
  } finally {
    server.stop();
  }
}

function cpuByCase(loads: ReadonlyMap<string, MeasuredLoad>): CpuByCase {
  return Object.fromEntries([...loads].map(([name, { cpuMs }]) => [name, Number(cpuMs?.toFixed(3))]));
}

interface MeasuredRow {
  readonly name: string;
  readonly load: MeasuredLoad;
  readonly standing: Standing | undefined;
}

function toRow({ name, load, standing }: MeasuredRow): string[] {
  const { requests, perSecond, medianMs, p99Ms, cpuMs } = load;
  return [
    name,
    String(requests),
    perSecond.toFixed(0),
    medianMs.toFixed(1),
    p99Ms.toFixed(1),
    cpuMs?.toFixed(2) ?? "",
    ...(standing === undefined
      ? ["", "", "", ""]
      : [
          standing.cpuMsMax.toFixed(2),
          standing.ratio.toFixed(2),
          String(standing.goal),
          isWithin(standing) ? "within" : "over",
        ]),
  ];
}
