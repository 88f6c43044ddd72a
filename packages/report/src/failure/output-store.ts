import type { OutputStream, RunEventOf } from '@verbslab/protocol';

/** A part of a program's output to one stream. */
export interface OutputBlock {
  key: number;
  t: number;
  stream: OutputStream;
  /** Index of the command that printed the text, from 0. */
  command: number;
  text: string;
  /** Bytes that were left out before the text. */
  leftOut: number;
}

/** Longest gap between pieces of a stream in one block. */
const TOGETHER_NS = 1e9;

/** CSI, OSC and two-character escape sequences. A terminal acts on them and shows nothing. */
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;
/** Control characters other than tab, line feed and carriage return. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Text as a terminal would show it: without escape sequences, and with the last version of each overwritten line. */
export function plainText(text: string): string {
  const visible = text.replace(ESCAPES, '').replace(/\r+\n/g, '\n').replace(CONTROLS, '');
  return visible.includes('\r') ? visible.replace(/^.*\r(?=.)/gm, '').replaceAll('\r', '') : visible;
}

/** Output of a program, collected from its stream. */
export class OutputStore {
  readonly #events: RunEventOf<'output'>[] = [];
  #blocks: OutputBlock[] | null = [];

  add(e: RunEventOf<'output'>): void {
    this.#events.push(e);
    this.#blocks = null;
  }

  /** Blocks by time. Events are in another order: the end of each stream comes when the program has ended. */
  get blocks(): readonly OutputBlock[] {
    return (this.#blocks ??= toBlocks([...this.#events].sort((a, b) => a.t - b.t || a.seq - b.seq)));
  }

  /** Bytes that the program printed to a stream so far, including those that were left out. */
  bytes(stream: OutputStream): number {
    return this.#events.reduce((sum, e) => sum + (e.stream === stream ? e.bytes + (e.leftOut ?? 0) : 0), 0);
  }

  /** All output as one text, with a line where bytes were left out. */
  get text(): string {
    return this.blocks
      .map(({ text, leftOut }) => (leftOut > 0 ? `\n[${leftOut} bytes left out]\n${text}` : text))
      .join('');
  }
}

function toBlocks(events: readonly RunEventOf<'output'>[]): OutputBlock[] {
  const blocks: (OutputBlock & { until: number; parts: string[] })[] = [];
  for (const { seq, t, stream, text, leftOut = 0, command = 0 } of events) {
    const last = blocks.at(-1);
    const middle = last && !last.parts.at(-1)?.endsWith('\n');
    if (
      last?.stream === stream &&
      last.command === command &&
      leftOut === 0 &&
      (middle || t - last.until < TOGETHER_NS)
    ) {
      last.parts.push(text);
      last.until = t;
    } else blocks.push({ key: seq, t, stream, command, text: '', leftOut, until: t, parts: [text] });
  }
  return blocks.map(({ key, t, stream, command, leftOut, parts }) => ({
    key,
    t,
    stream,
    command,
    leftOut,
    text: plainText(parts.join('')),
  }));
}
