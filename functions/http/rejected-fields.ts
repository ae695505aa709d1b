import type { ErrorCode } from "./errors.ts";

// By these a caller keeps others out, or believes to. Letters and digits alone, in lower case: `given-names.ts`.

/** Other names of visibility and readers. */
export const readingNames: readonly MeantNames[] = [
  {
    names: [
      ...[
        "private",
        "isprivate",
        "public",
        "ispublic",
        "unlisted",
        "isunlisted",
        "hidden",
        "secret",
        "internal",
      ],
      ...["draft", "isdraft", "published", "restricted", "access", "accesslevel", "privacy", "permissions"],
      ...["permission", "acl", "noindex", "membersonly"],
    ],
    way: 'To restrict its readers, send visibility: "public", "unlisted" (everybody with the link), "members", or "people" with readers.',
  },
  {
    names: [
      ...[
        "allow",
        "allowed",
        "alloweduser",
        "allowedusers",
        "allowedemails",
        "allowlist",
        "sharedwith",
        "sharewith",
      ],
      ...["share", "viewers", "viewer", "emails", "recipients", "audience", "invite", "invited", "users"],
    ],
    way: 'To name readers, send "visibility": "people" with "readers": ["ada@example.com", "@example.com", "username:ada", "group:engineering"].',
  },
];

/** Other names of the passcode. */
export const passcodeNames = [
  ...[
    "password",
    "passphrase",
    "pin",
    "pass",
    "locked",
    "lock",
    "islocked",
    "protected",
    "passwordprotected",
  ],
] as const;

/** When something is to be gone by itself. */
export const expiryNames = [
  ...[
    "expires",
    "expiresin",
    "expiresat",
    "expiry",
    "expiration",
    "expirationdate",
    "ttl",
    "maxage",
    "deleteat",
  ],
  ...["deleteafter", "lifetime", "validuntil"],
] as const;

/**
 * Names of fields or parameters by which a caller means something that would be dropped: docs/adr/0056-error-hints.md.
 */
export interface MeantNames {
  /** Letters and digits alone, in lower case. */
  readonly names: readonly string[];
  /** The right call. */
  readonly way: string;
  /** @default "invalid_arg" */
  readonly code?: ErrorCode;
  /** The call goes on with a warning, since nothing is lost. @default false */
  readonly isHarmless?: true;
}
