import { text } from "./text.ts";

const kibibyte = 1024;
const sizeUnits = ["KB", "MB", "GB"] as const;

// Creates each format at its first use, because this takes milliseconds and most pages need no format.
const dayFormat = lazy(() => dateFormat({ day: "numeric", month: "short", year: "numeric" }));
const minuteFormat = lazy(() =>
  dateFormat({
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }),
);
const countFormat = lazy(() => new Intl.NumberFormat(text.language));
const roundedFormat = lazy(() => new Intl.NumberFormat(text.language, { maximumFractionDigits: 1 }));

/** Formats an address, without its scheme and any slash at the end, such as "ada.drops.example.com". */
export function formatAddress(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** Formats a rounded size, such as "1.2 MB". Units are powers of 1,024, like the limits in the specification. */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < kibibyte) return formatExactSize(sizeBytes);
  let amount = sizeBytes / kibibyte;
  let unit = 0;
  // A size of 1023.95 KB is shown as "1 MB", because rounding it would give "1,024 KB".
  while (Math.round(amount * 10) / 10 >= kibibyte && unit < sizeUnits.length - 1) {
    amount /= kibibyte;
    unit += 1;
  }
  const shown = amount < 10 ? roundedFormat().format(amount) : countFormat().format(Math.round(amount));
  return `${shown} ${sizeUnits[unit]}`;
}

/** Formats an exact size, such as "12,345 bytes". */
export function formatExactSize(sizeBytes: number): string {
  return `${countFormat().format(sizeBytes)} ${sizeBytes === 1 ? "byte" : "bytes"}`;
}

/** Formats a time as a date in UTC, such as "3 May 2025". */
export function formatDay(atMs: number): string {
  return dayFormat().format(atMs);
}

/** Formats a time to the minute in UTC, such as "3 May 2025, 14:05 UTC". */
export function formatMinute(atMs: number): string {
  return minuteFormat().format(atMs);
}

/** Formats a number with thousands separators. */
export function formatCount(count: number): string {
  return countFormat().format(count);
}

/** Formats a number with a noun, such as "1 page" or "2,000 pages". */
export function formatCounted(count: number, thing: string): string {
  return `${formatCount(count)} ${count === 1 ? thing : `${thing}s`}`;
}

function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(text.language, { ...options, timeZone: "UTC" });
}

function lazy<Value>(make: () => Value): () => Value {
  let made: Value | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

interface TimeProps {
  readonly atMs: number;
  /** True to show the local time instead of a relative time, for example the time at which a wait ends. @default false */
  readonly isClock?: boolean;
  /** True to show only the date if scripts do not run. This saves bytes in long lists. @default false */
  readonly isShort?: boolean;
}

/** A time in UTC. `local-times.client.ts` replaces it with a relative time, and adds the reader's local time as a tooltip. */
export function Time({ atMs, isClock = false, isShort = false }: TimeProps) {
  return (
    <time
      dateTime={new Date(atMs).toISOString().replace(/:\d\d\.\d+Z$/, "Z")}
      data-clock={isClock || undefined}
    >
      {isShort ? formatDay(atMs) : formatMinute(atMs)}
    </time>
  );
}

/** A rounded size, with the exact size as the tooltip. */
export function Size({ bytes }: { bytes: number }) {
  return <span title={formatExactSize(bytes)}>{formatSize(bytes)}</span>;
}

/** Joins class names. Skips false and undefined values. */
export function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}

/** Characters that XML cannot represent (XML 1.0, section 2.2). Titles may contain them. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** Replaces characters that XML cannot represent. The result is not escaped yet. */
export function xmlText(words: string): string {
  return words.replace(notInXml, "\ufffd");
}
