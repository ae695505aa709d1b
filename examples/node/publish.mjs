#!/usr/bin/env node
// Publishes an HTML file to Dropleaf and prints its address. Node.js 20 or newer, no packages.
//
//   export DROPLEAF_URL=https://drops.example.com DROPLEAF_TOKEN=hb_...
//   node publish.mjs [--title title] [--metadata key=value]... page.html
//
// With tags (--metadata) the address stays: a drop that carries them all gets a new version, and only where there is
// none is one published. Run by several at once with the same tags, each may find none: let one of them publish first.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";

const usage = "usage: publish.mjs [--title title] [--metadata key=value]... page.html";

/** Error that the person who runs this can fix. */
class Problem extends Error {
  constructor(message, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

function say(message) {
  process.stderr.write(`publish.mjs: ${message}\n`);
}

/** Calls the service as the token's owner; waits where it says that a minute's writes are used up. */
async function call(method, path, body) {
  const { DROPLEAF_URL, DROPLEAF_TOKEN } = process.env;
  const address = DROPLEAF_URL.replace(/\/$/, "") + path;
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(address, {
      method,
      headers: { authorization: `Bearer ${DROPLEAF_TOKEN}`, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    }).catch((error) => {
      throw new Problem(`no response from ${address}: ${error.cause?.message ?? error.message}`);
    });
    if (response.ok) return response.json();
    const seconds = Number(response.headers.get("retry-after") ?? 3600);
    // A minute's limit is worth waiting for; where only deleting helps, the service says an hour.
    if (response.status !== 429 || seconds > 60 || attempt === 5) {
      throw new Problem(`${method} ${path} answered ${response.status}: ${await response.text()}`);
    }
    say(`too many writes; trying again in ${seconds} seconds`);
    await setTimeout(seconds * 1000);
  }
}

function readArguments() {
  const options = { title: { type: "string" }, metadata: { type: "string", multiple: true, default: [] } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length !== 1) throw new Error(usage);
    const pairs = values.metadata.map((pair) => {
      const at = pair.indexOf("=");
      if (at < 1) throw new Error(`--metadata takes key=value, not ${pair}`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
    return { file: positionals[0], title: values.title, pairs };
  } catch (error) {
    throw new Problem(error.message, 2);
  }
}

async function readPage(file) {
  try {
    const bytes = await readFile(file);
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (error) {
    throw new Problem(`${file} is no file of UTF-8 that can be read: ${error.message}`, 2);
  }
}

/** The oldest drop that carries all the tags, so that everyone finds the same. */
async function findDrop(pairs) {
  if (pairs.length === 0) return undefined;
  const filters = pairs.map(([key, value]) => [`metadata.${key}`, value]);
  const query = new URLSearchParams([["sortOrder", "asc"], ["pageSize", "1"], ...filters]);
  const { drops } = await call("GET", `/api/drops?${query}`);
  return drops[0];
}

async function publish() {
  const { file, title, pairs } = readArguments();
  if (!process.env.DROPLEAF_URL || !process.env.DROPLEAF_TOKEN) {
    throw new Problem("set DROPLEAF_URL, such as https://drops.example.com, and DROPLEAF_TOKEN", 2);
  }
  const html = await readPage(file);
  const found = await findDrop(pairs);
  // What is left out of a new version stays as it is.
  const drop = found
    ? await call("PUT", `/api/drops/${found.slug}`, { html, title })
    : await call("POST", "/api/drops", {
        html,
        title: title ?? basename(file, ".html"),
        metadata: Object.fromEntries(pairs),
      });
  process.stdout.write(`${drop.url}\n`);
}

publish().catch((error) => {
  if (!(error instanceof Problem)) throw error;
  say(error.message);
  process.exitCode = error.exitCode;
});
