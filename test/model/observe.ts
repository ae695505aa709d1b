import { setTimeout as sleep } from "node:timers/promises";
import { deviceCodes } from "../../functions/identity/device-codes.ts";
import { routeOf } from "../../functions/routes.ts";
import { ApiClient } from "../support/client.ts";
import { givenAct } from "../support/given-act.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { type Call, isStepBetween, type Observation } from "./call.ts";
import { type StepParams, steps } from "./steps.ts";
import { sendByTool } from "./tool-call.ts";

/** Makes a call. Its answer must be one that the OpenAPI document describes, where the call is of the API. */
export async function observe(call: Call): Promise<Observation> {
  const sentAtMs = Date.now();
  const response = await send(call);
  return { call, response, sentAtMs, answeredAtMs: Date.now() };
}

/** A write got 503 `unavailable`: it was done, or not. */
export class UnavailableError extends Error {
  override readonly name = "UnavailableError";
}

/** Times that a read is repeated. */
const repeatsMax = 20;

/**
 * Makes a call to a service whose AWS fails now and then, and repeats a read that gets 503.
 *
 * @throws UnavailableError
 */
export async function observeRepeatedly(call: Call): Promise<Observation> {
  for (let repeats = 0; ; repeats += 1) {
    const observation = await observe(call);
    if (observation.response.status !== 503 || repeats === repeatsMax) return observation;
    if (!isRead(call)) throw new UnavailableError(describeObservation(observation));
    await sleep(500);
  }
}

function isRead({ operation, address, method = "GET" }: Call): boolean {
  if (isStepBetween(operation)) return false;
  return ["GET", "HEAD"].includes(address === undefined ? routeOf(operation).method : method);
}

async function send(call: Call): Promise<ReceivedResponse> {
  const { operation, token, address, method = "GET", text, headers, ...options } = call;
  if (operation === "confirm-sign-in") return confirmSignIn(call);
  if (operation === "send-file") return sendFile(call);
  if (isStepBetween(operation)) {
    const outcome = await steps[operation](options.params as unknown as StepParams);
    return { ...withoutBody, status: 200, text: JSON.stringify(outcome) };
  }
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
