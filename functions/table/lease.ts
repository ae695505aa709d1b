import { randomUUID } from "node:crypto";
import { keys } from "./keys.ts";
import { updateItem } from "./table-writes.ts";

/** A lock that expires. While one execution holds it, no other execution does the same work. */
export interface Lease {
  /** Returns true if another execution may hold the lease now, because this one was frozen or could not renew the lease. */
  isLost(): boolean;
  release(): Promise<void>;
}

/** Time after which DynamoDB's TTL removes an expired lease. */
const keptSeconds = 3_600;

/**
 * Takes the lease with this name. Returns undefined while another execution holds it. The lease of a crashed process expires. If
 * `isRenewed` is true, the lease is renewed until it is released.
 *
 * The operation needs the grant `UpdateItem` on `LIMIT`.
 */
export async function takeLease(
  name: string,
  { seconds, isRenewed = false }: { readonly seconds: number; readonly isRenewed?: boolean },
): Promise<Lease | undefined> {
  const holder = randomUUID();
  const isOwn = "holder = :holder";
  const write = (endMs: number, condition = isOwn, values: Record<string, number> = {}) =>
    updateItem({
      key: keys.lease(name),
      update: "SET holder = :holder, untilMs = :until, #ttl = :ttl",
      condition,
      names: { "#ttl": "ttl" },
      values: {
        ":holder": holder,
        ":until": endMs,
        ":ttl": Math.ceil(Math.max(endMs, Date.now()) / 1000) + keptSeconds,
        ...values,
      },
    });
  let untilMs = Date.now() + seconds * 1000;
  // If the SDK retries the request, this execution may already hold the lease.
  const isFree = "attribute_not_exists(untilMs) OR untilMs <= :now OR holder = :holder";
  const { updated } = await write(untilMs, isFree, { ":now": Date.now() });
  if (!updated) return undefined;
  const renew = async () => {
    const nextMs = Date.now() + seconds * 1000;
    const renewed = await write(nextMs);
    untilMs = renewed.updated ? nextMs : 0;
  };
  // A failed renewal is repeated at the next interval, until the lease expires.
  const renewal = isRenewed
    ? setInterval(() => renew().catch(() => undefined), (seconds * 1000) / 3)
    : undefined;
  return {
    isLost: () => Date.now() >= untilMs,
    async release() {
      clearInterval(renewal);
      await write(0);
    },
  };
}
