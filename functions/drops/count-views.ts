import { queueWorker } from "../background/worker.ts";
import { parseViewMessage, viewCounts } from "./view-counts.ts";

/** The queue of views: one write for each drop of the batch, however often it was seen. */
export const countViews = queueWorker("count-views", (messages) =>
  // The views of a drop are equal messages.
  [...Map.groupBy(messages, ({ body }) => body)].map(([body, sources]) => ({
    sources,
    run: async () => {
      const { ownerId, slug, views = 1 } = parseViewMessage(body);
      await viewCounts.add(ownerId, slug, views * sources.length);
    },
  })),
);
