import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AwsError, RefusalReason } from "./aws-error.ts";

/** Writes one line to the local cloud's log. */
export type Log = (line: string) => void;

/** A request as IAM evaluates it: one action on one resource, with condition keys. */
export interface Access {
  /** IAM action, for example `dynamodb:Query`. */
  readonly action: string;
  readonly resourceArn: string;
  /** Values of the service's condition keys. Keys without a value in the request are omitted. */
  readonly conditionKeys?: Readonly<Record<string, readonly string[]>>;
}

/** A request whose signature was verified. */
export interface AwsRequest {
  readonly id: string;
  readonly method: string;
  /** The path as it was sent, percent-encoded. */
  readonly path: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: IncomingHttpHeaders;
  /** The whole body, for services that declare `bodyBytesMax`. Empty for other services. */
  readonly body: Buffer;
  /** The body as it arrives, for services without `bodyBytesMax`. */
  readonly stream: IncomingMessage;
  /** Payload hash that the signature covers: the body's SHA-256 in hex, or a marker such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
  /** Throws the refusal `access-denied` unless the caller's policies allow the access. */
  authorize(access: Access): void;
  /** Returns true if the policies allow the access. Used for checks that only change the response and do not refuse the request. */
  mayAccess(access: Access): boolean;
}

/** Wire format of a service's errors. */
export interface WireFormat {
  readonly refusals: Readonly<Record<RefusalReason, { readonly code: string; readonly status: number }>>;
  /** Error code and status for an unexpected failure of the local cloud itself. */
  readonly internalError: { readonly code: string; readonly status: number };
  writeError(response: ServerResponse, error: AwsError, request: { id: string; path: string }): void;
}

/** One AWS service behind the endpoint. */
export interface AwsService {
  /** The service's name in the credential scope of a signature. */
  readonly signingName: string;
  readonly wireFormat: WireFormat;
  /** Maximum size of the body, which the endpoint then reads as a whole. If undefined, the service streams the body. */
  readonly bodyBytesMax?: number;
  handle(request: AwsRequest, response: ServerResponse): Promise<void>;
}
