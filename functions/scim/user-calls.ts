import { noContent, readIfMatch } from "../http/response.ts";
import { findByEquality, listResources, parseSelection, selectAttributes } from "./list.ts";
import { parsePatch, patchUser } from "./patch.ts";
import { locationOf, presentUser } from "./presenter.ts";
import {
  type ResourceCalls,
  readScimBody,
  resourceResponse,
  type ScimInput,
  scimResponse,
} from "./resource-call.ts";
import { parseUser } from "./resources.ts";
import { ScimError } from "./scim-error.ts";
import type { StoredUser } from "./stored-user.ts";
import { users } from "./user-store.ts";

/** Handles calls to /Users and /Users/{id} (RFC 7644, sections 3.3 to 3.6). */
export const callUsers: ResourceCalls = async (input, id) => {
  const { request, act, randomInt, site } = input;
  const respond = (user: StoredUser, location?: string) => {
    const body = selectAttributes(presentUser(user, site.baseUrl), parseSelection(request));
    return resourceResponse(request, user, body, location);
  };
  switch (id === undefined ? `${request.method} all` : request.method) {
    case "GET all":
    case "HEAD all":
      return scimResponse(await listUsers(input));
    case "POST all": {
      const user = await users.create(parseUser(await readScimBody(request)), act, randomInt);
      return respond(user, locationOf(site.baseUrl, "User", user.id));
    }
    case "GET":
    case "HEAD":
      return respond(await users.require(id ?? ""));
    case "PUT": {
      const facts = parseUser(await readScimBody(request));
      return respond(await users.change(id ?? "", readIfMatch(request), act, async () => facts));
    }
    case "PATCH": {
      const operations = parsePatch(await readScimBody(request));
      const condition = readIfMatch(request);
      return respond(await users.change(id ?? "", condition, act, (facts) => patchUser(facts, operations)));
    }
    case "DELETE":
      await users.remove(id ?? "", readIfMatch(request), act);
      return noContent();
    default:
      throw new ScimError(405, `${request.method} is not supported here.`);
  }
};

function listUsers({ request, site }: ScimInput): Promise<object> {
  return listResources(request, {
    ...users,
    findByKey: (filter) => findByEquality(filter, lookUps),
    presentToFilter: (user) => presentUser(user, site.baseUrl),
    present: (user, selection) => selectAttributes(presentUser(user, site.baseUrl), selection),
  });
}

/** Functions that find a user by an attribute's value. Filters on other attributes read all users. */
const lookUps = new Map([
  ["username", (value: string) => users.findByName({ kind: "userName", value })],
  ["externalid", (value: string) => users.findByName({ kind: "externalId", value })],
  ["id", users.find],
]);
