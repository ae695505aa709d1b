import { once } from "node:events";
import { PutObjectCommand } from "@aws-sdk/client-s3";
import { pages, s3 } from "../drops/page-objects.ts";
import { environmentNames, readEnvironment } from "../platform/environment.ts";
import { writeFault } from "../platform/log.ts";
import { wordsKey } from "./feedback.ts";
import { wordsOfPage } from "./page-words.ts";

/**
 * The words of a page, as `wordsOfPage` gives them; undefined where there is no such page. Whoever looks for them first has the page
 * parsed and stores them, so that each page is parsed once: docs/adr/0078-feedback-by-key-and-page-words-in-amazon-s3.md.
 *
 * The row needs `pages: ["GetObject"]` and `words: ["PutObject"]`.
 */
export async function readWords(pageKey: string): Promise<string | undefined> {
  const stored = await pages.getBytes(wordsKey(pageKey));
  if (stored !== undefined) return stored.toString();
  const page = await pages.get(pageKey);
  if (page === undefined) return undefined;
  const words = wordsOfPage(page.bytes.toString());
  await storeWords(pageKey, words);
  return words;
}

/** Nobody waits longer for what can be made again. */
const storeMsMax = 1_000;

/** Words that could not be stored are made again by the next one who looks. The orphan check removes those of a page that is gone. */
async function storeWords(pageKey: string, words: string): Promise<void> {
  const abortSignal = AbortSignal.timeout(storeMsMax);
  const command = new PutObjectCommand({
    Bucket: readEnvironment(environmentNames.pagesBucket),
    Key: wordsKey(pageKey),
    Body: words,
    ContentType: "text/plain; charset=utf-8",
  });
  try {
    // The SDK heeds the signal while it waits for a response, and not in the pauses between its tries.
    await Promise.race([
      s3.send(command, { abortSignal }),
      once(abortSignal, "abort").then(() => abortSignal.throwIfAborted()),
    ]);
  } catch (error) {
    writeFault({ level: "warn", event: "words-not-stored" }, error);
  }
}
