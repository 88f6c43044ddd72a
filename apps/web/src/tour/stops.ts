/** A stop of the tour: its target and its text. */
export interface Stop {
  /** Selector; the first visible match is the target. */
  at: string;
  title: string;
  text: string;
}

const room = (href: string): string => `nav[aria-label=Main] a[href="${href}"]`;

/** Stops in the order for a visitor who wants to learn. Each is read in under eight seconds. */
export const STOPS: readonly Stop[] = [
  {
    at: room('/labs'),
    title: 'Labs ask one question each',
    text: 'Predict the answer, run the lab on this computer, and read an explanation with your own figures.',
  },
  {
    at: room('/runs'),
    title: 'Runs keep what happened',
    text: 'Charts, packets and a timeline of every lab, and of your own programs. Select two or more to compare them.',
  },
  {
    at: room('/packets'),
    title: 'Packets opens capture files',
    text: 'Filter them as in Wireshark, and read what is wrong in them. A file of yours never leaves the browser.',
  },
  {
    at: room('/notebook'),
    title: 'The notebook collects your notes',
    text: 'Write notes and tags on a run, or on one moment of it. All of them are listed here.',
  },
  {
    at: room('/hosts'),
    title: 'Hosts can be more than one',
    text: 'This computer is enough. Pair others, and a lab can put each of its endpoints on another machine.',
  },
  {
    at: 'header [aria-label^="Commands"]',
    title: 'Everything has a command',
    text: 'Press Ctrl K (⌘ K on a Mac) and type what you want to do, or press ? for the list of keys. This tour is there too.',
  },
];
