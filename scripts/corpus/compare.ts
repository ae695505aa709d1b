import pixelmatch from "pixelmatch";
import { PNG } from "pngjs";
import type { Look } from "./look.ts";
import { steps, type Visit } from "./visit.ts";

/** Result of a comparison. `style`: the appearance differs, but the text is the same. */
export type Verdict = "same" | "style" | "different";

const verdicts: readonly Verdict[] = ["same", "style", "different"];

/** Returns the worse of two verdicts. */
export function worseOf(one: Verdict, other: Verdict): Verdict {
  return verdicts.indexOf(one) > verdicts.indexOf(other) ? one : other;
}

/** Result of comparing a visit with the visit to the plain server: the verdict, and each step's differences. */
export type Comparison = ReturnType<typeof compareVisits>;

/** Maximum share of differing pixels at which two pictures are regarded as equal. */
export const pixelShareMax = 0.002;
/** Maximum share of differing pixels at which two pages with the same text are regarded as different only in style. */
const styleShareMax = 0.25;
/** Maximum difference in a page's width or height, in pixels, at which two sizes are regarded as equal. */
const sizePxMax = 2;

type Unsteady = ReturnType<typeof findUnsteady>;

/** Finds steps that differ between two visits to the plain server. Comparisons ignore the differences of these steps. */
export function findUnsteady(first: Visit, second: Visit) {
  const differing = (isSame: (one: Look, other: Look) => boolean) =>
    new Set(
      steps.filter((step) => {
        const [one, other] = [first.looks[step], second.looks[step]];
        return one && other && !isSame(one, other);
      }),
    );
  return {
    pictures: differing((one, other) => pictureReason(one, other) === undefined),
    texts: differing((one, other) => one.text === other.text),
  };
}

/** Compares a visit with the visit to the plain server. */
export function compareVisits(truth: Visit, seen: Visit, unsteady?: Unsteady) {
  const serious: string[] = [];
  const slight: string[] = [];
  for (const step of steps) {
    const expected = truth.looks[step];
    if (expected === undefined) continue;
    const found = seen.looks[step];
    if (found === undefined) {
      serious.push(`${step}: ${seen.problems[step] ?? "not reached"}`);
      continue;
    }
    if (found.text !== expected.text && !unsteady?.texts.has(step))
      serious.push(`${step}: text ${textReason(expected.text, found.text)}`);
    if (!expected.isStill || unsteady?.pictures.has(step)) continue;
    const reason = pictureReason(expected, found);
    if (reason !== undefined)
      (reason.share > styleShareMax ? serious : slight).push(`${step}: ${reason.words}`);
  }
  // Ignores files that are missing on the plain server. On the service, requests for these files may fail for another reason, which only
  // the console shows.
  const missing = truth.failures.map(({ name }) => name);
  const isKnown = (error: string) =>
    truth.errors.includes(error) || missing.some((name) => error.includes(`'${name}'`));
  serious.push(...seen.errors.filter((error) => !isKnown(error)).map((error) => `console: ${error}`));
  const failures = seen.failures.filter(({ name }) => !missing.includes(name));
  serious.push(...new Set(failures.map(({ name, reason }) => `request: ${reason} ${name}`)));
  const verdict: Verdict = serious.length > 0 ? "different" : slight.length > 0 ? "style" : "same";
  return { verdict, reasons: [...serious, ...slight], notices: seen.notices };
}

/** Returns true for a picture of a single colour. */
export function isBlank({ picture }: Look): boolean {
  const { data } = PNG.sync.read(picture);
  const first = data.readUInt32BE(0);
  for (let at = 4; at < data.length; at += 4) if (data.readUInt32BE(at) !== first) return false;
  return true;
}

function pictureReason(one: Look, other: Look) {
  const share = differingShare(one.picture, other.picture);
  if (share > pixelShareMax) return { share, words: `picture ${(share * 100).toFixed(1)} %` };
  const isOtherSize = one.size.some((px, index) => Math.abs(px - (other.size[index] ?? 0)) > sizePxMax);
  if (isOtherSize) return { share, words: `size ${one.size.join("×")} is ${other.size.join("×")}` };
  return undefined;
}

function differingShare(one: Buffer, other: Buffer): number {
  if (one.equals(other)) return 0;
  const [first, second] = [PNG.sync.read(one), PNG.sync.read(other)];
  const { width, height } = first;
  if (second.width !== width || second.height !== height) return 1;
  return pixelmatch(first.data, second.data, undefined, width, height) / (width * height);
}

/** Describes the first difference between two texts. */
function textReason(expected: string, found: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === found[at]) at += 1;
  const part = (text: string) => JSON.stringify(text.slice(Math.max(0, at - 15), at + 40));
  return `${part(expected)} is ${part(found)}`;
}
