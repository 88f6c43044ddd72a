/** The stock programs and switches that must run: a line each, run by stock.test.ts. */
import { UDP_SPACE, type Ready } from './run.js';

export interface Line {
  program: string;
  args: string[];
  /** Expected output of the client (and of the server, by default). */
  prints: RegExp;
  serverPrints?: RegExp;
}

/** ibv_{rc,uc,ud,srq}_pingpong: counts bytes of both directions. */
function pingpong(args: string, size: number, iterations: number, transport = 'rc'): Line {
  return {
    program: `ibv_${transport}_pingpong`,
    args: args.split(' '),
    prints: new RegExp(`^${String(2 * size * iterations)} bytes in `, 'm'),
  };
}

/**
 * perftest: a row with the message size, the iterations and figures greater than zero.
 *
 * perftest measures the CPU's frequency at every size by spinning for a fifth of a second. If it is preempted for 3 ms
 * at the wrong place, it distrusts the result (r^2 below 0.9) and, without -F, exits with 1. With -F it goes on, and
 * the figures in that one row are 0 or infinite.
 */
function perfRow(size: number, iterations?: number): RegExp {
  const row = `^\\s*${String(size)}\\s+${iterations === undefined ? '[1-9]\\d*' : String(iterations)}\\s`;
  // The average, or for 1 B, whose average may be 0.00 MB/s on a busy machine, the message rate behind it.
  const before = size === 1 ? 2 : 1;
  return new RegExp(
    `${row}+(?:[\\d.]+\\s+){${before}}[\\d.]*[1-9]|Correlation coefficient r\\^2[^]*${row}`,
    'm',
  );
}

function perf(program: string, args: string, size: number, iterations?: number): Line {
  return { program, args: `-F ${args}`.split(' '), prints: perfRow(size, iterations) };
}

