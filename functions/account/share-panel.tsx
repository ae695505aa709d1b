import type { ComponentChildren } from "preact";
import { daysMax } from "../core/environment.ts";
import { isLocked } from "../drops/drop.ts";
import { allowedVisibilityKinds, areAnswersOn, feedbackOf, maxExpiryDays } from "../drops/drop-access.ts";
import { formatAddress, formatCount, Time } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { text } from "../html/text.ts";
import { describeReaders, isExpired, isOpenToAll, type VisibilityKind } from "../policies/access.ts";
import { DoneNotice } from "./account-layout.tsx";
import { accountText } from "./account-text.ts";
import { type DropFormProps, FormOfDrop, problemAt, sentFields } from "./drop-form.tsx";
import { asTyped, Field, FieldProblem, problemId } from "./form.tsx";
import { readersText } from "./form-revision.ts";
import type { Done } from "./list-page.ts";
import { placeField } from "./viewer-place.ts";

/** Props of the panel where an owner shares a drop. */
export interface SharePanelProps extends DropFormProps {
  readonly nowMs: number;
  /** The drop's link for readers. */
  readonly url: string;
  /** Reader groups of the drop that have no member who has signed in. */
  readonly unknownGroups: readonly string[];
  /** Names of last week's readers, most recent first. @default - reads are not recorded, or were not requested */
  readonly weeksReaders?: readonly string[] | undefined;
  /** The change that a form made. @default - no change */
  readonly done?: Done | undefined;
  /** Query string from `placeQuery` with the location in the viewer to return to. @default - none */
  readonly place?: string;
}

const words = accountText.drop;

/** Checks whether a change was made with the share panel, which then shows the notice about it. */
export function isSharing(done: Done | undefined): boolean {
  return done === "shared" || done === "locked" || done === "unlocked";
}

/** Panel with a drop's current readers, the link for readers, and the form that changes the sharing settings. */
export function SharePanel(props: SharePanelProps) {
  const { url, sent, done } = props;
  return (
    <section class="share">
      <h2>Share</h2>
      <DoneNotice done={isSharing(done) ? done : undefined} />
      <ReadersNow {...props} />
      <div class="link-row">
        <a href={url} id="link">
          {formatAddress(url)}
        </a>
        {sent === undefined && (
          <button class="button second scripted" type="button" data-copies="link" data-done="Copied">
            <span aria-live="polite">Copy link</span>
          </button>
        )}
      </div>
      <ShareForm {...props} />
    </section>
  );
}

function ReadersNow({ drop, nowMs, unknownGroups, weeksReaders }: SharePanelProps) {
  if (isExpired(drop, nowMs))
    return (
      <div class="readers-now">
        <h3>{words.readableNow}</h3>
        <p>
          <b>No one.</b> The page expired <Time atMs={drop.expiresAtMs ?? nowMs} />. To publish it again at
          the same link, set another expiry date.
        </p>
      </div>
    );
  const readers = describeReaders(drop.visibility);
  // Keeps the case of an e-mail address or a domain.
  const isAddress = /^\S+@/.test(readers);
  return (
    <div class="readers-now">
      <h3>{words.readableNow}</h3>
      <p>
        <b dir="auto">{isAddress ? readers : readers.replace(/^./u, (letter) => letter.toUpperCase())}</b>.
        {!isOpenToAll(drop) && " Readers have to sign in."}
        {isLocked(drop) && " Readers need the passcode."}
        {drop.sharedAtMs !== undefined && (
          <>
            {" Shared this way since "}
            <Time atMs={drop.sharedAtMs} isClock />.
          </>
        )}
      </p>
      {weeksReaders && <WeeksReaders names={weeksReaders} />}
      {unknownGroups.map((group) => (
        <p class="small" key={group} dir="auto">
          No one in the group “{group}” has signed in here yet. Check the spelling, including capital letters.
          People in the group can read the page after they sign in.
        </p>
      ))}
    </div>
  );
}

/** Maximum number of names in the sentence about last week's readers. */
const namedReadersMax = 3;

