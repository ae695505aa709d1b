import { AsyncLocalStorage } from "node:async_hooks";
import { ApiError } from "./errors.ts";

/** The parts of the SDK's middleware types that are used here. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: <Args, Output>(next: (args: Args) => Promise<Output>) => (args: Args) => Promise<Output>,
      options: { readonly step: "finalizeRequest"; readonly priority: "low"; readonly name: string },
    ): void;
  };
}

/** State of a request: the client's abort signal, and whether the response was sent. */
interface SignalledRequest {
  readonly signal: AbortSignal;
  isAnswered: boolean;
}

const requests = new AsyncLocalStorage<SignalledRequest>();

/**
 * Runs the work of a request. The signal is aborted when the client no longer waits for the response. Lambda freezes a function after its
 * response, and pending work may continue hours later, with the next request. The work must then write nothing more, because objects that
 * it stored may have been removed.
 *
 * Source: AWS Lambda developer guide, "Understanding the Lambda execution environment lifecycle".
 */
export async function withRequestSignal<Result>(
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const request: SignalledRequest = { signal, isAnswered: false };
  try {
    return await requests.run(request, work);
  } finally {
    request.isAnswered = true;
  }
}

/** Returns true while the caller waits for the response. Also returns true outside of a request. */
export function isResponseAwaited(): boolean {
  const request = requests.getStore();
  return request === undefined || !(request.isAnswered || request.signal.aborted);
}

/** Prevents an SDK client from sending requests, including retries, when the caller no longer waits for the response. */
export function abortWithRequest<SdkClient extends Client>(client: SdkClient): SdkClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      if (isResponseAwaited()) return next(args);
      const cause = requests.getStore()?.signal.reason;
      throw new ApiError("unavailable", { retryAfterSeconds: 1, cause });
    },
    // At this step, the middleware runs for each attempt, including retries.
    { step: "finalizeRequest", priority: "low", name: "abortWithRequest" },
  );
  return client;
}
