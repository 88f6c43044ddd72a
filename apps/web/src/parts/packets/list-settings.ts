import { create } from 'zustand';

/** How lists of packets show times and PSNs. */
export interface ListSettings {
  /** Distance from the first request of the requester, or the number in the packet. */
  psn: 'relative' | 'raw';
  /** Since the first packet, or since the previous one in the list. */
  time: 'first' | 'previous';
}

const KEY = 'verbslab.packet-list';
const DEFAULT: ListSettings = { psn: 'relative', time: 'first' };

function load(): ListSettings {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<ListSettings>;
    return {
      psn: saved.psn === 'raw' ? 'raw' : 'relative',
      time: saved.time === 'previous' ? 'previous' : 'first',
    };
  } catch {
    return DEFAULT;
  }
}

/** Settings of this browser. Only lists of packets use them, which are drawn on the client alone. */
export const useListSettings = create<ListSettings>(load);

export function changeListSettings(to: Partial<ListSettings>): void {
  useListSettings.setState(to);
  try {
    localStorage.setItem(KEY, JSON.stringify(useListSettings.getState()));
  } catch {
    // A full or forbidden storage only means that the choice is not kept.
  }
}
