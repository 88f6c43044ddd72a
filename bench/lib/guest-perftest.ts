// Measurements with perftest inside a virtual machine: server and client on one device, and the CPU that both took.
// perftest's own figures are not taken: it finds the length of a cycle by a regression that an emulated machine spoils
// (get_clock.c; "inf" and "0.00" come out). Messages in a span of the kernel's clock, and cycles, do not depend on it.
import type { CommandOutcome } from '../../apps/agent/src/vms/exec-client.js';
import { onDevice, shell, type End } from '../../e2e/vm/guest.js';

/** Ticks of /proc/stat (USER_HZ, proc(5)). */
const TICKS_PER_SECOND = 100;
/** Seconds that a run of bandwidth takes, those at either end that it leaves out, and those between. */
const DURATION = 4;
const MARGIN = 1;
const WINDOW = DURATION - 2 * MARGIN;

let lastPort = 20_000;

const line = (words: readonly string[]): string => words.map((word) => `'${word}'`).join(' ');

/**
 * A script for one shell in the machine, so that nothing else runs there meanwhile. `sample` takes /proc/stat and
 * /proc/uptime when the run's own figures begin and when they end; perftest prints the head of its table as it starts.
 */
function script(
  { device }: End,
  program: string,
  options: readonly string[],
  sample: boolean,
  port: number,
): string {
  const common = ['-p', String(port), '-x', '1', '-F', ...options];
  const server = line(onDevice(device, [program, ...common]));
  const client = line(onDevice(device, ['stdbuf', '-oL', program, ...common, '127.0.0.1']));
  const listens = `grep -q ':${port.toString(16).toUpperCase().padStart(4, '0')} .* 0A ' /proc/net/tcp /proc/net/tcp6`;
  const look = 'head -n 1 /proc/stat; cat /proc/uptime';
  return `
    cd "$(mktemp -d)" || exit 1
    ${server} >server 2>&1 &
    server=$!
    until ${listens}; do kill -0 $server || { cat server; exit 1; }; sleep 0.02; done
    ${client} >client 2>errors &
    client=$!
    ${
      sample
        ? `until grep -q '#bytes' client; do kill -0 $client || break; sleep 0.02; done
    sleep ${MARGIN}; { ${look}; } >before; sleep ${WINDOW}; { ${look}; } >after`
        : ''
    }
    wait $client || { cat server client errors; kill $server; exit 1; }
    wait $server
    cat client${sample ? '; cat before after' : ''}
    grep -m 1 'cpu MHz' /proc/cpuinfo
    rm -rf "$PWD"`;
}

async function run(end: End, program: string, options: readonly string[], sample: boolean): Promise<string> {
  lastPort += 1;
  const outcome: CommandOutcome = await shell(end, script(end, program, options, sample, lastPort));
  if (outcome.code === 0) return outcome.stdout;
  const what = `${program} ${options.join(' ')} on ${end.device}`;
  throw new Error(
    `${what} ended with ${outcome.code ?? outcome.signal}:\n${outcome.stdout}${outcome.stderr}`,
  );
}

function figures(printed: string): number[] {
  const row = printed.split('\n').find((text) => /^\s*\d+\s+\d+\s+[\d.]/.test(text));
  if (!row) throw new Error(`no figures were printed:\n${printed}`);
  return row.trim().split(/\s+/).map(Number);
}

/** user, nice, system, irq, softirq, steal: all but idle and iowait, of all CPUs. */
function busySeconds(stat: string): number {
  const [user, nice, system, , , irq, softirq, steal] = stat.trim().split(/\s+/).slice(1).map(Number);
  const ticks = [user, nice, system, irq, softirq, steal].reduce<number>(
    (sum, value) => sum + (value ?? 0),
    0,
  );
  return ticks / TICKS_PER_SECOND;
}

export interface Bandwidth {
  gbps: number;
  /** Million messages per second. */
  millions: number;
  /** Seconds of CPU, of the whole machine, for 10^9 bytes of payload. */
  cpuPerGB: number;
}

/** The middle of a run of some seconds: bandwidth of the payload, and what all CPUs of the machine did meanwhile. */
export async function bandwidth(end: End, program: string, options: readonly string[]): Promise<Bandwidth> {
  const timed = ['-D', String(DURATION), '-f', String(MARGIN), ...options];
  const printed = await run(end, program, timed, true);
  // Messages between the margins, which perftest has an alarm for.
  const [size, messages] = figures(printed) as [number, number];
  const perSecond = messages / WINDOW;
  const looks = [...printed.matchAll(/^(cpu .*)\n([\d.]+) /gm)].map(([, stat, uptime]) => ({
    busy: busySeconds(stat!),
    at: Number(uptime),
  }));
  const [before, after] = looks;
  if (!before || !after) throw new Error(`the CPU was not sampled:\n${printed}`);
  const busy = (after.busy - before.busy) / (after.at - before.at);
  return {
    gbps: (perSecond * size * 8) / 1e9,
    millions: perSecond / 1e6,
    cpuPerGB: busy / ((perSecond * size) / 1e9),
  };
}

/** The typical half of a round trip, microseconds. */
export async function latency(end: End, program: string, options: readonly string[]): Promise<number> {
  const printed = await run(end, program, ['-C', ...options], false);
  const megahertz = Number(/^cpu MHz\s*: ([\d.]+)$/m.exec(printed)?.[1]);
  // Size, iterations, min, max, typical: cycles.
  return (figures(printed)[4] as number) / megahertz;
}
