/** Meaning of a line of a program’s output. */
export interface Meaning {
  /** Text that is the same for every run. */
  text: string;
  /** Results of the arithmetic on the figures of this line. */
  figures?: string;
}

/** A known line. The first rule that matches explains it. */
export interface LineRule {
  line: RegExp;
  meaning: string | ((found: RegExpExecArray, seen: Seen) => Meaning | null);
}

/** State from earlier lines of the same program. */
export interface Seen {
  /** The latest heading of a table. */
  heading: string;
}
