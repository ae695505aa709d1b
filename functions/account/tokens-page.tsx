import { Time } from "../html/format.tsx";
import { Submit } from "../html/icons.tsx";
import { pagePath } from "../identity/destination.ts";
import type { Token, TokenScope } from "../table/identifiers.ts";
import { expiryOf } from "../table/tokens.ts";
import { type ItemsPageProps, ListFrame, renderAccountPage } from "./account-layout.tsx";
import { Form } from "./form.tsx";

/** User names of the people who created a team's tokens, by user id. Omits people whose accounts were deleted. */
export type TokenHolders = ReadonlyMap<string, string>;

interface TokensPageProps extends ItemsPageProps {
  /** Tokens, newest first. */
  readonly tokens: readonly Token[];
  /** Creators of a team's tokens. @default - the tokens belong to the person, not to a team */
  readonly holders?: TokenHolders | undefined;
  readonly mayRevoke: boolean;
  readonly nowMs: number;
}

const destination = { page: "tokens" } as const;
const scopes = {
  all: "Can do everything",
  publish: "Can publish, but not delete or share",
  read: "Can only read",
} satisfies Readonly<Record<TokenScope, string>>;

/** Renders `GET /account/tokens`: the account's tokens, with buttons to revoke them. */
export function renderTokensPage(props: TokensPageProps): string {
  const { signedIn, tokens, problem, done, nonce } = props;
  return renderAccountPage({
    title: "Your tokens",
    nonce,
    signedIn,
    destination,
    children: (
      <>
        <ListFrame
          heading="Your tokens"
          item="token"
          empty="You have no tokens, so no agent or program can publish under your name."
          total={tokens.length}
          done={done}
          problem={problem}
        >
          {tokens.map((token) => (
            <TokenRow key={token.id} {...props} token={token} />
          ))}
        </ListFrame>
        <p>
          <a href="/login/token">Get a token without an agent</a>
        </p>
      </>
    ),
  });
}

function TokenRow({
  token,
  holders,
  proofOf,
  mayRevoke,
  nowMs,
}: { readonly token: Token } & Pick<TokensPageProps, "holders" | "mayRevoke" | "nowMs" | "proofOf">) {
  const { id, label, scope, personId, createdAtMs, lastUsedAtMs } = token;
  const action = `${pagePath(destination)}/${id}/revoke`;
  const expiresAtMs = expiryOf(token);
  return (
    <li>
      <div>
        <strong dir="auto">{label ?? "Unnamed token"}</strong>
        <p>
          {holders && (
            <span dir="auto">
              {personId === undefined ? "Service token" : (holders.get(personId) ?? "Deleted account")}
            </span>
          )}
          <span>{scopes[scope]}</span>
          <span>
            Created <Time atMs={createdAtMs} />
          </span>
          <span>
            Last used <Time atMs={lastUsedAtMs} />
          </span>
          {expiresAtMs !== undefined && (
            <span>
              {expiresAtMs <= nowMs ? "Expired" : "Expires"} <Time atMs={expiresAtMs} />
            </span>
          )}
        </p>
      </div>
      {mayRevoke && (
        <Form action={action} proof={proofOf(action)}>
          <Submit second>
            Revoke
            <span class="unseen"> {label ?? id}</span>
          </Submit>
        </Form>
      )}
    </li>
  );
}
