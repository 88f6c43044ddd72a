import { AppError, ASKED, issueText, PROTOCOL_VERSION, type Asked } from '@verbslab/protocol';
import { z } from 'zod';
import type { Answer, Role, Subsystem } from '../base/subsystem.js';

/** Checks the protocol version of a client. Throws AppError PROTOCOL_VERSION. */
export function checkProtocol(theirs: number): void {
  if (theirs !== PROTOCOL_VERSION) throw new AppError('PROTOCOL_VERSION', { theirs, ours: PROTOCOL_VERSION });
}

/** Checks that this client may send a message. Throws NOT_FOR_PEERS, PEER_ONLY or PROGRAM_ONLY. */
function checkSender({ type, from }: Asked, role: Role): void {
  if (from === 'anyone') return;
  if (from === 'peer') {
    // Endpoints obey any command; a page has to go through a lab.
    if (role !== 'peer') throw new AppError('PEER_ONLY', { type });
    return;
  }
  if (role === 'peer') throw new AppError('NOT_FOR_PEERS', { type });
  if (from === 'program' && role !== 'owner') throw new AppError('PROGRAM_ONLY', { type });
}

const zHead = z.object({ type: z.string() });

/** Finds who answers a message. */
export class Router {
  readonly #answers = new Map<string, Answer>();

  constructor(subsystems: readonly Subsystem[]) {
    for (const { messages = [] } of subsystems)
      for (const answer of messages) {
        const { type } = answer.asked;
        if (this.#answers.has(type)) throw new Error(`two subsystems answer “${type}”`);
        this.#answers.set(type, answer);
      }
    for (const type of Object.keys(ASKED))
      if (!this.#answers.has(type)) throw new Error(`no subsystem answers “${type}”`);
  }

  /** A message and what answers it. Throws AppError UNKNOWN_MESSAGE, BAD_MESSAGE, PROTOCOL_VERSION, NOT_FOR_PEERS, … */
  route(raw: unknown, role: Role): { answer: Answer; message: never } {
    const head = zHead.safeParse(raw);
    if (!head.success) throw new AppError('BAD_MESSAGE', { detail: issueText(head.error) });
    const { type } = head.data;
    const answer = this.#answers.get(type);
    if (!answer) throw new AppError('UNKNOWN_MESSAGE', { type: type.slice(0, 64) });
    // The sender is checked before the rest of the message is parsed.
    checkSender(answer.asked, role);
    const parsed = answer.asked.schema.safeParse(raw);
    if (parsed.success) return { answer, message: parsed.data as never };
    const { protocol } = raw as { protocol?: unknown };
    // Another version may say the rest of it in another way.
    if (type === 'hello' && typeof protocol === 'number') checkProtocol(protocol);
    throw new AppError('BAD_MESSAGE', { detail: issueText(parsed.error) });
  }
}
