import type { ComponentChildren } from "preact";
import { isLocked, type Version } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import type { ReadPart } from "../drops/read-trail.ts";
import copyScript from "../html/copy-buttons.client.ts?text";
import { formatCount, formatCounted, Time } from "../html/format.tsx";
import { Icon, Submit } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { pagePath } from "../identity/destination.ts";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { isExpired } from "../policies/access.ts";
import { RenderReportSection } from "../renders/render-report-section.tsx";
import type { RenderResponse } from "../renders/schemas.ts";
import { AccessRequests, type AccessRequestsProps } from "./access-requests-part.tsx";
import { DoneNotice, renderAccountPage } from "./account-layout.tsx";
import { accountText } from "./account-text.ts";
import { type DropForm, FormOfDrop, problemAt, sentFields } from "./drop-form.tsx";
import { Versions } from "./drop-versions.tsx";
import { asTyped, Field } from "./form.tsx";
import { MoveForm, type MoveFormProps } from "./move-form.tsx";
import { isSharing, SharePanel, type SharePanelProps } from "./share-panel.tsx";

/** Recorded reads of a drop, which its owner can see. */
export interface FoundReads extends Pick<SharePanelProps, "weeksReaders"> {
  /** The drop's most recent reads. @default - reads are not recorded, or were not requested */
  readonly newest?: ReadPart | undefined;
}

interface OwnDropPageProps extends SharePanelProps, MoveFormProps, FoundReads, AccessRequestsProps {
  readonly signedIn: SignedIn;
  /** Versions, the latest first. */
  readonly versions: readonly Version[];
  /** URL of the page with comment threads, and the number of open threads. */
  readonly feedback: { readonly url: string; readonly openThreads: number };
  /** Number of answers from readers. @default - the drop has no answers and accepts none */
  readonly answerCount: number | undefined;
  /** Returns the URL that compares a version with the previous version. */
  readonly comparisonUrl: (version: number) => string;
  /** URL of the viewer from which the person opened this page. @default - not opened from the viewer */
  readonly backUrl?: string | undefined;
  readonly mayDelete: boolean;
  /** Number of days that a deleted drop stays in the trash. */
  readonly trashDays: number;
  /** Render report of the latest version. @default - the version was not rendered, or the report was not requested */
  readonly looks?: RenderResponse | undefined;
  readonly nonce: string;
}

const words = accountText.drop;

/** Renders `GET /account/drops/{slug}`: a drop, and the forms that change it. */
export function renderOwnDropPage(props: OwnDropPageProps): string {
  const { signedIn, drop, url, backUrl, feedback, answerCount, mayDelete, done, looks, newest } = props;
  const { slug, title } = drop;
  return renderAccountPage({
    title,
    nonce: props.nonce,
    signedIn,
    destination: { page: "drop", slug },
    script: copyScript,
    children: (
      <>
        <div class="heading">
          <h1 dir="auto">{title}</h1>
          <Facts {...props} />
          <p>
            <a href={backUrl ?? url}>{backUrl === undefined ? "Open the page" : "Back to the page"}</a>
            {feedbackOf(drop) === "readers" && (
              <>
                {" · "}
                <a href={feedback.url}>
                  {feedback.openThreads === 0
                    ? "Comments"
                    : `Comments: ${formatCount(feedback.openThreads)} open`}
                </a>
              </>
            )}
            {answerCount !== undefined && (
              <>
                {" · "}
                <a href={pagePath({ page: "answers", slug })}>
                  {answerCount === 0 ? "Answers" : `Answers: ${formatCount(answerCount)}`}
                </a>
              </>
            )}
          </p>
        </div>
        <DoneNotice done={isSharing(done) ? undefined : done} />
        <div class="forms of-drop">
          <SharePanel {...props} />
          <div>
            <AccessRequests {...props} />
            <About {...props} />
            <Versions {...props} />
            <MoveForm {...props} />
            {newest && <Reads newest={newest} />}
            {looks && <RenderReportSection looks={looks} />}
            {mayDelete && <Deletion {...props} />}
          </div>
        </div>
      </>
    ),
  });
}

