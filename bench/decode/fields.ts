import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Sums over all packets: what two decoders have to agree on. */
export interface FieldSums {
  packets: number;
  bytes: number;
  /** Sum of the times since the first packet, in microseconds. */
  us: number;
  opcode: number;
  destQp: number;
  psn: number;
  syndrome: number;
  /** Packets from the first packet's source. */
  forward: number;
}

const FIELDS = [
  'frame.time_relative',
  'frame.len',
  'ip.src',
  'ip.dst',
  'infiniband.bth.opcode',
  'infiniband.bth.destqp',
  'infiniband.bth.psn',
  'infiniband.aeth.syndrome',
];

/** Reads the fields with tshark; its CPU seconds by the kernel, and the sums if they are wanted. */
export async function tsharkFields(
  path: string,
  summed: boolean,
): Promise<{ cpuSeconds: number; sums: FieldSums }> {
  const args = ['-r', path, '-T', 'fields', ...FIELDS.flatMap((field) => ['-e', field])];
  // The shell's `times` tells the CPU time of its child alone.
  const script = `tshark "$@" ${summed ? '' : '> /dev/null'} && times >&2`;
  const child = spawn('sh', ['-c', script, 'sh', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const closed = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const sums = { packets: 0, bytes: 0, us: 0, opcode: 0, destQp: 0, psn: 0, syndrome: 0, forward: 0 };
  let source = '';
  for await (const line of createInterface({ input: child.stdout })) {
    const [time, length, src, , opcode, destQp, psn, syndrome] = line.split('\t');
    source ||= src!;
    sums.packets++;
    sums.bytes += Number(length);
    sums.us += Math.round(Number(time) * 1e6);
    sums.opcode += Number(opcode);
    sums.destQp += Number(destQp);
    sums.psn += Number(psn);
    sums.syndrome += Number(syndrome);
    if (src === source) sums.forward++;
  }
  const code = await closed;
  const times = [...said.matchAll(/(\d+)m([\d.]+)s (\d+)m([\d.]+)s/g)].at(-1);
  if (code !== 0 || !times) throw new Error(`tshark ended with ${code}:\n${said}`);
  const [um, us, sm, ss] = times.slice(1).map(Number) as [number, number, number, number];
  return { cpuSeconds: 60 * (um + sm) + us + ss, sums };
}
