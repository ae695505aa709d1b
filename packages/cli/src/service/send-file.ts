import pRetry, { AbortError } from "p-retry";
import { Problem } from "../problem.ts";
import { requireEncryption } from "./public-read.ts";

/** Bytes a second that a slow line takes, for the longest wait. */
const slowestBytesPerSecond = 50_000;

/**
 * Sends a file to an address that the service has signed, without a token. Repeats what failed on the way.
 *
 * @param service address of the service that named the address
 * @throws Problem when the address refuses the file or cannot be reached
 */
export async function sendFile(
  address: string,
  bytes: Uint8Array,
  headers: Readonly<Record<string, string>>,
  service: string,
): Promise<void> {
  requireEncryption(address, service);
  const timeoutMs = 60_000 + Math.ceil(bytes.byteLength / slowestBytesPerSecond) * 1000;
  const send = async () => {
    const response = await fetch(address, {
      method: "PUT",
      redirect: "error",
      headers,
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(timeoutMs),
    }).catch(() => undefined);
    if (response?.ok === true) return;
    await response?.body?.cancel();
    const { host } = new URL(address);
    const problem = new Problem(
      response === undefined
        ? `${host}, which takes the files, cannot be reached. Check the network and publish again.`
        : `${host} refused a file (status ${response.status}). Publish again.`,
    );
    throw response !== undefined && response.status < 500 ? new AbortError(problem) : problem;
  };
  await pRetry(send, { retries: 3, minTimeout: 300 });
}
