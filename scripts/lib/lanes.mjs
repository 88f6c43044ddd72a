// Stages in lanes: those of one lane follow each other, and the lanes run beside each other.

/**
 * Runs every name once. The names in a list of `beside` make a lane of their own, in the order of `names`; all others make
 * the first lane. Rejects at the first failure of `run`.
 */
export async function inLanes(names, beside, run) {
  const rest = names.filter((name) => !beside.flat().includes(name));
  const lanes = [rest, ...beside.map((lane) => names.filter((name) => lane.includes(name)))];
  await Promise.all(
    lanes.map(async (lane) => {
      for (const name of lane) await run(name);
    }),
  );
}
