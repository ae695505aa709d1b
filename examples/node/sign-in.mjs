#!/usr/bin/env node
// Gets an API token of Dropleaf: shows an address and a code to a human, waits until they have signed in there, and
// prints the token. Node.js 20 or newer, no packages.
//
//   export DROPLEAF_URL=https://drops.example.com
//   export DROPLEAF_TOKEN=$(node sign-in.mjs)
import { setTimeout } from "node:timers/promises";

const base = process.env.DROPLEAF_URL?.replace(/\/$/, "");

async function call(path, options) {
  const response = await fetch(base + path, options).catch((error) => {
    throw new Error(`no response from ${base}: ${error.cause?.message ?? error.message}`);
  });
  if (!response.ok)
    throw new Error(`${path.split("?")[0]} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

async function signIn() {
  if (!base) throw new Error("set DROPLEAF_URL, such as https://drops.example.com");
  const start = await call("/api/auth/start", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ label: "sign-in.mjs" }),
  });
  // Only the token goes to standard output.
  process.stderr.write(
    `Open ${start.verification_url}\nand sign in, if the page shows the code ${start.code}.\n`,
  );
  for (;;) {
    await setTimeout(start.poll_interval * 1000);
    const poll = await call(`/api/auth/poll?token=${encodeURIComponent(start.poll_token)}`);
    if (poll.status === "verified") return poll.api_token;
    // expired, claimed and not_found are final.
    if (poll.status !== "pending") throw new Error(`the sign-in is ${poll.status}: start again`);
  }
}

signIn().then(
  (token) => process.stdout.write(`${token}\n`),
  (error) => {
    process.stderr.write(`sign-in.mjs: ${error.message}\n`);
    process.exitCode = 1;
  },
);
