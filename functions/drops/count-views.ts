import { queueWorker } from "../background/worker.ts";
import { parseViewMessage, viewCounts } from "./view-counts.ts";

/** Counts queued views, with one write for each drop in the batch. */
export const countViews = queueWorker("count-views", (messages) =>
  // All messages that report a single view of one drop have the same body, so each group needs only one write.
  [...Map.groupBy(messages, ({ body }) => body)].map(([body, sources]) => ({
    sources,
    run: async () => {
      const { ownerId, slug, views = 1 } = parseViewMessage(body);
      await viewCounts.add(ownerId, slug, views * sources.length);
    },
  })),
);
