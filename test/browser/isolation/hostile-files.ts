/** A file that would run a script, if a browser took it for what it is or says it is. */
export interface HostileFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** The body; `script` is what it tries to run. */
  readonly body: (script: string) => string;
}

const html = (script: string) =>
  `<!doctype html><html><head><title>x</title></head><body onload="${script}"><script>${script}</script></body></html>`;

const xhtml = (script: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`;

const svg = (script: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${script}"><script>${script}</script>
  <foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${script}"><script>${script}</script></body></foreignObject></svg>`;

/** A style sheet for itself, that makes a page of it (XSL Transformations 1.0, section 2.7). */
const transformed = (script: string) =>
  `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="#sheet"?><!DOCTYPE doc [<!ATTLIST xsl:stylesheet id ID #REQUIRED>]>
  <doc><xsl:stylesheet id="sheet" version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"><xsl:template match="/">
  <html><script>${script}</script></html></xsl:template></xsl:stylesheet></doc>`;

const pdf = (script: string) => `%PDF-1.7
1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.alert\\(1\\);${script.replaceAll(/([()])/g, "\\$1")})>>>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj
trailer<</Root 1 0 R>>
%%EOF`;

const replaced = (script: string) =>
  `--part\r\nContent-Type: text/html\r\n\r\n${html(script)}\r\n--part\r\nContent-Type: text/html\r\n\r\n${html(script)}\r\n--part--\r\n`;

const mail = (script: string) =>
  `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=part; type=text/html\r\n\r\n${replaced(script)}`;

/** A picture's first bytes, which are a script's too. */
const pictureScript = (script: string) => `GIF89a=1;${script};/*${html(script)}*/`;

/** Every kind of file that has run scripts in some browser. */
export const hostileFiles: readonly HostileFile[] = [
  file("a page", "text/html", html),
  file("a page with a character set", "Text/HTML; charset=utf-8", html),
  file("a page without a type", "", html),
  file("a page called an unknown type", "x/y", html),
  file("a page called a list of types", "image/png, text/html", html),
  file("a page called text", "text/plain", html),
  file("a page called a picture", "image/png", html),
  file("a page called a sound", "audio/mpeg", html),
  file("a page called a video", "video/mp4", html),
  file("a page called an SVG picture", "image/svg+xml", html),
  file("a page called JSON", "application/json", html),
  file("an XHTML page", "application/xhtml+xml", xhtml),
  file("an XHTML page called XML", "text/xml", xhtml),
  file("an XHTML page called an SVG picture", "image/svg+xml", xhtml),
  file("a document that transforms itself", "application/xml", transformed),
  file("a document that transforms itself, called an SVG picture", "image/svg+xml", transformed),
  file("an SVG picture", "image/svg+xml", svg),
  file("an SVG picture in upper case", "IMAGE/SVG+XML; charset=utf-8", svg),
  file("a PDF document", "application/pdf", pdf),
  file("a PDF document called a picture", "image/png", pdf),
  file("a script", "text/javascript", (script) => script),
  file("a script called a picture", "image/gif", pictureScript),
  file("a script called a sound", "audio/mpeg", (script) => script),
  file("parts that replace each other", "multipart/x-mixed-replace; boundary=part", replaced),
  file("a mail with a page", "message/rfc822", mail),
];

function file(name: string, contentType: string, body: HostileFile["body"]): HostileFile {
  return { name, filename: "file.html", contentType, body };
}
