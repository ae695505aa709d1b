import { type DueWork, dueShards, keys, parseDueWork, ranges } from "../table/keys.ts";
import { querySortKeysBefore } from "../table/table.ts";
import { deleteItems, writeItems } from "../table/table-writes.ts";
import { collectFromChanges, type TableChange, type TableListener } from "./table-change.ts";
import { runJobs } from "./worker.ts";

/**
 * Carries out scheduled work that is due. A task may run twice, or after the drop has changed. Each task therefore reads the drop from the
 * table, and does nothing if the work is no longer due. Postponed work stays scheduled for the next run.
 */
export type DueTask = (work: DueWork) => Promise<"postponed" | undefined>;

/**
 * Creates a listener that schedules work for changed table rows. Scheduling the same work again changes nothing. Scheduled work is never
 * cancelled, because each task checks whether the work is still due.
 */
export function dueWorkListener(
  feature: string,
  read: (change: TableChange) => readonly DueWork[],
): TableListener {
  return {
    feature,
    onTableChange(changes) {
      const planned = collectFromChanges(feature, changes, read);
      if (planned.length === 0) return [];
      const sources = [...new Set(planned.map(({ change }) => change))];
      const run = () => writeItems({ puts: planned.map(({ found }) => ({ ...keys.dueWork(found) })) });
      return [{ sources, run }];
    },
  };
}

/** Number of tasks that are read, run and removed together. After a crash, at most one such batch runs again. */
const batchMax = 100;

/**
 * Runs due work, the most recent first, until all of it is done or `stopAtMs` has passed. A failed task does not delay other tasks.
 *
 * @returns the number of finished tasks, and the errors of the failed tasks, which are retried in the next run
 */
export async function runDueWork(
  tasks: Readonly<Record<DueWork["kind"], DueTask>>,
  { nowMs, stopAtMs }: { readonly nowMs: number; readonly stopAtMs: number },
) {
  let done = 0;
  const errors: unknown[] = [];
  for (let shard = 0; shard < dueShards; shard += 1) {
    let { pk, before } = ranges.dueWork(shard, nowMs);
    for (;;) {
      if (Date.now() >= stopAtMs) return { done, errors };
      const sortKeys = await querySortKeysBefore(pk, before, batchMax);
      const last = sortKeys.at(-1);
      if (last === undefined) break;
      before = last;
      const postponed = new Set<string>();
      const jobs = sortKeys.map((sk) => ({
        sources: [{ pk, sk }],
        run: async () => {
          const work = parseDueWork(sk);
          // A newer release that was rolled back may have scheduled a kind of work that this release does not support.
          if (work === undefined) throw new Error("The scheduled task has an unknown kind.");
          if ((await tasks[work.kind](work)) === "postponed") postponed.add(sk);
        },
      }));
      const failures = await runJobs(jobs);
      const finished = jobs
        .filter((job) => !failures.has(job))
        .flatMap(({ sources }) => sources)
        .filter(({ sk }) => !postponed.has(sk));
      await deleteItems(finished);
      done += finished.length;
      errors.push(...failures.values());
    }
  }
  return { done, errors };
}
