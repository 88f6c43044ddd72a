// The plan of the TypeScript house: packages, and the layers inside each.
//
// Packages stand from the bottom to the top; each may import those that it names. Layers stand from the bottom to the
// top; each may use itself and all below it. A layer is a list of folders right in src; several folders of one layer do
// not know each other. `.` is the files right in src; index.ts there is the door of the package and may use all. `*` is every
// folder that no other layer names. A folder `generated` is written by the build and not checked.
export const packages = [
  {
    name: 'packages/protocol',
    what: 'zod schemas of every message, events, binary frames, error codes; no I/O',
    may: [],
    layers: [
      { folders: ['error-codes'], what: 'the table of error codes' },
      { folders: ['.'], what: 'a file for each subject: messages, events, runs, devices, results' },
      { folders: ['bundle'], what: 'the file format of an exported run' },
      { folders: ['exports'], what: 'a run written as CSV, JSON, trace or bundle' },
    ],
  },
  {
    name: 'packages/roce',
    what: 'packets in TypeScript: decode, ICRC, pcapng, diagnosis; no I/O',
    may: [],
    layers: [
      { folders: ['base'], what: 'bytes, fields, opcodes, CRC-32, and the types of a decoded packet' },
      { folders: ['capture', 'headers'], what: 'capture files read and written; a file for each header' },
      { folders: ['cm'], what: 'messages of the connection manager' },
      { folders: ['packet'], what: 'one packet: located, decoded, summarized, checked, built' },
      { folders: ['models'], what: 'connections and messages of a whole capture, as views draw them' },
      { folders: ['diagnosis', 'filter'], what: 'what went wrong in a capture; display filters' },
      { folders: ['columns'], what: 'a large capture in typed arrays' },
    ],
  },
  {
    name: 'packages/verbs',
    what: 'the TypeScript verbs API over the addon',
    may: ['packages/protocol'],
    layers: [
      { folders: ['native', 'base'], what: 'types of the addon; checks of arguments, errors, GIDs' },
      { folders: ['objects'], what: 'a class for each verbs object' },
      { folders: ['loop'], what: 'measuring loops and their completion records' },
      { folders: ['.'], what: 'lines of calls, for the workbench' },
    ],
  },
  {
    name: 'packages/labs',
    what: 'the catalog, one folder per lab',
    may: ['packages/protocol', 'packages/roce'],
    layers: [
      { folders: ['base'], what: 'numbers and words' },
      {
        folders: ['form', 'endpoints', 'formulas'],
        what: 'what a lab declares; verbs at one end; computed times',
      },
      {
        folders: ['wire', 'cm', 'lambda', 'load', 'loss', 'fabric'],
        what: 'what labs of one kind share: packets, connections, load',
      },
      {
        folders: ['collective', 'failures'],
        what: 'hosts of a collective operation; failures made on purpose',
      },
      { folders: ['*'], what: 'a folder for each lab, and for exercises, tools and the workbench' },
      { folders: ['catalog'], what: 'all labs: listed, found, described' },
    ],
  },
  {
    name: 'packages/charts',
    what: 'what charts are drawn from, their components over recharts, and static markup of them; no I/O, no store of a page',
    may: ['packages/protocol', 'packages/labs'],
    layers: [
      { folders: ['data'], what: 'series and tables of a chart, without React' },
      { folders: ['plot'], what: 'a chart of recharts with fixed axes' },
      { folders: ['marks'], what: 'lines, names and shaded stretches that charts have in common' },
      { folders: ['charts'], what: 'goodput, CPU, latency, runs compared, and the curves of labs' },
      { folders: ['static'], what: 'markup of a chart for a report' },
    ],
  },
  {
    name: 'packages/report',
    what: 'what went wrong, and the report of a run; no I/O, no document',
    may: ['packages/protocol', 'packages/roce', 'packages/labs', 'packages/charts'],
    layers: [
      {
        folders: ['policies', 'queues', 'simulations', 'standstill'],
        what: 'policies of queue pairs; occupancy of queues; simulated fabrics; what a program waits for',
      },
      { folders: ['failure'], what: 'problems of a run, and output of its program' },
      { folders: ['content'], what: 'what a report says, whatever its format' },
      { folders: ['html', 'markdown'], what: 'the formats' },
      { folders: ['.'], what: 'the table of formats' },
    ],
  },
  {
    name: 'apps/agent',
    what: 'device ownership, runs, WebSocket and HTTP server, history, the `verbslab` command',
    may: ['packages/protocol', 'packages/roce', 'packages/verbs', 'packages/labs', 'packages/report'],
    layers: [
      { folders: ['base'], what: 'time limits, logs, ends of processes' },
      {
        folders: ['config', 'faults', 'capture'],
        what: 'settings and secrets of the agent; faults of the network; packets of an interface',
      },
      {
        folders: ['store', 'client', 'devices'],
        what: 'the database; a client of another agent; RDMA devices of this host',
      },
      {
        folders: ['endpoint', 'vms', 'program', 'simulator'],
        what: 'child processes: endpoints, virtual machines, programs under `exec`, the fabric simulator',
      },
      {
        folders: ['peers', 'doctor', 'runs'],
        what: 'paired agents; what this host lacks; runs and their recordings',
      },
      {
        folders: ['path-check', 'imports', 'joins', 'sweeps', 'tools'],
        what: 'what is made of runs: checks of a path, imports, joins, sweeps, runs of tools',
      },
      { folders: ['workbench'], what: 'programs of the browser, compiled and confined' },
      { folders: ['server'], what: 'WebSocket and HTTP' },
      { folders: ['.'], what: 'the agent: all of them together' },
      { folders: ['cli'], what: 'the command `verbslab`' },
    ],
  },
  {
    name: 'apps/web',
    what: 'the dashboard: Next.js, exported statically, served by the agent',
    may: ['packages/protocol', 'packages/roce', 'packages/labs', 'packages/charts', 'packages/report'],
    layers: [
      { folders: ['format', '.'], what: 'numbers and times as text; addresses of pages' },
      { folders: ['ui', 'model'], what: 'controls; the model of a run' },
      { folders: ['connection'], what: 'the socket, its store and its worker' },
      { folders: ['actions'], what: 'what keys, menus and the palette do' },
      { folders: ['frame', 'parts'], what: 'what stands around every page; what several pages show' },
      { folders: ['*'], what: 'a folder for each page' },
      { folders: ['app'], what: 'routes: they compose the pages' },
    ],
  },
];

/** Files that may import types of the packages and no code: what they compute must not come from what they check. */
export const typesOnly = 'e2e/audit/roads';
