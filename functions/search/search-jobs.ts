import type { SQSRecord } from "aws-lambda";
import type { Job } from "../background/worker.ts";
import { updateIndex } from "./index-writer.ts";
import { tellLateIndex } from "./late-index.ts";
import type { IndexedPlace } from "./search-document.ts";

/** Indexes the drops of all messages in one write of the index. */
export function searchJobs(messages: readonly SQSRecord[]): Job<SQSRecord>[] {
  if (messages.length === 0) return [];
  const run = () => {
    const nowMs = Date.now();
    tellLateIndex(messages, nowMs);
    return updateIndex(
      messages.flatMap(({ body }) => parsePlaces(body)),
      nowMs,
    );
  };
  return [{ sources: messages, run }];
}

/** @throws Error where the message names no drops */
function parsePlaces(body: string): readonly IndexedPlace[] {
  const { places } = Object(JSON.parse(body));
  const isPlace = ({ ownerId, slug }: IndexedPlace) =>
    typeof ownerId === "string" && typeof slug === "string";
  if (Array.isArray(places) && places.every(isPlace)) return places;
  throw new Error("The message names no drops.");
}
