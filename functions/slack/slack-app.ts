import { createHmac, timingSafeEqual } from "node:crypto";
import { environmentNames } from "../core/environment.ts";
import { ApiError } from "../core/errors.ts";
import { PublicRequestError, requestPublicly } from "../core/public-request.ts";
import { onInit } from "../core/start-up.ts";
import { type HttpRequest, singleHeader } from "../http/request.ts";
import { parseJson } from "../http/validation.ts";
import { cachedParameter } from "../identity/registration.ts";

/**
 * Reads the credentials of the operator's Slack app, cached for five minutes: the secret with which Slack signs its requests, and the token
 * for calls to Slack.
 */
const readSlackApp = cachedParameter(
  environmentNames.slackParameter,
  ({ signing_secret: signingSecret, bot_token: botToken }) => {
    if (typeof signingSecret !== "string" || signingSecret === "" || typeof botToken !== "string") {
      throw new Error('The Slack parameter must be {"signing_secret": "…", "bot_token": "…"}.');
    }
    return { signingSecret, botToken };
  },
);
onInit(readSlackApp);

/** Maximum age of a signature in seconds; see "Verifying requests from Slack", Slack documentation. */
const signatureSecondsMax = 300;

/** Reads the body of a request that Slack has signed. @throws ApiError `unauthorized` for any other request */
export async function readSignedBody(request: HttpRequest, nowMs: number): Promise<Uint8Array> {
  const signature = singleHeader(request, "x-slack-signature") ?? "";
  const timestamp = singleHeader(request, "x-slack-request-timestamp") ?? "";
  if (/^v0=[0-9a-f]{64}$/.test(signature) && isFresh(timestamp, nowMs)) {
    const [{ signingSecret }, body] = await Promise.all([readSlackApp(), request.readBody()]);
    if (
      timingSafeEqual(Buffer.from(signature), Buffer.from(signSlackRequest(signingSecret, timestamp, body)))
    )
      return body;
  }
  throw new ApiError("unauthorized", {
    message:
      "Only Slack may call this URL. The headers X-Slack-Signature and X-Slack-Request-Timestamp must come from a request that Slack signed with this app's signing secret in the last five minutes.",
  });
}

function isFresh(timestamp: string, nowMs: number): boolean {
  return /^[0-9]{1,12}$/.test(timestamp) && Math.abs(nowMs / 1000 - Number(timestamp)) <= signatureSecondsMax;
}

/** Computes the value of X-Slack-Signature; see "Verifying requests from Slack", Slack documentation. */
export function signSlackRequest(signingSecret: string, timestamp: string, body: Uint8Array): string {
  return `v0=${createHmac("sha256", signingSecret).update(`v0:${timestamp}:`).update(body).digest("hex")}`;
}

/** Error of a failed call to Slack. */
export class SlackError extends Error {
  override readonly name = "SlackError";
  /** Reason to log: Slack's error code, the HTTP status, or the connection failure. */
  readonly why: string;

  constructor(why: string, cause?: unknown) {
    super(`Slack: ${why}.`, { cause });
    this.why = why;
  }
}

const responseBytesMax = 100_000;

/**
 * Calls a method of Slack's Web API. The call is not retried, because Slack waits only three seconds in total.
 *
 * @param deadlineMs time when the call is aborted
 * @throws SlackError
 */
export async function callSlack(
  method: "chat.unfurl" | "users.info",
  parameters: Readonly<Record<string, string>>,
  deadlineMs: number,
): Promise<Readonly<Record<string, unknown>>> {
  const { botToken } = await readSlackApp();
  const body = new URLSearchParams(parameters).toString();
  const timeoutMs = deadlineMs - Date.now();
  if (timeoutMs <= 0) throw new SlackError("timed-out");
  const response = await requestPublicly(new URL(`https://slack.com/api/${method}`), {
    method: "POST",
    headers: {
      authorization: `Bearer ${botToken}`,
      "content-type": "application/x-www-form-urlencoded",
      "content-length": String(Buffer.byteLength(body)),
      "user-agent": "Dropleaf",
    },
    body,
    timeoutMs,
    responseBytesMax,
  }).catch((error: unknown) => {
    throw error instanceof PublicRequestError ? new SlackError(error.why, error) : error;
  });
  if (response.status !== 200) throw new SlackError(`answered-${response.status}`);
  const found = parseObject(response.body);
  if (found.ok !== true) throw new SlackError(codeOf(found.error));
  return found;
}

/** Returns Slack's error code. Replaces any other text, which must not be logged. */
function codeOf(error: unknown): string {
  return typeof error === "string" && /^[a-z_]{1,60}$/.test(error) ? error : "unknown-error";
}

/** Parses JSON from Slack. Returns an empty object unless the value is an object. */
export function parseObject(bytes: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    return toObject(bytes && parseJson(bytes));
  } catch {
    return {};
  }
}

/** Returns an object unchanged, and an empty object for any other value. */
export function toObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
