import { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { type AnswerForm, type FormAddress, findAnswerForms } from "../drops/answer-forms.ts";
import { findFolderFile, pages } from "../drops/page-objects.ts";
import type { FoundVersion } from "../gate/readable-version.ts";
import { answersText } from "./answers-text.ts";

/** Finds a form on the page that the reader saw. @throws ApiError `invalid_arg` if the page does not have the form */
export async function findForm(found: FoundVersion, { form, path = "" }: FormAddress): Promise<AnswerForm> {
  const stored =
    found.folder === undefined
      ? (await pages.get(found.pageKey))?.bytes
      : await readFolderPage(found.pageKey, path);
  const known = stored && findAnswerForms(stored).find(({ name }) => name === form);
  if (known) return known;
  const name = form.slice(0, limits.formNameCharactersMax);
  throw new ApiError("invalid_arg", {
    message: answersText.problems.unknownForm(name),
    details: { form: name },
  });
}

async function readFolderPage(pageKey: string, path: string): Promise<Buffer | undefined> {
  const file = await findFolderFile(pageKey, path);
  return file && pages.getPart(file);
}
