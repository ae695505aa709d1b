/** Shows the page's minutes in the reader's time zone; `Minute` of `format.tsx` writes them in UTC, which stays in the tooltip. */
export function showLocalTimes(): void {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, {
    dateStyle: "medium",
    timeStyle: "short",
  });
  for (const time of document.querySelectorAll("time")) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
}