export const matrix: Line[] = [
  pingpong('-g 1', 4096, 1000),
  pingpong('-g 0', 4096, 1000),
  pingpong('-g 1 -e', 4096, 1000),
  pingpong('-g 1 -c', 4096, 1000),
  pingpong('-g 0 -e -c -n 300', 4096, 300),
  pingpong('-g 1 -s 1 -n 2000', 1, 2000),
  pingpong('-g 1 -s 777 -n 500', 777, 500),
  pingpong('-g 1 -s 4097 -c -n 300', 4097, 300),
  pingpong('-g 1 -s 65537 -n 200', 65537, 200),
  pingpong('-g 1 -s 1048576 -n 50', 1048576, 50),
  pingpong('-g 1 -s 1048576 -e -c -n 30', 1048576, 30),
  pingpong('-g 1 -m 256 -s 10000 -n 200', 10000, 200),
  pingpong('-g 1 -m 4096 -s 10000 -n 200', 10000, 200),
  pingpong('-g 1 -N -n 500', 4096, 500),

  pingpong('-g 1', 4096, 1000, 'srq'),
  pingpong('-g 0 -e', 4096, 1000, 'srq'),
  pingpong('-g 1 -c -q 3 -s 777 -n 300', 777, 300, 'srq'),
  pingpong('-g 1 -e -c -s 65537 -r 20 -n 100', 65537, 100, 'srq'),
  pingpong('-g 1 -q 1 -s 1 -m 256 -n 500', 1, 500, 'srq'),

  pingpong('-g 1', 4096, 1000, 'uc'),
  pingpong('-g 0', 4096, 1000, 'uc'),
  pingpong('-g 1 -e', 4096, 1000, 'uc'),
  pingpong('-g 1 -s 1 -n 2000', 1, 2000, 'uc'),
  pingpong('-g 1 -s 4097 -c -n 300', 4097, 300, 'uc'),
  pingpong('-g 1 -m 256 -s 10001 -n 200', 10001, 200, 'uc'),
  pingpong('-g 1 -s 1048576 -e -n 50', 1048576, 50, 'uc'),
  pingpong('-g 1', 1024, 1000, 'ud'),
  pingpong('-g 0', 1024, 1000, 'ud'),
  pingpong('-g 1 -e', 1024, 1000, 'ud'),
  pingpong('-g 1 -s 1 -n 2000', 1, 2000, 'ud'),
  pingpong('-g 1 -s 777 -e -c -n 500', 777, 500, 'ud'),
  pingpong('-g 1 -s 4096 -n 500', 4096, 500, 'ud'),

  perf('ib_write_bw', '-x 1 -n 2000', 65536, 2000),
  perf('ib_write_bw', '-n 2000', 65536, 2000),
  perf('ib_write_bw', '-x 1 -a -n 100', 8388608, 100),
  perf('ib_write_bw', '-x 1 -b -n 500', 65536, 500),
  perf('ib_write_bw', '-x 1 -q 8 -n 500', 65536),
  perf('ib_write_bw', '-x 1 -m 1024 -n 500', 65536, 500),
  perf('ib_write_bw', '-x 1 -s 64 -l 32 -n 6400', 64, 6400),
  perf('ib_write_bw', '-x 1 -s 64 -I 64 -n 2000', 64, 2000),
  perf('ib_write_bw', '-x 1 -s 1 -n 2000', 1, 2000),
  perf('ib_write_bw', '-x 1 -D 2', 65536),
  perf('ib_write_lat', '-x 1 -n 1000', 2, 1000),
  perf('ib_write_lat', '-n 1000', 2, 1000),
  perf('ib_write_lat', '-x 1 -s 65536 -n 300', 65536, 300),
  perf('ib_read_bw', '-x 1 -n 1000', 65536, 1000),
  perf('ib_read_bw', '-n 1000', 65536, 1000),
  perf('ib_read_bw', '-x 1 -a -n 100', 8388608, 100),
  perf('ib_read_bw', '-x 1 -e -n 500', 65536, 500),
  perf('ib_read_bw', '-x 1 -q 8 -n 300', 65536),
  perf('ib_read_lat', '-x 1 -n 500', 2, 500),
  perf('ib_read_lat', '-x 1 -s 100000 -n 200', 100000, 200),
  perf('ib_send_bw', '-x 1 -n 1000', 65536, 1000),
  perf('ib_send_bw', '-n 1000', 65536, 1000),
  perf('ib_send_bw', '-x 1 -a -n 100', 8388608, 100),
  perf('ib_send_bw', '-x 1 -b -n 500', 65536, 500),
  perf('ib_send_bw', '-x 1 -e -n 500', 65536, 500),
  perf('ib_send_bw', '-x 1 -q 8 -n 300', 65536),
  perf('ib_send_bw', '-x 1 -s 64 -l 16 -n 3200', 64, 3200),
  perf('ib_send_bw', '-x 1 -D 2', 65536),
  perf('ib_send_bw', '-x 1 --use-srq -n 500', 65536, 500),
  perf('ib_send_bw', '-x 1 --use-srq -q 8 -n 300', 65536),
  perf('ib_send_bw', '-x 1 --use-srq -b -e -n 300', 65536, 300),
  perf('ib_send_lat', '-x 1 --use-srq -n 500', 2, 500),
  perf('ib_send_lat', '-x 1 -n 1000', 2, 1000),
  perf('ib_send_lat', '-n 1000', 2, 1000),
  perf('ib_send_lat', '-x 1 -e -n 500', 2, 500),
  perf('ib_send_lat', '-x 1 -s 8192 -n 500', 8192, 500),
  perf('ib_write_bw', '-x 1 -c UC -n 2000', 65536, 2000),
  perf('ib_write_bw', '-x 1 -c UC -a -n 100', 8388608, 100),
  perf('ib_write_bw', '-x 1 -c UC -s 64 -n 5000', 64, 5000),
  perf('ib_write_lat', '-x 1 -c UC -n 500', 2, 500),
  perf('ib_send_bw', '-x 1 -c UC -n 1000', 65536, 1000),
  perf('ib_send_bw', '-x 1 -c UC -a -n 100', 8388608, 100),
  perf('ib_send_bw', '-x 1 -c UC -b -n 500', 65536, 500),
  perf('ib_send_bw', '-x 1 -c UC -e -q 4 -n 300', 65536),
  perf('ib_send_lat', '-x 1 -c UC -n 1000', 2, 1000),
  perf('ib_send_lat', '-x 1 -c UC -e -s 8192 -n 500', 8192, 500),
  perf('ib_send_bw', '-x 1 -c UD -n 2000', 4096, 2000),
  perf('ib_send_bw', '-x 0 -c UD -s 1000 -n 2000', 1000, 2000),
  perf('ib_send_bw', '-x 1 -c UD -b -n 1000', 4096, 1000),
  perf('ib_send_bw', '-x 1 -c UD -e -n 1000', 4096, 1000),
  perf('ib_send_bw', '-x 1 -c UD -s 64 -l 16 -n 3200', 64, 3200),
  perf('ib_send_bw', '-x 1 -c UD -q 4 -n 500', 4096),
  perf('ib_send_bw', '-x 1 -c UD -D 2', 4096),
  perf('ib_send_bw', '-x 1 -c UD -g -M 0:0:0:0:0:0:0:0:0:0:255:255:239:1:2:3 -n 500', 4096, 500),
  perf('ib_send_lat', '-x 1 -c UD -n 1000', 2, 1000),
  perf('ib_send_lat', '-x 1 -c UD -e -s 2048 -n 500', 2048, 500),
  perf('ib_atomic_bw', '-x 1 -n 2000', 8, 2000),
  perf('ib_atomic_bw', '-n 2000', 8, 2000),
  perf('ib_atomic_bw', '-x 1 -A CMP_AND_SWAP -n 2000', 8, 2000),
  perf('ib_atomic_bw', '-x 1 -q 8 -n 500', 8),
  perf('ib_atomic_bw', '-x 1 -e -n 500', 8, 500),
  perf('ib_atomic_lat', '-x 1 -n 500', 8, 500),
];

