import { createHash, createHmac } from "node:crypto";
import { parse, stringify } from "node:querystring";
import { Script } from "node:vm";
import {
  edgeBuiltIns,
  edgeGlobals,
  functionPrototype,
  propertiesOfAll,
  typedArrayPrototype,
} from "./edge-built-ins.ts";

/** Creates the object through which the host and the runtime exchange plain values and call functions on plain values. */
export function createEdgeExchange() {
  return {
    hash: hashOf,
    parseQuery: (...given: Parameters<typeof parse>) => JSON.stringify(parse(...given)),
    stringifyQuery: stringify,
    onBuffer,
    decodeText: (bytes: Uint8Array, options: { fatal: boolean; ignoreBOM: boolean }) =>
      new TextDecoder("utf-8", options).decode(bytes),
    decodeBase64: atob,
    encodeBase64: btoa,
    event: "",
    rawQuery: undefined as string | undefined,
    startedAtMs: 0,
    /** Calls of the helper methods for origins, each as JSON. */
    calls: [] as string[],
    logLines: [] as string[],
    /** The returned value as `{"value":…}`. */
    settled: "",
    failed: "",
  };
}

function hashOf(algorithm: string, key: string | undefined, data: string, encoding: string): string {
  if (!["md5", "sha1", "sha256"].includes(algorithm)) throw new Error(`unknown algorithm ${algorithm}`);
  if (encoding !== "hex" && encoding !== "base64" && encoding !== "base64url") {
    throw new Error(`digest() supports only hex, base64 and base64url, not ${encoding}`);
  }
  const hash = key === undefined ? createHash(algorithm) : createHmac(algorithm, key);
  return hash.update(data).digest(encoding);
}

/** Calls a method of Node's Buffer on the bytes, or a static method if `bytes` is undefined. The runtime's Buffer resembles Node's. */
function onBuffer(name: string, bytes: Uint8Array | undefined, given: unknown[]): unknown {
  const target = bytes === undefined ? Buffer : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return (target as unknown as Record<string, (...all: unknown[]) => unknown>)[name]?.(...given);
}

/**
 * Script that turns a new context into the runtime cloudfront-js-2.0. It adds everything that V8 lacks, then removes everything that the
 * developer guide does not list. It runs inside the context, so that its objects belong to the context.
 */
