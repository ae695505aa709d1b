import { keys } from "../platform/keys.ts";
import { updateItem } from "../platform/table-writes.ts";

/**
 * A lease that is not renewed for so long is another's to take. Lambda brings an event again a minute after its function has died:
 * by then the lease of the dead one is over.
 */
const leaseMs = 30_000;
const renewEveryMs = 10_000;

/** The right to work through the queue of versions that are to be rendered, which one execution has at a time. */
export interface RenderLease {
  /** Whether it is another's by now: this execution was frozen, or could not renew it. */
  isLost(): boolean;
  giveBack(): Promise<void>;
}

/** Takes the lease, and renews it until it is given back; undefined while another execution has it. */
export async function takeRenderLease(holder: string): Promise<RenderLease | undefined> {
  let untilMs = Date.now() + leaseMs;
  // The client may try again what was written already.
  const free = "attribute_not_exists(pk) OR untilMs < :now OR holder = :holder";
  const { updated } = await writeLease(holder, untilMs, free, { ":now": Date.now() });
  if (!updated) return undefined;
  const renewal = setInterval(() => {
    const nextMs = Date.now() + leaseMs;
    writeLease(holder, nextMs, ownLease).then(
      (renewed) => {
        untilMs = renewed.updated ? nextMs : 0;
      },
      // The next one is tried while this lease lasts.
      () => undefined,
    );
  }, renewEveryMs);
  return {
    isLost: () => Date.now() >= untilMs,
    async giveBack() {
      clearInterval(renewal);
      await writeLease(holder, 0, ownLease);
    },
  };
}

const ownLease = "holder = :holder";

function writeLease(holder: string, untilMs: number, condition: string, values: Record<string, number> = {}) {
  return updateItem({
    key: keys.renderLease(),
    update: "SET holder = :holder, untilMs = :until",
    condition,
    values: { ":holder": holder, ":until": untilMs, ...values },
  });
}
