/** Nothing further on is looked at: a page of megabytes is no path. */
const lookedAtCharacters = 4_096;

/**
 * What is surely not meant of the page that a publication brings, in sentences: it is published as it came.
 *
 * @param body of a publication, as its row's schema makes it
 */
export function reviewPublication({ body }: { readonly body: unknown }): readonly string[] {
  const { html } = body as { readonly html: string };
  const found = strangenessOf(html.slice(0, lookedAtCharacters).trim(), html);
  return found === undefined
    ? []
    : [`${found} It was published as it came; send the right page with PUT to the same drop.`];
}

const emptyTitle = "The page's <title> is empty, so that a browser shows its address instead.";

const beginsWithTag = /^(\ufeff)?<[a-z!?/]/i;

function strangenessOf(start: string, html: string): string | undefined {
  if (/^(```|~~~)/.test(start)) return "html begins with ```, a fence of Markdown: leave the fence out.";
  if (isJsonString(start)) return "html is JSON in JSON: it was written as a JSON string twice.";
  if (hasTag(html)) return /<title[^<>]*>\s*<\/title/i.test(start) ? emptyTitle : undefined;
  if (/^(https?|ftp):\/\/\S+$/i.test(start))
    return "html is a URL, and nothing is fetched: send the page itself.";
  if (/^data:\S+$/i.test(start)) return "html is a data URL: send the page itself.";
  if (isPath(start)) return "html is the path of a file, and not what is in it: read the file and send that.";
  if (isEscaped(start))
    return "html is escaped: its tags are written &lt;…&gt; or \\u003c…, and readers see them as text.";
  if (isBase64(start)) return "html is base64, and nothing decodes it: send the page itself.";
  if (isMarkdown(start))
    return "html is Markdown: render it, or send it as the body with Content-Type: text/markdown.";
  return "html has no tag at all: readers see it as one line of text.";
}

function hasTag(html: string): boolean {
  return /<[a-z!/][^<>]*>/i.test(html);
}

function isJsonString(start: string): boolean {
  if (beginsWithTag.test(start)) return false;
  return /^"\s*(<|\\u003c)/i.test(start) || /^\{\s*"html"\s*:/.test(start);
}

function isPath(start: string): boolean {
  if (/[\n<]/.test(start) || start.length > 512) return false;
  return (
    /^@?(file:|~?\/|\.{1,2}\/|[a-z]:\\)\S/i.test(start) || /^@?[\w./\\ -]+\.(html?|md|txt)$/i.test(start)
  );
}

function isEscaped(start: string): boolean {
  return /&lt;[a-z!/]/i.test(start) || /\\u003c[a-z!/]/i.test(start) || /^%3c[a-z!%/]/i.test(start);
}

function isBase64(start: string): boolean {
  const text = start.replace(/\s/g, "");
  if (text.length < 16 || !/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return false;
  return hasTag(Buffer.from(text.slice(0, text.length - (text.length % 4)), "base64").toString("latin1"));
}

function isMarkdown(start: string): boolean {
  return /^#{1,6} \S/m.test(start) || /\]\(\S+\)/.test(start) || /^(- |\* |\d+\. )\S.*\n\1?/m.test(start);
}
