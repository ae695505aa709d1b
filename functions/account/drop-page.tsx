import type { ComponentChildren } from "preact";
import { type Drop, isLocked, type Version } from "../drops/drop.ts";
import { feedbackOf } from "../drops/drop-access.ts";
import { Day, formatCount } from "../html/format.tsx";
import { Icon } from "../html/icons.tsx";
import type { SignedIn } from "../identity/signed-in-page.ts";
import { describeReaders, mostOpenVisibility, visibilityKinds } from "../identity/visibility.ts";
import { RenderReportSection } from "../renders/render-report-section.tsx";
import type { RenderResponse } from "../renders/schemas.ts";
import { DoneNotice, renderAccountPage } from "./account-layout.tsx";
import { accountText } from "./account-text.ts";
import { type DropForm, type DropFormProps, FormOfDrop } from "./drop-form.tsx";
import { Versions } from "./drop-versions.tsx";
import { Field } from "./form.tsx";
import { readersText } from "./form-revision.ts";
import type { Done } from "./list-page.ts";

/** Props of an owner's page for one drop. */
interface OwnDropPageProps extends DropFormProps {
  readonly signedIn: SignedIn;
  /** Latest first. */
  readonly versions: readonly Version[];
  readonly url: string;
  /** URL of the readers' threads, and the number of open ones. */
  readonly feedback: { readonly url: string; readonly openThreads: number };
  /** URL that compares a version with the one before it. */
  readonly comparisonUrl: (version: number) => string;
  readonly done?: Done | undefined;
  /** Render report of the latest version. @default - not rendered, or not requested */
  readonly looks?: RenderResponse | undefined;
  readonly nonce: string;
}

const words = accountText.drop;

/** `GET /account/drops/{slug}`: a drop, and the forms that change it. */
export function renderOwnDropPage(props: OwnDropPageProps): string {
  const { signedIn, drop, url, feedback, done, looks, nonce } = props;
  const { slug, title } = drop;
  return renderAccountPage({
    title,
    nonce,
    signedIn,
    destination: { page: "drop", slug },
    children: (
      <>
        <div class="heading">
          <h1 dir="auto">{title}</h1>
          <Facts drop={drop} />
          <p>
            <a href={url}>{words.open}</a>
            {feedbackOf(drop) === "readers" && (
              <>
                {" · "}
                <a href={feedback.url}>
                  {words.openFeedback(formatCount(feedback.openThreads), feedback.openThreads)}
                </a>
              </>
            )}
          </p>
        </div>
        <DoneNotice done={done} />
        <div class="forms of-drop">
          <About {...props} />
          <Lock {...props} />
          <Versions {...props} />
          {looks && <RenderReportSection looks={looks} />}
          <Deletion {...props} />
        </div>
      </>
    ),
  });
}

function Facts({ drop }: { readonly drop: Drop }) {
  const { visibility, viewCount, versionCount, createdAtMs, updatedAtMs } = drop;
  const list = accountText.drops;
  return (
    <p class="facts-line">
      <span dir="auto">
        {visibility.kind === "people"
          ? words.readableBy(describeReaders(visibility))
          : accountText.visibility[visibility.kind]}
      </span>
      {isLocked(drop) && (
        <span class="lock">
          <Icon name="lock" />
          {list.locked}
        </span>
      )}
      <span>{list.versions(formatCount(versionCount), versionCount)}</span>
      <span>{list.views(formatCount(viewCount), viewCount)}</span>
      <span>
        {words.created} <Day atMs={createdAtMs} />
      </span>
      <span>
        {list.updated} <Day atMs={updatedAtMs} />
      </span>
    </p>
  );
}

