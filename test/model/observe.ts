import { deviceCodes } from "../../functions/identity/device-codes.ts";
import { ApiClient } from "../support/client.ts";
import { givenAct } from "../support/given-act.ts";
import { fetchPage, type ReceivedResponse } from "../support/http.ts";
import { type Call, isStepBetween, type Observation } from "./call.ts";
import { type StepParams, steps } from "./steps.ts";
import { sendByTool } from "./tool-call.ts";

/** Makes a call. A response of the API must conform to the OpenAPI document. */
export async function observe(call: Call): Promise<Observation> {
  const sentAtMs = Date.now();
  const response = await send(call);
  return { call, response, sentAtMs, answeredAtMs: Date.now() };
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

/** Sends a file to Amazon S3 instead of the service. */
async function sendFile({ address = "", headers, text = "" }: Call): Promise<ReceivedResponse> {
  const sent = { method: "PUT", headers: headers as Record<string, string>, body: text };
  const { status } = await fetch(address, sent);
  return { ...withoutBody, status };
}

const withoutBody = { headers: {}, setCookies: [], bytes: Buffer.alloc(0), text: "" };

/** Confirms a sign-in like the callback of the identity provider. */
async function confirmSignIn({ params = {} }: Call): Promise<ReceivedResponse> {
  const outcome = await deviceCodes.verify(
    String(params.code),
    {
      userId: String(params.userId),
      ...(params.personId === undefined ? {} : { personId: String(params.personId) }),
    },
    givenAct(),
  );
  return { ...withoutBody, status: outcome === "verified" ? 200 : 400 };
}

/** Describes a call and its response in a line each. */
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
