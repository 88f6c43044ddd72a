// The commands in a Markdown file that a reader should type.

export interface Told {
  line: number;
  /** Words up to a comment, a pipe, or the program that the command starts. */
  words: string[];
}

const COMMAND = /(?<=^|[\s`"(])(?:npx )?(verbslab|npm (?:run|test)) ([^`|#>&;"<)]*)/g;

/** Commands such as `verbslab runs export 12 --format trace`, within text too. */
export function commandsIn(markdown: string): Told[] {
  return markdown.split('\n').flatMap((line, i) =>
    [...line.matchAll(COMMAND)].flatMap(([, program, rest]) => {
      const [before] = ` ${rest!.replaceAll(/'[^']*'/g, 'quoted')}`.split(/ -- (?=.)/);
      const words = (program!.startsWith('npm') ? ` ${rest!}` : before!).split(/\s{2,}|$/)[0]!;
      const typed = [...program!.split(' '), ...words.trim().split(/\s+/)];
      return [{ line: i + 1, words: typed }];
    }),
  );
}
