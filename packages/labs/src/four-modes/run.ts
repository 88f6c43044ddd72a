import { cellsOf } from '../form/common-results.js';
import { formatNumber, plural } from '../base/format.js';
import { statOf, type Stat } from '../base/sweep.js';
import { extreme } from '../base/verdict.js';
import type { ProcessCpu } from '../load/process-cpu.js';
import { measureModes, type Measured } from './measure.js';
import { MODES, type Context, type Mode } from './modes.js';
import { tryPrivileges } from './privileges.js';

interface Found {
  mode: Mode;
  us: Stat;
  told: number;
  found: Measured[];
}

export async function runFourModes(ctx: Context): Promise<void> {
  const refused = await tryPrivileges(ctx);
  const all = (await measureModes(ctx)).map(({ mode, found }) => ({
    mode,
    found,
    us: statOf(found.map(({ us }) => us)),
    told: Math.max(...found.map(({ told }) => told)),
  }));
  for (const one of all) show(ctx, one);
  judge(ctx, all);
  conclude(ctx, all, refused);
}

const micros = (
  all: readonly Measured[],
  end: 'client' | 'server',
  part: keyof ProcessCpu,
): number | null => {
  const known = all.flatMap(({ cpu }) => cpu[end][part] ?? []);
  return known.length === 0 ? null : statOf(known).value / 1000;
};

function show(ctx: Context, { mode, us, told, found }: Found): void {
  ctx.figure(`time-${mode.id}`, us.value, us);
  ctx.figure(`told-${mode.id}`, told);
  ctx.row('modes', {
    mode: mode.title,
    does: mode.does,
    ...cellsOf(us),
    told,
  });
  ctx.row('cpu', {
    mode: mode.title,
    clientProgram: micros(found, 'client', 'appNs'),
    clientNic: micros(found, 'client', 'nicNs'),
    serverProgram: micros(found, 'server', 'appNs'),
    serverNic: micros(found, 'server', 'nicNs'),
  });
  ctx.row('rights', {
    mode: mode.title,
    client: mode.rights.client.join(', ') || 'none',
    server: mode.rights.server.join(', '),
    beyond: mode.id === 'run' ? 'A key that the server trusts' : 'nothing',
  });
}

/** Per operation, by the definition of the modes. */
const TOLD: Readonly<Record<Mode['id'], number>> = { send: 1, write: 1, read: 0, run: 1 };

function judge(ctx: Context, all: readonly Found[]): void {
  const wrong = all.filter(({ found }) => found.some(({ right }) => !right));
  ctx.check(
    'data',
    wrong.length === 0,
    wrong.map(({ mode }) => `${mode.title}: other bytes.`).join(' ') ||
      'In each mode the payload arrived byte for byte, with no more rights than the table says. The result of the function was right.',
  );
  const other = all.filter(({ mode, found }) => found.some(({ told }) => told !== TOLD[mode.id]));
  ctx.check(
    'interrupted',
    other.length === 0,
    other.map(({ mode, told }) => `${mode.title}: ${plural(told, 'completion')} per operation.`).join(' ') ||
      'The server got one completion of a RECV per send, write and remote execution, and none per read.',
  );
}

function conclude(ctx: Context, all: readonly Found[], refused: boolean): void {
  const quiet = all.filter(({ told }) => told === 0);
  ctx.outcome('quiet', quiet.length === 1 ? quiet[0]!.mode.id : 'none');
  const [first, ...others] = [...all].sort((a, b) => b.us.value - a.us.value);
  const slowest = extreme(
    first!.us,
    others.map(({ us }) => us),
    1,
  );
  ctx.outcome('slowest', slowest === 'higher' ? first!.mode.id : 'unclear');
  const words = MODES.map(({ id, title }) => {
    const { us } = all.find(({ mode }) => mode.id === id)!;
    return `${title.toLowerCase()} ${formatNumber(us.value)} µs`;
  });
  const order =
    slowest === 'few'
      ? ' These are too few repetitions to tell which mode is the slowest.'
      : slowest === 'unclear'
        ? ' The range of the slowest overlaps that of another: no clear difference.'
        : '';
  ctx.answer(
    `With the same payload: ${words.join(', ')}.${order}` +
      (quiet.length === 1 && quiet[0]!.mode.id === 'read'
        ? ' Only read leaves the server’s program alone.'
        : '') +
      (refused ? ' Without a right that it needs, each mode was refused.' : ''),
  );
}
