/** What XML has no character for (XML 1.0, section 2.2); titles may have it. */
const notInXml = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

/** A text as XML can hold it, before it is escaped. */
export function xmlText(words: string): string {
  return words.replace(notInXml, "\ufffd");
}
