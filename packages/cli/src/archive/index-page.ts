import { formatUtc } from "../terminal/output.ts";
import type { Archive, ArchivedDrop } from "./archive.ts";

/** Renders a page that lists an export, for people who open the folder in a browser. */
export function renderIndex(archive: Archive, drops: readonly ArchivedDrop[]): string {
  const newestFirst = [...drops].reverse();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Export of ${escapeHtml(archive.service)}</title>
<style>
body { max-width: 48rem; margin: auto; padding: 1rem; font: 1rem/1.6 system-ui; overflow-wrap: anywhere; }
li { margin-bottom: 1rem; }
small { color: #555; }
</style>
</head>
<body>
<h1>Export of ${escapeHtml(archive.service)}</h1>
<p>${count(drops.length, "drop")} and ${count(archive.files.length, "file")}. Import it elsewhere: <code>dropleaf import &lt;folder&gt;</code></p>
<h2>Drops</h2>
<ul>
${newestFirst.map(renderDrop).join("\n")}
</ul>
<h2>Files</h2>
<ul>
${archive.files.map(({ path, filename, size_bytes }) => `<li><a href="${encodePath(path)}">${escapeHtml(filename)}</a> <small>${size_bytes} bytes</small></li>`).join("\n")}
</ul>
${archive.left_out.length === 0 ? "" : `<h2>Left out</h2>\n<ul>\n${archive.left_out.map((one) => `<li>${escapeHtml(one)}</li>`).join("\n")}\n</ul>\n`}</body>
</html>
`;
}

function renderDrop({ slug, title, description, url, visibility, locked, metadata, versions }: ArchivedDrop) {
  const latest = versions.at(-1);
  const tags = Object.entries(metadata).map(([key, value]) => `${key}=${value}`);
  const facts = [
    visibility ?? "public",
    ...(locked ? ["locked"] : []),
    `<a href="drops/${slug}/drop.json">details</a>`,
    ...tags.map(escapeHtml),
  ];
  const links = versions.map(
    ({ version, page, created_at, original_date, note }) =>
      `<a href="drops/${slug}/${page}">version ${version}</a> (${formatUtc(original_date ?? created_at)})${note === undefined ? "" : ` ${escapeHtml(note)}`}`,
  );
  return `<li><a href="drops/${slug}/${latest?.page ?? ""}">${escapeHtml(title)}</a> <small>${facts.join(", ")}</small><br>
${description == null ? "" : `${escapeHtml(description)}<br>\n`}<small>${escapeHtml(url)}<br>
${links.join("<br>\n")}</small></li>`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
