// Where the build put what others load. Nothing is loaded here.
import { fileURLToPath } from 'node:url';

const at = (name) => fileURLToPath(new URL(`./build/Release/${name}`, import.meta.url));

export const addonPath = at('verbslab.node');
export const urocePath = at('liburoce.so');
export const urocePathsPath = at('liburoce-paths.so');
export const vlloopPath = at('vlloop');
export const vlcostPath = at('vlcost');
export const vlfloodPath = at('vlflood');
export const vlcallsPath = at('vlcalls');
export const confinePath = at('vlconfine');
export const capturePath = at('vlcapture');
