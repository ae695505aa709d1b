import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from "node:crypto";

/** By the key that the SDK derives for a day, which it keeps. */
const keys = new WeakMap<object, KeyObject>();

/**
 * SHA-256 as the SDK's signatures take it, from Node as theirs is. Theirs makes a key ready for each signature, which
 * takes four times as long as the signature does.
 */
export class Sha256 {
  readonly #secret: KeyObject | string | undefined;
  #hash: Hash | Hmac;

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#secret = typeof secret === "object" ? keyOf(secret) : secret;
    this.#hash = this.#begin();
  }

  update(data: Uint8Array | string): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }

  reset(): void {
    this.#hash = this.#begin();
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined ? createHash("sha256") : createHmac("sha256", this.#secret);
  }
}

function keyOf(secret: ArrayBuffer | ArrayBufferView): KeyObject {
  const known = keys.get(secret);
  if (known) return known;
  const bytes = ArrayBuffer.isView(secret)
    ? new Uint8Array(secret.buffer, secret.byteOffset, secret.byteLength)
    : new Uint8Array(secret);
  const key = createSecretKey(bytes);
  keys.set(secret, key);
  return key;
}
