import type { ListedDrop } from "../../functions/owner-page/owner-page.tsx";

const words =
  "weekly report churn by cohort plan garden release notes dashboard sales review draft budget hiring metrics latency incident summary retrospective roadmap travel itinerary Lisbon Kyoto wedding seating chart mortgage calculator pension quiz vocabulary Spanish physics homework poster concert onboarding guide security audit vendor comparison pricing experiment survey answers customer interviews timeline migration checklist architecture diagram explorer changelog recipe sourdough marathon training log reading list board game scores house layout energy usage solar panels invoice contract portfolio photo gallery moon phases weather map commute cost breakdown tax newsletter landing mockup palette typography demo shader simulation epidemic sorting graph theory lecture seminar slides agenda minutes decisions quarterly annual deck investor update letter".split(
    " ",
  );
const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const hourMs = 3_600_000;

/** Returns realistic drops: titles of three to seven words, random slugs and times, some locked. Every call returns the same drops. */
export function plainDrops(count: number, ownerUrl: string, newestMs: number): ListedDrop[] {
  const random = repeatableRandom();
  const pick = <Item>(items: ArrayLike<Item>) => items[random(items.length)] as Item;
  let updatedAtMs = newestMs;
  return Array.from({ length: count }, () => {
    const title = Array.from({ length: 3 + random(5) }, () => pick(words)).join(" ");
    const slug = Array.from({ length: 7 }, () => pick(base62)).join("");
    const locked = random(15) === 0;
    updatedAtMs -= random(12 * hourMs);
    return { title: locked ? null : title, url: `${ownerUrl}d/${slug}`, updatedAtMs, locked };
  });
}

/** Returns a linear congruential generator with the numbers of the C standard's example of `rand()`. */
function repeatableRandom(): (exclusiveMax: number) => number {
  let state = 42;
  return (exclusiveMax) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * exclusiveMax);
  };
}
