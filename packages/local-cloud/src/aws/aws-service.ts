import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { AwsError, RefusalReason } from "./aws-error.ts";

/** Receives one line of the local cloud's log. */
export type Log = (line: string) => void;

/** One action on one resource, with its condition keys, as IAM sees a request. */
export interface Access {
  /** For example `dynamodb:Query`. */
  readonly action: string;
  readonly resourceArn: string;
  /** Values of the service's condition keys, without keys that the request does not have. */
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
  /** The whole body, for services that declare `bodyBytesMax`; empty for the others. */
  readonly body: Buffer;
  /** The body as it arrives, for services without `bodyBytesMax`. */
  readonly stream: IncomingMessage;
  /** Signed claim about the body: a SHA-256 in hex, or a marker such as `UNSIGNED-PAYLOAD`. */
  readonly payloadHash: string;
  /** Throws the refusal `access-denied` unless the caller's policies allow the access. */
  authorize(access: Access): void;
  /** True when the policies allow the access; for accesses whose refusal only changes the response. */
  mayAccess(access: Access): boolean;
}

/** Wire format of a service's errors. */
export interface WireFormat {
  readonly refusals: Readonly<Record<RefusalReason, { readonly code: string; readonly status: number }>>;
  /** The response to an unexpected failure of the local cloud itself. */
  readonly internalError: { readonly code: string; readonly status: number };
  writeError(response: ServerResponse, error: AwsError, request: { id: string; path: string }): void;
}

/** One AWS service behind the endpoint. */
export interface AwsService {
  /** The service's name in the credential scope of a signature. */
  readonly signingName: string;
  readonly wireFormat: WireFormat;
  /** Limit of the body. If set, the endpoint reads the whole body and refuses a larger one; otherwise the service streams it. */
  readonly bodyBytesMax?: number;
  handle(request: AwsRequest, response: ServerResponse): Promise<void>;
}
