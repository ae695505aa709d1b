import mimeTypes from "mime-types";

/** The media type of a file by the ending of its name, with `charset=utf-8` for text. */
export function contentTypeOf(path: string): string {
  const type = mimeTypes.lookup(path);
  return type === false ? "application/octet-stream" : mimeTypes.contentType(type) || type;
}

/** Recognizes pages. */
export function isHtml(contentType: string): boolean {
  return contentType.startsWith("text/html");
}

/** Recognizes what compression makes much smaller. */
export function isText(contentType: string): boolean {
  return /^(text\/|(application|image)\/(.+\+)?(javascript|json|xml)\b)/.test(contentType);
}
