import { randomBytes } from "node:crypto";
import type { Context } from "aws-lambda";
import { writeLog } from "../core/log.ts";
import { blobUrl, readSite, type Site } from "../http/site.ts";

/**
 * Test requests ask for this file, although it does not exist. The request passes through the edge function, the bucket of files and API
 * Gateway. The function for embedded files then reads the table and redirects to the file's URL.
 */
const missingFile = { namespace: "reader-way", id: "0000000" };

/** Size in bytes of the random, invalid file key in the URL. Each check uses a new key, so that the response is never cached. */
const keyBytes = 48;

const requestMsMax = 10_000;

/**
 * Sends test requests through the edge as a reader would, without counting views or following redirects. EventBridge Scheduler invokes this
 * function every `readerWayMinutes`.
 *
 * @throws Error if a response is not the expected one; the alarm `reader-way` counts these errors
 */
export async function checkReaderWay(_event: unknown, { awsRequestId: requestId }: Context): Promise<void> {
  for (const check of checksOf(readSite({ serviceHost: undefined, host: "" }))) {
    const startedAtMs = performance.now();
    const { isExpected, ...outcome } = await run(check);
    const durationMs = Math.round(performance.now() - startedAtMs);
    const { step } = check;
    const level = isExpected ? "info" : "error";
    writeLog({ level, operation: "check-reader-way", requestId, step, ...outcome, durationMs });
    if (!isExpected) throw new Error("A test request failed. The previous log line names the step.");
  }
}

/** Lists the test requests with their expected responses. */
function checksOf(site: Site) {
  const { namespace, id } = missingFile;
  const fileUrl = blobUrl(site, namespace, id);
  const key = `k${randomBytes(keyBytes).toString("base64url")}`;
  const file = { step: "file", url: `${fileUrl}/${key}`, expected: { status: 302, location: fileUrl } };
  // Tests the service's own host name, which may fail while owners' host names work. The edge function itself responds to this URL.
  const icon = {
    step: "icon",
    url: `${site.baseUrl}/favicon.ico`,
    expected: { status: 200, location: null },
  };
  return site.baseDomain === undefined ? [file] : [icon, file];
}

/** Sends a request. Returns the response's status, or the reason why there was no response. */
async function run({ url, expected }: ReturnType<typeof checksOf>[number]) {
  try {
    const response = await fetch(url, {
      redirect: "manual",
      // Browsers send this header for a file that a page embeds.
      headers: { "sec-fetch-dest": "image" },
      signal: AbortSignal.timeout(requestMsMax),
    });
    const { status } = response;
    const location = response.headers.get("location");
    await response.body?.cancel();
    return { status, isExpected: status === expected.status && location === expected.location };
  } catch (error) {
    return { why: reasonOf(error), isExpected: false };
  }
}

/** Returns an error's code, such as `ENOTFOUND`, for the log. The error's message is not logged, because it may quote the URL. */
function reasonOf(error: unknown): string {
  const { name, cause } = error as Error;
  const { code } = (cause ?? {}) as { readonly code?: unknown };
  return typeof code === "string" ? code : name;
}
