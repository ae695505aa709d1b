/** Runs in the thread of the edge's functions: answers what `edge-thread.ts` asks. */
import { flushCompileCache } from "node:module";
import { workerData } from "node:worker_threads";
import { type EdgeSandbox, openSandbox } from "./edge-sandbox.ts";
import type { EdgeRunResult, EdgeThreadRequest } from "./edge-thread.ts";
import { ThreadChannel, textBytesMax } from "./thread-channel.ts";

const sandboxes = new Map<number, EdgeSandbox>();

// It is never idle later: it waits without an event loop.
flushCompileCache();
new ThreadChannel(workerData as SharedArrayBuffer).serve((question) => {
  const end = question.indexOf("\n");
  const { id, code, edgeLanguageModule, rawQuery, forgotten } = JSON.parse(
    question.slice(0, end),
  ) as EdgeThreadRequest;
  for (const one of forgotten) sandboxes.delete(one);
  if (code !== undefined) sandboxes.set(id, openSandbox(code, edgeLanguageModule));
  const sandbox = sandboxes.get(id);
  if (sandbox === undefined) throw new Error(`No code of function ${id}`);
  const result = sandbox.run(question.slice(end + 1), rawQuery);
  const response = textOf(result);
  const bytes = Buffer.byteLength(response);
  if (bytes <= textBytesMax) return response;
  const failed = `its result of ${bytes} bytes is larger than ${textBytesMax}`;
  return textOf({ settled: "", failed, calls: [], logLines: [] });
});

function textOf({ settled, ...rest }: EdgeRunResult): string {
  return `${JSON.stringify(rest)}\n${settled}`;
}
