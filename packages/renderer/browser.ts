/** Unpacks the browser from its archives. */
export { default as packedBrowser } from "@sparticuz/chromium";
