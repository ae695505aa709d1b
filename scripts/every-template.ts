/** `npm run test:templates`: the tests of the service against the template of each kind of settings, one after another. */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { settingsOfEachKind } from "../test/lib/settings-of-each-kind.ts";

/** They run programs of their own, which would need the template's names in the DNS, and TLS. */
const connectByThemselves = [/^examples/, /^preview-workflow\./, /^published-client/];

/** About what takes large bodies, which there is nothing for unless `ingest` says what. */
const aboutLargeBodies = /^large-bodies\./;
/** The same, among tests that are about something else: in JSON such a page is 12 MiB. */
const aboutLargePages = "a page of 2 MiB goes through, whatever carries it";

const wanted = process.argv.slice(2);
const failed = settingsOfEachKind
  .filter(([what]) => wanted.length === 0 || wanted.includes(what))
  .filter(([what, settings]) => {
    console.log(`\n# With ${what}\n`);
    const isWithoutIngest = (settings.ingest ?? "none") === "none";
    const leftOut = [...connectByThemselves, ...(isWithoutIngest ? [aboutLargeBodies] : [])];
    const pattern = isWithoutIngest ? ["--testNamePattern", `^(?!${aboutLargePages}$)`] : [];
    const files = readdirSync("test/service").filter((file) => !leftOut.some((one) => one.test(file)));
    const paths = files.map((file) => `test/service/${file}`);
    const { status } = spawnSync("vitest", ["run", "--project", "service", ...pattern, ...paths], {
      stdio: "inherit",
      env: { ...process.env, TEST_SETTINGS: what },
    });
    return status !== 0;
  })
  .map(([what]) => what);
console.log(failed.length === 0 ? "\nEvery template passes." : `\nNot passed with: ${failed.join("; ")}.`);
process.exitCode = failed.length;
