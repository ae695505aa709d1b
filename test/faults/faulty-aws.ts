import { AsyncLocalStorage } from "node:async_hooks";
import { type AddressInfo, createServer } from "node:net";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { patienceMs } from "../support/patience.ts";
import { type AwsCall, describeCall } from "./aws-call.ts";
import type { AwsResponse, Fault } from "./fault.ts";

/** Factor by which timeouts and waits between retries are shorter than in production. */
const haste = 20;

/** Planned fault of an execution. */
export interface PlannedFault {
  /** The call that fails, as recorded in an execution without a fault. */
  readonly call: AwsCall;
  readonly fault: Fault;
}

/** Result of an execution. */
export interface Executed<Result> {
  /** The result, undefined if the process ended first. */
  readonly result: Result | undefined;
  /** Calls in the order of their starts. */
  readonly calls: readonly AwsCall[];
  /** The fault happened. */
  readonly isHit: boolean;
  /** Longest wait of the SDK between its attempts in production. */
  readonly waitMsMax: number;
  /** Labels of the writes that were sent after the result. Grows. */
  readonly lateWrites: readonly string[];
}

/** Options of an execution. */
interface ExecutionOptions {
  /** The execution ends before the function's timeout, like a request. @default true */
  readonly hasDeadline?: boolean;
}

interface Execution {
  readonly planned: PlannedFault | undefined;
  readonly calls: AwsCall[];
  readonly lateWrites: string[];
  waitMsMax: number;
  isHit: boolean;
  readonly over: Promise<void>;
  readonly hasDeadline: boolean;
  isOver: boolean;
  isKilled: boolean;
  kill(): void;
}

interface Sending {
  readonly execution: Execution;
  readonly call: AwsCall;
  readonly writeCount: number;
  readonly abortSignal: AbortSignal | undefined;
  attempts: number;
}

/** The part of the SDK's request handler that is used here. */
interface RequestHandler {
  readonly configProvider: Promise<Timeouts>;
  updateHttpClientConfig(name: TimeoutName, value: number): void;
  handle(request: object, options: { readonly abortSignal: AbortSignal | undefined }): Promise<AwsResponse>;
}

const timeoutNames = ["connectionTimeout", "requestTimeout", "socketTimeout"] as const;
type TimeoutName = (typeof timeoutNames)[number];

interface Timeouts extends Partial<Record<TimeoutName, number | undefined>> {
  readonly throwOnRequestTimeout?: boolean | undefined;
}

/** The part of the SDK's client that is used here. */
interface Client {
  readonly config: {
    readonly serviceId: string;
    readonly maxAttempts: () => Promise<number>;
    retryStrategy: () => Promise<object>;
    readonly requestHandler: RequestHandler;
  };
  readonly middlewareStack: { add(middleware: Middleware, options: object): void };
  send(command: Command, options?: SendOptions, ...rest: unknown[]): Promise<unknown>;
}

interface SendOptions {
  readonly abortSignal?: AbortSignal;
}

/** A command of the SDK. A command of the document client wraps another. */
interface Command {
  readonly input: object;
  readonly clientCommand?: object;
}

/** Handler for requests that get no response. */
interface HastyHandler {
  readonly handler: RequestHandler;
  /** The client's own timeout ends a request without a response. */
  readonly endsRequests: boolean;
}

interface HttpArguments {
  readonly request: { hostname: string; port?: number };
}
type Handler = (args: HttpArguments) => Promise<AwsResponse>;
type Middleware = (next: Handler) => Handler;

const executions = new AsyncLocalStorage<Execution>();
const sendings = new AsyncLocalStorage<Sending>();
const hastyHandlers = new WeakMap<RequestHandler, Promise<HastyHandler>>();

/**
 * Enables faults in this process's calls of AWS: in the middleware of every client, below the SDK's retries and timeouts,
 * which work as in production.
 *
 * @returns a function that disables faults
 */
export async function makeAwsFaulty(): Promise<() => Promise<void>> {
  const silence = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => silence.once("listening", resolve));
  const { port } = silence.address() as AddressInfo;
  const sockets = new Set<{ destroy(): void }>();
  silence.on("connection", (socket) => {
    sockets.add(socket.on("error", () => {}).on("close", () => sockets.delete(socket)));
  });
  // The base class of the SDK's clients, which includes clients that modules do not export.
  const baseClass = Object.getPrototypeOf(DynamoDBClient.prototype) as Client;
  const { send } = baseClass;
  const prepared = new WeakMap<Client, Promise<void>>();
  baseClass.send = async function sendFaulty(command, options, ...rest) {
    const execution = executions.getStore();
    if (execution === undefined) return send.call(this, command, options, ...rest);
    const name = (command.clientCommand ?? command).constructor.name.replace(/Command$/, "");
    const call = describeCall(this.config.serviceId, name, command.input, execution.calls);
    execution.calls.push(call);
    if (!prepared.has(this)) prepared.set(this, prepare(this, port));
    await prepared.get(this);
    const { TransactItems = [] } = command.input as { TransactItems?: object[] };
    const { abortSignal } = options ?? {};
    const sending = { execution, call, writeCount: TransactItems.length, abortSignal, attempts: 0 };
    return sendings.run(sending, () => send.call(this, command, options, ...rest));
  };
  return async () => {
    baseClass.send = send;
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silence.close(resolve));
  };
}

