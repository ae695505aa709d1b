import type { App } from "@modelcontextprotocol/ext-apps";
import { useCallback, useRef, useState } from "preact/hooks";
import { LeafMark } from "../../html/icons.tsx";
import { viewerText } from "../../viewer/viewer-text.ts";
import { AnswerList } from "./answer-list.client.tsx";
import type { AppDrop } from "./app-responses.ts";
import { appText } from "./app-text.ts";
import { callTool, readTool } from "./app-tools.client.ts";
import { AskForm } from "./ask-form.client.tsx";
import { CommentList } from "./comment-list.client.tsx";
import type { Formats } from "./host-context.client.ts";
import { OpenLink } from "./open-link.client.tsx";
import { PageFrame } from "./page-frame.client.tsx";
import { ReadersForm } from "./readers-form.client.tsx";
import { type LoadedDrop, useDrop } from "./use-drop.client.ts";
import { usePage } from "./use-page.client.ts";
import { VersionPicker } from "./version-picker.client.tsx";

interface DropViewProps {
  readonly app: App;
  readonly slug: string;
  /** URL and title from the agent's tool result, shown until the drop is loaded. */
  readonly received: { readonly url?: string; readonly title?: string };
  readonly formats: Formats;
}

/** View of a drop in a chat: its page, with controls for versions, readers, comments, answers and messages to the agent. */
export function DropView({ app, slug, received, formats }: DropViewProps) {
  const { loaded, problem, isGone, isBusy, change } = useDrop(app, slug);
  const notice = problem !== undefined && (
    <p class="problem" role="alert">
      {problem}{" "}
      {loaded === undefined && !isGone && (
        <button class="plain" type="button" disabled={isBusy} onClick={() => change(async () => {})}>
          {appText.again}
        </button>
      )}
    </p>
  );
  if (loaded === undefined || isGone)
    return (
      <>
        <Head app={app} title={received.title ?? ""} url={isGone ? undefined : received.url} />
        {notice}
        {problem === undefined && <p role="status">{appText.loading}</p>}
      </>
    );
  return (
    <>
      <LoadedView app={app} loaded={loaded} formats={formats} isBusy={isBusy} change={change} />
      {notice}
    </>
  );
}

interface HeadProps {
  readonly app: App;
  readonly title: string;
  readonly url: string | undefined;
}

function Head({ app, title, url }: HeadProps) {
  return (
    <header>
      <LeafMark />
      <h1 dir="auto">{title}</h1>
      {url !== undefined && <OpenLink app={app} url={url} />}
    </header>
  );
}

interface LoadedViewProps {
  readonly app: App;
  readonly loaded: LoadedDrop;
  readonly formats: Formats;
  readonly isBusy: boolean;
  readonly change: (run: () => Promise<unknown>) => Promise<boolean>;
}

function LoadedView({ app, loaded, formats, isBusy, change }: LoadedViewProps) {
  const { drop, versions, comments, hasMoreComments, answers } = loaded;
  const { slug, latest_version } = drop;
  const [version, setVersion] = useState(latest_version);
  const [words, setWords] = useState("");
  const [done, setDone] = useState<string>();
  const box = useRef<HTMLTextAreaElement>(null);
  const shown = versions.find((one) => one.version === version);
  const fill = useCallback((text: string) => {
    setWords((typed) => text + typed);
    box.current?.focus();
  }, []);
  const run = async (call: () => Promise<unknown>, said: string) => {
    setDone(undefined);
    if (await change(call)) setDone(said);
  };
  const restore = () =>
    run(async () => {
      const restored = await readTool<AppDrop>(app, "page_restore", { slug, version });
      setVersion(restored.latest_version);
    }, appText.restored);

  return (
    <>
      <Head app={app} title={drop.title} url={drop.url} />
      {drop.locked && <p class="quiet about">{viewerText.lockedNote}</p>}
      {drop.expires_at !== null && (
        <p class="quiet about">
          {expiryWords(drop.expires_at)} {formats.time(drop.expires_at)}
        </p>
      )}
      {shown?.note && (
        <p class="changed" dir="auto">
          <b>{appText.changed}</b> {shown.note}
        </p>
      )}
      <Page key={version} app={app} drop={drop} version={version} onQuote={fill} />
      <div class="actions">
        <VersionPicker
          versions={versions}
          latest={latest_version}
          version={version}
          formats={formats}
          isBusy={isBusy}
          onChoose={setVersion}
          onRestore={restore}
        />
        <ReadersForm
          key={drop.updated_at}
          drop={drop}
          isBusy={isBusy}
          onSave={(fields) => run(() => callTool(app, "page_readers", { slug, ...fields }), appText.saved)}
        />
        <CommentList
          comments={comments}
          hasMore={hasMoreComments}
          formats={formats}
          isBusy={isBusy}
          onResolve={(thread) =>
            run(() => callTool(app, "page_resolve_comment", { slug, thread }), appText.resolved)
          }
          onAsk={fill}
        />
        <AnswerList drop={drop} newest={answers} formats={formats} />
      </div>
      <p class="done" role="status">
        {done}
      </p>
      <AskForm app={app} url={drop.url} version={version} words={words} onType={setWords} box={box} />
    </>
  );
}

function expiryWords(atMs: number): string {
  return atMs > Date.now() ? appText.expires : appText.expired;
}

interface PageProps {
  readonly app: App;
  readonly drop: AppDrop;
  readonly version: number;
  readonly onQuote: (text: string) => void;
}

/** Shows the page of a version, or a picture of the page. */
function Page({ app, drop, version, onQuote }: PageProps) {
  const page = usePage(app, drop.slug, version);
  if (page.kind === "html")
    return <PageFrame app={app} html={page.html} title={drop.title} url={drop.url} onQuote={onQuote} />;
  if (page.kind === "loading")
    return (
      <div class="page instead">
        <p role="status">{appText.loading}</p>
      </div>
    );
  return (
    <>
      <div class="page instead">
        {page.picture === undefined ? (
          <p>{appText.noPicture}</p>
        ) : (
          <img src={page.picture} alt={appText.picture} />
        )}
      </div>
      <p class="under-page" role="status">
        {page.why} <OpenLink app={app} url={drop.url} />
      </p>
    </>
  );
}
