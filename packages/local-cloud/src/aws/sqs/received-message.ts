import { createHash } from "node:crypto";
import type { JsonInput } from "../json-protocol.ts";
import type { StoredMessage } from "./message-store.ts";

/** Returns the attributes of a received message, with the names in "ReceiveMessage" and in Lambda's events. */
export function systemAttributes(message: StoredMessage): Record<string, string> {
  const { sentAtMs, receiveCount, firstReceivedAtMs, deadLetterSourceArn } = message;
  return {
    SenderId: "AIDALOCALCLOUD",
    SentTimestamp: String(sentAtMs),
    ApproximateReceiveCount: String(receiveCount),
    ApproximateFirstReceiveTimestamp: String(firstReceivedAtMs),
    ...(deadLetterSourceArn !== undefined && { DeadLetterQueueSourceArn: deadLetterSourceArn }),
  };
}

/** Returns the MD5 checksum with which receivers verify a body. */
export function bodyMd5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** Presents a message for the response to ReceiveMessage, with the requested attributes. */
export function presentMessage(message: StoredMessage, request: JsonInput): Record<string, unknown> {
  const requested = [request.MessageSystemAttributeNames ?? [], request.AttributeNames ?? []].flat();
  const attributes = Object.entries(systemAttributes(message)).filter(
    ([name]) => requested.includes("All") || requested.includes(name),
  );
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: bodyMd5(message.body),
    Body: message.body,
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
  };
}
