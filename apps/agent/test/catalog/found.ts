/** Findings of a run of a lab of the catalog, in the form in which the tests of its facts read them. */
import { TOO_BUSY } from '@verbslab/labs';
import type {
  Check,
  EventKind,
  Guess,
  LabResults,
  RunEvent,
  RunEventOf,
  RunResult,
  Transport,
  TransportResult,
} from '@verbslab/protocol';

export interface Found {
  link: 'udp' | 'auto';
  checks: readonly Check[];
  /** True if load on the machine decided this check, and with it the figures that it is about. */
  busy: (check: string) => boolean;
  answer: string;
  figures: Readonly<Record<string, number | null>>;
  curves: LabResults['curves'];
  outcomes: Readonly<Record<string, Guess>>;
  transports: Partial<Record<Transport, TransportResult>>;
  rows: (table: string) => Record<string, unknown>[];
  /** Events of a kind, from one endpoint or from all. */
  of: <K extends EventKind>(kind: K, endpoint?: string) => RunEventOf<K>[];
}

/** Facts about a lab of the catalog: the parameters of a run, and the findings that it must have. */
export interface Facts {
  params?: Record<string, string | number | boolean>;
  /** Checks that do not apply, on a link or on both. Default: none. */
  without?: (link: Found['link']) => readonly string[];
  /** Checks and predictions that may not apply, depending on chance or the machine. */
  may?: readonly string[];
  holds: (found: Found) => void;
}

export function foundIn(
  link: Found['link'],
  { checks, answer, results, transports }: RunResult,
  events: readonly RunEvent[],
): Found {
  const { figures = {}, tables = {}, curves = {}, outcomes = {} } = results ?? {};
  return {
    link,
    checks,
    busy: (check) => checks.some(({ id, detail }) => id === check && detail.startsWith(TOO_BUSY)),
    answer: answer ?? '',
    figures: Object.fromEntries(Object.entries(figures).map(([name, { value }]) => [name, value])),
    curves,
    outcomes,
    transports,
    rows: (table) => tables[table] ?? [],
    of: <K extends EventKind>(kind: K, endpoint?: string) =>
      events.filter(
        (event): event is RunEventOf<K> =>
          event.kind === kind && (endpoint === undefined || event.endpoint === endpoint),
      ),
  };
}
