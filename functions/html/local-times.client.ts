/**
 * Shows how long ago the page's times were, such as "2 days ago", and the reader's local time as the tooltip. Times of a clock are shown in the
 * reader's time zone. `Time` of `format.tsx` writes them in UTC.
 */

/** Units of a relative time, with their seconds. The page's times are to the minute, so a shorter distance is "now". */
const units = { year: 31_536_000, month: 2_592_000, day: 86_400, hour: 3600, minute: 60 };

const { lang } = document.documentElement;
const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
const refreshMs = 60_000;

// Before the first paint, so that nothing moves afterwards.
showTimes();
setInterval(showTimes, refreshMs);

/** Shows the times of the document or a part of it. */
export function showTimes(root: ParentNode = document): void {
  for (const time of root.querySelectorAll("time")) {
    const at = new Date(time.dateTime);
    time.title = at.toLocaleString(lang, { dateStyle: "medium", timeStyle: "short" });
    time.textContent = time.dataset.clock ? time.title : sayDistance((at.getTime() - Date.now()) / 1000);
  }
}

function sayDistance(seconds: number): string {
  const [unit = "second", size = 60] =
    Object.entries(units).find(([, each]) => Math.abs(seconds) >= each) ?? [];
  return relative.format(Math.trunc(seconds / size), unit as Intl.RelativeTimeFormatUnit);
}
