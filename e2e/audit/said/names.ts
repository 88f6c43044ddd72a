// The names in a sentence: calls, counters, flags, variables and files. A sentence can be checked at a name's
// definition.

/** Words that look like a name of the field or of this code, and not like prose. */
const NAME =
  /(?<![\w/.-])(?:--[a-z][\w-]+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|(?:docs|native|packages|apps|e2e|scripts|testdata|bench|deploy)\/[\w./-]*\w)(?![\w*])/g;

export const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(NAME)].map(([name]) => name)),
];

/** Environment variables of this project. The code says nothing of other programs' variables. */
export const OWN_VARIABLE = /^(?:UROCE|VERBSLAB)_[A-Z0-9_]+$/;
export const OWN_PATH = /^(?:docs|native|packages|apps|e2e|scripts|testdata|bench|deploy)\//;
/** Calls and structures of libibverbs and librdmacm that have a manual page of their own. */
export const CALL = /^(?:ibv|rdma)_[a-z_]+$/;

/** Places of each name in the code: the first few, by file and line. */
export class Places {
  readonly #places = new Map<string, string[]>();
  static readonly #KEPT = 3;

  /** `sources`: files without tests. */
  constructor(sources: Iterable<readonly [file: string, text: string]>) {
    for (const [file, text] of sources)
      for (const [i, line] of text.split('\n').entries())
        for (const name of new Set(namesIn(line))) this.#add(name, `${file}:${i + 1}`);
  }

  #add(name: string, place: string): void {
    const known = this.#places.get(name);
    if (!known) this.#places.set(name, [place]);
    else if (known.length < Places.#KEPT) known.push(place);
  }

  of = (name: string): readonly string[] => this.#places.get(name) ?? [];
}
