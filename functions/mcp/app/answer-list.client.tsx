import type { AppAnswers, AppDrop } from "./app-responses.ts";
import { appText } from "./app-text.ts";
import type { Formats } from "./host-context.client.ts";

interface AnswerListProps {
  readonly drop: AppDrop;
  readonly newest: AppAnswers;
  readonly formats: Formats;
}

/** List of the newest answers to the page's forms. Hidden if the page neither has nor accepts answers. */
export function AnswerList({ drop, newest: { answers, has_more }, formats }: AnswerListProps) {
  if (answers.length === 0 && drop.answers === "off") return null;
  return (
    <details>
      <summary>
        <b>{appText.answers(formats.count(answers.length), answers.length, has_more)}</b>
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable element must be focusable, so that keys can scroll it. */}
      <section class="scrolled" aria-label={appText.newestAnswers} tabIndex={0}>
        <ol class="threads">
          {answers.map(({ number, form, fields, author, created_at }) => (
            <li key={number}>
              <b>{appText.answer(form, number)}</b>{" "}
              <span class="quiet">
                <bdi>{author.name ?? appText.noName}</bdi>, {formats.time(created_at)}
              </span>
              <dl>
                {Object.entries(fields).map(([name, value]) => (
                  <div key={name} dir="auto">
                    <dt>{name}</dt>
                    {[value].flat().map((one, index) => (
                      <dd key={`${index}-${one}`} class="words">
                        {one}
                      </dd>
                    ))}
                  </div>
                ))}
              </dl>
            </li>
          ))}
        </ol>
      </section>
      {has_more && <p class="quiet">{appText.moreAnswers}</p>}
    </details>
  );
}
