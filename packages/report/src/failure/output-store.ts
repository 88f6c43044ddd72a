import type { OutputStream, RunEventOf } from '@verbslab/protocol';

/** A stretch of what a program printed to one stream. */
export interface OutputBlock {
  key: number;
  t: number;
  stream: OutputStream;
  /** Which command of the run printed it, from 0. */
  command: number;
  text: string;
  /** Bytes that were left out before it. */
  leftOut: number;
}

/** Pieces of one stream that come so close together are one block. */
const TOGETHER_NS = 1e9;

/** CSI, OSC and two-character escape sequences; a terminal acts on them and shows nothing. */
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-_])/g;
/** Control characters other than tab, line feed and carriage return. */
// oxlint-disable-next-line no-control-regex
const CONTROLS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** What a terminal would show: without escape sequences, and with the last of what a line was overwritten with. */
export function plainText(text: string): string {
  const visible = text.replace(ESCAPES, '').replace(/\r+\n/g, '\n').replace(CONTROLS, '');
  return visible.includes('\r') ? visible.replace(/^.*\r(?=.)/gm, '').replaceAll('\r', '') : visible;
}

/** What a program printed, folded from its stream. */
export class OutputStore {
  readonly #events: RunEventOf<'output'>[] = [];
  #blocks: OutputBlock[] | null = [];

  add(e: RunEventOf<'output'>): void {
    this.#events.push(e);
    this.#blocks = null;
  }

  /** By time. The end of each stream comes when the program has ended, so events are not in this order. */
  get blocks(): readonly OutputBlock[] {
    return (this.#blocks ??= toBlocks([...this.#events].sort((a, b) => a.t - b.t || a.seq - b.seq)));
  }

  /** Bytes that the program printed to a stream so far, with those that were left out. */
  bytes(stream: OutputStream): number {
    return this.#events.reduce((sum, e) => sum + (e.stream === stream ? e.bytes + (e.leftOut ?? 0) : 0), 0);
  }

  /** All of it as one text, with a line where something was left out. */
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
