import { setImmediate } from "node:timers/promises";
import { DynamoDBClient } from "@aws-sdk/client-dynamodb";

/** Base class of all SDK clients. */
interface Client {
  send(...args: unknown[]): Promise<unknown>;
}

/**
 * Sends this process's calls to AWS one at a time, in the order in which the code makes them. Parallel reads then
 * always end in the same order, and so the code after them always runs in the same order.
 *
 * @returns a function that restores the original behaviour
 */
export function sendInOrder(): () => void {
  const clients = Object.getPrototypeOf(DynamoDBClient.prototype) as Client;
  const { send } = clients;
  let earlier: Promise<unknown> = Promise.resolve();
  clients.send = function sendAfterEarlier(...args) {
    const response = earlier.then(() => send.apply(this, args));
    // The code that waits for the response runs before the next call is sent.
    earlier = response.catch(() => {}).then(() => setImmediate());
    return response;
  };
  return () => {
    clients.send = send;
  };
}
