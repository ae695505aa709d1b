import { ApiError } from "../runtime/errors.ts";
import type { HttpRequest } from "./request.ts";
import type { HttpResponse } from "./response.ts";

const list = /^(?:[ \t]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"[ \t]*(?:,|$)|[ \t]*,)+$/;
const tag = /(?:W\/)?"[^"]*"/g;

/**
 * The request's If-Match; undefined where there is none. RFC 9110, sections 8.8.3 and 13.1.1.
 *
 * @throws ApiError `invalid_arg` for what is neither `*` nor a list of entity tags
 */
export function readIfMatch(request: HttpRequest): EntityTagCondition | undefined {
  const values = request.headers["if-match"];
  if (values === undefined || values.length === 0) return undefined;
  const value = values.join(", ").trim();
  if (value === "*") return "any";
  if (list.test(value)) return value.match(tag) ?? [];
  throw new ApiError("invalid_arg", {
    message: `If-Match must be \`*\` or entity tags in quotation marks, such as "3-mi8x2k1c", but ${JSON.stringify(value.slice(0, 100))} came.`,
    details: { header: "if-match" },
  });
}

/**
 * Whether the request's If-None-Match names what it would get, which its sender has then; RFC 9110, section 13.1.2. What is no
 * list of entity tags asks for nothing.
 */
export function isConditionSupported(request: HttpRequest, etag: string): boolean {
  const value = (request.headers["if-none-match"] ?? []).join(", ").trim();
  if (value === "*") return true;
  return list.test(value) && (value.match(tag) ?? []).some((one) => one.replace(/^W\//, "") === etag);
}

/** @throws ApiError `precondition_failed` where the drop is not what the request was made for */
export function requireMatch(condition: EntityTagCondition | undefined, drop: Revised): void {
  if (isNamed(condition, drop)) return;
  throw new ApiError("precondition_failed", {
    message: `The drop has been changed: its entity tag is ${entityTag(drop)} now. Read it again before you change it.`,
    details: { etag: entityTag(drop) },
  });
}

/** The response with the entity tag of the drop that it shows. */
export function withEntityTag(response: HttpResponse, drop: Revised): HttpResponse {
  return { ...response, headers: { ...response.headers, etag: entityTag(drop) } };
}

/** What changes with every write of it. */
interface Revised {
  readonly revision: number;
  readonly updatedAtMs: number;
}

/** What If-Match asks for: that the drop is there, or that it is as one of these tags names it; RFC 9110, section 13.1.1. */
export type EntityTagCondition = "any" | readonly string[];

/**
 * The entity tag of a drop: another one after every write that changes it. Views change nothing. The time is in it
 * because a drop that was restored from a backup counts its revisions again.
 */
export function entityTag({ revision, updatedAtMs }: Revised): string {
  return `"${revision}-${updatedAtMs.toString(36)}"`;
}

/** Whether the drop fulfils the condition. Weak tags never do: RFC 9110, section 8.8.3.2, strong comparison. */
export function isNamed(condition: EntityTagCondition | undefined, drop: Revised): boolean {
  return condition === undefined || condition === "any" || condition.includes(entityTag(drop));
}
