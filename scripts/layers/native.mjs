// The layers of the native part: includes go only where an arrow allows, no files include each other in a circle, every
// arrow is used, and the device's files are in the namespace of their folder.
import { dirname, join, normalize } from 'node:path';
import { code } from '../lib/generated.mjs';
import { circles, sources, text } from '../lib/graph.mjs';

// Layers from the bottom to the top. A layer may include itself and the layers in `may`, which are all below it.
// A file belongs to the layer with the longest name that its path begins with; `uroce` is only the files right in it.
const layers = [
  { name: 'uroce', what: 'types, clocks, errors and random numbers that every part uses', may: [] },
  {
    name: 'uroce/ext',
    what: 'the header of the extension API; the settings of the fault injector as bytes',
    may: [],
  },
  { name: 'uroce/wire', what: 'headers, opcodes, ICRC', may: [] },
  {
    name: 'uroce/transport/queues',
    what: 'work queues, shared receive queues, completion queues',
    may: ['uroce'],
  },
  {
    name: 'uroce/transport/memory',
    what: 'memory regions and windows, access by scatter/gather lists',
    may: ['uroce', 'uroce/transport/queues'],
  },
  {
    name: 'uroce/transport/policy',
    what: 'recovery from loss and congestion control: one policy per file',
    may: [],
  },
  {
    name: 'uroce/transport',
    what: 'queue pairs: requester, responder, completer',
    may: [
      'uroce',
      'uroce/wire',
      'uroce/transport/queues',
      'uroce/transport/memory',
      'uroce/transport/policy',
    ],
  },
  {
    name: 'uroce/net/host',
    what: 'addresses, clock, file descriptors',
    may: ['uroce', 'uroce/wire'],
  },
  {
    name: 'uroce/net/udp',
    what: 'UDP sockets and batches; steering by QPN',
    may: ['uroce', 'uroce/wire', 'uroce/net/host'],
  },
  {
    name: 'uroce/net/share',
    what: 'one address for several processes',
    may: ['uroce', 'uroce/wire', 'uroce/net/host', 'uroce/net/udp'],
  },
  {
    name: 'uroce/net/shm',
    what: 'rings in shared memory between the processes of a host',
    may: ['uroce', 'uroce/net/host', 'uroce/net/udp', 'uroce/net/share'],
  },
  {
    name: 'uroce/net/port',
    what: 'carries the engine’s packets to and from sockets and rings; ICRC check',
    may: ['uroce', 'uroce/wire', 'uroce/transport', 'uroce/net/host', 'uroce/net/udp', 'uroce/net/shm'],
  },
  {
    name: 'uroce/net/tap',
    what: 'packet tap, pcapng, fault injector',
    may: ['uroce', 'uroce/ext', 'uroce/transport', 'uroce/net/host', 'uroce/net/udp', 'uroce/net/port'],
  },
  {
    name: 'uroce/report',
    what: 'the misuse report: objects, findings, text and JSON output',
    may: ['uroce'],
  },
  {
    name: 'uroce/feed',
    what: 'what a program reports to `verbslab exec`: record buffers, framing, a thread',
    may: ['uroce', 'uroce/net/tap'],
  },
  {
    name: 'uroce/verbs',
    what: 'the libibverbs ABI, the extension API, the device',
    may: [
      'uroce',
      'uroce/ext',
      'uroce/wire',
      'uroce/transport/queues',
      'uroce/transport/policy',
      'uroce/transport',
      'uroce/net/host',
      'uroce/net/udp',
      'uroce/net/share',
      'uroce/net/shm',
      'uroce/net/port',
      'uroce/net/tap',
      'uroce/report',
      'uroce/feed',
    ],
  },
  {
    name: 'uroce/cm/protocol',
    what: 'the state machine of the connection manager, without I/O',
    may: ['uroce', 'uroce/wire'],
  },
  {
    name: 'uroce/cm',
    what: 'the librdmacm ABI; delivers each request to its process',
    may: [
      'uroce',
      'uroce/wire',
      'uroce/transport',
      'uroce/net/host',
      'uroce/net/udp',
      'uroce/net/share',
      'uroce/net/port',
      'uroce/report',
      'uroce/verbs',
      'uroce/cm/protocol',
    ],
  },
  {
    name: 'uroce/paths',
    what: 'makes the device appear in `/sys` and `/dev` by wrapping libc calls that take a path; a separate library, preloaded by `exec`',
    may: ['uroce/ext'],
  },
  {
    name: 'bench',
    what: 'measuring loops, HDR histograms, CPU accounting; a flood of packets',
    may: ['uroce', 'uroce/ext', 'uroce/wire'],
  },
  {
    name: 'sim/core',
    what: 'the fabric simulator: virtual time, events, packets as lengths, random numbers',
    may: ['uroce'],
  },
  {
    name: 'sim/fabric',
    what: 'hosts around the transport engine, links, switches, topologies',
    may: ['uroce/transport', 'sim/core'],
  },
  {
    name: 'sim/workload',
    what: 'flows, collectives, storage traffic and raw packets',
    may: ['sim/core', 'sim/fabric'],
  },
  {
    name: 'sim/scenario',
    what: 'a scenario read from JSON, its run, and what came of it',
    may: ['uroce', 'uroce/wire', 'sim/fabric', 'sim/workload'],
  },
  {
    name: 'sim/vlsim',
    what: 'the simulator as a program',
    may: ['sim/scenario'],
  },
  {
    name: 'capture',
    what: 'captures the RoCEv2 packets of a network interface with libpcap; a separate program because of its capability',
    may: ['uroce'],
  },
  {
    name: 'confine',
    what: 'runs a program so that it reaches nothing but its folder and the embedded device; a separate program, since it stays as the parent',
    may: ['uroce'],
  },
  {
    name: 'addon',
    what: 'node-addon-api classes, a pair of files each',
    may: ['uroce/ext', 'bench'],
  },
];

