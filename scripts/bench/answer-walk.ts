import { environmentNames, readEnvironment } from "../../functions/core/environment.ts";
import type { CookieJar } from "../../test/support/cookie-jar.ts";
import { callUnmeasured, type Walk } from "../../test/support/operation-caller.ts";
import { publish, signIn, signInBrowser } from "./people-walk.ts";

/** Number of answers when lists and counts are measured. */
const answerCount = 200;
const all = `${answerCount} answers`;

const html =
  '<form data-answers="vote"><input type="radio" name="day" value="Monday"><textarea name="why"></textarea></form>';

/** Calls operations as readers who answer a page's form, and as the owner and the agent, who read and delete the answers. */
export async function walkAnswers(walk: Walk, username: string): Promise<void> {
  const token = await signIn(callUnmeasured, username);
  const owner = await signInBrowser(username);
  const fields = { html, answers: "readers", answers_results: true };
  const { slug } = await publish(callUnmeasured, "", token, fields);
  const params = { slug };
  const query = { form: "vote", v: "1" };
  const origin = readEnvironment(environmentNames.baseUrl);
  const json = { accept: "application/json" };
  const body = new URLSearchParams({ day: "Monday", why: "It is quiet then." }).toString();
  const call = { params, query, headers: json, body };
  const answer = (browser?: CookieJar) => ({ ...call, ...(browser && { browser }) });
  for (let sent = 4; sent < answerCount; sent += 1) await callUnmeasured("send-answer", "", answer());
  await walk("send-answer", "", answer());
  const signed = {
    ...answer(owner),
    query: { ...query, as: "name" },
    headers: { ...json, origin },
    body: new URLSearchParams({ answer: body, username, form: "1" }).toString(),
  };
  await walk("send-answer", "with a name", signed);
  const changed = { ...signed, body: signed.body.replace("form=1", "form=2") };
  await walk("send-answer", "with a name, changed", changed);
  for (let sent = 0; sent < 2; sent += 1) await callUnmeasured("send-answer", "", answer());
  await walk("read-answer-results", all, { params, query, headers: json });
  await walk("list-answers", `100 of ${all}`, { params, token });
  await walk("export-answers", all, { params, token });
  const page = await walk("show-own-answers", `50 of ${all}`, { params, browser: owner });
  await walk("export-own-answers", all, { params, browser: owner, query: { form: "vote" } });
  // All forms on the page share one action URL and one CSRF token.
  const [, proof = ""] = /name="proof" value="([^"]+)"/.exec(page.text) ?? [];
  const deletion = new URLSearchParams({ proof, number: "1" }).toString();
  const form = { params, browser: owner, headers: { origin }, body: deletion };
  await walk("delete-own-answers", "1 answer", form);
  await walk("delete-answer", "", { params: { slug, number: "2" }, token });
  await walk("delete-answers", `${answerCount - 2} answers`, { params, token });
}