export const edgeRuntime = new Script(
  `
"use strict";
{
  const host = __host;
  const builtIns = ${JSON.stringify(edgeBuiltIns)};
  const NodeDate = Date;
  // The time does not change during a run: "All Date methods to query the current time always return the same value."
  globalThis.Date = function Date(...given) {
    if (!new.target) return new NodeDate(host.startedAtMs).toString();
    return given.length === 0 ? new NodeDate(host.startedAtMs) : new NodeDate(...given);
  };
  Date.prototype = NodeDate.prototype;
  Date.prototype.constructor = Date;
  Object.assign(Date, { now: () => host.startedAtMs, parse: NodeDate.parse, UTC: NodeDate.UTC });

  // V8's own Symbol has properties that cannot be removed.
  const V8Symbol = Symbol;
  globalThis.Symbol = function Symbol(description) { return V8Symbol(description); };
  Object.assign(Symbol, { for: V8Symbol.for, keyFor: V8Symbol.keyFor });
  Symbol.prototype = V8Symbol.prototype;
  Symbol.prototype.constructor = Symbol;

  globalThis.InternalError = class InternalError extends Error {};

  const ownBytes = (bytes) => Buffer.prototype.isPrototypeOf(bytes) ? bytes : new Buffer(bytes);
  const wrap = (value) => ArrayBuffer.isView(value) ? ownBytes(value) : value;
  globalThis.Buffer = class Buffer extends Uint8Array {};
  for (const name of builtIns.Buffer.own) {
    Buffer[name] = name === "isBuffer"
      ? (value) => value instanceof Buffer
      : (...given) => wrap(host.onBuffer(name, undefined, given));
  }
  for (const name of [...builtIns.Buffer.prototype, "toString"]) {
    Object.defineProperty(Buffer.prototype, name, {
      configurable: true,
      writable: true,
      value(...given) { return wrap(host.onBuffer(name, this, given)); },
    });
  }
  const subarray = Uint8Array.prototype.subarray;
  Buffer.prototype.subarray = function (start, end) { return subarray.call(this, start, end); };

  globalThis.TextEncoder = class TextEncoder {
    encode(text) { return new Uint8Array(host.onBuffer("from", undefined, [text === undefined ? "" : String(text)])); }
    encodeInto(text, target) {
      const bytes = this.encode(text).subarray(0, target.length);
      // A character is written whole or not at all.
      const whole = host.decodeText(bytes, { fatal: false, ignoreBOM: true }).replace(/\\uFFFD+$/, "");
      const written = this.encode(whole);
      target.set(written);
      return { read: whole.length, written: written.length };
    }
  };
  globalThis.TextDecoder = class TextDecoder {
    constructor(encoding, options) {
      if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw new RangeError("The only encoding is utf-8");
      const { fatal, ignoreBOM } = options || {};
      Object.assign(this, { encoding: "utf-8", fatal: !!fatal, ignoreBOM: !!ignoreBOM });
    }
    decode(bytes) { return bytes === undefined ? "" : host.decodeText(bytes, { fatal: this.fatal, ignoreBOM: this.ignoreBOM }); }
  };
  globalThis.atob = (text) => host.decodeBase64(String(text));
  globalThis.btoa = (text) => host.encodeBase64(String(text));

  const call = (value) => { host.calls.push(JSON.stringify(value)); };
  globalThis.__cloudfront = {
    selectRequestOriginById: (originId) => call({ type: "select", originId }),
    updateRequestOrigin: (changes) => call({ type: "update", changes }),
    createRequestOriginGroup: ({ originIds, failoverCriteria }) =>
      call({ type: "group", originIds, statusCodes: failoverCriteria.statusCodes }),
    edgeLocation: { name: "LOC", serverIp: "192.0.2.1", region: "us-east-1" },
    kvs: () => { throw new Error("the local cloud does not emulate CloudFront KeyValueStore"); },
  };
  const hasher = (algorithm, key) => {
    let data = "";
    return {
      update(more) { data += String(more); return this; },
      digest(encoding) { return host.hash(algorithm, key, data, encoding); },
    };
  };
  const parseQuery = (...given) => JSON.parse(host.parseQuery(...given));
  const stringifyQuery = (...given) => host.stringifyQuery(...given);
  const modules = {
    crypto: { createHash: (algorithm) => hasher(algorithm), createHmac: (algorithm, key) => hasher(algorithm, String(key)) },
    querystring: {
      parse: parseQuery,
      decode: parseQuery,
      stringify: stringifyQuery,
      encode: stringifyQuery,
      escape: encodeURIComponent,
      unescape: decodeURIComponent,
    },
  };
  globalThis.require = (name) => {
    if (!Object.prototype.hasOwnProperty.call(modules, name)) throw new Error("Cannot find module '" + name + "'");
    return modules[name];
  };
  globalThis.console = { log: (value) => { host.logLines.push(String(value)); } };
  globalThis.__makeEvent = () => {
    const event = JSON.parse(host.event);
    const { rawQuery } = host;
    Object.defineProperty(event.request, "rawQueryString", { value: () => rawQuery });
    return event;
  };

  const { getOwnPropertyNames, getPrototypeOf } = Object;
  const prune = (object, kept) => {
    for (const name of getOwnPropertyNames(object)) {
      // BYTES_PER_ELEMENT of typed arrays' prototypes cannot be removed.
      if (!kept.includes(name) && name !== "BYTES_PER_ELEMENT") delete object[name];
    }
  };
  const ofAll = ${JSON.stringify([...propertiesOfAll, "constructor"])};
  const ownGlobals = ["__host", "__cloudfront", "__makeEvent", "__load"];
  const TypedArray = getPrototypeOf(Int8Array);
  prune(Function.prototype, ${JSON.stringify(functionPrototype)}.concat(ofAll));
  prune(TypedArray, ["from", "of"].concat(ofAll));
  prune(TypedArray.prototype, ${JSON.stringify(typedArrayPrototype)}.concat(ofAll));
  for (const [name, { own, prototype }] of Object.entries(builtIns)) {
    prune(globalThis[name], own.concat(ofAll));
    if (prototype) prune(globalThis[name].prototype, prototype.concat(ofAll));
  }
  prune(globalThis, ${JSON.stringify([...edgeGlobals])}.concat(ownGlobals));
}
`,
  { filename: "cloudfront-js-2.0" },
);
