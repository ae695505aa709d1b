import { AsyncLocalStorage } from "node:async_hooks";
import { ApiError } from "./errors.ts";

/** The SDK's middleware, as far as this needs it. */
interface Client {
  readonly middlewareStack: {
    add(
      middleware: <Args, Output>(next: (args: Args) => Promise<Output>) => (args: Args) => Promise<Output>,
      options: { readonly step: "finalizeRequest"; readonly priority: "low"; readonly name: string },
    ): void;
  };
}

/** A request under way, or one that has had its response. */
interface SignalledRequest {
  readonly signal: AbortSignal;
  isAnswered: boolean;
}

const requests = new AsyncLocalStorage<SignalledRequest>();

/**
 * Does the work of a request, whose response is waited for until the signal is aborted. A function that has answered is
 * frozen, with everything that it still waits for, and goes on when another request comes, hours later perhaps: what it
 * had stored by then may be gone, and no row may point at that.
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

/** Recognizes a request whose caller still waits for the response; true outside of a request. */
export function isResponseAwaited(): boolean {
  const request = requests.getStore();
  return request === undefined || !(request.isAnswered || request.signal.aborted);
}

/** Lets a client send nothing for a request that has had its response, not even once more what it has sent before. */
export function abortWithRequest<SdkClient extends Client>(client: SdkClient): SdkClient {
  client.middlewareStack.add(
    (next) => async (args) => {
      if (isResponseAwaited()) return next(args);
      const cause = requests.getStore()?.signal.reason;
      throw new ApiError("unavailable", { retryAfterSeconds: 1, cause });
    },
    // Below the SDK's retries.
    { step: "finalizeRequest", priority: "low", name: "abortWithRequest" },
  );
  return client;
}
