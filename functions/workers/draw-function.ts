import {
  InvokeCommand,
  type InvokeCommandOutput,
  LambdaClient,
  TooManyRequestsException,
} from "@aws-sdk/client-lambda";
import pRetry from "p-retry";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { withoutNeedlessMiddleware } from "../platform/sdk-middleware.ts";
import { timeOuts } from "../platform/time-outs.ts";
import { readDrawing } from "../renders/read-drawing.ts";
import type { Drawing, DrawRequest, Stop } from "../renders/report.ts";

/** Longer than the function may take: a minute, and the ten seconds in which it starts. */
const answerMsMax = 75_000;

// What was not answered may be at work all the same: the queue brings it again.
const lambda = withoutNeedlessMiddleware(
  new LambdaClient({ maxAttempts: 1, requestHandler: timeOuts(answerMsMax) }),
);

/** What came of a page: what was drawn, or why the function itself could not say. */
type DrawOutcome =
  | { readonly kind: "drawn"; readonly drawing: Drawing }
  | { readonly kind: "ended"; readonly stop: Stop; readonly errorType: string };

/**
 * Has a page drawn by the function with the browser, in an environment in which only pages of this owner are drawn: AWS Lambda
 * developer guide, "Tenant isolation".
 *
 * @throws Error where AWS refuses, which says nothing of the page
 */
export async function drawPage(request: DrawRequest, ownerId: string): Promise<DrawOutcome> {
  const { FunctionError, Payload } = await invoke(request, ownerId);
  const payload = JSON.parse(Payload?.transformToString() ?? "null");
  const drawing = FunctionError === undefined ? readDrawing(payload) : undefined;
  if (drawing !== undefined) return { kind: "drawn", drawing };
  const errorType = FunctionError === undefined ? "NoDrawing" : String(payload?.errorType).slice(0, 100);
  return { kind: "ended", stop: stopOf(errorType), errorType };
}

/**
 * So long others may have all of the account's functions, or owners all of the environments that there may be (2,500 for each 1,000
 * concurrent executions: the same guide), before the queue brings it again, which takes minutes.
 */
const waitMsMax = 15_000;

function invoke(request: DrawRequest, ownerId: string): Promise<InvokeCommandOutput> {
  const command = new InvokeCommand({
    FunctionName: readEnvironment(environmentNames.drawPageFunction),
    TenantId: ownerId,
    Payload: JSON.stringify(request),
  });
  return pRetry(() => lambda.send(command), {
    retries: 10,
    minTimeout: 500,
    randomize: true,
    maxRetryTime: waitMsMax,
    shouldRetry: ({ error }) => error instanceof TooManyRequestsException,
  });
}

/** AWS Lambda developer guide, "Troubleshoot execution issues in Lambda"; the names are those of its platform's log events. */
function stopOf(errorType: string): Stop {
  if (errorType === "Sandbox.Timedout") return "time";
  return errorType === "Runtime.OutOfMemory" ? "memory" : "crash";
}
