/** File that would run a script if a browser believed its contents or its declared type. */
export interface HostileFile {
  readonly name: string;
  readonly filename: string;
  readonly contentType: string;
  /** Returns the body, which tries to run `script`. */
  readonly body: (script: string) => string;
}

const html = (script: string) =>
  `<!doctype html><html><head><title>x</title></head><body onload="${script}"><script>${script}</script></body></html>`;

const xhtml = (script: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><body><script>${script}</script></body></html>`;

const svg = (script: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="${script}"><script>${script}</script>
  <foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" onload="${script}"><script>${script}</script></body></foreignObject></svg>`;

/** XML document whose own style sheet turns it into a page (XSL Transformations 1.0, section 2.7). */
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

/** Script that begins like a GIF image. */
const pictureScript = (script: string) => `GIF89a=1;${script};/*${html(script)}*/`;

/** Every kind of file that has run scripts in some browser. */
export const hostileFiles: readonly HostileFile[] = [
  file("HTML", "text/html", html),
  file("HTML with a character set", "Text/HTML; charset=utf-8", html),
  file("HTML without a type", "", html),
  file("HTML declared as an unknown type", "x/y", html),
  file("HTML declared as a list of types", "image/png, text/html", html),
  file("HTML declared as text", "text/plain", html),
  file("HTML declared as an image", "image/png", html),
  file("HTML declared as audio", "audio/mpeg", html),
  file("HTML declared as a video", "video/mp4", html),
  file("HTML declared as SVG", "image/svg+xml", html),
  file("HTML declared as JSON", "application/json", html),
  file("XHTML", "application/xhtml+xml", xhtml),
  file("XHTML declared as XML", "text/xml", xhtml),
  file("XHTML declared as SVG", "image/svg+xml", xhtml),
  file("XML with its own style sheet", "application/xml", transformed),
  file("XML with its own style sheet, declared as SVG", "image/svg+xml", transformed),
  file("SVG", "image/svg+xml", svg),
  file("SVG with its type in upper case", "IMAGE/SVG+XML; charset=utf-8", svg),
  file("PDF", "application/pdf", pdf),
  file("PDF declared as an image", "image/png", pdf),
  file("a script", "text/javascript", (script) => script),
  file("a script declared as an image", "image/gif", pictureScript),
  file("a script declared as audio", "audio/mpeg", (script) => script),
  file("multipart HTML whose parts replace each other", "multipart/x-mixed-replace; boundary=part", replaced),
  file("an e-mail that contains HTML", "message/rfc822", mail),
];

function file(name: string, contentType: string, body: HostileFile["body"]): HostileFile {
  return { name, filename: "file.html", contentType, body };
}