/**
 * Runs a function, records its calls of AWS, and makes one of them fail. The end of a process is simulated by abandoning the
 * execution: requests that were sent continue, like after the end of a real process, and nothing that its `catch` or
 * `finally` blocks do is sent.
 */
export async function execute<Result>(
  run: () => Promise<Result>,
  planned?: PlannedFault,
  { hasDeadline = true }: ExecutionOptions = {},
): Promise<Executed<Result>> {
  const { promise: killed, resolve: kill } = Promise.withResolvers<undefined>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const execution: Execution = {
    planned,
    over,
    hasDeadline,
    calls: [],
    lateWrites: [],
    waitMsMax: 0,
    isHit: false,
    isOver: false,
    isKilled: false,
    kill: () => {
      execution.isKilled = true;
      kill(undefined);
    },
  };
  const result = await Promise.race([executions.run(execution, run), killed]);
  execution.isOver = true;
  end();
  const { calls, waitMsMax, lateWrites, isHit } = execution;
  return { result, calls: [...calls], waitMsMax, lateWrites, isHit };
}

/** Recognizes the calls that fail. The code's own retries are separate calls, and a lasting fault includes them. */
function isMeant({ call: { kind, number }, fault }: PlannedFault, call: AwsCall): boolean {
  return kind === call.kind && (fault.isLasting ? number <= call.number : number === call.number);
}

/** Gives each call the retries of a new client, with shorter waits, and installs the faults. */
async function prepare(client: Client, silentPort: number): Promise<void> {
  const hasty = await makePatient(client.config.requestHandler);
  const strategy = await client.config.retryStrategy();
  const maxAttempts = await client.config.maxAttempts();
  const Strategy = strategy.constructor as new (options: object) => object;
  client.config.retryStrategy = async () => new Strategy({ maxAttempts, backoff: hastyBackoff() });
  const silence = { hasty, port: silentPort };
  client.middlewareStack.add(
    (next) => (args) => {
      const sending = sendings.getStore();
      return sending === undefined ? next(args) : attempt(sending, args, next, silence);
    },
    { step: "deserialize", priority: "low", name: "injectFault" },
  );
}

/**
 * Removes the timeouts of a handler, so that calls do not time out on a busy machine. Only faults use timeouts.
 *
 * @returns a handler with shortened timeouts
 */
function makePatient(handler: RequestHandler): Promise<HastyHandler> {
  const known = hastyHandlers.get(handler);
  if (known) return known;
  const hasty = handler.configProvider.then((given) => {
    for (const name of timeoutNames) {
      if (given[name] !== undefined) handler.updateHttpClientConfig(name, patienceMs);
    }
    const Hasty = handler.constructor as new (options: Timeouts) => RequestHandler;
    const { throwOnRequestTimeout, requestTimeout } = given;
    return {
      handler: new Hasty({
        throwOnRequestTimeout,
        requestTimeout: shortened(requestTimeout),
        socketTimeout: shortened(given.socketTimeout),
      }),
      endsRequests: requestTimeout !== undefined,
    };
  });
  hastyHandlers.set(handler, hasty);
  return hasty;
}

function shortened(timeoutMs: number | undefined): number | undefined {
  return timeoutMs && timeoutMs / haste;
}

function hastyBackoff() {
  let baseMs = 0;
  return {
    setDelayBase: (delayMs: number) => {
      baseMs = delayMs;
    },
    computeNextBackoffDelay: (retries: number) => {
      const waitMsMax = baseMs * 2 ** retries;
      const sending = sendings.getStore();
      if (sending !== undefined) sending.execution.waitMsMax += waitMsMax;
      return Math.floor((Math.random() * waitMsMax) / haste);
    },
  };
}

async function attempt(
  sending: Sending,
  args: HttpArguments,
  next: Handler,
  { hasty, port }: { readonly hasty: HastyHandler; readonly port: number },
): Promise<AwsResponse> {
  const { execution, call, writeCount, abortSignal } = sending;
  const never = new Promise<never>(() => {});
  if (execution.isKilled) return never;
  if (execution.isOver && !call.isRead) execution.lateWrites.push(call.label);
  const { planned } = execution;
  if (planned === undefined || !isMeant(planned, call)) return next(args);
  execution.isHit = true;
  const endProcess = () => {
    execution.kill();
    return never;
  };
  const number = sending.attempts;
  sending.attempts += 1;
  const response = await planned.fault.meet({
    call,
    number,
    writeCount,
    send: () => next(args),
    sendIntoSilence: () => {
      const request = redirected(args.request, port);
      // A request's deadline ends before the client's timeout.
      if (execution.hasDeadline && !hasty.endsRequests) return next({ ...args, request });
      return hasty.handler.handle(request, { abortSignal });
    },
    sleepUntilAnswered: () => (execution.hasDeadline ? execution.over : endProcess()),
    endProcess,
  });
  return execution.isKilled ? never : response;
}

function redirected<Request extends HttpArguments["request"]>(request: Request, port: number): Request {
  const copy = Object.assign(Object.create(Object.getPrototypeOf(request)), request);
  return Object.assign(copy, { hostname: "127.0.0.1", port });
}
