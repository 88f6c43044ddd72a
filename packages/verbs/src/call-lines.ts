/**
 * Lines of a program that created each verbs object and posted each request. `node --import` loads this module before
 * the program, and VERBSLAB_CALL_LINES names the output file. The misuse report cannot find these lines: it sees only
 * the addon's calls. Programs that do not load the module pay nothing.
 */
import { realpathSync, writeFileSync } from 'node:fs';
import { findSourceMap } from 'node:module';
import { pathToFileURL } from 'node:url';
import { binding, type NativeQp } from './native/binding.js';

/** Most objects and most requests that are kept. The latest requests replace the oldest. */
const KEPT = 10_000;
/** Most stack frames that are searched. Frames of this package come above the program's own. */
const DEPTH = 24;

/** Names of object kinds in the misuse report (native/uroce/report/finding.cc). */
const KINDS = {
  Context: 'context',
  Pd: 'PD',
  Mr: 'MR',
  Mw: 'MW',
  Cq: 'CQ',
  Qp: 'QP',
  Srq: 'SRQ',
  Ah: 'AH',
  CompChannel: 'completion channel',
  CmId: 'CM id',
  EventChannel: 'CM event channel',
} as const;
type ClassName = keyof typeof KINDS;

interface Made {
  /** Name of the object in the report: `QP 0x000011`, `PD #1`. */
  object: string;
  kind: string;
  line: number;
  closed: boolean;
}

const objects: Made[] = [];
/** Lines by `QPN wr_id`. */
const requests = new Map<string, number>();
/** Line of the first post that failed, by QPN. */
const refused = new Map<number, number>();

const main = realpathSync(process.argv[1]!);
const url = pathToFileURL(main).href;
const lines = new Map<string, number | null>();

/** Line in the source for a position in the compiled code. */
function sourceLine(line: number, column: number): number | null {
  const key = `${line}:${column}`;
  let found = lines.get(key);
  if (found === undefined) {
    const entry = (findSourceMap(url) ?? findSourceMap(main))?.findEntry(line - 1, column - 1);
    found = entry && 'originalLine' in entry ? entry.originalLine + 1 : null;
    lines.set(key, found);
  }
  return found;
}

/** Innermost line of the program in the call stack; null if there is none. */
function callerLine(): number | null {
  const { stackTraceLimit } = Error;
  const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace');
  const at: { stack?: NodeJS.CallSite[] } = {};
  Error.prepareStackTrace = (_, sites) => sites;
  Error.stackTraceLimit = DEPTH;
  Error.captureStackTrace(at, callerLine);
  const sites = at.stack ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  if (before) Object.defineProperty(Error, 'prepareStackTrace', before);
  else Reflect.deleteProperty(Error, 'prepareStackTrace');
  const own = sites.find((site) => site.getFileName() === url || site.getFileName() === main);
  return own ? sourceLine(own.getLineNumber() ?? 1, own.getColumnNumber() ?? 1) : null;
}

const hex = (value: number, digits: number): string => `0x${value.toString(16).padStart(digits, '0')}`;

function nameOf(kind: string, one: object, nth: number): string {
  const { qpn, lkey, rkey } = one as { qpn?: number; lkey?: number; rkey?: number };
  if (kind === 'QP') return `QP ${hex(qpn!, 6)}`;
  if (kind === 'MR') return `MR ${hex(lkey!, 8)}`;
  return kind === 'MW' ? `MW ${hex(rkey!, 8)}` : `${kind} #${nth}`;
}

interface Closable {
  close(): unknown;
}
type AnyClass = new (...args: never[]) => Closable;

function follow(name: ClassName): void {
  const kind = KINDS[name];
  let nth = 0;
  class Followed extends (binding[name] as unknown as AnyClass) {
    readonly #made: Made | null = null;

    constructor(...args: never[]) {
      super(...args);
      nth++;
      const line = callerLine();
      if (line === null || objects.length >= KEPT) return;
      this.#made = { object: nameOf(kind, this, nth), kind, line, closed: false };
      objects.push(this.#made);
    }

    override close(): unknown {
      const done = super.close();
      if (this.#made) this.#made.closed = true;
      return done;
    }
  }
  Object.assign(binding, { [name]: Followed });
}

type Post = (this: NativeQp, wrs: readonly { wrId: bigint }[]) => unknown;

function followPosts(): void {
  const prototype = binding.Qp.prototype as NativeQp;
  const follow = (post: 'postSend' | 'postExtended' | 'postRecv'): void => {
    const original = Reflect.get(prototype, post) as Post;
    const followed: Post = function (wrs) {
      const line = callerLine();
      const { qpn } = this;
      for (const { wrId } of line === null ? [] : wrs) {
        requests.delete(`${qpn} ${wrId}`);
        requests.set(`${qpn} ${wrId}`, line!);
        if (requests.size > KEPT) requests.delete(requests.keys().next().value!);
      }
      try {
        return original.call(this, wrs);
      } catch (error) {
        if (line !== null && !refused.has(qpn)) refused.set(qpn, line);
        throw error;
      }
    };
    Object.defineProperty(prototype, post, { value: followed });
  };
  follow('postSend');
  follow('postExtended');
  follow('postRecv');
}

const file = process.env['VERBSLAB_CALL_LINES'];
if (file !== undefined) {
  for (const name of Object.keys(KINDS) as ClassName[]) follow(name);
  followPosts();
  process.on('exit', () => {
    const told = { objects, requests: Object.fromEntries(requests), refused: Object.fromEntries(refused) };
    try {
      writeFileSync(file, JSON.stringify(told));
    } catch {
      // The disk may be full. The program's findings then have no lines.
    }
  });
}
