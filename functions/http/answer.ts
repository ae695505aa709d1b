import type { WriteIds } from "./request-log.ts";

/** An answer as an operation makes it; the wrapper adds what every answer carries. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** `Set-Cookie` values. @default - none */
  readonly cookies?: readonly string[];
  readonly body: string | Uint8Array;
  /** What was written, for the request's line in the log. @default - what the path and the token say */
  readonly wrote?: WriteIds;
}

/** Headers of every JSON answer: nothing may run it, frame it, read it across origins or keep it. */
export const jsonHeaders = {
  "content-type": "application/json; charset=utf-8",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
} as const;

/** 200 with JSON. */
export function ok(body: object, wrote: WriteIds = {}): HttpAnswer {
  return { status: 200, headers: jsonHeaders, body: JSON.stringify(body), wrote };
}

/** 201 with JSON. */
export function created(body: object, wrote: WriteIds = {}): HttpAnswer {
  return { status: 201, headers: jsonHeaders, body: JSON.stringify(body), wrote };
}

/** 204. */
export function noContent(): HttpAnswer {
  return { status: 204, headers: { "cache-control": "no-store" }, body: "" };
}

/** 302 to another address, which no cache keeps. */
export function redirect(location: string, cookies: readonly string[] = []): HttpAnswer {
  return toAddress(302, location, cookies);
}

/** 303: the form was taken, and the answer is to be read at another address. */
export function seeOther(location: string, cookies: readonly string[] = []): HttpAnswer {
  return toAddress(303, location, cookies);
}

function toAddress(status: number, location: string, cookies: readonly string[]): HttpAnswer {
  return {
    status,
    headers: { location, "cache-control": "no-store", "referrer-policy": "same-origin" },
    cookies,
    body: "",
  };
}

/** The Cache-Control of what the edge keeps for seconds; a browser asks again each time. */
export function keptBriefly(edgeSeconds: number): string {
  return `public, max-age=0, s-maxage=${edgeSeconds}, must-revalidate`;
}

/** 302 that the edge keeps for so many seconds: it is the same for everybody. */
export function keptRedirect(location: string, edgeSeconds: number): HttpAnswer {
  const { headers, ...answer } = redirect(location);
  return { ...answer, headers: { ...headers, "cache-control": keptBriefly(edgeSeconds) } };
}

/** 200 with plain text that no browser may take for anything else, no page of its host can look into, no cache keeps. */
export function text(body: Uint8Array): HttpAnswer {
  const headers = {
    ...jsonHeaders,
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": `${jsonHeaders["content-security-policy"]}; sandbox`,
  };
  return { status: 200, headers, body };
}
