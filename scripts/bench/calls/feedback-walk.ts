import type { FeedbackListResponse } from "../../../functions/feedback/schemas.ts";
import { CookieJar } from "../../../test/support/cookie-jar.ts";
import { inWindow } from "../../../test/support/feedback-forms.ts";
import { samplePasscode } from "../sample-page.ts";
import { callUnmeasured, type Walk } from "./operation-caller.ts";
import { formOf } from "./own-pages-walk.ts";
import { publish } from "./publish-walk.ts";

/** Writes feedback as a reader, and handles it as the owner's agent. */
export async function walkFeedback(walk: Walk, token: string): Promise<void> {
  const { slug } = await publish(callUnmeasured, "", token, { feedback: "readers" });
  // Whoever has its passcode may write without an account.
  const passcode = samplePasscode;
  await callUnmeasured("set-passcode", "", { params: { slug }, token, body: { passcode } });
  const browser = new CookieJar();
  const unlocking = new URLSearchParams({ passcode }).toString();
  await callUnmeasured("unlock-drop", "", { params: { slug }, browser, body: unlocking });
  const page = { params: { slug }, browser, headers: inWindow };
  const shown = await walk("show-feedback", "nothing yet", page);
  const fields = { quote: "Report", text: "Which week is this of?", name: "Ann" };
  const form = formOf(shown, `/p/${slug}/feedback?v=1`, fields);
  await walk("send-feedback", "a new thread", {
    ...page,
    ...form,
    query: { v: "1" },
    headers: { ...inWindow, ...form.headers },
    expectedStatus: 303,
  });
  await walk("show-feedback", "1 thread", page);
  const { text } = await walk("list-feedback", "1 comment", { token });
  const { comments } = JSON.parse(text) as FeedbackListResponse;
  const thread = { params: { slug, thread: String(comments[0]?.thread.id) }, token };
  await walk("reply-to-feedback", "", { ...thread, body: { text: "The one before last." } });
  await walk("resolve-feedback", "", { ...thread, body: { state: "resolved" } });
  await walk("delete-feedback", "2 comments", thread);
}
