/** Entry point of the app `ui://dropleaf/page`, which shows a drop in a chat. */
import "./framed-messages.client.ts";
import { App, type McpUiHostContext, PostMessageTransport } from "@modelcontextprotocol/ext-apps";
import { render } from "preact";
import { findElement } from "../../html/find-element.client.ts";
import { appText } from "./app-text.ts";
import { DropView } from "./drop-view.client.tsx";
import { applyLook, formatsOf, reportHeight } from "./host-context.client.ts";
import { pingHost } from "./host-watch.client.ts";

type Result = Parameters<NonNullable<App["ontoolresult"]>>[0];

const app = new App({ name: "dropleaf-page", version: "1" }, {}, { autoResize: false });
const content = findElement("app");
/** Slug from the arguments of the agent's tool call, because some tool results do not repeat it. */
let givenSlug: string | undefined;
let result: Result | undefined;
let message: string = appText.waiting;

app.addEventListener("toolinput", ({ arguments: given }) => {
  if (typeof given?.slug === "string") givenSlug = given.slug;
  show();
});
app.addEventListener("toolresult", (received) => {
  result = received;
  message = received.isError ? appText.failed : appText.noPage;
  show();
});
app.addEventListener("toolcancelled", () => {
  message = appText.cancelled;
  show();
});
app.addEventListener("hostcontextchanged", show);
app.onteardown = async () => {
  render(null, content);
  return {};
};

void app.connect(new PostMessageTransport(window.parent, window.parent)).then(() => {
  show();
  reportHeight(app, content);
  void pingHost(app);
});

function show(): void {
  const context: McpUiHostContext = app.getHostContext() ?? {};
  applyLook(context);
  render(<Shown context={context} />, content);
}

function Shown({ context }: { readonly context: McpUiHostContext }) {
  const received = (result?.structuredContent ?? {}) as { slug?: string; url?: string; title?: string };
  const slug = received.slug ?? givenSlug;
  if (result === undefined || result.isError || slug === undefined) return <p role="status">{message}</p>;
  return <DropView key={slug} app={app} slug={slug} received={received} formats={formatsOf(context)} />;
}
