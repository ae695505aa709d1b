import type { Act, ActSubject } from "../../../functions/table/audit.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import type { StoredObject } from "../../../functions/table-stream/orphans.ts";
import { type Command, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceHelp, serviceOptions, serviceUsage } from "../service.ts";
import { purgeVersions } from "../takedown/drop-purge.ts";
import { purgeObject } from "../takedown/object-versions.ts";
import { findObjectLeftovers, findVersionLeftovers, type Leftover } from "./leftovers.ts";

/** By then the orphan check has looked at an object, and its retries are over. */
const objectAgeMsMin = 24 * 60 * 60 * 1000;

/** `sweep` */
export const sweepCommand: Command = {
  usage: serviceUsage,
  summary: "finds versions and objects that nothing leads to any more",
  help: `
The service cleans up behind itself: after deletions at once, after failures a quarter of an hour later. This finds what
that has missed: versions of drops that are gone, and objects older than a day that no row points at. It reads the whole
table and lists both buckets. Objects that it does not know are told and left alone.

  --fix            removes what it finds, for good${serviceHelp}`,
  options: { ...serviceOptions, fix: { type: "boolean" } },
  async run(input, terminal) {
    if (input.words.length > 0) throw new UsageError("There is nothing to say but which service.");
    const service = await openService(input);
    const left = await sweep(service, {
      act: await operatorAct(service, "sweep"),
      objectsBeforeMs: Date.now() - objectAgeMsMin,
      fix: input.options.fix === true,
      tell: (line) => terminal.print(line),
    });
    terminal.print(`Left over: ${left}.`);
    return left === 0;
  },
};

/** Options of a sweep. */
export interface SweepOptions {
  /** Younger objects may still get their rows. */
  readonly objectsBeforeMs: number;
  readonly fix: boolean;
  readonly act: Act;
  readonly tell: (line: string) => void;
}

/** Tells of every leftover, removes it if told to, and returns how many are left then. */
export async function sweep(
  service: Service,
  { objectsBeforeMs, fix, act, tell }: SweepOptions,
): Promise<number> {
  let left = 0;
  for await (const leftover of findLeftovers(service, objectsBeforeMs)) {
    const isRemoved = fix && (await remove(service, leftover, act));
    if (!isRemoved && leftover.kind !== "unknown") left += 1;
    tell(`${describe(leftover)}${isRemoved ? ": removed" : ""}.`);
  }
  return left;
}

async function* findLeftovers(service: Service, objectsBeforeMs: number): AsyncGenerator<Leftover> {
  yield* findVersionLeftovers();
  yield* findObjectLeftovers(service, objectsBeforeMs);
}

async function remove(service: Service, leftover: Leftover, act: Act): Promise<boolean> {
  switch (leftover.kind) {
    case "versions":
      await appendToAudit(act, { slug: leftover.slug });
      await purgeVersions(service.pagesBucket, leftover.slug);
      return true;
    case "object":
      await appendToAudit(act, subjectOf(leftover.object));
      await purgeObject(leftover.bucket, leftover.key);
      return true;
    case "unknown":
      return false;
  }
}

function subjectOf(object: StoredObject): ActSubject {
  switch (object.kind) {
    case "page":
    case "render":
      return { slug: object.slug };
    case "blob":
      return { blobId: object.id };
    case "staged":
      return { ownerId: object.ownerId, blobId: object.id };
    case "unknown":
      return {};
  }
}

function describe(leftover: Leftover): string {
  switch (leftover.kind) {
    case "versions":
      return `The drop ${leftover.slug} is gone, and has versions`;
    case "object":
      return `No row points at ${leftover.bucket}/${leftover.key}`;
    case "unknown":
      return `Not the service's: ${JSON.stringify(`${leftover.bucket}/${leftover.key}`)}`;
  }
}