function Facts({ drop, nowMs }: Pick<OwnDropPageProps, "drop" | "nowMs">) {
  const { visibility, viewCount, versionCount, createdAtMs, updatedAtMs } = drop;
  const list = accountText.drops;
  return (
    <p class="facts-line">
      <span>{text.sharing.names[visibility.kind]}</span>
      {isExpired(drop, nowMs) && <b>{list.expired}</b>}
      {isLocked(drop) && (
        <span class="lock">
          <Icon name="lock" />
          {list.locked}
        </span>
      )}
      <span>{formatCounted(versionCount, "version")}</span>
      <span>{formatCounted(viewCount, "view")}</span>
      <span>
        Created <Time atMs={createdAtMs} />
      </span>
      <span>
        {list.updated} <Time atMs={updatedAtMs} />
      </span>
    </p>
  );
}

/** Section of the page that contains one form. */
function Part({
  form,
  heading,
  children,
  ...props
}: OwnDropPageProps & {
  readonly form: DropForm;
  readonly heading: string;
  readonly children: ComponentChildren;
}) {
  return (
    <section>
      <h2>{heading}</h2>
      <FormOfDrop {...props} form={form}>
        {children}
      </FormOfDrop>
    </section>
  );
}

function About(props: OwnDropPageProps) {
  const { drop, sent } = props;
  const typed = sentFields(sent, "about");
  return (
    <Part {...props} form="about" heading="Title and description">
      <Field label={words.title} id="title" problem={problemAt(sent, "about", "title")}>
        <input
          name="title"
          value={typed?.get("title") ?? drop.title}
          required
          autocomplete="off"
          dir="auto"
        />
      </Field>
      <Field
        label={words.description}
        id="description"
        note="Optional. Readers see the description above the page."
        problem={problemAt(sent, "about", "description")}
      >
        <textarea name="description" rows={3} dir="auto">
          {typed?.get("description") ?? drop.description ?? ""}
        </textarea>
      </Field>
      <Submit>Save</Submit>
    </Part>
  );
}

function Deletion(props: OwnDropPageProps) {
  const { drop, sent, trashDays } = props;
  return (
    <Part {...props} form="delete" heading="Delete the page">
      <p>
        {trashDays === 0
          ? "Deletes the page and all its versions. The page’s link will stop working. You can’t undo this."
          : `Moves the page and all its versions to the trash for ${trashDays} ${trashDays === 1 ? "day" : "days"}. The page’s link will stop working.`}
      </p>
      {trashDays === 0 ? (
        <>
          <Field
            label={`Type ${drop.slug} to confirm`}
            id="confirm"
            problem={problemAt(sent, "delete", "confirm")}
          >
            <input
              name="confirm"
              value={sentFields(sent, "delete")?.get("confirm") ?? ""}
              required
              {...asTyped}
            />
          </Field>
          <Submit second>Delete permanently</Submit>
        </>
      ) : (
        <details open={sent?.form === "delete"}>
          <summary>Delete…</summary>
          <Submit second>Move the page to the trash</Submit>
        </details>
      )}
    </Part>
  );
}

/** Shows the newest reads of a drop. */
function Reads({ newest: { reads, next } }: { readonly newest: ReadPart }) {
  return (
    <section>
      <h2>Readers</h2>
      {reads.length === 0 ? (
        <p>No reads are recorded yet.</p>
      ) : (
        <ul class="read-list">
          {reads.map(({ reader, day, firstAtMs }) => (
            <li key={`${day} ${reader}`}>
              <span dir="auto">{reader}</span> <Time atMs={firstAtMs} />
            </li>
          ))}
        </ul>
      )}
      <p class="quiet small">
        Days (UTC) on which readers opened the page. Your own reads are not recorded. When readers sign in,
        they are told that reads are recorded.
        {next && " Your agent can list earlier reads."}
      </p>
    </section>
  );
}
