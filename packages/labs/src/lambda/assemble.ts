/** Writes small WebAssembly modules (binary format 1) that have the form of a lambda: see endpoint-lambda.ts of packages/protocol. */

/** Opcodes of the instructions that the functions of the labs use. */
const OP = {
  unreachable: 0x00,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  call: 0x10,
  get: 0x20,
  set: 0x21,
  load: 0x28,
  load64of32: 0x35,
  store: 0x36,
  store64: 0x37,
  memoryGrow: 0x40,
  const: 0x41,
  const64: 0x42,
  eqz: 0x45,
  eq: 0x46,
  gtU: 0x4b,
  geU: 0x4f,
  add: 0x6a,
  sub: 0x6b,
  mul: 0x6c,
  and: 0x71,
  xor: 0x73,
  add64: 0x7c,
} as const;

const I32 = 0x7f;
const I64 = 0x7e;
const NOTHING = 0x40;
const FUNCTION = 0x60;
/** Exponents of the alignment of loads and stores. */
const WORD_ALIGN = 2;
const DOUBLE_ALIGN = 3;

/** Unsigned LEB128. */
export function u(value: number): number[] {
  const bytes: number[] = [];
  do {
    const low = value % 128;
    value = Math.floor(value / 128);
    bytes.push(value > 0 ? low + 128 : low);
  } while (value > 0);
  return bytes;
}

/** Signed LEB128 of 32 bits. */
function s(value: number): number[] {
  const bytes: number[] = [];
  for (;;) {
    const low = value & 0x7f;
    value >>= 7;
    const last = (value === 0 && (low & 0x40) === 0) || (value === -1 && (low & 0x40) !== 0);
    bytes.push(last ? low : low | 0x80);
    if (last) return bytes;
  }
}

export type Code = readonly number[];

const plain = (code: number): Code => [code];
const withIndex =
  (code: number) =>
  (index: number): Code => [code, ...u(index)];

/** Instructions; words are 32 bits. */
export const wasm = {
  get: withIndex(OP.get),
  set: withIndex(OP.set),
  call: withIndex(OP.call),
  br: withIndex(OP.br),
  brIf: withIndex(OP.brIf),
  /** A signed constant: -1 is 0xffffffff. */
  i32: (value: number): Code => [OP.const, ...s(value | 0)],
  i64: (value: number): Code => [OP.const64, ...s(value | 0)],
  block: (...body: Code[]): Code => [OP.block, NOTHING, ...body.flat(), OP.end],
  loop: (...body: Code[]): Code => [OP.loop, NOTHING, ...body.flat(), OP.end],
  when: (...body: Code[]): Code => [OP.if, NOTHING, ...body.flat(), OP.end],
  load: (offset = 0): Code => [OP.load, WORD_ALIGN, ...u(offset)],
  /** Loads a word as 64 bits. */
  loadWide: (offset = 0): Code => [OP.load64of32, WORD_ALIGN, ...u(offset)],
  store: (offset = 0): Code => [OP.store, WORD_ALIGN, ...u(offset)],
  store64: (offset = 0): Code => [OP.store64, DOUBLE_ALIGN, ...u(offset)],
  memoryGrow: [OP.memoryGrow, 0] as Code,
  unreachable: plain(OP.unreachable),
  eqz: plain(OP.eqz),
  eq: plain(OP.eq),
  gtU: plain(OP.gtU),
  geU: plain(OP.geU),
  add: plain(OP.add),
  sub: plain(OP.sub),
  mul: plain(OP.mul),
  and: plain(OP.and),
  xor: plain(OP.xor),
  add64: plain(OP.add64),
};

export interface ModuleParts {
  /** Pages of memory that the module declares. */
  pages?: number;
  /** Imported functions without parameters or results, as [module, name]. */
  functions?: readonly (readonly [string, string])[];
  /** Locals of `run` behind its four parameters. */
  words?: number;
  doubles?: number;
  /** Instructions of `run`; they leave a word. */
  body: readonly Code[];
}

const name = (text: string): number[] => [...u(text.length), ...[...text].map((each) => each.charCodeAt(0))];
const section = (id: number, ...parts: readonly number[][]): number[] => {
  const body = [...u(parts.length), ...parts.flat()];
  return [id, ...u(body.length), ...body];
};

/** The bytes of a module. Parameters of `run`: 0 input, 1 its bytes, 2 output, 3 its bytes. */
export function assemble({
  pages = 0,
  functions = [],
  words = 0,
  doubles = 0,
  body,
}: ModuleParts): Uint8Array {
  const locals = [
    [words, I32],
    [doubles, I64],
  ].filter(([count]) => count! > 0);
  const code = [
    ...u(locals.length),
    ...locals.flatMap(([count, type]) => [...u(count!), type!]),
    ...body.flat(),
    OP.end,
  ];
  return Uint8Array.from([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [FUNCTION, 4, I32, I32, I32, I32, 1, I32], [FUNCTION, 0, 0]),
    ...section(
      2,
      [...name('env'), ...name('memory'), 2, 0, ...u(pages)],
      ...functions.map(([module, one]) => [...name(module), ...name(one), 0, 1]),
    ),
    ...section(3, [0]),
    ...section(7, [...name('run'), 0, ...u(functions.length)]),
    ...section(10, [...u(code.length), ...code]),
  ]);
}
