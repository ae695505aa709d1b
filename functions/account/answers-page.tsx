import { type Answer, type FormCounts, valuesOf } from "../answers/answers.ts";
import type { Drop } from "../drops/drop.ts";
import { areAnswersOn } from "../drops/drop-access.ts";
import { formatCount, Time } from "../html/format.tsx";
import { Emblem, Submit } from "../html/icons.tsx";
import { ListLinks } from "../html/signed-in-layout.tsx";
import { pagePath } from "../identity/destination.ts";
import { DoneNotice, type ItemsPageProps, renderAccountPage } from "./account-layout.tsx";
import { type AnswersPart, answersQuery } from "./answers-part.ts";
import { Form, ProblemNotice } from "./form.tsx";

/** A page of answers to one form, newest first. */
interface ShownAnswers {
  readonly form: string;
  /** Number of the form's stored answers. */
  readonly count: number;
  readonly answers: readonly Answer[];
  /** Cursor for the next page, which shows older answers. @default - this is the last page */
  readonly next: number | undefined;
}

interface AnswersPageProps extends ItemsPageProps {
  readonly drop: Drop;
  readonly url: string;
  /** True if readers can currently send answers. */
  readonly areAccepted: boolean;
  readonly counts: FormCounts;
  /** The answers to show. @default - the drop has no answers */
  readonly shown: ShownAnswers | undefined;
  readonly part: AnswersPart;
  readonly mayDelete: boolean;
}

const words = { number: "Number", who: "Reader", when: "Sent", version: "Version" } as const;

/** Renders `GET /account/drops/{slug}/answers`: a table of readers' answers to a form, which the owner can search, export and delete. */
export function renderAnswersPage(props: AnswersPageProps): string {
  const { signedIn, drop, areAccepted, counts, shown, problem, done, nonce } = props;
  const { slug, title } = drop;
  return renderAccountPage({
    title: `Answers to ${title}`,
    nonce,
    signedIn,
    destination: { page: "answers", slug },
    children: (
      <>
        <div class="heading">
          <h1>Answers</h1>
          <p dir="auto">{title}</p>
          <p>
            <a href={pagePath({ page: "drop", slug })}>Back to the page’s settings</a>
          </p>
        </div>
        <DoneNotice done={done} />
        {problem && <ProblemNotice problem={problem} />}
        {!areAccepted && (
          <p class="quiet">
            {areAnswersOn()
              ? "The page doesn’t accept answers now. To accept them, tick “Allow answers to forms” under Share."
              : "This service doesn’t accept answers now. You can still read, export and delete stored answers."}
          </p>
        )}
        {counts.length > 1 && <FormLinks {...props} />}
        {shown === undefined ? (
          <div class="empty">
            <Emblem sign="missing" />
            <p class="quiet">No answers yet. Answers to the page’s forms appear here.</p>
          </div>
        ) : (
          <AnswersToForm {...props} shown={shown} />
        )}
      </>
    ),
  });
}

/** Links to each form's answers. */
function FormLinks({ drop: { slug }, counts, part }: AnswersPageProps) {
  const byName = counts.toSorted(([one], [other]) => (one < other ? -1 : 1));
  return (
    <nav class="parts answered" aria-label="Forms">
      {byName.map(([form, count]) => (
        <a
          key={form}
          href={pagePath({ page: "answers", slug, query: answersQuery({ form }) })}
          aria-current={form === part.form ? "page" : undefined}
        >
          {form} ({formatCount(count)})
        </a>
      ))}
    </nav>
  );
}

function AnswersToForm(props: AnswersPageProps & { readonly shown: ShownAnswers }) {
  const { drop, shown, part } = props;
  const { form, answers, next } = shown;
  const hrefOf = (to: AnswersPart) =>
    pagePath({ page: "answers", slug: drop.slug, query: answersQuery({ form, q: part.q, ...to }) });
  return (
    <>
      <Search {...props} />
      {answers.length > 0 && <Table {...props} />}
      {answers.length === 0 && (
        <p class="quiet" role="status">
          {next === undefined
            ? "No answers match. Try other words, or part of a word."
            : "None of the newest answers match. To continue the search, go to “Older answers”."}
        </p>
      )}
      <ListLinks
        label="Pages of answers"
        previous={part.before !== undefined && { href: hrefOf({}), label: "Newest answers" }}
        next={next !== undefined && { href: hrefOf({ before: next }), label: "Older answers" }}
      />
      <Download {...props} />
      {props.mayDelete && <DeletionOfAll {...props} />}
    </>
  );
}

