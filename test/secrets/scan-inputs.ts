import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectDirectory } from "../../lib/project-directory.ts";
import { seededNumbers } from "../support/seeded-numbers.ts";

/** Ordinary texts, to be repeated up to a size. */
export function ordinaryInputs(): ReadonlyMap<string, string> {
  const read = (file: string) => readFileSync(join(projectDirectory, file), "utf8");
  const randomInt = seededNumbers(11);
  const data = Buffer.from(Array.from({ length: 1_600_000 }, () => randomInt(256))).toString("base64");
  return new Map([
    ["text", read("docs/interface-specification.txt")],
    ["page", read("docs/your-pages.md").replaceAll(/(\w+) (\w+)/g, "<b>$1</b> &amp; $2")],
    ["library", `<script>${read("node_modules/axe-core/axe.min.js")}</script>`],
    ["data URI", `<img alt="" src="data:image/png;base64,${data}">`],
  ]);
}

/** Texts that could make a pattern backtrack: beginnings of tokens without their ends. */
export const hostileInputs: ReadonlyMap<string, string> = new Map(
  [
    "SG.a.".padEnd(265, "_"),
    "ghs_1_",
    "http://",
    "https://a:a@",
    "api_key=",
    "token",
    "token = '",
    "eyJ",
    "xoxb-a-",
    "authorization: bearer ",
    "-----BEGIN PRIVATE KEY-----",
    "-----BEGIN PRIVATE KEY-----\n".padEnd(300, "A"),
    "eyJaaaaaaaaaaaaaaaaaaaa.",
    "&amp;",
    "&",
    "<",
    "<a ",
    "<!",
    "mongodb://a:",
    "postgres://a:b@",
    "-",
    "a1",
    "secret:",
    "sk-",
    "key-0123456789",
    "t1.aaaaaaaaaaaaaaaaaaaaa",
    "pat.",
    "0123456789:A",
    "_authToken=",
    "\n",
    " ",
    "ops_eyJ",
  ].map((unit) => [JSON.stringify(unit.slice(0, 30)), unit]),
);

/** Repeats a text up to a size. */
export function repeatTo(bytes: number, unit: string): string {
  return unit.repeat(Math.ceil(bytes / unit.length)).slice(0, bytes);
}

/** Measures a call in milliseconds of processor time. */
export function measureProcessorMs(call: () => void): number {
  const startedAt = process.threadCpuUsage();
  call();
  const { user, system } = process.threadCpuUsage(startedAt);
  return (user + system) / 1000;
}