/** A section with a form of its own. */
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
  const { drop } = props;
  const sent = props.sent?.form === "about" ? props.sent : undefined;
  const typed = (name: string, otherwise: string) => sent?.fields.get(name) ?? otherwise;
  const field = sent?.problem.field;
  const allowed = visibilityKinds.slice(visibilityKinds.indexOf(mostOpenVisibility()));
  const kind = typed("visibility", drop.visibility.kind);
  const isAllowed = allowed.some((one) => one === drop.visibility.kind);
  return (
    <Part {...props} form="about" heading={words.about}>
      <Field label={words.title} id="title" isWrong={field === "title"}>
        <input name="title" value={typed("title", drop.title)} required autocomplete="off" dir="auto" />
      </Field>
      <Field
        label={words.description}
        id="description"
        note={words.descriptionNote}
        isWrong={field === "description"}
      >
        <textarea name="description" rows={3} dir="auto">
          {typed("description", drop.description ?? "")}
        </textarea>
      </Field>
      <Field
        label={words.visibility}
        id="visibility"
        note={isAllowed ? undefined : words.tooOpen(accountText.visibility[drop.visibility.kind])}
        isWrong={field === "visibility"}
      >
        <select name="visibility">
          {allowed.map((one) => (
            <option key={one} value={one} selected={one === kind}>
              {words.kinds[one]}
            </option>
          ))}
        </select>
      </Field>
      <Field label={words.readers} id="readers" note={words.readersNote} isWrong={field === "readers"}>
        <textarea name="readers" rows={4} autocapitalize="off" spellcheck={false}>
          {typed("readers", readersText(drop))}
        </textarea>
      </Field>
      <Listed {...props} sent={sent} />
      <Writable {...props} sent={sent} />
      <button class="button" type="submit">
        {words.save}
      </button>
    </Part>
  );
}

function Listed({ drop, sent }: Pick<OwnDropPageProps, "drop" | "sent">) {
  const isTicked = sent === undefined ? drop.indexed : sent.fields.get("indexed") !== null;
  return (
    <div class="labelled">
      <label class="tick">
        <input
          type="checkbox"
          name="indexed"
          value="yes"
          checked={isTicked}
          disabled={isLocked(drop)}
          aria-describedby="indexed-note"
        />
        {words.indexed}
      </label>
      <p class="quiet small" id="indexed-note">
        {words.indexedNote}
      </p>
    </div>
  );
}

function Writable({ drop, sent }: Pick<OwnDropPageProps, "drop" | "sent">) {
  const isTicked = sent === undefined ? feedbackOf(drop) === "readers" : sent.fields.get("feedback") !== null;
  return (
    <div class="labelled">
      <label class="tick">
        <input
          type="checkbox"
          name="feedback"
          value="yes"
          checked={isTicked}
          aria-describedby="feedback-note"
        />
        {words.feedback}
      </label>
      <p class="quiet small" id="feedback-note">
        {words.feedbackNote}
      </p>
    </div>
  );
}

function Lock(props: OwnDropPageProps) {
  const { drop, sent } = props;
  const typed = sent?.form === "passcode" ? sent.fields.get("passcode") : null;
  const locked = isLocked(drop);
  return (
    <Part {...props} form="passcode" heading={words.lockHeading}>
      <p>{locked ? words.isLocked : words.isOpen}</p>
      <Field
        label={words.passcode}
        id="passcode"
        note={words.passcodeNote}
        isWrong={sent?.form === "passcode" && sent.problem.field === "passcode"}
      >
        <input
          name="passcode"
          value={typed ?? ""}
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
      </Field>
      <p class="buttons">
        <button class="button" type="submit">
          {locked ? words.change : words.lock}
        </button>
        {locked && (
          <button class="button second" type="submit" name="unlock" value="yes">
            {words.unlock}
          </button>
        )}
      </p>
    </Part>
  );
}

function Deletion(props: OwnDropPageProps) {
  const { drop, sent } = props;
  const typed = sent?.form === "delete" ? sent.fields.get("confirm") : null;
  return (
    <Part {...props} form="delete" heading={words.deleteHeading}>
      <p>{words.deleteNote}</p>
      <Field
        label={words.confirm(drop.slug)}
        id="confirm"
        isWrong={sent?.form === "delete" && sent.problem.field === "confirm"}
      >
        <input
          name="confirm"
          value={typed ?? ""}
          required
          autocomplete="off"
          autocapitalize="off"
          spellcheck={false}
        />
      </Field>
      <button class="button second" type="submit">
        {words.delete}
      </button>
    </Part>
  );
}
