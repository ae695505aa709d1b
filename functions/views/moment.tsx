import { formatDay, formatExactSize, formatExactTime, formatMinute, formatSize } from "./format.ts";

/** A day in words, with the exact time on hover and for machines. */
export function Day({ atMs }: { atMs: number }) {
  return (
    <time dateTime={isoSeconds(atMs)} title={formatExactTime(atMs)}>
      {formatDay(atMs)}
    </time>
  );
}

/** A minute in words, with the exact time for machines. */
export function Minute({ atMs }: { atMs: number }) {
  return <time dateTime={isoSeconds(atMs)}>{formatMinute(atMs)}</time>;
}

/** A size in words, with the exact one on hover. */
export function Size({ bytes }: { bytes: number }) {
  return <span title={formatExactSize(bytes)}>{formatSize(bytes)}</span>;
}

function isoSeconds(atMs: number): string {
  return new Date(atMs).toISOString().replace(/\.\d+Z$/, "Z");
}
