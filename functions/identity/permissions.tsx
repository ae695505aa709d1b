import type { TokenScope } from "../table/identifiers.ts";

const allowedOf = {
  read: ["read your pages, comments and answers,", "read pages that others share with you."],
  publish: [
    "publish pages and files under your name,",
    "change their content, title and tags,",
    "reply to comments,",
    "read your pages, and pages that others share with you.",
  ],
  all: [
    "publish pages and files under your name,",
    "change, lock and delete them,",
    "see your usage, and manage your tokens.",
  ],
} satisfies Readonly<Record<TokenScope, readonly string[]>>;

const refusedOf = {
  read: "It can’t publish, change or delete anything.",
  publish: "It can’t delete anything, or change who can read a page that is already published.",
};

interface PermissionsProps {
  readonly heading: string;
  readonly scope: TokenScope;
  /** Permissions to list for the scope `all`. @default - the permissions of an API token */
  readonly all?: readonly string[];
}

/** Lists the permissions that a new token gets and lacks, for the person who approves the token. */
export function Permissions({ heading, scope, all }: PermissionsProps) {
  const allowed = (scope === "all" && all) || allowedOf[scope];
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="points">
        {allowed.map((permission) => (
          <li key={permission}>{permission}</li>
        ))}
      </ul>
      {scope !== "all" && <p>{refusedOf[scope]}</p>}
    </section>
  );
}