const kInclude = /^#\s*include "([^"]+)"/gm;

const layerOf = (file) =>
  layers
    .filter(({ name }) => dirname(file) === name || (name !== 'uroce' && file.startsWith(`${name}/`)))
    .reduce((best, layer) => (best && best.name.length > layer.name.length ? best : layer), undefined);

/** Files that each file includes: by paths from native/ on, or beside it. */
function includeGraph() {
  const files = sources('native/*.h', 'native/*.cc', 'native/*.c').map((file) =>
    file.slice('native/'.length),
  );
  const known = new Set(files);
  return new Map(
    files.map((file) => [
      file,
      [...text(`native/${file}`).matchAll(kInclude)]
        .flatMap(([, path]) => [path, normalize(join(dirname(file), path))])
        .filter((path) => known.has(path)),
    ]),
  );
}

/** Faults of the arrows between layers, and the layers that each layer includes. */
function arrows(graph) {
  const trouble = [];
  const used = new Map(layers.map(({ name }) => [name, new Set()]));
  for (const [file, includes] of graph) {
    const from = layerOf(file);
    if (file.startsWith('tests/')) continue; // a test may include anything
    if (!from) {
      trouble.push(`native/${file} is in no layer: add its folder to scripts/layers/native.mjs`);
      continue;
    }
    for (const include of includes) {
      const to = layerOf(include);
      if (to === from) continue;
      if (to && from.may.includes(to.name)) used.get(from.name).add(to.name);
      else
        trouble.push(`native/${file} includes ${include}: ${from.name} may not know ${to?.name ?? 'tests'}`);
    }
  }
  for (const [index, { name, may }] of layers.entries()) {
    for (const other of may) {
      const below = layers.slice(0, index).some((layer) => layer.name === other);
      if (!below) trouble.push(`${name} names ${other}, which is no layer below it`);
      else if (!used.get(name).has(other))
        trouble.push(`${name} no longer includes ${other}: take the arrow away`);
    }
  }
  return { trouble, used };
}

const kNamespace = /^namespace (uroce[\w:]*) \{\n((?:(?:class|struct) \w+;\n)*\})?/gm;

/** Files of the device that open a namespace that is not their folder's, other than to declare a class of it. */
const namespaces = (files) =>
  files
    .filter((file) => file.startsWith('uroce/'))
    .flatMap((file) => {
      const own = file.split('/').slice(0, -1).slice(0, 2).join('::');
      return [...text(`native/${file}`).matchAll(kNamespace)]
        .filter(([, name, forward]) => !forward && name !== own && !name.startsWith(`${own}::`))
        .map(([, name]) => `native/${file} opens namespace ${name}: files of its folder are in ${own}`);
    });

const row = ({ name, what }, includes) =>
  `| ${code(`native/${name}`)} | ${what} | ${[...includes].map(code).join(', ') || 'none'} |`;

/** Faults, the table for the docs, and a summary. */
export function nativeLayers() {
  const graph = includeGraph();
  const { trouble, used } = arrows(graph);
  trouble.push(...namespaces([...graph.keys()]));
  trouble.push(...circles(graph).map((circle) => `files include each other: ${circle.join(' -> ')}`));
  const inOrder = (names) => layers.map(({ name }) => name).filter((name) => names.has(name));
  const table = [
    '| layer | what it is | includes |',
    '| --- | --- | --- |',
    ...layers.map((layer) => row(layer, inOrder(used.get(layer.name)))),
  ].join('\n');
  return {
    trouble,
    tables: { 'native layers': table },
    summary: `${layers.length} native layers of ${graph.size} files`,
  };
}
