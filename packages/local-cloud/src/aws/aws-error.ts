/** An error response of an AWS service, with its documented code and HTTP status. */
export class AwsError extends Error {
  override readonly name = "AwsError";
  readonly code: string;
  readonly status: number;
  /** Additional elements of the error response, such as `RangeRequested` of S3's InvalidRange. */
  readonly details: Readonly<Record<string, string>>;

  /** Headers of the response with lower-case names, such as S3's `x-amz-delete-marker`. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: string,
    status: number,
    message: string,
    details: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.code = code;
    this.status = status;
    this.details = details;
    this.headers = headers;
  }
}

/** Reason why the endpoint refuses a request before its service handles it. Each wire format has an error code for each reason. */
export type RefusalReason =
  | "unsigned"
  | "malformed-signature"
  | "unknown-key"
  | "wrong-signature"
  | "wrong-payload-hash"
  | "expired"
  | "clock-skew"
  | "unsigned-headers"
  | "access-denied"
  | "body-too-large";

/** Refusal that every service presents in its own error format. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
