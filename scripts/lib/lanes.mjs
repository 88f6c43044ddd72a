// Stages in lanes: those of one lane follow each other, and the lanes run beside each other.
import { EventEmitter, once } from 'node:events';

/**
 * Runs every name once. Each of `beside` is a lane of its own for those of its `stages` that are among `names`, in the order
 * of `names`; all others make the first lane. A lane begins at once, or with the stage `when` of the first lane; where that
 * one is not among `names`, its stages belong to the first lane. Rejects at the first failure of `run`.
 * @param {string[]} names
 * @param {{ stages: string[], when?: string }[]} beside
 * @param {(name: string) => Promise<void>} run
 */
export async function inLanes(names, beside, run) {
  const begins = new EventEmitter();
  const inOrder = async (list) => {
    for (const name of list) {
      begins.emit(name);
      await run(name);
    }
  };
  const lanes = beside.filter(({ when }) => when === undefined || names.includes(when));
  const apart = lanes.flatMap(({ stages }) => stages);
  const own = ({ stages }) => names.filter((name) => stages.includes(name));
  await Promise.all([
    ...lanes
      .filter(({ when }) => when !== undefined)
      .map(async (lane) => {
        await once(begins, lane.when);
        await inOrder(own(lane));
      }),
    inOrder(names.filter((name) => !apart.includes(name))),
    ...lanes.filter(({ when }) => when === undefined).map((lane) => inOrder(own(lane))),
  ]);
}
