/** Programs between the two devices: a line each, run by interop.ts. `{at}` is the server's address. */

/** A line of programs/interop.c. */
export interface Exchange {
  /** Options of both sides. */
  args: string;
  /** Expected output of the requester. The responder of one-sided operations sees no messages. */
  prints: RegExp;
}

const right = (operation: string, messages: string): RegExp =>
  new RegExp(`^${operation}: ${messages} messages, \\d+ bytes right$`, 'm');

const exchange = (operation: string, args: string, messages = '[1-9]\\d*'): Exchange => ({
  args: `-o ${operation} ${args}`.trim(),
  prints: right(operation, messages),
});

/** 17 sizes from nothing to 1 MiB, at the least, the usual and the largest path MTU. */
export const reliable: Exchange[] = ['send', 'send_imm', 'write', 'write_imm', 'read'].flatMap((operation) =>
  [256, 1024, 4096].map((mtu) => exchange(operation, `-m ${mtu}`, '17')),
);

export const special: Exchange[] = [
  exchange('atomic', '-r 20', '80'),
  exchange('rnr', '-r 3', '3'),
  exchange('send', '-q', '17'),
  exchange('send_imm', '-q -m 256', '17'),
  exchange('write_imm', '-q -m 4096', '17'),
];

/** Failures. Each ends with the wc status that the C program expects, and flushes the requests after it. */
export const failures: Exchange[] = ['bad_rkey', 'bad_range', 'too_long', 'no_receive', 'nobody'].map(
  (operation) => exchange(operation, '', '1'),
);

export const unreliable: Exchange[] = [
  ...['send', 'send_imm', 'write', 'write_imm'].map((operation) =>
    exchange(operation, '-c uc -m 1024', '14'),
  ),
  exchange('send', '-c uc -m 4096', '15'),
  exchange('send', '-c ud -m 1024', '10'),
  exchange('send_imm', '-c ud -m 4096', '13'),
];

/**
 * Messages over a link that loses, reorders and duplicates packets. 100,001 B are 25 packets of 4096 bytes: rxe of
 * Linux 6.1 hangs if an ACK comes while it retransmits a message of more than 64 packets (see `stock`).
 */
export const troubled: Exchange[] = [
  exchange('send', '-s 100001 -m 4096 -r 20', '20'),
  exchange('write_imm', '-s 100001 -m 4096 -r 20', '20'),
  exchange('read', '-s 100001 -m 4096 -r 20', '20'),
  exchange('atomic', '-r 10', '40'),
];

export const impairments: readonly (readonly string[])[] = [
  ['loss=1%'],
  ['delay=1ms', 'reorder=25%'],
  ['duplicate=5%'],
  ['loss=1%', 'duplicate=2%', 'delay=500us', 'jitter=200us'],
];

/** A stock program whose server listens on a TCP port. `{port}` is a port of this line alone. */
export interface Stock {
  server: string;
  client: string;
  prints: RegExp;
}

function pingpong(transport: string, args: string, size: number, iterations: number): Stock {
  const line = `ibv_${transport}_pingpong -p {port} -g 1 ${args} -s ${size} -n ${iterations}`;
  return {
    server: line,
    client: `${line} {at}`,
    prints: new RegExp(`^${2 * size * iterations} bytes in `, 'm'),
  };
}

/** perftest: a row with the message size, and a rate or latency at its end that is greater than zero. */
function perf(line: string, size: number): Stock {
  const all = `${line.replace(' ', ' -p {port} -x 1 -F ')}`;
  const row = new RegExp(`^\\s*${size}\\s+[1-9]\\d*\\s.*\\s[\\d.]*[1-9][\\d.]*\\s*$`, 'm');
  return { server: all, client: `${all} {at}`, prints: row };
}

export const stock: Stock[] = [
  pingpong('rc', '', 4096, 200),
  // Packets of 4096 bytes, because rxe of Linux 6.1 hangs if an ACK comes while it retransmits a message of more than
  // 64 packets and its send queue holds one request. On a busy host, 7 of 73 runs between two rxe hung.
  pingpong('rc', '-e -m 4096', 65537, 20),
  pingpong('uc', '', 4096, 100),
  pingpong('ud', '', 1024, 100),
  pingpong('srq', '-q 3', 777, 100),
  perf('ib_write_bw -s 65536 -n 100', 65536),
  perf('ib_write_bw -s 4096 -q 4 -n 100', 4096),
  perf('ib_write_lat -s 2 -n 100', 2),
  perf('ib_read_bw -s 65536 -n 50', 65536),
  perf('ib_read_lat -s 64 -n 100', 64),
  perf('ib_send_bw -s 65536 -n 100', 65536),
  // Few messages, so that they fit any receive buffer: UD sends as fast as it can.
  perf('ib_send_bw -c UD -s 1024 -n 20', 1024),
  perf('ib_send_lat -s 64 -n 100', 64),
  perf('ib_atomic_bw -n 100', 8),
];
