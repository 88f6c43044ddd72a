// Ways to check a sentence independently of the code that says it.
import { CALL, namesIn, type Places } from './names.js';
import type { Statement } from './statement.js';

/**
 * Definitions of subjects. The pattern is searched in the sentence and its subject. “The specification” is volume 1 of
 * the InfiniBand Architecture Specification.
 */
const REFERENCES: readonly (readonly [RegExp, string])[] = [
  [/\bP_Key/i, 'the specification, 10.9, partitioning'],
  [/\bICRC|checksum/i, 'the specification, 7.8, CRCs; annex A17, RoCEv2, for the fields that are masked'],
  [/\bGRH\b|\bGIDs?\b/, 'the specification, 8.3, GRH; chapter 4, addressing; annex A17 for RoCEv2'],
  [/\bPSNs?\b|\bMSN\b|duplicate|go-?back-?N|retransmi|coalesce/i, 'the specification, 9.7, reliable service'],
  [
    /\bNAKs?\b|\bACKs?\b|syndrome|\bRNR\b|retry/i,
    'the specification, 9.7.5 and 9.7.6, acknowledgments, RNR timers and retries',
  ],
  [/fence|in order|ordering|atomic/i, 'the specification, 10.8.3, ordering; 9.4.5, atomic operations'],
  [
    /\bQPs?\b|\bINIT\b|\bRTR\b|\bRTS\b|\bSQD\b|queue pair/i,
    'the specification, 10.3.1, states of a QP; 11.2.5, attributes per transition',
  ],
  [/\bMRs?\b|\bmemory (?:region|window)|[lr]key|regist/i, 'the specification, 10.6, memory management'],
  [/\bSRQs?\b|\bCQs?\b|CQE|completion/i, 'the specification, 10.2 and 11.4, queues and completions'],
  [
    /\bCNPs?\b|\bECN\b|DCQCN|congestion/i,
    'RoCEv2 annex A17.9 (CNP); RFC 3168 (ECN); Zhu et al., SIGCOMM 2015 (DCQCN)',
  ],
  [/\bPFC\b|pause/i, 'IEEE 802.1Q, clause 36 (PFC); 802.3, annex 31B (PAUSE)'],
  [
    /rdma_cm|librdmacm|\bREQ\b|\bREP\b|\bDREQ\b|timewait|ConnectRe/i,
    'linux: drivers/infiniband/core/cm.c and cma.c; the specification’s chapter 12',
  ],
  [/\brxe\b|SoftRoCE/i, 'linux: drivers/infiniband/sw/rxe'],
  [/\bmlx5\b|ConnectX|hw_counters/i, 'linux: drivers/infiniband/hw/mlx5; rdma-core: providers/mlx5'],
  [/perftest|ib_(?:write|read|send|atomic)_(?:bw|lat)/i, 'perftest: src/perftest_parameters.c'],
  [/RLIMIT|mlock|pinn|memory limit/i, 'mlock(2), getrlimit(2); linux: drivers/infiniband/core/umem.c'],
];

/** Ways that the sentence's own file suggests. */
function byItsFile({ by, file }: Statement): string[] {
  const lab = /^packages\/labs\/src\/([^/]+)\//.exec(file)?.[1];
  switch (by) {
    case 'lab text':
      return [`verbslab run ${lab}`, `the sources at the end of ${file}`];
    case 'lab':
      return [`the code around it, and a run of the lab (verbslab labs lists them)`];
    case 'failure':
      return ['verbslab run clinic, with this case'];
    case 'explanation':
      return ['the page Explanations with a run of its lab; e2e/audit/explained computes the figures again'];
    case 'counter':
      return [
        'a run in which it moves; linux: drivers/infiniband/sw/rxe/rxe_hw_counters.c and hw/mlx5/counters.c for names of theirs',
      ];
    case 'error':
      return ['provoke it: the tests that name it show how'];
    case 'term':
      return ['the specification, or Wireshark’s name for the field (tshark -G fields)'];
    case 'diagnosis':
      return ['verbslab decode FILE --diagnose, and tshark over the same file'];
    case 'doc':
      return ['do what it says; its tests'];
  }
}

/** Returns at least one way, the nearest first. */
export function waysTo(statement: Statement, places: Places): string[] {
  const said = `${statement.about} ${statement.text}`;
  const names = namesIn(said);
  const manual = names
    .filter((name) => CALL.test(name))
    .map((name) => `https://man7.org/linux/man-pages/man3/${name}.3.html`);
  const code = names.flatMap((name) => {
    const found = places.of(name).filter((place) => !place.startsWith(`${statement.file}:`));
    return found.length === 0 ? [] : [`${name}: ${found.join(', ')}`];
  });
  const references = REFERENCES.flatMap(([subject, where]) => (subject.test(said) ? [where] : []));
  return [...byItsFile(statement), ...code, ...manual, ...references];
}
