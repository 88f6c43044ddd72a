/** What a line of a program’s output means. */
export interface Meaning {
  /** The same for every run. */
  text: string;
  /** What follows from the figures of this line: its arithmetic, done. */
  figures?: string;
}

/** A known line. The first rule that matches explains it. */
export interface LineRule {
  line: RegExp;
  meaning: string | ((found: RegExpExecArray, seen: Seen) => Meaning | null);
}

/** What earlier lines of the same program said. */
export interface Seen {
  /** The latest heading of a table. */
  heading: string;
}
