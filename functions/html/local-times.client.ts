/**
 * Shows each time on the page as a relative time, such as "2 days ago", with the reader's local time as the tooltip. Times with `data-clock` are
 * shown as local times instead. `Time` in `format.tsx` writes all times in UTC.
 */

/** Units of a relative time, in seconds. Times on a page are exact to the minute, so a difference of less than a minute is shown as "now". */
const units = { year: 31_536_000, month: 2_592_000, day: 86_400, hour: 3600, minute: 60 };

const { lang } = document.documentElement;
const relative = new Intl.RelativeTimeFormat(lang, { numeric: "auto" });
const refreshMs = 60_000;

// Converts the times before the first paint, so that the layout does not shift.
showTimes();
setInterval(showTimes, refreshMs);

/** Updates the displayed times in the document, or in a part of it. */
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
