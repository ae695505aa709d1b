import { text } from "./text.ts";

/** What whoever holds a token may do: what a person agrees to when they sign in. */
export function Permissions({ heading }: { readonly heading: string }) {
  const words = text.permissions;
  return (
    <section>
      <h2>{heading}</h2>
      <ul class="points">
        {words.allowed.map((permission) => (
          <li key={permission}>{permission}</li>
        ))}
      </ul>
    </section>
  );
}
