import { Readable } from "node:stream";
import type { AwsCall } from "./aws-call.ts";

/** Response of AWS as the SDK's middleware sees it. */
export interface AwsResponse {
  readonly response: {
    readonly statusCode: number;
    readonly headers: Record<string, string>;
    readonly body: Readable;
  };
}

/** One attempt of a call, with the operations that faults need. */
export interface Attempt {
  readonly call: AwsCall;
  /** Number of the attempt, from 0. */
  readonly number: number;
  /** Number of writes in the transaction. */
  readonly writeCount: number;
  /** Sends the request to AWS. */
  send(): Promise<AwsResponse>;
  /** Sends the request to a server that never responds. */
  sendIntoSilence(): Promise<AwsResponse>;
  /** Waits until the caller has had a response, like a call that is frozen with its function and continues later. */
  sleepUntilAnswered(): Promise<void>;
  /** Ends the process, so that the execution does nothing more. */
  endProcess(): Promise<never>;
}

/** Outcome of a fault: survived, refused with `unavailable`, or no response. */
export type FaultOutcome = "survived" | "refused" | "no response";

/** Failure of one call of AWS, at every attempt of the SDK. */
export interface Fault {
  readonly name: string;
  readonly outcome: FaultOutcome;
  /** The fault waits for the clients' timeouts. @default false */
  readonly isSlow?: boolean;
  /** The fault resembles another, and happens in `npm run test:nightly` only. @default false */
  readonly isSecondary?: boolean;
  /** The call succeeded but was reported as failed. Another attempt must not repeat it. @default false */
  readonly isLoss?: boolean;
  /** Neither the SDK's nor the shared retries repair the fault, so it is tested with every write of every operation. @default false */
  readonly meetsEveryWrite?: boolean;
  /** The fault also hits the code's own retries. @default false */
  readonly isLasting?: boolean;
  appliesTo(call: AwsCall): boolean;
  meet(attempt: Attempt): Promise<AwsResponse>;
}

const everything = () => true;
const writes = ({ isRead }: AwsCall) => !isRead;
const objectWrites = ({ command }: AwsCall) => /^(Put|Copy)Object$/.test(command);
const tableWrites = ({ service, isRead }: AwsCall) => service === "DynamoDB" && !isRead;
/** Calls with retries. Counting a view (SQS) is not retried. */
const retried = ({ service }: AwsCall) => service !== "SQS";

/** All faults between a function and AWS. */
export const faults: readonly Fault[] = [
  {
    name: "fails before it is sent",
    outcome: "refused",
    meetsEveryWrite: true,
    appliesTo: everything,
    meet: async ({ call }) => serverError(call),
  },
  {
    name: "commits and then responds with an error",
    outcome: "refused",
    isLoss: true,
    meetsEveryWrite: true,
    appliesTo: writes,
    meet: async ({ call, send }) => {
      await discard(await send());
      return serverError(call);
    },
  },
  {
    name: "never responds",
    outcome: "refused",
    isSlow: true,
    appliesTo: everything,
    meet: ({ sendIntoSilence }) => sendIntoSilence(),
  },
  {
    name: "commits and never responds",
    outcome: "refused",
    isSlow: true,
    isSecondary: true,
    appliesTo: writes,
    meet: async ({ send, sendIntoSilence }) => {
      await discard(await send());
      return sendIntoSilence();
    },
  },
  {
    name: "commits and responds after the function has given up",
    outcome: "refused",
    isSlow: true,
    appliesTo: objectWrites,
    meet: async ({ send, sleepUntilAnswered }) => {
      const answer = await send();
      await sleepUntilAnswered();
      return answer;
    },
  },
  {
    name: "is not sent, because the process ends",
    outcome: "no response",
    appliesTo: writes,
    meet: ({ endProcess }) => endProcess(),
  },
  {
    name: "commits, and the process ends",
    outcome: "no response",
    meetsEveryWrite: true,
    appliesTo: writes,
    meet: async ({ send, endProcess }) => {
      await discard(await send());
      return endProcess();
    },
  },
  {
    name: "is throttled three times",
    outcome: "survived",
    appliesTo: retried,
    meet: async ({ call, number, send }) => (number < 3 ? throttled(call) : send()),
  },
  {
    name: "commits, and the connection is reset before the response",
    outcome: "survived",
    appliesTo: retried,
    meet: async ({ number, send }) => {
      const answer = await send();
      if (number > 0) return answer;
      await discard(answer);
      throw connectionReset();
    },
  },
  {
    name: "gets half a response at the first attempt",
    outcome: "survived",
    appliesTo: retried,
    meet: async ({ number, send }) => (number > 0 ? send() : cutInHalf(await send())),
  },
  {
    name: "conflicts with a transaction at the first attempt",
    outcome: "survived",
    appliesTo: tableWrites,
    meet: async (attempt) => (attempt.number === 0 ? conflict(attempt) : attempt.send()),
  },
  {
    name: "conflicts with transactions at every attempt",
    outcome: "refused",
    isLasting: true,
    appliesTo: tableWrites,
    meet: async (attempt) => conflict(attempt),
  },
];

/** Common errors of each service's API reference. */
const throttlingCodes: Readonly<Record<string, readonly [number, string]>> = {
  DynamoDB: [400, "ProvisionedThroughputExceededException"],
  S3: [503, "SlowDown"],
  CloudFront: [400, "Throttling"],
};

function serverError({ service }: AwsCall): AwsResponse {
  return errorResponse(service, 500, service === "DynamoDB" ? "InternalServerError" : "InternalError");
}

function throttled({ service }: AwsCall): AwsResponse {
  const [status, code] = throttlingCodes[service] ?? [400, "ThrottlingException"];
  return errorResponse(service, status, code);
}

/** Amazon DynamoDB developer guide, "Transaction conflict handling in DynamoDB". */
function conflict({ call, writeCount }: Attempt): AwsResponse {
  if (call.command !== "TransactWriteItems") {
    return errorResponse(call.service, 400, "TransactionConflictException");
  }
  const CancellationReasons = Array.from({ length: writeCount }, (_, index) => ({
    Code: index === 0 ? "TransactionConflict" : "None",
  }));
  return errorResponse(call.service, 400, "TransactionCanceledException", { CancellationReasons });
}

function errorResponse(service: string, statusCode: number, code: string, facts: object = {}): AwsResponse {
  const isXml = service === "S3" || service === "CloudFront";
  const error = `<Error><Code>${code}</Code><Message>Injected.</Message></Error>`;
  const xml = service === "S3" ? error : `<ErrorResponse>${error}</ErrorResponse>`;
  const body = Buffer.from(isXml ? xml : JSON.stringify({ __type: code, message: "Injected.", ...facts }));
  return {
    response: {
      statusCode,
      headers: {
        "content-type": isXml ? "application/xml" : "application/x-amz-json-1.0",
        "content-length": String(body.byteLength),
      },
      body: Readable.from([body]),
    },
  };
}

/** Cuts a response off after its status and half of its body. */
async function cutInHalf({ response }: AwsResponse): Promise<AwsResponse> {
  const bytes = await readAll(response.body);
  const half = async function* () {
    yield bytes.subarray(0, Math.floor(bytes.byteLength / 2));
    throw connectionReset();
  };
  return { response: Object.assign(response, { body: Readable.from(half()) }) };
}

async function discard({ response }: AwsResponse): Promise<void> {
  await readAll(response.body);
}

async function readAll(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(piece as Buffer);
  return Buffer.concat(pieces);
}

function connectionReset(): Error {
  return Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
}
