import { limits } from "../core/limits.ts";
import type { HttpRequest } from "../http/request.ts";
import { rateLimiter } from "../table/rate-limits.ts";
import { answerNetworkRule, answerShareRule, fairShare, type RateRule } from "../table/rate-rules.ts";
import { countOf } from "./answers.ts";
import { answers } from "./store.ts";

/**
 * Counts an answer before it is written, against the rate limit of the sender's network and the sender's share of the form. One sender may
 * send a quarter of the answers that the form can still take, so that no sender can fill a form.
 *
 * @returns a function that undoes the count
 * @throws ApiError `rate_limited` at a limit, without counting the answer
 */
export async function countAnswer(
  { network }: Pick<HttpRequest, "network">,
  sent: {
    readonly slug: string;
    readonly form: string;
    /** Id of the signed-in reader. @default - the network */
    readonly sender: string | undefined;
    readonly nowMs: number;
  },
): Promise<() => Promise<void>> {
  const { slug, form, sender = network, nowMs } = sent;
  const { counts } = await answers.last(slug);
  const left = limits.answersPerFormMax - countOf(counts, form);
  const windows: readonly (readonly [RateRule, string])[] = [
    [answerNetworkRule, `${slug}#${network}`],
    [{ ...answerShareRule, usesMax: fairShare(left) }, `${slug}#${form}#${sender}`],
  ];
  const spent: (typeof windows)[number][] = [];
  const undoCount = async () => {
    await Promise.all(spent.map(([rule, subject]) => rateLimiter.refund(rule, subject)));
  };
  try {
    for (const window of windows) {
      await rateLimiter.spend(...window, nowMs);
      spent.push(window);
    }
  } catch (error) {
    await undoCount();
    throw error;
  }
  return undoCount;
}
