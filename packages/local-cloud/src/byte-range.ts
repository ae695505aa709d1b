/** Bytes from `start` to `end`, both included. For an empty object, `end` is `start - 1`. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Parses a Range header as S3 and CloudFront do. Only a single range is supported. A header of another form is ignored. Sources:
 * "GetObject", Amazon S3 API reference; "How CloudFront processes partial requests for an object (range GETs)", CloudFront developer guide;
 * RFC 9110, section 14.
 *
 * @returns undefined for the whole object, or "unsatisfiable" if the range begins after the end
 */
export function parseByteRange(
  header: string | undefined,
  sizeBytes: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header?.trim() ?? "");
  if (!match || (match[1] === "" && match[2] === "")) return undefined;
  const [, first = "", last = ""] = match;
  if (first === "") {
    const suffixBytes = Number(last);
    if (suffixBytes === 0 || sizeBytes === 0) return "unsatisfiable";
    return { start: Math.max(0, sizeBytes - suffixBytes), end: sizeBytes - 1 };
  }
  const start = Number(first);
  const end = last === "" ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1);
  if (last !== "" && Number(last) < start) return undefined;
  return start < sizeBytes ? { start, end } : "unsatisfiable";
}
