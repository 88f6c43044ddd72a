/** The stacks above verbs, from the distribution's packages: a line each, run by stacks.test.ts. */

export interface StackLine {
  /** Package that provides the program. */
  package: string;
  /** Command of the server. `{port}` is a port of this line alone. */
  server: string;
  client: string;
  env?: Record<string, string>;
  /** Devices on two addresses of the host: the server's, which the client is given, and the client's. */
  addresses?: readonly [string, string];
  /** Expected output of the client. */
  prints: RegExp;
  /** Output of the server when it is ready, if it does not listen on a TCP port. */
  ready?: string;
  /**
   * libfabric's ofi_rxm closes a connection in a thread of its own when the peer leaves, and vrb_ep_close() of
   * prov/verbs destroys the QP before it polls the CQ. A device that removes a destroyed QP's completions from its CQs,
   * as mlx5 does, leaves nothing to poll then. A program whose last completion was still there gets "flushed" for it,
   * or waits forever. So the output of such a line counts, and not how it ends.
   */
  mayLoseItsLastCompletion?: true;
}

const uroce = { UCX_NET_DEVICES: 'uroce0:1', UCX_IB_GID_INDEX: '1' };

/** ucx_perftest: a last line with the iterations. */
function ucx(args: string, iterations: number, tls?: string): StackLine {
  const line = `ucx_perftest ${args} -n ${String(iterations)} -w 10 -p {port}`;
  return {
    package: 'ucx-utils',
    server: line,
    client: `${line} 127.0.0.1`,
    env: tls === undefined ? {} : { ...uroce, UCX_TLS: tls },
    prints: new RegExp(`^Final:\\s+${String(iterations)}\\s+[\\d.]`, 'm'),
  };
}

const uct = (transport: string, args: string, iterations: number) => ({
  ...ucx(`-d uroce0:1 -x ${transport} ${args}`, iterations),
  env: { UCX_IB_GID_INDEX: '1' },
});

/** fi_pingpong with -c, which checks the arrived data. A row per size. */
function pingpong(args: string, sizes: string): StackLine {
  return {
    package: 'libfabric-bin',
    server: `fi_pingpong ${args} -c ${sizes} -B {port}`,
    client: `fi_pingpong ${args} -c ${sizes} -P {port} 127.0.0.1`,
    prints: /^\d\S*\s+(\d+)\s+=\1\s/m,
  };
}

/**
 * fio: 8 MiB in 64 KiB requests. A receiver of SENDs has a buffer for each, because fio asks for no retry without one.
 */
function fio(verb: string, verify: string): StackLine {
  const common = '--ioengine=rdma --port={port} --bs=64k --size=8m';
  const check = verify === '' ? '' : ` --verify=${verify}`;
  return {
    package: 'fio',
    server: `fio --name=server ${common} --rw=read --iodepth=128${check}${check && ' --verify_fatal=1'}`,
    client: `fio --name=client ${common} --hostname=127.0.0.1 --rw=write --verb=${verb} --iodepth=4${check}${check && ' --do_verify=0'}`,
    prints: /err= 0:[^]*io=8192KiB/,
    ready: 'waiting for connection',
  };
}

/** Returns the line between two addresses of one host. Such a device has no IPv6 address, so its GID 0 is IPv4 too. */
function between(line: StackLine, ...unset: string[]): StackLine {
  const env = Object.fromEntries(Object.entries(line.env ?? {}).filter(([name]) => !unset.includes(name)));
  const addresses = ['127.0.0.2', '127.0.0.3'] as const;
  return { ...line, env, addresses, client: line.client.replace(/127\.0\.0\.1$/, addresses[0]) };
}

/**
 * Returns the line through shared memory, which the device prefers on one host, and through the sockets of the kernel.
 */
const onBoth = (line: StackLine): StackLine[] => [line, { ...line, env: { UROCE_LINK: 'udp', ...line.env } }];

