import { renderAnswersPage } from "../../functions/account/answers-page.tsx";
import type { AnswerFields } from "../../functions/answers/answers.ts";
import { limits } from "../../functions/core/limits.ts";
import { nonce } from "../html/nonce.ts";
import { atMs, ownDrop, ownerUrl, proofOf, signedInAs, slug } from "./owner-fixtures.ts";

type Props = Parameters<typeof renderAnswersPage>[0];

/** The page of the answers to one of two forms, with these words wherever readers can enter text. */
export function answersOf(words: string): string {
  const answers = ([words, undefined] as const).map((name, index) =>
    answer(2 - index, name, [
      [words, words],
      ["topics", [words, words]],
    ]),
  );
  return answersPage(words, {
    areAccepted: false,
    counts: [
      ["poll", 1],
      ["vote", 2],
    ],
    shown: { form: "vote", count: 2, answers, next: 1 },
    part: { form: "vote", q: words, before: 3, parts: [0, 1] },
    problem: { message: words },
  });
}

/** The page of a drop without answers. */
export function noAnswers(): string {
  return answersPage("Lunch", { counts: [], shown: undefined, part: {} });
}

/** The page of a form with one answer. */
export function oneAnswer(): string {
  const fields = [
    ["decision", "Approve with changes"],
    ["comment", "The total in row 3 is wrong.\nOtherwise fine."],
  ] as const;
  return answersPage("Contract with the harbour", {
    counts: [["sign-off", 1]],
    shown: { form: "sign-off", count: 1, answers: [answer(1, "grace", fields)], next: undefined },
    part: { form: "sign-off" },
  });
}

/** A page with the maximum number of answers, each with the maximum number of fields. */
export function manyAnswers(): string {
  const fields = Array.from({ length: limits.answerFieldsMax }, (_, index) => [
    `question_${index + 1}`,
    index % 7 === 0 ? "A sentence of several words, as people write it." : `${index}`,
  ]) as unknown as AnswerFields;
  const answers = Array.from({ length: 50 }, (_, index) => answer(5_000 - index, `reader-${index}`, fields));
  return answersPage("A long questionnaire", {
    counts: [["survey", 5_000]],
    shown: { form: "survey", count: 5_000, answers, next: 4_950 },
    part: { form: "survey" },
  });
}

function answer(number: number, name: string | undefined, fields: AnswerFields) {
  const author =
    name === undefined
      ? ({ kind: "stranger" } as const)
      : ({ kind: "reader", name, identity: "id" } as const);
  return { slug, number, form: "vote", version: 1, createdAtMs: atMs, author, fields };
}

function answersPage(
  words: string,
  props: Pick<Props, "counts" | "shown" | "part"> & Partial<Props>,
): string {
  return renderAnswersPage({
    signedIn: signedInAs(words),
    drop: ownDrop(words).drop,
    url: `${ownerUrl}d/${slug}`,
    areAccepted: true,
    mayDelete: true,
    proofOf,
    nonce,
    ...props,
  });
}
