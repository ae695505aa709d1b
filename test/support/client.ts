import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import * as z from "zod/mini";
import type { $ZodType } from "zod/v4/core";
import { isReviewed, warningsAddition } from "../../functions/http/warnings.ts";
import { type OperationId, routeOf, type routes } from "../../functions/routes.ts";
import { fetchPage, type ReceivedResponse } from "./http.ts";
import { requireDescribed } from "./openapi-validation.ts";
import { expectJsonHeaders } from "./security-headers.ts";

/** Options of a call. */
export interface CallOptions {
  /** The values of `{slug}`, `{id}` and `{n}` in the path. */
  readonly params?: Readonly<Record<string, string | number>>;
  /** Pairs keep their order and may repeat. */
  readonly query?: Readonly<Record<string, string | number>> | readonly (readonly [string, string])[];
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged, in place of `body`. */
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
}

/** The JSON body of an operation's successful response; undefined where it has none. */
export type BodyOf<Id extends OperationId> = (typeof routes)[Id]["response"] extends {
  json: infer Schema extends $ZodType;
}
  ? z.output<Schema>
  : undefined;

/** Calls the JSON API as one caller. */
export class ApiClient {
  readonly token: string | undefined;

  constructor(token?: string) {
    this.token = token;
  }

  /** Makes the call and returns any response that the OpenAPI document describes. */
  async call(id: OperationId, options: CallOptions = {}): Promise<ReceivedResponse> {
    const authorization: Record<string, string> =
      this.token === undefined ? {} : { authorization: `Bearer ${this.token}` };
    const body = options.text ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const response = await fetchPage(pathOf(id, options), {
      method: routeOf(id).method,
      headers: {
        ...authorization,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body }),
    });
    await requireDescribed(id, response);
    return response;
  }

  /** Makes a call that must succeed: status, headers and every field are checked against the operation's route. */
  async succeed<Id extends OperationId>(id: Id, options: CallOptions = {}): Promise<BodyOf<Id>> {
    return readSuccess(id, await this.call(id, options));
  }
}

/** Reads a successful response and validates the whole body against the operation's route. */
export function readSuccess<Id extends OperationId>(id: Id, response: ReceivedResponse): BodyOf<Id> {
  const rule = routeOf(id).response;
  const isGood =
    response.status === rule.status || ("alsoStatus" in rule && response.status === rule.alsoStatus);
  if (!isGood)
    throw new Error(`${id} answered ${response.status}, not ${rule.status}: ${response.text.slice(0, 500)}`);
  if (!("json" in rule)) {
    expect(response.text).toBe("");
    return undefined as BodyOf<Id>;
  }
  expectJsonHeaders(response);
  // Skips the key `__proto__`, as zod does in records.
  const body: unknown = JSON.parse(response.text, (key, value) => (key === "__proto__" ? undefined : value));
  const specified = z.parse(rule.json, body) as object;
  const additions = rule.additions === undefined ? {} : (z.parse(rule.additions, body) as object);
  const warnings = isReviewed(routeOf(id)) ? z.parse(warningsAddition, body) : {};
  if (!isDeepStrictEqual({ ...specified, ...additions, ...warnings }, body)) {
    throw new Error(`${id} answered fields beyond its schema: ${response.text}`);
  }
  return specified as BodyOf<Id>;
}

/** Fills in the parameters and the query of an operation's path. */
export function pathOf(id: OperationId, { params = {}, query = {} }: CallOptions = {}): string {
  const path = routeOf(id).path.replace(/\{(\w+)(\+?)\}/g, (_, name: string, isPath: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${id} needs the path parameter ${name}.`);
    return isPath ? String(value).split("/").map(encodeURIComponent).join("/") : encodeURIComponent(value);
  });
  const pairs = Array.isArray(query)
    ? query
    : Object.entries(query).map(([name, value]) => [name, String(value)]);
  const search = new URLSearchParams(pairs as [string, string][]).toString();
  return search === "" ? path : `${path}?${search}`;
}