/** Programs that meet through the connection manager (librdmacm). `{port}` is a port of this pair alone. */
export interface CmLine {
  server: string;
  client: string;
  serverPrints?: RegExp;
  clientPrints?: RegExp;
  /** Sign that the server is ready, if it is not the bound port of the TCP space. */
  ready?: Ready;
}

/** rping: the n-th ping carries its number and the alphabet from there on. */
function rping(args: string, count: number, address = '127.0.0.1'): CmLine {
  const data = new RegExp(`ping data: rdma-ping-${String(count - 1)}: `);
  return {
    server: `rping -s ${address === '::1' ? '-a :: ' : ''}-p {port} -v -C ${String(count)} ${args}`.trim(),
    client: `rping -c -a ${address} -p {port} -v -C ${String(count)} ${args}`.trim(),
    serverPrints: data,
    clientPrints: data,
  };
}

/** perftest with -R: the connection manager makes both the exchange and the queue pairs. */
function perfCm(program: string, args: string, size: number): CmLine {
  const line = `${program} -F -R -p {port} ${args}`;
  return { server: line, client: `${line} 127.0.0.1`, clientPrints: perfRow(size) };
}

export const cmMatrix: CmLine[] = [
  rping('-V', 10),
  rping('', 3),
  rping('-V -S 60000', 30),
  rping('-V -q', 10),
  rping('-V', 10, '::1'),
  {
    server: 'rdma_server -p {port}',
    client: 'rdma_client -s 127.0.0.1 -p {port}',
    serverPrints: /rdma_server: end 0/,
    clientPrints: /rdma_client: end 0/,
  },
  {
    server: 'rdma_xserver -p {port}',
    client: 'rdma_xclient -s 127.0.0.1 -p {port}',
    serverPrints: /rdma_xserver: end 0/,
    clientPrints: /rdma_xclient: end 0/,
  },
  ...['-c 10 -C 100', '-c 1 -C 10 -S 60000', '-c 100 -C 10', '-c 10 -C 10 -m', '-c 2 -C 10 -t 8 -a 14'].map(
    (args) => ({
      server: `ucmatose -p {port} ${args}`,
      client: `ucmatose -s 127.0.0.1 -p {port} ${args}`,
      serverPrints: /return status 0/,
      clientPrints: /return status 0/,
    }),
  ),
  ...['-c 2 -C 20', '-c 1 -C 5 -S 1000', '-c 10 -C 10 -t 8'].map((args) => ({
    server: `udaddy ${args}`,
    client: `udaddy -s 127.0.0.1 ${args}`,
    serverPrints: /return status 0/,
    clientPrints: /return status 0/,
    ready: { port: 7174, space: UDP_SPACE },
  })),
  {
    server: 'mckey -m 239.1.1.1 -b 127.0.0.1 -C 5',
    client: 'mckey -m 239.1.1.1 -b 127.0.0.1 -C 5 -s',
    serverPrints: /return status 0/,
    clientPrints: /return status 0/,
    ready: { group: '239.1.1.1' },
  },
  perfCm('ib_write_bw', '-n 500', 65536),
  perfCm('ib_write_bw', '-n 300 -q 4', 65536),
  perfCm('ib_write_lat', '-n 300', 2),
  perfCm('ib_read_bw', '-n 500', 65536),
  perfCm('ib_read_lat', '-n 300', 2),
  perfCm('ib_send_bw', '-n 500', 65536),
  perfCm('ib_send_lat', '-n 300', 2),
  perfCm('ib_send_bw', '-c UD -s 1024 -n 300', 1024),
  perfCm('ib_send_lat', '-c UD -s 2 -n 300', 2),
  perfCm('ib_atomic_bw', '-n 300', 8),
];

/** Lines that run several times at once, as several pairs. */
export const together: Line[] = [
  pingpong('-g 1 -n 300', 4096, 300, 'srq'),
  pingpong('-g 1 -n 500', 4096, 500),
  pingpong('-g 0 -e -n 300', 4096, 300),
  perf('ib_write_bw', '-x 1 -n 1000', 65536, 1000),
  perf('ib_send_bw', '-x 1 -n 500', 65536, 500),
  perf('ib_read_bw', '-x 1 -n 500', 65536, 500),
  pingpong('-g 1 -s 100000 -n 200', 100000, 200, 'uc'),
  pingpong('-g 1 -e -n 300', 1024, 300, 'ud'),
];
