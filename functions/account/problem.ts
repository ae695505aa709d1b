import { daysMax } from "../core/environment.ts";
import type { ApiError } from "../core/errors.ts";
import { limits } from "../core/limits.ts";
import { maxExpiryDays } from "../drops/drop-access.ts";
import { text } from "../html/text.ts";
import { accountText } from "./account-text.ts";

/** Text fields of a submitted form, by name. */
export interface FormFields {
  get(name: string): string | null;
}

/**
 * Splits a list of readers that a person typed, or pasted from an e-mail. Line breaks, commas and semicolons separate readers, and spaces
 * separate e-mail addresses. A group must be on its own line, because group names may contain these characters.
 */
export function readerLines(fields: FormFields): string[] {
  const lines = (fields.get("readers") ?? "").split(/[\r\n]+/).map((line) => line.trim());
  return lines
    .flatMap((line) => (startsAGroup(line) ? line : splitReaders(line)))
    .filter((reader) => reader !== "");
}

/** Patterns of `Ada Lovelace <ada@example.com>`, a name with an address. In a list with semicolons, names may contain commas. */
const namedAddress = {
  byComma: /("[^"]{0,200}"\s?|[^",;<>]{0,200})<([^<>@\s]+@[^<>@\s]+)>/g,
  bySemicolon: /("[^"]{0,200}"\s?|[^";<>]{0,200})<([^<>@\s]+@[^<>@\s]+)>/g,
};

/** Splits one line of the list into readers. Does not split a line with an invalid part, so that the error quotes the whole line. */
function splitReaders(line: string): string[] {
  const pattern = line.includes(";") ? namedAddress.bySemicolon : namedAddress.byComma;
  const bare = line.replace(pattern, (whole, name: string, address: string) =>
    name.includes("@") ? whole : address,
  );
  const parts = bare.split(/[,;]/).map((part) => part.trim());
  const isRest = (part: string) => part !== "" && !part.includes("@");
  if (parts.some(startsAGroup) || (bare !== line && parts.some(isRest))) return [line];
  return parts.flatMap((part) => {
    const words = part.split(/\s+/);
    return words.every((word) => word.includes("@")) ? words : part;
  });
}

function startsAGroup(text: string): boolean {
  return /^group:/i.test(text);
}

/** Problem with a form: the message to show, and the invalid field. */
export interface Problem {
  readonly message: string;
  /** Name of the invalid field. @default - the problem does not concern a single field */
  readonly field?: string | undefined;
}

/** Converts an API error to a message about the form, because the API's messages describe JSON fields. */
export function problemOf(error: ApiError, fields: FormFields): Problem {
  const words = accountText.problems;
  const { field, index, characters, characters_max: most, bytes_max: bytes, meant } = detailsOf(error);
  switch (error.code) {
    case "title_required":
      return { message: "Enter a title.", field: "title" };
    case "title_too_long":
      return { message: words.tooLong(accountText.drop.title, characters, most), field: "title" };
    case "description_too_long":
      return { message: words.tooLong(accountText.drop.description, characters, most), field: "description" };
    case "passcode_too_short":
    case "passcode_required":
      return {
        message: `A passcode needs at least ${limits.passcodeCodePointsMin} characters.`,
        field: "passcode",
      };
    case "last_version_cannot_be_deleted":
      return { message: "This is the only version. To delete it, delete the page.", field: "version" };
    case "precondition_failed":
      return { message: "Nothing was saved, because the page has changed since this form was shown." };
    case "rate_limited":
    case "daily_quota_exceeded":
      return { message: text.error.wait(Math.max(1, Math.ceil((error.retryAfterSeconds ?? 1) / 60))) };
    case "invalid_filename":
      return {
        message: "A name can have 1 to 200 characters: Latin letters, digits, dashes, dots and spaces.",
        field: "filename",
      };
    case "quota_exceeded":
      return { message: quotaProblem(error, fields) };
    case "version_limit_reached":
      return { message: "The page has reached its version limit. Delete a version first." };
    case "secrets_found":
      return fields.get("version") === null
        ? {
            message:
              "Nothing was uploaded, because the file may contain a secret, such as a password or key. Remove the secret and upload the file again. To publish the file anyway, use the API or your agent, and give a reason.",
            field: "file",
          }
        : {
            message:
              "Nothing was published, because this version may contain a secret, such as a password or key. To publish it anyway, restore the version with the API or your agent, and give a reason.",
            field: "version",
          };
    case "idempotency_key_reused":
      return {
        message: "This form was already sent with another file. Choose the file again.",
        field: "file",
      };
    case "unavailable":
      return { message: text.error.advice.unavailable ?? error.message };
    case "invalid_arg":
      if (field === "expires_in_days")
        return { message: `Enter a number of days from 1 to ${maxExpiryDays() ?? daysMax}.`, field };
      if (field === "to")
        return { message: "You can no longer publish for that account. Choose another account.", field };
      if (field === "passcode")
        return { message: "The passcode is too long or contains invalid characters.", field };
      if (field === "visibility")
        return {
          message:
            fields.get("visibility") === null
              ? "Choose the readers."
              : "This service does not allow this option. Choose a more restrictive one.",
          field,
        };
      if (field !== "readers") return { message: error.message, field: field as string | undefined };
      return { message: readersProblem(readerLines(fields)[index as number], bytes, meant), field };
    default:
      return { message: error.message, field: field as string | undefined };
  }
}

function quotaProblem(error: ApiError, fields: FormFields): string {
  if (fields.get("to") !== null)
    return "That account has no room for this page. Delete one of its pages and empty its trash first.";
  if (detailsOf(error).drops_max !== undefined)
    return "Your account has reached its page limit. Delete a page first.";
  return fields.get("version") === null
    ? "Your account has reached its file limit. Delete a file first."
    : "Your account has reached its storage limit for pages. Delete a version, or permanently delete a page in the trash.";
}

function readersProblem(reader: string | undefined, bytesMax: unknown, meant: unknown): string {
  const words = accountText.problems;
  if (reader === undefined) return `Enter 1 to ${limits.readersPerDropMax} people, domains or groups.`;
  if (bytesMax !== undefined) return `One of the entries is too long. The limit is ${bytesMax} bytes.`;
  if (meant !== undefined) return `“${reader}” matches no one. Enter ${meant}.`;
  return /[,;]\s*group:/i.test(reader)
    ? `Put each group on its own line. This line has more than one entry: “${reader}”`
    : words.reader(reader);
}

function detailsOf(error: ApiError): Readonly<Record<string, unknown>> {
  return error.toBody().error.details ?? {};
}
