import { parseInvalidationMessage } from "../domain/invalidation.ts";
import { edgeCache } from "../store/edge-cache.ts";
import { queueWorker } from "./worker.ts";

/**
 * The queue of second invalidations, delayed by longer than any answer is under way: what came into the edge's cache
 * after the first one leaves it.
 */
export const invalidateAgain = queueWorker("invalidate-again", (messages) =>
  messages.map((message) => ({
    sources: [message],
    run: async () => {
      const { paths, reference } = parseInvalidationMessage(message.body);
      await edgeCache.invalidate(paths, reference);
    },
  })),
);
