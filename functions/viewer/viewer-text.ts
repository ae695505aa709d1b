/** Texts of the viewer. */
export const viewerText = {
  /** Label before the date that the owner has stated. */
  dated: "Dated",
  more: "More",
  context: "Context",
  feedback: "Comments",
  share: "Share",
  keys: "Shortcuts",
  keyNames: {
    v: "Versions",
    j: "Older",
    k: "Newer",
    m: "Comments",
    c: "Context",
    l: "Copy link",
    r: "Page only",
    p: "Print",
    f: "Full screen",
    "?": "These shortcuts",
  },
  /** Notices about features that the viewer's frame refuses. `alone` is shown if the feature works without the viewer. */
  refusals: {
    storage: {
      alone: "This page can’t save anything here. Open it on its own to keep your settings",
      here: "This page can’t save anything. It forgets your settings when you close it",
    },
    worker: { here: "This page needs a background script, which can’t run here. Parts of it may not work" },
    "service-worker": {
      here: "This page needs a background script, which can’t run here. Parts of it may not work",
    },
    pdf: {
      alone: "This page’s PDF can’t be shown here. Open the page on its own",
      here: "This page’s PDF can’t be shown here. Download the page to see it",
    },
    frame: {
      alone: "This page reads a frame, which doesn’t work here. Open the page on its own",
      here: "This page reads a frame, which doesn’t work here. Parts of it may not work",
    },
    other: {
      alone: "This page needs something that doesn’t work here. Open it on its own",
      here: "This page needs something that doesn’t work here. Parts of it may not work",
    },
  },
  close: "Close",
  lockedNote: "Locked: opens with a passcode",
} as const;