function WeeksReaders({ names }: { readonly names: readonly string[] }) {
  const { length: count } = names;
  const others = count - namedReadersMax;
  return (
    <p class="small">
      {count === 0
        ? "No one has opened the page this week"
        : `${formatCount(count)} ${count === 1 ? "person has" : "people have"} opened the page this week`}
      {names.slice(0, namedReadersMax).map((name, index) => (
        <span key={name}>
          {index === 0 ? ": " : ", "}
          <bdi>{name}</bdi>
        </span>
      ))}
      {others > 0 && ` and ${formatCount(others)} ${others === 1 ? "other" : "others"}`}.
    </p>
  );
}

function ShareForm(props: SharePanelProps) {
  const { drop, sent } = props;
  const typed = sentFields(sent, "share");
  const allowed = allowedVisibilityKinds();
  const kind = typed === undefined ? drop.visibility.kind : typed.get("visibility");
  const isAllowed = allowed.includes(drop.visibility.kind);
  const problem = problemAt(sent, "share", "visibility");
  return (
    <FormOfDrop {...props} form="share">
      {props.place && <input type="hidden" name={placeField} value={props.place} />}
      <fieldset aria-describedby={problem === undefined ? undefined : problemId}>
        <legend>{text.sharing.readers}</legend>
        <FieldProblem problem={problem} />
        {!isAllowed && (
          <p class="quiet small">
            The setting is “{text.sharing.names[drop.visibility.kind]}”, which this service no longer allows.
            The setting stays until you save the form.
          </p>
        )}
        {allowed.map((one) => (
          <Choice
            key={one}
            name="visibility"
            value={one}
            label={text.sharing.kinds[one]}
            note={text.sharing.kindNotes[one]}
            isChosen={kind === one}
          >
            <KindFields {...props} kind={one} />
          </Choice>
        ))}
      </fieldset>
      <Passcode {...props} />
      <Expiry {...props} />
      <Tick
        name="feedback"
        label={words.feedback}
        note="Readers can comment on the page and see each other’s comments. Your agents can read and answer comments."
        isTicked={typed === undefined ? feedbackOf(drop) === "readers" : typed.get("feedback") !== null}
      />
      {areAnswersOn() && (
        <>
          <Tick
            name="answers"
            label={words.answers}
            note="Readers can fill in the page’s forms that have the attribute data-answers. You and your agents can read the answers."
            isTicked={typed === undefined ? drop.answers === "readers" : typed.get("answers") !== null}
          />
          <Tick
            name="results"
            label={words.results}
            note="The page may show how often each choice was made. Free text is never shown."
            isTicked={typed === undefined ? drop.answersResults === true : typed.get("results") !== null}
          />
        </>
      )}
      <Submit>Save sharing settings</Submit>
    </FormOfDrop>
  );
}

/** Fields that apply to one visibility. The style sheet shows these fields while the visibility is selected. */
function KindFields({ drop, sent, kind }: SharePanelProps & { readonly kind: VisibilityKind }) {
  const typed = sentFields(sent, "share");
  switch (kind) {
    case "public":
      return (
        <Tick
          name="indexed"
          label={words.indexed}
          note="Applies only while the page has no passcode."
          isTicked={typed === undefined ? drop.indexed : typed.get("indexed") !== null}
        />
      );
    case "people":
      return (
        <Field
          label={text.sharing.people}
          id="readers"
          note={text.sharing.peopleNote}
          problem={problemAt(sent, "share", "readers")}
        >
          <textarea name="readers" rows={4} autocapitalize="off" spellcheck={false}>
            {typed?.get("readers") ?? readersText(drop)}
          </textarea>
        </Field>
      );
    default:
      return null;
  }
}

