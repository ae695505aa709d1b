import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable } from "node:stream";
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { vi } from "vitest";
import { environmentNames, readEnvironment } from "../../../functions/core/environment.ts";
import { s3 } from "../../../functions/drops/page-objects.ts";
import { isManifest, isOfIndex } from "../../../functions/search/index-files.ts";
import { cleanIndex } from "../../../functions/search/index-upkeep.ts";
import { searchPrefix } from "../../../functions/search/search-document.ts";

/** A writer's process, which is killed after a number of requests. */
interface Life {
  requestsLeft: number;
  /** S3 processes the last request, but its response is lost. */
  readonly losesResponse: boolean;
}

const lives = new AsyncLocalStorage<Life>();

class KilledError extends Error {
  override readonly name = "KilledError";
}

/** Runs a writer that is killed after a number of requests to S3, and returns whether it completed. */
export async function runMortal(life: Life, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await lives.run(life, run);
    return true;
  } catch (error) {
    if (isDeath(error)) return false;
    throw error;
  }
}

/** Recognizes a killed writer, and one that gave up after conflicts: in both cases the message is redelivered. */
function isDeath(error: unknown): boolean {
  return error instanceof KilledError || (error as { code?: string }).code === "unavailable";
}

/** Notifications of written objects arrive after this time, and are repeated after failures. */
const noticeDelayMs = 15 * 60 * 1000;

/**
 * Wraps S3: notifications about index objects reach the orphan check later, and writers are killed in `runMortal`.
 */
export function watchIndex(now: () => number) {
  let notices: { readonly key: string; readonly atMs: number }[] = [];
  const send = s3.send.bind(s3) as (command: unknown) => Promise<unknown>;
  const watched = async (command: unknown) => {
    const life = lives.getStore();
    if (life !== undefined) {
      life.requestsLeft -= 1;
      if (life.requestsLeft < 0) throw new KilledError();
    }
    const response = await send(command);
    const { Key = "" } = command instanceof PutObjectCommand ? command.input : {};
    if (Key.startsWith(searchPrefix)) notices.push({ key: Key, atMs: now() });
    if (life?.requestsLeft === 0 && life.losesResponse) {
      (response as { Body?: Readable }).Body?.destroy();
      throw new KilledError();
    }
    return response;
  };
  vi.spyOn(s3, "send").mockImplementation(watched as typeof s3.send);

  return {
    /** Number of pending notifications. */
    pending: () => notices.length,

    /** Does the same as `removeIfOrphan` for the due notifications. */
    async checkDue(lifeOfOne: () => Life): Promise<void> {
      const due = notices.filter(({ atMs }) => atMs + noticeDelayMs <= now());
      notices = notices.filter((one) => !due.includes(one));
      for (const notice of due) {
        const isDone = await runMortal(lifeOfOne(), async () => {
          let isCleaned = isManifest(notice.key);
          while (isCleaned) isCleaned = await cleanIndex(now());
          if (!(await isOfIndex(notice.key)))
            await s3.send(new DeleteObjectCommand({ Bucket: bucket(), Key: notice.key }));
        });
        if (!isDone) notices.push(notice);
      }
    },
  };
}

/** Lists the keys of all index objects. */
export async function indexObjects(): Promise<string[]> {
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: bucket(), Prefix: searchPrefix }),
  );
  return Contents.map(({ Key = "" }) => Key);
}

function bucket(): string {
  return readEnvironment(environmentNames.pagesBucket);
}
