import { queueWorker } from "../background/worker.ts";
import { parseViewMessage, viewCounts } from "./view-counts.ts";

/** Counts queued views, with one write for each drop in the batch. */
export const countViews = queueWorker("count-views", (messages) =>
  // Messages that report a single view of the same drop are identical.
  [...Map.groupBy(messages, ({ body }) => body)].map(([body, sources]) => ({
    sources,
    run: async () => {
      const { ownerId, slug, views = 1 } = parseViewMessage(body);
      await viewCounts.add(ownerId, slug, views * sources.length);
    },
  })),
);
