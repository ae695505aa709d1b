import { text } from "./text.ts";

const kibibyte = 1024;
const sizeUnits = ["KB", "MB", "GB"] as const;

// Created at their first use: each takes milliseconds, and most pages need none.
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

/** An address as people write it, such as "ada.drops.example.com": without scheme and last slash. */
export function formatAddress(url: string): string {
  return url.replace(/^https?:\/\//, "").replace(/\/$/, "");
}

/** A size for people, such as "1.2 MB": units of 1,024, as in the limits of the specification. */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < kibibyte) return formatExactSize(sizeBytes);
  let amount = sizeBytes / kibibyte;
  let unit = 0;
  // 1023.95 would be rounded to "1,024 KB", which is 1 MB.
  while (Math.round(amount * 10) / 10 >= kibibyte && unit < sizeUnits.length - 1) {
    amount /= kibibyte;
    unit += 1;
  }
  const shown = amount < 10 ? roundedFormat().format(amount) : countFormat().format(Math.round(amount));
  return `${shown} ${sizeUnits[unit]}`;
}

/** An exact size, such as "12,345 bytes". */
export function formatExactSize(sizeBytes: number): string {
  return `${countFormat().format(sizeBytes)} ${sizeBytes === 1 ? "byte" : "bytes"}`;
}

/** The day of a moment in UTC, such as "3 May 2025". */
export function formatDay(atMs: number): string {
  return dayFormat().format(atMs);
}

/** The minute of a moment, such as "3 May 2025, 14:05 UTC". */
export function formatMinute(atMs: number): string {
  return minuteFormat().format(atMs);
}

/** A count with thousands separators. */
export function formatCount(count: number): string {
  return countFormat().format(count);
}

/** A number of things, such as "1 page" or "2,000 pages". */
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

/** Props of a time. */
interface TimeProps {
  readonly atMs: number;
  /** The time stays a local time, such as the end of a wait. @default false */
  readonly isClock?: boolean;
  /** Without scripts only the day is shown, which saves bytes in long lists. @default false */
  readonly isShort?: boolean;
}

/** A moment in UTC. `local-times.client.ts` shows how long ago it was, and the reader's local time as the tooltip. */
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

/** A size in words, with the exact one on hover. */
export function Size({ bytes }: { bytes: number }) {
  return <span title={formatExactSize(bytes)}>{formatSize(bytes)}</span>;
}

/** Joins the names of an element's classes, without false ones. */
export function classes(...names: readonly (string | false | undefined)[]): string | undefined {
  return names.filter(Boolean).join(" ") || undefined;
}

/** Characters that XML cannot represent (XML 1.0, section 2.2); titles may have them. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text without characters that XML cannot represent, before it is escaped. */
export function xmlText(words: string): string {
  return words.replace(notInXml, "\ufffd");
}
