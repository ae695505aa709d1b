import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import type { AnswerForm } from "../drops/answer-forms.ts";
import { cleanFieldText } from "../http/request.ts";
import { type AnswerFields, requireAnswerBounds, toAnswerFields } from "./answers.ts";
import { answersText } from "./answers-text.ts";

const words = answersText.problems;

/** Reads the values of a sent form. Leaves out empty values. @throws ApiError `invalid_arg` with a message for people */
export function readAnswer(sent: URLSearchParams, form: AnswerForm): AnswerFields {
  const values: [string, string][] = [];
  for (const [name, written] of sent) {
    const shown = name.slice(0, limits.answerFieldNameCharactersMax);
    const kind = form.fields.get(name);
    if (kind === undefined) throw wrong(words.unknownField(shown), shown);
    const value = cleanFieldText(written);
    if (value.trim() === "") continue;
    if (kind === "file") throw wrong(words.file(shown), shown);
    values.push([name, value]);
  }
  if (values.length === 0) throw new ApiError("invalid_arg", { message: words.empty });
  const fields = toAnswerFields(values);
  requireAnswerBounds(fields);
  return fields;
}

function wrong(message: string, field: string): ApiError {
  return new ApiError("invalid_arg", { message, details: { field } });
}
