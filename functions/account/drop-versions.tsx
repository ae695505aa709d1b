import type { Version } from "../drops/drop.ts";
import { Size, Time } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { accountText } from "./account-text.ts";
import { type DropFormProps, FormOfDrop, problemAt, sentFields } from "./drop-form.tsx";
import { Field } from "./form.tsx";

interface VersionsProps extends DropFormProps {
  /** Versions, the latest first. */
  readonly versions: readonly Version[];
  readonly mayDelete: boolean;
  readonly url: string;
  /** Returns the URL that compares a version with the previous version. */
  readonly comparisonUrl: (version: number) => string;
}

const words = accountText.drop;

/** Section with a drop's versions, and the forms that restore and delete versions. */
export function Versions(props: VersionsProps) {
  const { versions, mayDelete } = props;
  const list = (
    <ul class="version-list">
      {versions.map((version, index) => (
        <VersionRow
          key={version.version}
          {...props}
          version={version}
          isFirst={index === versions.length - 1}
        />
      ))}
    </ul>
  );
  return (
    <section class="versions">
      <h2>{words.versionsHeading}</h2>
      {versions.length < 2 ? (
        <>
          {list}
          <p class="quiet">This is the only version. To delete it, delete the page.</p>
        </>
      ) : (
        <>
          <FormOfDrop {...props} form="restore">
            {list}
            <p class="quiet small">
              Restoring an older version publishes it as the latest version. Readers see the change at once.
            </p>
          </FormOfDrop>
          {mayDelete && <VersionDeletion {...props} />}
        </>
      )}
    </section>
  );
}

/** List entry of a version, with buttons that submit the version number. */
function VersionRow({
  version: { version, createdAtMs, originalDateMs, sizeBytes, note },
  isFirst,
  drop,
  url,
  comparisonUrl,
}: Omit<VersionsProps, "versions"> & { readonly version: Version; readonly isFirst: boolean }) {
  const isLatest = version === drop.latest.version;
  return (
    <li>
      <a href={`${url}?v=${version}`}>{words.version(version)}</a>
      <span>
        <Time atMs={createdAtMs} /> · <Size bytes={sizeBytes} />
        {isLatest && " · latest"}
        {originalDateMs !== undefined && (
          <>
            {" · date you gave: "}
            <Time atMs={originalDateMs} isClock />
          </>
        )}
      </span>
      {note && <p dir="auto">{note}</p>}
      {!(isFirst && isLatest) && (
        <p class="buttons">
          {!isFirst && (
            <a href={comparisonUrl(version)} aria-label={`What changed in version ${version}`}>
              What changed
            </a>
          )}
          {!isLatest && (
            <button
              class="plain"
              type="submit"
              name="version"
              value={version}
              aria-label={`Restore version ${version}`}
            >
              Restore
            </button>
          )}
        </p>
      )}
    </li>
  );
}

function VersionDeletion(props: VersionsProps) {
  const { versions, sent } = props;
  const typed = sentFields(sent, "version")?.get("version");
  return (
    <FormOfDrop {...props} form="version">
      <Field
        label="Which version"
        id="version"
        note="You can’t undo this. The version number will not be used again."
        problem={problemAt(sent, "version", "version")}
      >
        <select name="version" required>
          <option value="">Choose one</option>
          {versions.map(({ version }) => (
            <option key={version} value={version} selected={String(version) === typed}>
              {words.version(version)}
            </option>
          ))}
        </select>
      </Field>
      <Submit second>Delete a version</Submit>
    </FormOfDrop>
  );
}
