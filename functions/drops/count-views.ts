import { queueWorker } from "../background/worker.ts";
import { parseViewMessage, viewCounts } from "./view-counts.ts";

/** Counts the views in the queue, with one write for each drop of the batch. */
export const countViews = queueWorker("count-views", (messages) =>
  // All single views of a drop have equal messages.
  [...Map.groupBy(messages, ({ body }) => body)].map(([body, sources]) => ({
    sources,
    run: async () => {
      const { ownerId, slug, views = 1 } = parseViewMessage(body);
      await viewCounts.add(ownerId, slug, views * sources.length);
    },
  })),
);
