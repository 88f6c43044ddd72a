// Audit of a page: every declared statement has an independent check, every panel declares its statements, and all
// checks agree.
import type { Page } from '@playwright/test';
import { Claim, Disagreement, type Roads } from './claim.js';
import { contentOf, type Shown } from './collect.js';
import { Evidence } from './evidence.js';
import { RECORDS, recordsOf, type List } from './records.js';
import { CHECKS } from './roads/checks.js';
import { COMPARE } from './roads/compare.js';
import { COMPLETIONS } from './roads/completions.js';
import { COUNTERS } from './roads/counters.js';
import { EXPLANATIONS } from './roads/explanations.js';
import { EXPLORABLES } from './roads/explorables.js';
import { FABRIC } from './roads/fabric.js';
import { FIGURES } from './roads/figures.js';
import { FINDINGS } from './roads/findings.js';
import { INCIDENT } from './roads/incident.js';
import { HEADER } from './roads/header.js';
import { LATENCY } from './roads/latency.js';
import { MACHINE } from './roads/machine.js';
import { OUTPUT } from './roads/output.js';
import { PACKETS } from './roads/packets.js';
import { PARAMETERS } from './roads/parameters.js';
import { PATHS } from './roads/paths.js';
import { PICTURE } from './roads/picture.js';
import { PROGRAM } from './roads/program.js';
import { POLICIES } from './roads/policies.js';
import { QUEUES } from './roads/queues.js';
import { RESULTS } from './roads/results.js';
import { RUNS } from './roads/runs.js';
import { SERIES } from './roads/series.js';
import { STEPS } from './roads/steps.js';
import { STRIPS } from './roads/strips.js';
import { TRAFFIC } from './roads/traffic.js';

export const ROADS: Roads<Evidence> = {
  ...CHECKS,
  ...COMPARE,
  ...COMPLETIONS,
  ...COUNTERS,
  ...EXPLANATIONS,
  ...EXPLORABLES,
  ...FABRIC,
  ...FIGURES,
  ...FINDINGS,
  ...HEADER,
  ...INCIDENT,
  ...LATENCY,
  ...MACHINE,
  ...OUTPUT,
  ...PACKETS,
  ...PARAMETERS,
  ...PATHS,
  ...PICTURE,
  ...PROGRAM,
  ...POLICIES,
  ...QUEUES,
  ...RESULTS,
  ...RUNS,
  ...SERIES,
  ...STEPS,
  ...STRIPS,
  ...TRAFFIC,
};

/** Statements in the headings of many panels, which say nothing of the panel's content. */
const OF_HEADINGS = ['provider'];

/** Panels that list records and state nothing: their rows are compared one by one, see records.ts. */
export const RECORD_PANELS: readonly string[] = ['packets'];

/** Audit of the pages of one run, or of several, and of each page in all its views: charts, then tables. */
export class Audit {
  readonly #evidence: Evidence | ReadonlyMap<string, Evidence>;
  readonly #panels = new Map<string, string>();
  readonly #joined = new Set<string>(RECORD_PANELS);
  /** Names of the compared statements, and `rows of` compared lists of records. */
  readonly compared = new Set<string>();

  /** `evidence`: of one run, or of the runs that a list shows, by run ID. */
  constructor(evidence: Evidence | ReadonlyMap<string, Evidence>) {
    this.#evidence = evidence;
  }

  /**
   * Audits a page. `name`: the page's name in messages. Throws Disagreement at the first statement that a check
   * contradicts.
   */
  async page(page: Page, name: string): Promise<void> {
    const { shown, panels, stray } = await contentOf(page);
    for (const one of shown) this.#statement(name, one);
    for (const list of await recordsOf(page)) this.#records(name, list);
    for (const panel of panels) this.#panels.set(panel, name);
    if (stray.length > 0)
      throw new Disagreement(
        `${name}: a figure stands outside of every data-shows (CONTRIBUTING.md, "Pages that are audited"):\n  ${stray.join('\n  ')}`,
      );
  }

  /** Evidence of the run that a statement is about. A statement outside the rows of a list is about every run. */
  #evidenceOf(claim: Claim): Evidence[] {
    if (this.#evidence instanceof Evidence) return [this.#evidence];
    const id = claim.shown.data.run;
    if (id === undefined) return [...this.#evidence.values()];
    return [this.#evidence.get(id) ?? claim.fail('the runs that the audit knows', 'none of that id', id)];
  }

  #records(name: string, { name: records, data, rows }: List): void {
    const list = RECORDS[records];
    if (!list)
      throw new Disagreement(
        `${name}, panel "${data.panel}": the records "${records}" have no other road. Add one in e2e/audit/records.ts.`,
      );
    const claim = new Claim(name, { name: records, text: '', panel: data.panel ?? '', data });
    for (const evidence of this.#evidenceOf(claim)) list.compare(claim, evidence, rows);
    this.compared.add(`rows of ${records}`);
  }

  #statement(name: string, shown: Shown): void {
    const road = ROADS[shown.name];
    if (!road)
      throw new Disagreement(
        `${name}, panel "${shown.panel}": the statement "${shown.name}" ("${shown.text}") has no other road. ` +
          'Add one in e2e/audit/roads.',
      );
    const claim = new Claim(name, shown);
    for (const evidence of this.#evidenceOf(claim)) road(claim, evidence);
    if (!OF_HEADINGS.includes(shown.name)) this.#joined.add(shown.panel);
    this.compared.add(shown.name);
  }

  /** Runs after all pages and views: every panel must have stated something in one of them. */
  expectAllJoined(): void {
    for (const [panel, name] of this.#panels)
      if (!this.#joined.has(panel))
        throw new Disagreement(
          `${name}: no element of the panel "${panel}" has data-shows. Mark what it states (CONTRIBUTING.md, "Pages that are audited").`,
        );
  }
}
