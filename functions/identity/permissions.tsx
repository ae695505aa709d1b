import type { TokenScope } from "../table/identifiers.ts";
import { identityText } from "./identity-text.ts";

/** Props of the list of what a token may do. */
interface PermissionsProps {
  readonly heading: string;
  readonly scope: TokenScope;
  /** Permissions of the scope `all`. @default - those of a token for the API */
  readonly all?: readonly string[];
}

/** Permissions of a token, to which a person agrees, and what it may not do. */
export function Permissions({ heading, scope, all }: PermissionsProps) {
  const words = identityText.permissions;
  const allowed = (scope === "all" && all) || words.allowed[scope];
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="points">
        {allowed.map((permission) => (
          <li key={permission}>{permission}</li>
        ))}
      </ul>
      {scope !== "all" && <p>{words.refused[scope]}</p>}
    </section>
  );
}
