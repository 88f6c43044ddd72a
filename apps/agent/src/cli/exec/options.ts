import { resolve } from 'node:path';
import type { Command } from 'commander';
import { confinedEnvironment } from './confined.js';
import { draftsIn } from './ended.js';
import { librariesWithout } from './leave-calls.js';

/** Options of `verbslab exec` as commander reads them. */
export interface ExecOptions {
  pcap?: string;
  addr?: string;
  netdev?: string;
  link?: string;
  recovery?: string;
  congestion?: string;
  ackEvery?: string;
  ackDelay?: string;
  lineRate?: string;
  strictMemlock?: boolean;
  report?: string;
  keepOutput?: boolean;
  summary?: boolean;
  agent: boolean;
  with?: string;
  faults?: string[];
  faultRule?: string[];
  replayFaults?: string;
  /** Rules about calls, as the device reads them. They need no agent. */
  callFaults?: readonly string[];
  leaveCall?: string[];
  bound?: boolean;
  confine?: string;
  stuckAfter: number;
  /** Words with which the program runs again in the same way. */
  given: readonly string[];
}

export const faulty = ({ faults, faultRule, replayFaults }: ExecOptions): boolean =>
  (faults ?? faultRule ?? replayFaults) !== undefined;

/** The environment of the program: what the options set for the device. Throws AppError USAGE for calls that cannot be left. */
export function environment(options: ExecOptions, folder: string | undefined): NodeJS.ProcessEnv {
  return {
    ...(options.confine === undefined ? process.env : confinedEnvironment(options.confine)),
    // The second library answers some calls for the first.
    LD_PRELOAD: [...librariesWithout(options.leaveCall ?? [], folder), process.env.LD_PRELOAD]
      .filter(Boolean)
      .join(':'),
    ...(options.confine === undefined ? { UROCE_PATHS: folder } : {}),
    ...(options.pcap === undefined ? {} : { UROCE_PCAP: resolve(options.pcap) }),
    ...(options.addr === undefined ? {} : { UROCE_ADDR: options.addr }),
    ...(options.netdev === undefined ? {} : { UROCE_NETDEV: options.netdev }),
    ...(options.link === undefined ? {} : { UROCE_LINK: options.link }),
    ...(options.recovery === undefined ? {} : { UROCE_RECOVERY: options.recovery }),
    ...(options.congestion === undefined ? {} : { UROCE_CONGESTION: options.congestion }),
    ...(options.lineRate === undefined ? {} : { UROCE_LINE_RATE: options.lineRate }),
    ...(options.ackEvery === undefined ? {} : { UROCE_ACK_EVERY: options.ackEvery }),
    ...(options.ackDelay === undefined ? {} : { UROCE_ACK_DELAY: options.ackDelay }),
    ...(options.strictMemlock ? { UROCE_STRICT_MEMLOCK: '1' } : {}),
    ...(options.report === undefined ? {} : { UROCE_REPORT: options.report }),
    ...(options.callFaults?.length ? { UROCE_CALL_FAULTS: options.callFaults.join(';') } : {}),
    UROCE_REPORT_DRAFTS: options.report === undefined ? undefined : folder && draftsIn(folder),
    // An inherited UROCE_FEED belongs to an outer `exec`.
    ...(options.agent ? {} : { UROCE_FEED: undefined }),
  };
}

/** Options of one run alone: of its place, and of a file that is there already. */
const NOT_AGAIN: ReadonlySet<string> = new Set(['with', 'pcap', 'agent']);

/** Options of `exec` on the command line, as words with which the program runs again in the same way. */
export function givenOptions(command: Command): string[] {
  return command.options.flatMap((option) => {
    const name = option.attributeName();
    if (option.hidden || NOT_AGAIN.has(name) || command.getOptionValueSource(name) !== 'cli') return [];
    const value: unknown = command.getOptionValue(name);
    if (value === true) return [option.long!];
    return (Array.isArray(value) ? value : [value]).flatMap((one) => [option.long!, String(one)]);
  });
}
