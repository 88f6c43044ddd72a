import { labHref } from '../addresses';
import { LOCAL_HOST, type ClientMessageOf, type RunRecord } from '@verbslab/protocol';

/**
 * Places of the endpoints. Empty for a run that ended before its endpoints were open, and for an imported one: its
 * `local` is another machine.
 */
function endpointsOf(record: RunRecord): Record<string, string> {
  if (record.imported) return {};
  const places = record.result?.endpoints ?? [];
  return Object.fromEntries(places.map(({ role, host, device }) => [role, `${host}/${device}`]));
}

/**
 * Request for a run of the same lab with the same parameters, in the same mode, on the same devices. An imported run is
 * repeated on the devices of this agent.
 */
export function againRequest(
  record: RunRecord,
): Pick<ClientMessageOf<'run.start'>, 'lab' | 'params' | 'mode' | 'endpoints'> {
  const endpoints = endpointsOf(record);
  return {
    lab: record.lab,
    params: record.parameters,
    mode: record.mode,
    ...(Object.keys(endpoints).length > 0 ? { endpoints } : {}),
  };
}

/** Link to the lab's form with the parameters of this run, and its places if an endpoint was on another host. */
export function editHref(record: RunRecord): string {
  const places = Object.entries(endpointsOf(record));
  const elsewhere = places.some(([, place]) => !place.startsWith(`${LOCAL_HOST}/`));
  return labHref(
    record.lab,
    record.parameters,
    elsewhere ? places.map(([role, place]): [string, string] => [`on.${role}`, place]) : [],
  );
}
