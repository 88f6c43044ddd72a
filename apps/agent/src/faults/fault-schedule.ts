import { AppError, type PlannedFaults } from '@verbslab/protocol';

/** Injects planned faults, each at its time after the start. */
export class FaultSchedule {
  readonly #timers: NodeJS.Timeout[] = [];

  /**
   * Resolves when the faults planned for the start are in effect. Later ones follow by themselves, or end in `failed`;
   * at the latest `stop` ends them.
   */
  async start(
    plan: readonly PlannedFaults[],
    inject: (planned: PlannedFaults) => Promise<unknown>,
    failed: (error: unknown) => void,
  ): Promise<void> {
    for (const planned of plan)
      if (planned.at > 0)
        this.#timers.push(setTimeout(() => void inject(planned).catch(failed), planned.at * 1000));
    for (const planned of plan) if (planned.at === 0) await inject(planned);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }
}

/** Checks a plan. Throws AppError NO_FAULTS for an endpoint that the run does not have. */
export function checkPlan(plan: readonly PlannedFaults[], endpoints: readonly string[]): void {
  const stray = plan.find(({ endpoint }) => endpoint !== undefined && !endpoints.includes(endpoint));
  if (stray)
    throw new AppError('NO_FAULTS', {
      why: `it has no endpoint “${stray.endpoint}”, only ${endpoints.join(', ')}`,
    });
}
