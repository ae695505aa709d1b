/** Loads the drop that the app shows, and reloads it after each change. */
import type { App } from "@modelcontextprotocol/ext-apps";
import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import type { AppAnswers, AppComment, AppComments, AppDrop, AppVersions } from "./app-responses.ts";
import { readTool, ToolFailure } from "./app-tools.client.ts";

/** A drop with its versions, open comments and newest answers. */
export type LoadedDrop = Awaited<ReturnType<typeof loadDrop>>;

/** Minimum age of the loaded drop, in milliseconds, for a reload when the person returns to the app. */
const freshMs = 5_000;

/**
 * Loads a drop. `loaded` is undefined until the first load has succeeded. `problem` is the message of the last call's failure. `change` runs
 * a change and reloads the drop; it ignores calls while another change is running, and returns false after a failure.
 */
export function useDrop(app: App, slug: string) {
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

async function loadDrop(app: App, slug: string) {
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
