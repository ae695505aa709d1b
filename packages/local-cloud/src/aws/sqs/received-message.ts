import { createHash } from "node:crypto";
import type { StoredMessage } from "./message-store.ts";

/** Sender id of every message. */
const SENDER_ID = "AIDALOCALCLOUD";

/** Returns the attributes of a received message, with the names in "ReceiveMessage" and in Lambda's events. */
export function systemAttributes(message: StoredMessage): Record<string, string> {
  const { sentAtMs, receiveCount, firstReceivedAtMs, deadLetterSourceArn } = message;
  return {
    SenderId: SENDER_ID,
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

/** Presents a message for the response to ReceiveMessage, with the attributes that the request asks for. */
export function presentMessage(
  message: StoredMessage,
  request: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const asked = [request.MessageSystemAttributeNames ?? [], request.AttributeNames ?? []].flat();
  const attributes = Object.entries(systemAttributes(message)).filter(
    ([name]) => asked.includes("All") || asked.includes(name),
  );
  return {
    MessageId: message.messageId,
    ReceiptHandle: message.receiptHandle,
    MD5OfBody: bodyMd5(message.body),
    Body: message.body,
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
  };
}
