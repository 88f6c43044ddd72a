/** Functions that the labs ship, each with what it must answer, computed here in another way. Words are 32 bits, little-endian. */
import { assemble, wasm as w, type Code } from './assemble.js';

const WORD = 4;
/** Values that `top` answers with. */
export const TOP = 8;
/** Values above this one are counted: half of evenly spread ones. */
export const THRESHOLD = 0x8000_0000;
const FNV_OFFSET = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

const [INPUT, INPUT_BYTES, OUTPUT] = [0, 1, 2];
/** First local behind the parameters: the end of the input. The others belong to each function. */
const END = 4;
const OWN = 5;

/** Goes over the words of the input; `each` may use `INPUT` as the address of one. */
const overWords = (...each: Code[]): Code[] => [
  w.get(INPUT),
  w.get(INPUT_BYTES),
  w.i32(-WORD),
  w.and,
  w.add,
  w.set(END),
  w.block(
    w.loop(
      w.get(INPUT),
      w.get(END),
      w.geU,
      w.brIf(1),
      ...each,
      w.get(INPUT),
      w.i32(WORD),
      w.add,
      w.set(INPUT),
      w.br(0),
    ),
  ),
];

const word: Code[] = [w.get(INPUT), w.load()];

const sum = assemble({
  words: 1,
  doubles: 1,
  body: [
    ...overWords(w.get(OWN), w.get(INPUT), w.loadWide(), w.add64, w.set(OWN)),
    w.get(OUTPUT),
    w.get(OWN),
    w.store64(),
    w.i32(8),
  ],
});

const count = assemble({
  words: 2,
  body: [
    ...overWords(w.get(OWN), ...word, w.i32(THRESHOLD), w.gtU, w.add, w.set(OWN)),
    w.get(OUTPUT),
    w.get(OWN),
    w.store(),
    w.i32(WORD),
  ],
});

const checksum = assemble({
  words: 2,
  body: [
    w.i32(FNV_OFFSET),
    w.set(OWN),
    ...overWords(w.get(OWN), ...word, w.xor, w.i32(FNV_PRIME), w.mul, w.set(OWN)),
    w.get(OUTPUT),
    w.get(OWN),
    w.store(),
    w.i32(WORD),
  ],
});

const LAST = (TOP - 1) * WORD;
const [VALUE, PLACE] = [OWN, OWN + 1];

/** Keeps the largest values in the output, the largest first, by insertion. */
const top = assemble({
  words: 3,
  body: [
    ...Array.from({ length: TOP }, (_, i) => [...w.get(OUTPUT), ...w.i32(0), ...w.store(i * WORD)]),
    ...overWords(
      ...word,
      w.set(VALUE),
      w.get(VALUE),
      w.get(OUTPUT),
      w.load(LAST),
      w.gtU,
      w.when(
        w.get(OUTPUT),
        w.i32(LAST),
        w.add,
        w.set(PLACE),
        w.block(
          w.loop(
            w.get(PLACE),
            w.get(OUTPUT),
            w.eq,
            w.brIf(1),
            w.get(PLACE),
            w.i32(WORD),
            w.sub,
            w.load(),
            w.get(VALUE),
            w.geU,
            w.brIf(1),
            w.get(PLACE),
            w.get(PLACE),
            w.i32(WORD),
            w.sub,
            w.load(),
            w.store(),
            w.get(PLACE),
            w.i32(WORD),
            w.sub,
            w.set(PLACE),
            w.br(0),
          ),
        ),
        w.get(PLACE),
        w.get(VALUE),
        w.store(),
      ),
    ),
    w.i32(TOP * WORD),
  ],
});

export interface ShippedFunction {
  module: Uint8Array;
  outputBytes: number;
  /** The function in JavaScript; null where there is no such version. */
  answer: ((words: Uint32Array) => Uint8Array) | null;
}

export interface LambdaFunction extends ShippedFunction {
  id: string;
  title: string;
  /** Answer of the function, in words. */
  text: string;
  answer: (words: Uint32Array) => Uint8Array;
}

const littleEndian = (values: readonly number[]): Uint8Array => {
  const bytes = new Uint8Array(values.length * WORD);
  const view = new DataView(bytes.buffer);
  values.forEach((value, i) => view.setUint32(i * WORD, value, true));
  return bytes;
};

export const FUNCTIONS = [
  {
    id: 'sum',
    title: 'Sum',
    text: 'the sum of all values, as 64 bits',
    module: sum,
    outputBytes: 8,
    answer: (words) => {
      // Exact: at most 2^24 values below 2^32 are below 2^53.
      const total = BigInt(words.reduce((all, one) => all + one, 0));
      return littleEndian([Number(total & 0xffff_ffffn), Number(total >> 32n)]);
    },
  },
  {
    id: 'count',
    title: 'Count values above 2^31',
    text: 'how many values are above 2^31',
    module: count,
    outputBytes: WORD,
    answer: (words) => littleEndian([words.filter((one) => one > THRESHOLD).length]),
  },
  {
    id: 'top',
    title: `The ${TOP} largest values`,
    text: `the ${TOP} largest values, the largest first`,
    module: top,
    outputBytes: TOP * WORD,
    answer: (words) => {
      const largest = [...words.slice().sort().reverse().subarray(0, TOP)];
      return littleEndian([...largest, ...new Array<number>(TOP - largest.length).fill(0)]);
    },
  },
  {
    id: 'checksum',
    title: 'Checksum (FNV-1a over words)',
    text: 'a checksum of all values (FNV-1a, word by word)',
    module: checksum,
    outputBytes: WORD,
    answer: (words) =>
      littleEndian([words.reduce((hash, one) => Math.imul(hash ^ one, FNV_PRIME), FNV_OFFSET) >>> 0]),
  },
] as const satisfies readonly LambdaFunction[];

export type FunctionId = (typeof FUNCTIONS)[number]['id'];

export const functionOf = (id: FunctionId): LambdaFunction => FUNCTIONS.find((one) => one.id === id)!;
