import { chosen } from "../support/thorough.ts";
import { settingsOfEachKind } from "./settings-of-each-kind.ts";

const least = "no setting";
const most = ["everything that production may have", "the most resources that settings can make"];

/** Those between which all others are. */
export const chosenSettings = chosen(settingsOfEachKind, ([what]) => [least, ...most].includes(what));