export const stackMatrix: StackLine[] = [
  ucx('-t tag_lat -s 8', 200, 'rc_v'),
  ...onBoth(ucx('-t tag_bw -s 1000000', 50, 'rc_v')),
  ucx('-t ucp_put_bw -s 65536', 100, 'rc_v'),
  ucx('-t ucp_get -s 65536', 100, 'rc_v'),
  ucx('-t ucp_am_lat -s 4096', 200, 'rc_v'),
  ...onBoth(ucx('-t ucp_fadd -s 8', 200, 'rc_v')),
  ucx('-t ucp_cswap -s 8', 200, 'rc_v'),
  ucx('-t tag_lat -s 8', 200, 'ud_v'),
  ...onBoth(ucx('-t tag_bw -s 1000000', 20, 'ud_v')),
  ucx('-t ucp_put_lat -s 8', 200, 'ud_v'),
  ucx('-t ucp_get -s 4096', 20, 'ud_v'),
  uct('rc_verbs', '-t am_lat -s 8', 200),
  uct('rc_verbs', '-t put_bw -D zcopy -s 65536', 100),
  uct('rc_verbs', '-t get -D bcopy -s 4096', 100),
  uct('rc_verbs', '-t fadd -s 8', 200),
  uct('rc_verbs', '-t cswap -s 8', 200),
  uct('ud_verbs', '-t am_lat -s 8', 200),

  ...onBoth(pingpong('-p verbs -e msg', '-I 20')),
  ...onBoth(pingpong('-p verbs -e dgram', '-I 20')),
  { ...pingpong('-p verbs;ofi_rxm -e rdm', '-I 20'), mayLoseItsLastCompletion: true },
  ...onBoth({ ...pingpong('-p verbs;ofi_rxm -e rdm', '-I 5 -S 1048576'), mayLoseItsLastCompletion: true }),
  pingpong('-p verbs;ofi_rxd -e rdm', '-I 10 -S 4096'),

  between(pingpong('-p verbs -e msg', '-I 20')),
  between(pingpong('-p verbs -e dgram', '-I 20')),
  { ...between(pingpong('-p verbs;ofi_rxm -e rdm', '-I 20')), mayLoseItsLastCompletion: true },
  between(pingpong('-p verbs;ofi_rxd -e rdm', '-I 10 -S 4096')),
  between(ucx('-t tag_lat -s 8', 200, 'rc_v'), 'UCX_IB_GID_INDEX'),
  between(ucx('-t tag_bw -s 1000000', 20, 'ud_v'), 'UCX_IB_GID_INDEX'),

  fio('write', ''),
  ...onBoth(fio('read', '')),
  ...onBoth(fio('send', 'md5')),
];

/** Ranks of one MPI program, over UCX and over libfabric. Debian's names distinguish the two implementations. */
export interface MpiLine {
  package: string;
  compiler: string;
  launcher: string;
  args: string;
  env: Record<string, string>;
}

const openMpi = { package: 'libopenmpi-dev', compiler: 'mpicc.openmpi', launcher: 'mpirun.openmpi' };
const mpich = { package: 'libmpich-dev', compiler: 'mpicc.mpich', launcher: 'mpirun.mpich' };
const ofRanks = (args: string) => `--oversubscribe --allow-run-as-root ${args}`;
const overLibfabric = ofRanks('-mca pml cm -mca mtl ofi -mca mtl_ofi_provider_include verbs;ofi_rxm');

export const mpiMatrix: MpiLine[] = [
  { ...openMpi, args: ofRanks('-mca pml ucx'), env: { ...uroce, UCX_TLS: 'rc_v,ud_v,self' } },
  {
    ...openMpi,
    args: ofRanks('-mca pml ucx'),
    env: { UROCE_LINK: 'udp', ...uroce, UCX_TLS: 'rc_v,ud_v,self' },
  },
  { ...openMpi, args: overLibfabric, env: {} },
  { ...openMpi, args: overLibfabric, env: { UROCE_LINK: 'udp' } },
  { ...mpich, args: '', env: { MPIR_CVAR_NOLOCAL: '1', ...uroce, UCX_TLS: 'rc_v,self' } },
  { ...mpich, args: '', env: { UROCE_LINK: 'udp', MPIR_CVAR_NOLOCAL: '1', ...uroce, UCX_TLS: 'ud_v,self' } },
];
export const MPI_RANKS = 4;
