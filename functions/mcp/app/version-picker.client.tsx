import type { AppVersion } from "./app-responses.ts";
import { appText } from "./app-text.ts";
import type { Formats } from "./host-context.client.ts";

interface VersionPickerProps {
  /** Versions, the latest first. */
  readonly versions: readonly AppVersion[];
  readonly latest: number;
  readonly version: number;
  readonly formats: Formats;
  readonly isBusy: boolean;
  readonly onChoose: (version: number) => void;
  readonly onRestore: () => void;
}

/** Selects the version to show. For an older version, offers to go to the latest version, and to restore the shown version. */
export function VersionPicker(props: VersionPickerProps) {
  const { versions, latest, version, formats, isBusy, onChoose, onRestore } = props;
  return (
    <div class="versions">
      <label for="version">{appText.versions}</label>
      <select
        id="version"
        class="field"
        value={String(version)}
        onChange={({ currentTarget }) => onChoose(Number(currentTarget.value))}
      >
        {versions.map((one) => (
          <option key={one.version} value={String(one.version)}>
            {appText.versionOption(formats.count(one.version), formats.time(one.created_at))}
          </option>
        ))}
      </select>
      {version !== latest && (
        <>
          <button class="button second" type="button" onClick={() => onChoose(latest)}>
            {appText.newest}
          </button>
          <button class="button second" type="button" disabled={isBusy} onClick={onRestore}>
            {appText.restore}
          </button>
        </>
      )}
    </div>
  );
}
