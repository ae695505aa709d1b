import fc from "fast-check";
import { unusedUsername } from "../../support/sign-in.ts";
import { nobody } from "../rules/team-rules.ts";
import type { AccountState } from "../state.ts";
import { conditional } from "./drop-intents.ts";
import { credential, credentialWords, type Intent, nameOf, slugOf, target, tokenFor } from "./intent.ts";

const index = fc.nat({ max: 5 });
const role = fc.constantFrom("owner" as const, "editor" as const);

/** Mostly an existing team, occasionally a person or a missing team. */
const whichTeam = fc.oneof({ arbitrary: index, weight: 8 }, fc.constantFrom("a person" as const, "no team"));

/** People of the run, other readers, and occasionally invalid readers. */
const whichPeople = fc.oneof(
  { arbitrary: fc.nat({ max: 1 }), weight: 6 },
  { arbitrary: fc.constantFrom("eve@example.com", "@example.org", "group:Growth"), weight: 3 },
  fc.constantFrom(...nobody),
);

type Which = number | string;

function teamOf(which: Which, accounts: readonly AccountState[]): string {
  const teams = accounts.filter(({ team }) => team !== undefined);
  if (which === "a person") return accounts[0]?.namespace ?? "";
  return typeof which === "number" ? (teams[which % teams.length]?.namespace ?? "no-team") : "no-team";
}

function peopleOf(which: Which, accounts: readonly AccountState[]): string {
  const people = accounts.filter(({ team }) => team === undefined);
  return typeof which === "number" ? (people[which % people.length]?.namespace ?? "") : which;
}

const listTeams = credential.map(
  (wanted): Intent => ({
    words: `list-teams${credentialWords(wanted)}`,
    toCall: (state) => ({ operation: "list-teams", ...tokenFor(state, wanted) }),
  }),
);

const getTeam = fc.tuple(whichTeam, credential).map(
  ([which, wanted]): Intent => ({
    words: `get-team ${which}${credentialWords(wanted)}`,
    toCall: (state, other, accounts = [state, other]) => ({
      operation: "get-team",
      ...tokenFor(state, wanted),
      params: { namespace: teamOf(which, accounts) },
    }),
  }),
);

const editTeam = fc.tuple(whichTeam, fc.constantFrom("project", "a", null, "No Tag")).map(
  ([which, tag]): Intent => ({
    words: `edit-team ${which} to group by ${tag}`,
    toCall: (state, other, accounts = [state, other]) => ({
      operation: "edit-team",
      ...tokenFor(state, "good"),
      params: { namespace: teamOf(which, accounts) },
      body: { group_by: tag },
      ...(tag === "No Tag" ? { refusal: "invalid_arg" as const } : {}),
    }),
  }),
);

const setTeamRole = fc.tuple(whichTeam, whichPeople, role).map(
  ([which, people, wanted]): Intent => ({
    words: `set-team-role of ${people} in team ${which} to ${wanted}`,
    toCall: (state, other, accounts = [state, other]) => ({
      operation: "set-team-role",
      ...tokenFor(state, "good"),
      params: { namespace: teamOf(which, accounts), reader: peopleOf(people, accounts) },
      body: { role: wanted },
    }),
  }),
);

const removeTeamRole = fc.tuple(whichTeam, whichPeople).map(
  ([which, people]): Intent => ({
    words: `remove-team-role of ${people} in team ${which}`,
    toCall: (state, other, accounts = [state, other]) => ({
      operation: "remove-team-role",
      ...tokenFor(state, "good"),
      params: { namespace: teamOf(which, accounts), reader: peopleOf(people, accounts) },
    }),
  }),
);

const createTeam = fc
  .tuple(
    fc.constantFrom("free", "free", "taken", "admin", "Growth"),
    fc.option(fc.subarray([0, 1, "eve@example.com"]), { nil: undefined }),
    fc.subarray([0, 1, "@example.org"]),
  )
  .map(
    ([name, owners, editors]): Intent => ({
      words: `create-team ${name} of owners ${owners} and editors ${editors}`,
      toCall(state, other, accounts = [state, other]) {
        const taken = accounts.at(-1)?.namespace ?? "";
        const namespace = name === "free" ? unusedUsername("team") : name === "taken" ? taken : name;
        const names = (all: readonly Which[]) => all.map((one) => peopleOf(one, accounts));
        const body = {
          namespace,
          ...(owners && owners.length > 0 ? { owners: names(owners) } : {}),
          ...(editors.length > 0 ? { editors: names(editors) } : {}),
        };
        return { operation: "create-team", ...tokenFor(state, "good"), body };
      },
    }),
  );

const createTeamToken = fc
  .tuple(
    whichTeam,
    fc.constantFrom(undefined, "read", "publish", "all"),
    fc.constantFrom(undefined, 90),
    fc.boolean(),
  )
  .map(
    ([which, scope, days, isNamed]): Intent => ({
      words: `create-team-token of team ${which} for ${scope} and ${days} days${isNamed ? "" : " without a label"}`,
      toCall: (state, other, accounts = [state, other]) => ({
        operation: "create-team-token",
        ...tokenFor(state, "good"),
        params: { namespace: teamOf(which, accounts) },
        body: {
          label: isNamed ? "Nightly report" : " ",
          ...(scope === undefined ? {} : { scope }),
          ...(days === undefined ? {} : { expires_in_days: days }),
        },
        ...(isNamed ? {} : { refusal: "invalid_arg" as const }),
      }),
    }),
  );

/** An account of the run, occasionally a missing one. */
const receiver = fc.oneof({ arbitrary: index, weight: 9 }, fc.constant("no team"));

const moveDrop = conditional(
  fc.tuple(target, receiver, credential).map(
    ([one, to, wanted]): Intent => ({
      words: `move-drop ${nameOf("drop", one)} to account ${to}${credentialWords(wanted)}`,
      toCall: (state, other, accounts = [state, other]) => ({
        operation: "move-drop",
        ...tokenFor(state, wanted),
        params: { slug: slugOf(one, state, other) },
        body: {
          to: typeof to === "number" ? (accounts[to % accounts.length]?.namespace ?? "") : "no-team",
        },
      }),
    }),
  ),
);

/** Intents about teams, their people and tokens, and moves of drops. */
export const teamIntents = {
  listTeams,
  getTeam,
  editTeam,
  setTeamRole,
  removeTeamRole,
  createTeam,
  createTeamToken,
  moveDrop,
} as const;
