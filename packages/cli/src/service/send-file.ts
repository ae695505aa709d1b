import pRetry, { AbortError } from "p-retry";
import { Problem } from "../problem.ts";
import { describeFailure, sendRequest } from "./network.ts";
import { requireEncryption } from "./public-read.ts";

/** Assumed minimum throughput, in bytes per second, from which the timeout is derived. */
const slowestBytesPerSecond = 50_000;

/**
 * Uploads a file to a presigned URL, without a token. Retries failures in transit.
 *
 * @param service address of the service that returned the URL
 * @throws Problem if the host refuses the file or cannot be reached
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
    const response = await sendRequest(address, {
      method: "PUT",
      redirect: "error",
      headers,
      body: bytes as Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error) => {
      if (error instanceof Problem) throw new AbortError(error);
      throw new Problem(`${describeFailure(address, error)} Uploads need this host. Publish again later.`);
    });
    if (response.ok) return;
    await response.body?.cancel();
    const problem = new Problem(
      `${new URL(address).host} refused a file (status ${response.status}). Publish again.`,
    );
    throw response.status < 500 ? new AbortError(problem) : problem;
  };
  await pRetry(send, { retries: 3, minTimeout: 300 });
}
