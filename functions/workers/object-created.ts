import type { S3Event } from "aws-lambda";

/** An object that was put into a bucket. */
export interface CreatedObject {
  readonly bucket: string;
  readonly key: string;
}

/**
 * Reads a notification of a bucket; the test message, which a bucket sends when notifications are set up, tells of none.
 *
 * Source: Amazon S3, "Event message structure".
 *
 * @throws Error when the text is no notification.
 */
export function readObjectCreated(text: string): CreatedObject[] {
  const message = JSON.parse(text) as Partial<S3Event> & { readonly Event?: string };
  if (message.Event === "s3:TestEvent") return [];
  if (!Array.isArray(message.Records)) throw new Error("The message is no notification of a bucket.");
  return message.Records.map(({ s3 }) => ({
    bucket: s3.bucket.name,
    // As in a form: spaces are plus signs.
    key: decodeURIComponent(s3.object.key.replaceAll("+", " ")),
  }));
}
