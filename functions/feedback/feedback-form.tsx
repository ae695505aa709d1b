import { type ComponentChildren, cloneElement, type VNode } from "preact";
import { limits } from "../core/limits.ts";
import { entryPath } from "../folders/folder.ts";
import { formatCount } from "../html/format.tsx";
import { proofField } from "../http/form-proof.ts";
import { type Draft, emptyDraft, type FieldName } from "./draft.ts";
import { feedbackText } from "./feedback-text.ts";
import type { FeedbackPageProps } from "./shown-threads.ts";

const words = feedbackText;

type FormProps = FeedbackPageProps & {
  /** Number of the thread to reply to. @default - a new thread */
  readonly thread?: number;
  /** Refused draft to show again. @default - none */
  readonly draft?: Draft | undefined;
};

/** Form that begins a thread or adds a reply. The form works without scripts. */
export function CommentForm(props: FormProps) {
  const { action, proof, newFormId, thread, draft, refused, writer } = props;
  const typed = draft ?? emptyDraft;
  const problem = draft && refused?.problem;
  const scope = thread === undefined ? "new" : `t${thread}`;
  const field = (name: FieldName) => ({ id: `${scope}-${name}`, isWrong: problem?.field === name, scope });
  return (
    <form method="post" action={action} data-stale={problem?.isStale}>
      {problem && (
        <div class="notice problem" role="alert" id={`${scope}-problem`}>
          <p>
            <b>{words.problems.heading}.</b> {problem.message}
          </p>
          {writer.kind === "nobody" && (
            <p>
              <a href={props.signInUrl} target="_blank" rel="noopener">
                {words.problems.signInElsewhere}
              </a>
            </p>
          )}
        </div>
      )}
      <input type="hidden" name={proofField} value={proof} />
      <input type="hidden" name="form" value={newFormId()} />
      {thread !== undefined && <input type="hidden" name="thread" value={thread} />}
      {thread === undefined && props.framedPageUrl && (
        <Field {...field("path")} label={words.path} note={words.pathNote}>
          <input type="text" name="path" value={typed.path || entryPath} dir="auto" readOnly />
        </Field>
      )}
      {thread === undefined && (
        <Field
          {...field("quote")}
          label={words.quote}
          note={words.quoteNote(formatCount(limits.quoteCodePointsMax))}
          beside={
            <p class="scripted">
              <button
                type="button"
                class="plain"
                data-pick={`${scope}-quote`}
                data-picked={words.picked}
                data-missing={words.nothingPicked}
              >
                {words.pick}
              </button>{" "}
              <span role="status" />
            </p>
          }
        >
          <textarea name="quote" rows={2} dir="auto">
            {typed.quote}
          </textarea>
        </Field>
      )}
      {thread === undefined && <MarkedPlace {...props} typed={typed} />}
      <Field
        {...field("text")}
        label={words.text}
        note={words.textNote(formatCount(limits.commentCodePointsMax))}
      >
        <textarea name="text" rows={4} dir="auto" required>
          {typed.text}
        </textarea>
      </Field>
      {writer.kind === "signed-in" && (
        <p class="small">
          {words.signedInAs} <bdi>{writer.username}</bdi>. <a href={props.readerUrl}>{words.notYou}</a>
        </p>
      )}
      {(writer.kind === "named" || typed.name !== "") && (
        <Field {...field("name")} label={words.name} note={words.nameNote}>
          <input type="text" name="name" value={typed.name} dir="auto" autocomplete="nickname" required />
        </Field>
      )}
      <p class="send">
        <button class="button" type="submit">
          {thread === undefined ? words.send : words.sendReply}
        </button>
        {writer.kind === "named" && (
          <a class="small" href={props.signInUrl}>
            {words.signInInstead}
          </a>
        )}
      </p>
      {thread === undefined && <p class="quiet small">{words.lead}</p>}
    </form>
  );
}

/** Fields for the marked place, which only the viewer's script can fill in. */
function MarkedPlace({ typed, isPanel }: FormProps & { readonly typed: Draft }) {
  return (
    <>
      <input type="hidden" name="selector" value={typed.selector} />
      <input type="hidden" name="region" value={typed.region} />
      {(isPanel || typed.region !== "") && (
        <p class="scripted small" data-marking={words.marking} data-marked={words.marked}>
          {isPanel && (
            <button type="button" class="plain" data-mark>
              {words.mark}
            </button>
          )}{" "}
          <span role="status">{typed.region !== "" && words.marked}</span>{" "}
          <button type="button" class="plain" data-unmark hidden={typed.region === ""}>
            {words.unmark}
          </button>
        </p>
      )}
    </>
  );
}

interface FieldProps {
  readonly label: string;
  readonly id: string;
  readonly note: string;
  readonly isWrong: boolean;
  readonly scope: string;
  /** Controls below the hint. @default - none */
  readonly beside?: ComponentChildren;
  readonly children: VNode<Record<string, unknown>>;
}

/** Form control with its label and a hint. */
function Field({ label, id, note, isWrong, scope, beside, children }: FieldProps) {
  return (
    <div class="labelled">
      <label for={id}>{label}</label>
      {cloneElement(children, {
        id,
        class: "field",
        "aria-describedby": isWrong ? `${id}-note ${scope}-problem` : `${id}-note`,
        "aria-invalid": isWrong ? "true" : undefined,
      })}
      <p class="quiet small" id={`${id}-note`}>
        {note}
      </p>
      {beside}
    </div>
  );
}
