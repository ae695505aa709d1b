/** Why the endpoint refuses a request before a service looks at it; each wire format has its own code for it. */
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

/** A refusal that every service shows in its own error shape. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string) {
    super(message);
    this.reason = reason;
  }
}
