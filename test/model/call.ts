import type { ErrorCode } from "../../functions/platform/errors.ts";
import type { OperationId } from "../../functions/routes.ts";
import { deviceCodes } from "../../functions/sign-in/device-codes.ts";
import { ApiClient, type CallOptions } from "../support/client.ts";
import { givenAct } from "../support/given-act.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { sendByTool } from "./tool-call.ts";

/** What is no operation of the API: a file is sent to where it was told to, a human has signed in. */
export type StepBetween = "send-file" | "confirm-sign-in";

/** A request, with what is known of it by itself. */
export interface Call extends CallOptions {
  readonly operation: OperationId | StepBetween;
  /** The plaintext of the token that is sent; with none, the call is a visitor's. */
  readonly token?: string;
  /** The whole address, where it is none of the API. @default - the operation's own */
  readonly address?: string;
  /** @default "GET", where there is an address */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  /** Made through the operation's tool of the MCP server. @default - at its own address */
  readonly byTool?: true;
  /** What the input itself is to be refused with, whatever there is. @default - it is valid */
  readonly refusal?: ErrorCode;
}

/** A call with its response, and the moments between which the service worked on it. */
export interface Observation {
  readonly call: Call;
  readonly response: ReceivedResponse;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}

/** Makes a call. Its answer must be one that the OpenAPI document describes, where the call is of the API. */
export async function observe(call: Call): Promise<Observation> {
  const sentAtMs = Date.now();
  const response = await send(call);
  return { call, response, sentAtMs, answeredAtMs: Date.now() };
}

async function send(call: Call): Promise<ReceivedResponse> {
  const { operation, token, address, method = "GET", text, headers, ...options } = call;
  if (operation === "confirm-sign-in") return confirmSignIn(call);
  if (operation === "send-file") return sendFile(call);
  if (call.byTool) return sendByTool(call, operation);
  if (address === undefined) {
    const sent = { ...options, ...(text === undefined ? {} : { text }), ...(headers ? { headers } : {}) };
    return new ApiClient(token).call(operation, sent);
  }
  return fetchPage(address, {
    method,
    ...(headers ? { headers } : {}),
    ...(text === undefined ? {} : { body: text }),
  });
}

/** To Amazon S3, and not to the service. */
async function sendFile({ address = "", headers, text = "" }: Call): Promise<ReceivedResponse> {
  const sent = { method: "PUT", headers: headers as Record<string, string>, body: text };
  const { status } = await fetch(address, sent);
  return { ...withoutBody, status };
}

const withoutBody = { headers: {}, setCookies: [], bytes: Buffer.alloc(0), text: "" };

/** What the callback does when a human comes back from the identity provider. */
async function confirmSignIn({ params = {} }: Call): Promise<ReceivedResponse> {
  const outcome = await deviceCodes.verify(String(params.code), String(params.userId), givenAct());
  return { ...withoutBody, status: outcome === "verified" ? 200 : 400 };
}

/** The call and its response in a line each. */
export function describeObservation({ call, response }: Observation): string {
  const { operation, token, refusal, byTool, ...sent } = call;
  const way = byTool ? " by tool" : "";
  const who = token === undefined ? "" : ` (token …${token.slice(-4)})`;
  return `${operation}${way}${who} ${cut(JSON.stringify(sent))}\n    → ${response.status} ${cut(response.text)}`;
}

function cut(text: string): string {
  const charactersMax = 240;
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text;
}
