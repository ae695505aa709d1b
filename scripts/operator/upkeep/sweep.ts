import type { Act, ActSubject } from "../../../functions/table/audit.ts";
import { appendToAudit } from "../../../functions/table/audit-trail.ts";
import type { StoredObject } from "../../../functions/table-stream/orphans.ts";
import { defineCommand } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, type Service, serviceOptions } from "../service.ts";
import { purgeVersions } from "../takedown/drop-purge.ts";
import { purgeObject } from "../takedown/object-versions.ts";
import { findObjectLeftovers, findVersionLeftovers, type Leftover } from "./leftovers.ts";

/** Age by which the orphan check of an object and its retries are over. */
const objectAgeMsMin = 24 * 60 * 60 * 1000;

/** `sweep` */
export const sweepCommand = defineCommand({
  name: "sweep",
  summary: "finds versions and objects that no row refers to",
  details: `
The service deletes them itself: after deletions at once, after failures within a quarter of an hour. This finds what remains: versions of
deleted drops, and objects older than a day without a row. Reads the whole table and lists both buckets. Prints objects of an unknown
kind and leaves them.`,
  options: { ...serviceOptions, fix: { type: "boolean", help: "deletes what it finds, for good" } },
  async run(input, terminal) {
    const service = await openService(input.options);
    const left = await sweep(service, {
      act: await operatorAct(service, "sweep"),
      objectsBeforeMs: Date.now() - objectAgeMsMin,
      fix: input.options.fix,
      report: (line) => terminal.print(line),
    });
    terminal.print(`Left over: ${left}.`);
    return left === 0;
  },
});

/** Options of a sweep. */
export interface SweepOptions {
  /** Younger objects may still get their rows. */
  readonly objectsBeforeMs: number;
  readonly fix: boolean;
  readonly act: Act;
  readonly report: (line: string) => void;
}

/** Reports every leftover, removes it with `fix`, and returns the number of those that are left. */
export async function sweep(
  service: Service,
  { objectsBeforeMs, fix, act, report }: SweepOptions,
): Promise<number> {
  let left = 0;
  for await (const leftover of findLeftovers(service, objectsBeforeMs)) {
    const isRemoved = fix && (await remove(service, leftover, act));
    if (!isRemoved && leftover.kind !== "unknown") left += 1;
    report(`${describe(leftover)}${isRemoved ? ": removed" : ""}.`);
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
    case "pack":
    case "page":
    case "render":
      return { slug: object.slug };
    case "blob":
      return { blobId: object.id };
    case "staged":
      return { ownerId: object.ownerId, blobId: object.id };
    case "search":
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
