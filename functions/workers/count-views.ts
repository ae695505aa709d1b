import type { SQSRecord } from "aws-lambda";
import { parseViewMessage, type View } from "../domain/view.ts";
import { viewCounts } from "../store/view-counts.ts";
import type { Job } from "./jobs.ts";
import { queueWorker } from "./worker.ts";

/** The queue of views: one write for each drop that is in the batch, however often it was seen. */
export const countViews = queueWorker("count-views", (messages) => {
  const seen = new Map<string, { readonly view: View; readonly messages: SQSRecord[] }>();
  const refused: SQSRecord[] = [];
  for (const message of messages) {
    const view = parseViewMessage(message.body);
    if (view === undefined) refused.push(message);
    else addTo(seen, view, message);
  }
  return [...[...seen.values()].map(countJob), ...refused.map(refuseJob)];
});

function addTo(
  seen: Map<string, { readonly view: View; readonly messages: SQSRecord[] }>,
  view: View,
  message: SQSRecord,
): void {
  const drop = `${view.ownerId}/${view.slug}`;
  const known = seen.get(drop);
  if (known) known.messages.push(message);
  else seen.set(drop, { view, messages: [message] });
}
