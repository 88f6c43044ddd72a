import { bestDevice, LOCAL_HOST, type DeviceInfo, type LabDescription } from '@verbslab/protocol';
import { useMemo } from 'react';
import { useAgent } from '../../connection/store';

/** A device that an endpoint can be placed on. */
export interface PlaceChoice {
  /** `host/device` */
  value: string;
  host: string;
  device: string;
  providerClass: string;
  /** Why it cannot be chosen now. */
  problem: string | null;
}

/** The devices of this agent and of all that are paired with it. */
export function usePlaces(): PlaceChoice[] {
  const devices = useAgent((s) => s.devices);
  const peers = useAgent((s) => s.peers);
  return useMemo(
    () =>
      [{ name: LOCAL_HOST, devices, state: 'up' }, ...(peers ?? [])].flatMap((host) =>
        host.devices.map((device) => ({
          value: `${host.name}/${device.name}`,
          host: host.name,
          device: device.name,
          providerClass: device.providerClass,
          problem: device.problem ? 'cannot be used' : host.state === 'up' ? null : 'host is down',
        })),
      ),
    [devices, peers],
  );
}

/** The devices that a run would use with these places. Nothing of a host that is not known yet. */
export function useChosenDevices(
  lab: LabDescription,
  chosen: Readonly<Record<string, string>>,
): DeviceInfo[] {
  const devices = useAgent((s) => s.devices);
  const peers = useAgent((s) => s.peers);
  return useMemo(() => {
    const hosts = [{ name: LOCAL_HOST, devices }, ...(peers ?? [])];
    return lab.roles.flatMap(({ name }) => {
      const [host = LOCAL_HOST, device = ''] = (chosen[name] || LOCAL_HOST).split('/');
      const there = hosts.find((one) => one.name === host)?.devices ?? [];
      return (device === '' ? bestDevice(there, lab) : there.find((one) => one.name === device)) ?? [];
    });
  }, [devices, peers, lab, chosen]);
}

/** `on.server=vm1/rxe0`: the places that a link brings ("run again"). */
export function placesFromQuery(query: URLSearchParams, lab: LabDescription): Record<string, string> {
  return Object.fromEntries(
    lab.roles.flatMap(({ name }) => {
      const place = query.get(`on.${name}`);
      return place ? [[name, place]] : [];
    }),
  );
}

/** The places for `run.start`: none for roles that the agent places. */
export function chosenPlaces(chosen: Readonly<Record<string, string>>): {
  endpoints?: Record<string, string>;
} {
  const endpoints = Object.fromEntries(Object.entries(chosen).filter(([, place]) => place !== ''));
  return Object.keys(endpoints).length > 0 ? { endpoints } : {};
}
