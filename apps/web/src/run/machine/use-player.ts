import { useSyncExternalStore } from 'react';
import type { Player } from './player';

/** Draws again whenever what is asked of the player has changed. */
export const usePlayer = <T extends number | boolean>(player: Player, of: (player: Player) => T): T =>
  useSyncExternalStore(
    player.subscribe,
    () => of(player),
    () => of(player),
  );
