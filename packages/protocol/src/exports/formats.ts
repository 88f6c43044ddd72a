// Descriptions without the writers: pages list the formats, and the agent writes the files.

export interface FormatDescription {
  /** Id in `verbslab runs export --format` and in the address. */
  id: string;
  title: string;
  /** Content of the file, as a sentence. */
  holds: string;
  /** Programs that open the file, as a list. */
  opens: string;
  /** End of the file's name. */
  ending: string;
  mediaType: string;
}

/** Every export format of a run, in the order of lists. */
export const FORMATS = {
  pcapng: {
    id: 'pcapng',
    title: 'Capture (pcapng)',
    holds: 'The captured packets, with their times.',
    opens: 'Wireshark, tshark, `verbslab decode`',
    ending: '.pcapng',
    mediaType: 'application/x-pcapng',
  },
  csv: {
    id: 'csv',
    title: 'Time series (CSV)',
    holds:
      'One row for each interval of each measuring loop: payload throughput, CPU by kind, and latency, by transport and role.',
    opens: 'spreadsheets, R, pandas',
    ending: '.csv',
    mediaType: 'text/csv; charset=utf-8; header=present',
  },
  jsonl: {
    id: 'jsonl',
    title: 'JSON lines',
    holds: 'Every event of the run, one JSON object a line, with binary frames decoded.',
    opens: 'jq, pandas, DuckDB',
    ending: '.jsonl',
    mediaType: 'application/jsonl; charset=utf-8',
  },
  trace: {
    id: 'trace',
    title: 'Trace (Chrome JSON)',
    holds: 'A timeline of calls, work requests, QP states, errors, counters and CPU; no packets.',
    opens: 'ui.perfetto.dev, chrome://tracing',
    ending: '.trace.json',
    mediaType: 'application/json; charset=utf-8',
  },
  bundle: {
    id: 'bundle',
    title: 'Run bundle',
    holds: 'The whole run, compressed: record, events, figures, packets and output.',
    opens: 'Verbs Lab on any host (Import a run, or `verbslab runs import`)',
    ending: '.vlrun',
    mediaType: 'application/x-verbslab-run',
  },
  html: {
    id: 'html',
    title: 'Report (HTML)',
    holds:
      'Question, answer, figures, charts, checks, parameters, machines and notes, as one file without scripts.',
    opens: 'any browser, without network; prints well',
    ending: '.html',
    mediaType: 'text/html; charset=utf-8',
  },
  md: {
    id: 'md',
    title: 'Report (Markdown)',
    holds: 'The same report, with tables in place of charts.',
    opens: 'issues, pull requests, wikis',
    ending: '.md',
    mediaType: 'text/markdown; charset=utf-8',
  },
} as const satisfies Record<string, FormatDescription>;

export const FORMAT_LIST: readonly FormatDescription[] = Object.values(FORMATS);
