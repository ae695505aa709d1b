import { users } from "../../../functions/scim/user-store.ts";
import { defineCommand, UsageError } from "../command.ts";
import { operatorAct } from "../operator-act.ts";
import { openService, serviceOptions } from "../service.ts";

/** `scim-user release <userName>` */
export const releaseScimUserCommand = defineCommand({
  name: "scim-user release",
  words: "<userName>",
  summary: "gives a SCIM user to whoever signs in with its user name next",
  details: `
A userName without an at sign belongs to the first person who signs in with it. Somebody else with this user name gets no groups, and a
line scim-name-taken in the audit trail. Run this when the line is about the right person, such as one with a new account at the identity
provider. The person before loses the user's groups at once. What has an at sign belongs to its verified address, and needs no release.`,
  options: serviceOptions,
  async run({ word, options }, terminal) {
    const service = await openService(options);
    const user = await users.findByName("userName", word);
    if (user === undefined) throw new UsageError(`There is no SCIM user with the userName ${word}.`);
    await users.release(user.id, await operatorAct(service, "release-scim-user"));
    terminal.print(`The SCIM user ${user.id} belongs to the next person who signs in as ${user.userName}.`);
    return true;
  },
});
