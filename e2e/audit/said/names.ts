// The names in a sentence: of calls, counters, flags, variables and files. Where a name is defined, its sentence can be checked.

/** What looks like a name of the field or of this code, and not like prose. */
const NAME =
  /(?<![\w/.-])(?:--[a-z][\w-]+|[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|(?:docs|native|packages|apps|e2e|scripts|testdata|bench|deploy)\/[\w./-]*\w)(?![\w*])/g;

export const namesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(NAME)].map(([name]) => name)),
];

/** Our own environment variables; of any other program’s the code says nothing. */
export const OWN_VARIABLE = /^(?:UROCE|VERBSLAB)_[A-Z0-9_]+$/;
export const OWN_PATH = /^(?:docs|native|packages|apps|e2e|scripts|testdata|bench|deploy)\//;
/** Calls and structures of libibverbs and librdmacm that have a manual page of their own. */
export const CALL = /^(?:ibv|rdma)_[a-z_]+$/;

/** Where each name stands in the code: the first places, by file and line. */
export class Places {
  readonly #places = new Map<string, string[]>();
  static readonly #KEPT = 3;

  /** Of sources, tests left out. */
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
