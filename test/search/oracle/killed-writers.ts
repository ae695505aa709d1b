import { AsyncLocalStorage } from "node:async_hooks";
import type { Readable } from "node:stream";
import { DeleteObjectCommand, ListObjectsV2Command, PutObjectCommand } from "@aws-sdk/client-s3";
import { vi } from "vitest";
import { environmentNames, readEnvironment } from "../../../functions/core/environment.ts";
import { s3 } from "../../../functions/drops/page-objects.ts";
import { isManifest, isOfIndex } from "../../../functions/search/index-files.ts";
import { cleanIndex } from "../../../functions/search/index-upkeep.ts";
import { searchPrefix } from "../../../functions/search/search-document.ts";

/** A writer's process, which dies after some requests. */
interface Life {
  requestsLeft: number;
  /** S3 takes the last request, but its response comes too late. */
  readonly losesResponse: boolean;
}

const lives = new AsyncLocalStorage<Life>();

class KilledError extends Error {
  override readonly name = "KilledError";
}

/** Runs a writer that dies after some requests to S3, and tells whether it got to its end. */
export async function runMortal(life: Life, run: () => Promise<unknown>): Promise<boolean> {
  try {
    await lives.run(life, run);
    return true;
  } catch (error) {
    if (isDeath(error)) return false;
    throw error;
  }
}

/** A writer that died, or one that gave up since others were faster: its message comes again. */
function isDeath(error: unknown): boolean {
  return error instanceof KilledError || (error as { code?: string }).code === "unavailable";
}

/** Notices of written objects come after this time, and are repeated after failures. */
const noticeDelayMs = 15 * 60 * 1000;

/** Watches S3: notices of the index's objects reach the check for orphans later, and writers die in `runMortal`. */
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
    /** Number of notices that are still to come. */
    pending: () => notices.length,

    /** Does what `removeIfOrphan` does, for the notices that are due. */
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

/** The keys of all objects of the index. */
export async function indexObjects(): Promise<string[]> {
  const { Contents = [] } = await s3.send(
    new ListObjectsV2Command({ Bucket: bucket(), Prefix: searchPrefix }),
  );
  return Contents.map(({ Key = "" }) => Key);
}

function bucket(): string {
  return readEnvironment(environmentNames.pagesBucket);
}
