import { text } from "../platform/html/text.ts";

/** In the menu: a form that needs no script, for whoever reads at a browser that is not theirs alone. */
export function LockAgain({ lockUrl }: { readonly lockUrl: string }) {
  return (
    <li>
      <button type="submit" form="lock">
        {text.viewer.lockAgain}
      </button>
      <form id="lock" method="post" action={lockUrl} />
    </li>
  );
}