function Search({ drop: { slug }, part: { form, q } }: AnswersPageProps) {
  return (
    <search aria-label="Search these answers">
      <form class="search" method="get" action={pagePath({ page: "answers", slug })}>
        <input type="hidden" name="form" value={form} />
        <label for="q">Search these answers</label>
        <input
          class="field"
          id="q"
          type="search"
          name="q"
          value={q ?? ""}
          maxLength={200}
          autocapitalize="none"
          dir="auto"
        />
        <Submit>Search</Submit>
        {q !== undefined && (
          <p class="narrowed">
            <a href={pagePath({ page: "answers", slug, query: answersQuery({ form }) })}>Show all answers</a>
          </p>
        )}
      </form>
    </search>
  );
}

/** Table of answers, stacked and labelled in a narrow window. Each delete button submits its answer's number in a shared form. */
function Table({
  drop: { slug },
  url,
  shown: { form, answers },
  part: { q, before },
  proofOf,
  mayDelete,
}: AnswersPageProps & { readonly shown: ShownAnswers }) {
  const action = pagePath({ page: "answers", slug });
  const names = [...new Set(answers.flatMap(({ fields }) => fields.map(([name]) => name)))];
  return (
    <Form action={action} proof={proofOf(action)}>
      <input type="hidden" name="form" value={form} />
      {q !== undefined && <input type="hidden" name="q" value={q} />}
      {before !== undefined && <input type="hidden" name="before" value={before} />}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable, so that keys can scroll it. */}
      <section class="answers" aria-label={`Answers to ${form}`} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.number}</th>
              <th scope="col">{words.who}</th>
              <th scope="col">{words.when}</th>
              <th scope="col">{words.version}</th>
              {names.map((name) => (
                <th key={name} scope="col" dir="auto">
                  {name}
                </th>
              ))}
              {mayDelete && <th scope="col">Delete</th>}
            </tr>
          </thead>
          <tbody>
            {answers.map((answer) => (
              <Row key={answer.number} answer={answer} names={names} url={url} mayDelete={mayDelete} />
            ))}
          </tbody>
        </table>
      </section>
    </Form>
  );
}

function Row({
  answer: { number, author, createdAtMs, version, fields },
  names,
  url,
  mayDelete,
}: {
  readonly answer: Answer;
  readonly names: readonly string[];
  readonly url: string;
  readonly mayDelete: boolean;
}) {
  const byName = new Map(fields);
  return (
    <tr>
      <th scope="row" data-label={words.number}>
        {number}
      </th>
      <td dir="auto" data-label={words.who}>
        {author.kind === "reader" ? author.name : <span class="quiet">No name</span>}
      </td>
      <td data-label={words.when}>
        <Time atMs={createdAtMs} />
      </td>
      <td data-label={words.version}>
        <a href={`${url}?v=${version}`}>{version}</a>
      </td>
      {names.map((name) => (
        <td key={name} data-label={name}>
          {valuesOf(byName.get(name) ?? []).map((value, index) => (
            <p key={`${index}-${value}`} dir="auto">
              {value}
            </p>
          ))}
        </td>
      ))}
      {mayDelete && (
        <td>
          <details>
            <summary aria-label={`Delete answer ${number}…`}>Delete…</summary>
            <Submit second name="number" value={number}>
              Delete answer {number}
            </Submit>
          </details>
        </td>
      )}
    </tr>
  );
}

function Download({ drop: { slug }, part: { form, parts = [] } }: AnswersPageProps) {
  const path = `${pagePath({ page: "answers", slug })}.csv`;
  const hrefOf = (since?: number) =>
    `${path}?${new URLSearchParams({ form: form ?? "", ...(since === undefined ? {} : { since: String(since) }) })}`;
  if (parts.length === 0)
    return (
      <p class="download">
        <a href={hrefOf()}>Download CSV</a>
      </p>
    );
  return (
    <div class="notice" role="status">
      <p>These answers don’t fit into one file. Download each part:</p>
      <ul class="buttons">
        {parts.map((since, index) => (
          <li key={since}>
            <a href={hrefOf(since)}>Part {index + 1}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

function DeletionOfAll({
  drop: { slug },
  shown: { form, count },
  proofOf,
}: AnswersPageProps & { readonly shown: ShownAnswers }) {
  const action = pagePath({ page: "answers", slug });
  return (
    <div class="forms">
      <section>
        <h2>Delete all answers</h2>
        <Form action={action} proof={proofOf(action)}>
          <input type="hidden" name="form" value={form} />
          <input type="hidden" name="count" value={count} />
          <label class="tick">
            <input type="checkbox" name="confirm" value="yes" required />I understand that I can’t undo this
          </label>
          <Submit second>
            {count === 1
              ? `Delete the only answer to ${form}`
              : `Delete all ${formatCount(count)} answers to ${form}`}
          </Submit>
        </Form>
      </section>
    </div>
  );
}
