import type { IncomingMessage } from "node:http";
import { ApiError } from "../core/errors.ts";

/** The body of a request. It is read in chunks, on demand. */
export type IncomingBody = ReturnType<typeof readIncomingBody>;

/** Starts to read the body of a request. Between two chunks of the body, at most `idleMsMax` may pass. */
export function readIncomingBody(message: IncomingMessage, idleMsMax = 20_000) {
  const received: Buffer[] = [];
  let receivedBytes = 0;
  let isEnded = false;
  let isCutOff = false;
  let isDiscarding = false;
  let wake: () => void = () => undefined;

  message.pause();
  message.on("data", (piece: Buffer) => {
    receivedBytes += piece.byteLength;
    if (!isDiscarding) {
      received.push(piece);
      message.pause();
    }
    wake();
  });
  message.on("end", () => {
    isEnded = true;
    wake();
  });
  for (const event of ["close", "error"]) {
    message.on(event, () => {
      isCutOff = !isEnded;
      wake();
    });
  }

  /** Waits for the next event. Resolves to false after the timeout. */
  function changed(msMax: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), msMax);
      wake = () => {
        clearTimeout(timer);
        resolve(true);
      };
      message.resume();
    });
  }

  /**
   * Yields the body in chunks. If the caller stops early, the rest of the body is not read.
   *
   * @throws ApiError `invalid_arg` if the body is cut off or stalls
   */
  async function* pieces(): AsyncGenerator<Uint8Array, void, undefined> {
    for (;;) {
      const piece = received.shift();
      if (piece) yield piece;
      else if (isEnded || isDiscarding) return;
      else if (isCutOff) throw unreadable(`was cut off after ${receivedBytes} bytes`);
      else if (!(await changed(idleMsMax))) {
        throw unreadable(`stopped after ${receivedBytes} bytes, for more than ${idleMsMax / 1000} seconds`);
      }
    }
  }

  /** Reads and discards the rest of a body, because some clients read the response only after sending. Returns true if the end was reached. */
  async function discard(bytesMax: number, msMax: number): Promise<boolean> {
    isDiscarding = true;
    received.length = 0;
    wake();
    const bytesBefore = receivedBytes;
    const untilMs = performance.now() + msMax;
    while (!isEnded && !isCutOff) {
      const leftMs = untilMs - performance.now();
      if (receivedBytes - bytesBefore > bytesMax || leftMs <= 0) return false;
      await changed(leftMs);
    }
    return isEnded;
  }

  return { contentLength: lengthOf(message), pieces, discard };
}

/**
 * Returns the length of the body in bytes, or undefined for a chunked body (RFC 9112, section 7.1). Node.js refuses an invalid or contradictory
 * Content-Length.
 */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  if (headers["transfer-encoding"] !== undefined) return undefined;
  return Number(headers["content-length"] ?? 0);
}

function unreadable(what: string): ApiError {
  return new ApiError("invalid_arg", { message: `The request body ${what}.` });
}
