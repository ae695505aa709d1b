import { randomUUID } from "node:crypto";
import { keys } from "./keys.ts";
import { updateItem } from "./table-writes.ts";

/** A lease that is held. */
export interface Lease {
  /** @throws Error where its time is over: somebody else may hold it by now */
  assertHeld(): void;
}

/** The time after which an item that nobody uses any more is removed from the table. */
const keptSeconds = 3_600;

/**
 * Does some work while nobody else holds the lease of the same name. The lease of a process that died ends by itself.
 *
 * The row needs `UpdateItem` on `LIMIT`.
 *
 * @throws Error where somebody else holds it, and whatever the work throws
 */
export async function withLease<Result>(
  name: string,
  seconds: number,
  work: (lease: Lease) => Promise<Result>,
): Promise<Result> {
  const [holder, nowMs] = [randomUUID(), Date.now()];
  const untilMs = nowMs + seconds * 1000;
  const { updated } = await updateItem({
    key: keys.lease(name),
    update: "SET holder = :holder, untilMs = :until, #ttl = :ttl",
    // A request that the SDK sends again finds its own lease.
    condition: "attribute_not_exists(untilMs) OR untilMs <= :now OR holder = :holder",
    names: { "#ttl": "ttl" },
    values: {
      ":holder": holder,
      ":until": untilMs,
      ":now": nowMs,
      ":ttl": Math.ceil(untilMs / 1000) + keptSeconds,
    },
  });
  if (!updated) throw new Error(`Somebody else holds the lease "${name}".`);
  const assertHeld = () => {
    if (Date.now() >= untilMs) throw new Error(`The lease "${name}" has ended.`);
  };
  try {
    return await work({ assertHeld });
  } finally {
    await updateItem({
      key: keys.lease(name),
      update: "REMOVE untilMs",
      condition: "holder = :holder",
      values: { ":holder": holder },
    });
  }
}