function Passcode({ drop, sent }: SharePanelProps) {
  const typed = sentFields(sent, "share");
  const locked = isLocked(drop);
  const chosen = typed?.get("lock") ?? "keep";
  const labels = locked
    ? { keep: "Keep the passcode", set: "Change the passcode", remove: "Remove the passcode" }
    : { keep: words.noPasscode, set: "Ask for a passcode" };
  return (
    <fieldset>
      <legend>{words.lockHeading}</legend>
      {Object.entries(labels).map(([value, label]) => (
        <Choice
          key={value}
          name="lock"
          value={value}
          label={label}
          isChosen={value === (chosen in labels ? chosen : "keep")}
          inputClass={value === "set" || (locked && value === "keep") ? "locks" : undefined}
        >
          {value === "set" && (
            <Field
              label="New passcode"
              id="passcode"
              note="At least 4 characters. A passcode does not encrypt the page."
              problem={problemAt(sent, "share", "passcode")}
            >
              <input name="passcode" value={typed?.get("passcode") ?? ""} {...asTyped} />
            </Field>
          )}
        </Choice>
      ))}
    </fieldset>
  );
}

/** Radio buttons for the drop's expiry. If the drop has expired, the owner must choose a new expiry. */
function Expiry({ drop, nowMs, sent }: SharePanelProps) {
  const typed = sentFields(sent, "share");
  const { expiresAtMs } = drop;
  const gone = isExpired(drop, nowMs);
  const most = maxExpiryDays();
  const chosen = typed?.get("expiry") ?? (gone ? undefined : "keep");
  const problem = problemAt(sent, "share", "expires_in_days");
  const choices = [
    ...(gone ? [] : (["keep"] as const)),
    "days" as const,
    ...(expiresAtMs === undefined || most !== undefined ? [] : (["never"] as const)),
  ];
  const labels = {
    keep:
      expiresAtMs === undefined ? (
        words.never
      ) : (
        <>
          Expires <Time atMs={expiresAtMs} />
        </>
      ),
    days: expiresAtMs === undefined ? "Set an expiry date" : "Set another expiry date",
    never: words.never,
  };
  return (
    <fieldset>
      <legend>{words.expiryHeading}</legend>
      {choices.map((value) => (
        <Choice key={value} name="expiry" value={value} label={labels[value]} isChosen={value === chosen}>
          {value === "days" && (
            <Field
              label="Days from now"
              id="days"
              note={`1 to ${most ?? daysMax}. After this number of days, the link stops working until you set another expiry date.`}
              problem={problem}
            >
              <input
                name="days"
                type="number"
                min={1}
                max={most ?? daysMax}
                inputmode="numeric"
                value={typed?.get("days") ?? ""}
                autocomplete="off"
              />
            </Field>
          )}
        </Choice>
      ))}
    </fieldset>
  );
}

/** Radio button, with the fields that apply while it is selected. */
function Choice({
  name,
  value,
  label,
  note,
  isChosen,
  inputClass,
  children,
}: {
  readonly name: string;
  readonly value: string;
  readonly label: ComponentChildren;
  /** Note below the option. @default - none */
  readonly note?: string;
  readonly isChosen: boolean;
  /** Class of the radio button. @default - none */
  readonly inputClass?: string | undefined;
  readonly children?: ComponentChildren;
}) {
  const noteId = `${name}-${value}-note`;
  return (
    <div class="choice">
      <label class="tick">
        <input
          type="radio"
          name={name}
          value={value}
          checked={isChosen}
          required
          class={inputClass}
          aria-describedby={note === undefined ? undefined : noteId}
        />
        {label}
      </label>
      {note !== undefined && (
        <p class="quiet small" id={noteId}>
          {note}
        </p>
      )}
      {children}
    </div>
  );
}

function Tick({
  name,
  label,
  note,
  isTicked,
}: {
  readonly name: string;
  readonly label: string;
  readonly note: string;
  readonly isTicked: boolean;
}) {
  const noteId = `${name}-note`;
  return (
    <div class="labelled">
      <label class="tick">
        <input type="checkbox" name={name} value="yes" checked={isTicked} aria-describedby={noteId} />
        {label}
      </label>
      <p class="quiet small" id={noteId}>
        {note}
      </p>
    </div>
  );
}
