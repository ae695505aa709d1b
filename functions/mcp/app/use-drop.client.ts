/** Loads the drop that the app shows, with versions, open comments and newest answers. Reloads the drop after each change. */
import type { App } from "@modelcontextprotocol/ext-apps";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type {
  AppAnswers,
  AppComment,
  AppComments,
  AppDrop,
  AppVersion,
  AppVersions,
} from "./app-responses.ts";
import { readTool, ToolFailure } from "./app-tools.client.ts";

export interface LoadedDrop {
  readonly drop: AppDrop;
  /** Versions, the latest first. */
  readonly versions: readonly AppVersion[];
  readonly comments: readonly AppComment[];
  readonly hasMoreComments: boolean;
  readonly answers: AppAnswers;
}

interface DropInApp {
  /** The drop. @default - not loaded yet */
  readonly loaded: LoadedDrop | undefined;
  /** Message of the last failure. @default - the last call succeeded */
  readonly problem: string | undefined;
  readonly isGone: boolean;
  readonly isBusy: boolean;
  /** Runs a change and reloads the drop. Ignores calls while another change is running. Returns false after a failure. */
  change(run: () => Promise<unknown>): Promise<boolean>;
}

/** Minimum age of the loaded drop, in milliseconds, for a reload when the person returns to the app. */
const freshMs = 5_000;

export function useDrop(app: App, slug: string): DropInApp {
  const [loaded, setLoaded] = useState<LoadedDrop>();
  const [failure, setFailure] = useState<ToolFailure>();
  const [isBusy, setIsBusy] = useState(false);
  // Guards against a second click before the button is disabled.
  const isRunning = useRef(false);

  const change = useCallback(
    async (run: () => Promise<unknown>) => {
      if (isRunning.current) return false;
      isRunning.current = true;
      setIsBusy(true);
      try {
        await run();
        setLoaded(await loadDrop(app, slug));
        setFailure(undefined);
        return true;
      } catch (error) {
        setFailure(error instanceof ToolFailure ? error : new ToolFailure(String(error)));
        return false;
      } finally {
        isRunning.current = false;
        setIsBusy(false);
      }
    },
    [app, slug],
  );

  useEffect(() => {
    let readAtMs = performance.now();
    const read = () => {
      readAtMs = performance.now();
      void change(async () => {});
    };
    const readIfStale = () => performance.now() - readAtMs > freshMs && read();
    read();
    addEventListener("focus", readIfStale);
    return () => removeEventListener("focus", readIfStale);
  }, [change]);

  return { loaded, problem: failure?.message, isGone: failure?.isGone === true, isBusy, change };
}

async function loadDrop(app: App, slug: string): Promise<LoadedDrop> {
  const [drop, { versions }, { comments, has_more }, answers] = await Promise.all([
    readTool<AppDrop>(app, "page_details", { slug }),
    readTool<AppVersions>(app, "page_versions", { slug }),
    readComments(app, slug),
    readTool<AppAnswers>(app, "page_answers", { slug }),
  ]);
  return { drop, versions, comments, hasMoreComments: has_more, answers };
}

/** Maximum number of comments that the app loads. For more comments, the app links to the page. */
const commentsMax = 200;

/** Reads open comments in pages of 50. */
async function readComments(app: App, slug: string): Promise<Omit<AppComments, "next_since">> {
  const comments: AppComment[] = [];
  let since = 0;
  for (;;) {
    const part = await readTool<AppComments>(app, "page_comments", { slug, since });
    comments.push(...part.comments);
    since = part.next_since;
    if (!part.has_more || comments.length >= commentsMax) return { comments, has_more: part.has_more };
  }
}
