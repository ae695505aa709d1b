import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const functionsDirectory = new URL("../../functions/", import.meta.url).pathname;

/** Matches a regular expression literal of JavaScript, after a token that an operand follows. */
const literal =
  /(?<=[=(,:[!&|?;{}]\s*|return\s+)\/(?![*/])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\[\n])+)\/([dgimsuvy]*)/g;

/** Length of the longest header, and enough to reveal quadratic time. */
const headerCharacters = 16_000;
const matchMsMax = 100;

/** Patterns that take quadratic time, with the length to which `functions/identity/accounts.ts` and `functions/secrets` cut the text. */
const ofShortTexts = new Map([
  ["-+$", 40],
  ["^-+|-+$", 40],
  ["[\\w-]*$", 40],
  ["[A-Za-z0-9+/]*$", 200],
]);

const found = readdirSync(functionsDirectory, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts"))
  .flatMap((name) => {
    const source = readFileSync(join(functionsDirectory, name), "utf8").replace(
      /^\s*(\/\/|\*|\/\*).*$/gm,
      "",
    );
    return [...source.matchAll(literal)].map(([, pattern = "", flags = ""]) => ({ name, pattern, flags }));
  });

/** Creates texts that make a pattern backtrack. Each text repeats a character of the pattern, and ends with a character that does not match. */
function attacksOn(pattern: string): string[] {
  const length = ofShortTexts.get(pattern) ?? headerCharacters;
  const units = new Set([
    "a",
    "A",
    "0",
    " ",
    "-",
    ".",
    "_",
    "/",
    "=",
    ";",
    ",",
    "\n",
    "a-",
    "a ",
    "0a",
    ...pattern,
  ]);
  const starts = ["", ...(/\^?([A-Za-z0-9_/:]{2,})/.exec(pattern)?.slice(1) ?? [])];
  return [...units].flatMap((unit) =>
    starts.map((start) => `${start}${unit.repeat(Math.ceil(length / unit.length))}\u0000`),
  );
}

test("the patterns of the contract are found in the source", () => {
  expect(found.length).toBeGreaterThan(40);
  expect(found.map(({ pattern }) => pattern)).toContain("^[a-z0-9_]([a-z0-9_.-]{0,62}[a-z0-9_])?$");
});

test.each(found)(
  "$name: /$pattern/$flags does not backtrack for long on hostile input",
  ({ pattern, flags }) => {
    const expression = new RegExp(pattern, flags);

    for (const attack of attacksOn(pattern)) {
      const before = process.cpuUsage();
      attack.replace(expression, "");
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000, JSON.stringify(attack.slice(0, 20))).toBeLessThan(matchMsMax);
    }
  },
);
