import { renderSheetPage } from "../html/sheet.tsx";
import { answersText } from "./answers-text.ts";

const words = answersText;

/** Name of the form field that contains the answer, encoded as the published page sent it. */
export const answerField = "answer";

/** Props of the page on which a reader chooses to send an answer with or without their name. */
export interface AnswerPageProps {
  /** Answer as the published page sent it, in `application/x-www-form-urlencoded`. */
  readonly sent: string;
  /** Action URL of the form, without the reader's choice. */
  readonly action: string;
  readonly formId: string;
  readonly signInUrl: string;
  /** Title and owner of the published page. @default - the drop has not been read yet */
  readonly about?: { readonly title: string; readonly owner: string } | undefined;
  /** User name of the signed-in reader. @default - the request has no session */
  readonly username?: string | undefined;
  /** Reason why the answer was not sent. @default - none */
  readonly problem?: string | undefined;
  readonly backUrl: string;
  readonly nonce: string;
}

/** Renders the page on which a reader chooses to send the answer with or without their name. Other pages cannot frame this page. */
export function renderAnswerPage(props: AnswerPageProps): string {
  const { sent, action, formId, signInUrl, about, username, problem, backUrl, nonce } = props;
  return renderSheetPage({
    title: words.title,
    heading: problem === undefined ? words.heading : words.refusedHeading,
    sign: problem === undefined ? undefined : "missing",
    nonce,
    children: (
      <>
        {problem === undefined ? <p>{words.lead}</p> : <p role="alert">{problem}</p>}
        {about && (
          <p>
            {words.page} <bdi>{about.title}</bdi>
            <br />
            {words.owner} <bdi>{about.owner}</bdi>
          </p>
        )}
        <dl>
          {[...new URLSearchParams(sent)]
            .filter(([, value]) => value)
            .map(([name, value], index) => (
              <div key={`${index}-${name}`} dir="auto">
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
        </dl>
        <form class="decision" method="post" action={action}>
          <input type="hidden" name={answerField} value={sent} />
          <input type="hidden" name="form" value={formId} />
          <input type="hidden" name="username" value={username ?? ""} />
          <button class="button arming" type="submit" formAction={`${action}&as=name`}>
            {username === undefined ? words.sendWithName : words.sendAs(username)}
          </button>
          <button class="button second arming" type="submit" formAction={`${action}&as=none`}>
            {words.sendWithoutName}
          </button>
        </form>
        <p>
          {problem !== undefined && username === undefined && (
            <a href={signInUrl} target="_blank" rel="noopener">
              {words.signInElsewhere}
            </a>
          )}{" "}
          <a href={backUrl}>{words.back}</a>
        </p>
      </>
    ),
  });
}

interface OutcomePageProps {
  readonly heading: string;
  readonly message: string;
  /** URL of the published page. @default - none, because the form was sent in a frame without scripts */
  readonly backUrl?: string;
  readonly nonce: string;
}

/** Renders the page that is shown after an answer was sent or refused. */
export function renderOutcomePage({ heading, message, backUrl, nonce }: OutcomePageProps): string {
  return renderSheetPage({
    title: words.title,
    heading,
    nonce,
    children: (
      <>
        <p role="status">{message}</p>
        {backUrl !== undefined && (
          <a class="button" href={backUrl}>
            {words.back}
          </a>
        )}
      </>
    ),
  });
}
